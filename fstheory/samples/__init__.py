"""What a method selects on m samples: exact laws, simulations, bounds, fits."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
