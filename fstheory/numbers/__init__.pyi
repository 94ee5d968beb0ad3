from .logsum import (
    ExactRatio,
    LogSum,
    log,
)
from .roots import (
    RootSum,
    sqrt,
)

__all__ = [
    "ExactRatio",
    "LogSum",
    "RootSum",
    "log",
    "sqrt",
]
