from .logsum import (
    LogSum,
    log,
)
from .roots import (
    RootSum,
    sqrt,
)

__all__ = [
    "LogSum",
    "RootSum",
    "log",
    "sqrt",
]
