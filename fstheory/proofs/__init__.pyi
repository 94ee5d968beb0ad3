from .prover import (
    needed_assumptions,
    prove,
)
from .realization import (
    realize,
)
from .refutation import (
    refute,
)

__all__ = [
    "needed_assumptions",
    "prove",
    "realize",
    "refute",
]
