"""Pages: the report on one distribution or sample, and the lattice to be touched."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
