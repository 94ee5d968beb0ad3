"""The language of claims: how a statement is written, decided at a distribution, certified and kept in a ledger."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
