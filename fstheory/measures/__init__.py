"""What a subset of features is worth: risk, information, criteria, regression, and bounds between them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
