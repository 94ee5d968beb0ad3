from .prover import (
    prove,
)
from .realization import (
    realize,
)
from .refutation import (
    needed_assumptions,
    refute,
)

__all__ = [
    "needed_assumptions",
    "prove",
    "realize",
    "refute",
]
