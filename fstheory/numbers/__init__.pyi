from .logsum import (
    LogSum,
    log,
)
from .roots import (
    RootSum,
    ShiftedRoot,
    sqrt,
)

__all__ = [
    "LogSum",
    "RootSum",
    "ShiftedRoot",
    "log",
    "sqrt",
]
