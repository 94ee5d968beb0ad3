"""The statements of the papers with what is true of them, and the experiments of the papers, run again."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
