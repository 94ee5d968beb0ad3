"""Exact numbers: wide integers, sums of logarithms and of roots, algebraic numbers."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
