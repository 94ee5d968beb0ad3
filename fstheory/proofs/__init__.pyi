from .extremum import (
    Extremum,
    infimum,
    supremum,
)
from .prover import (
    needed_assumptions,
    prove,
)
from .realization import (
    realize,
)
from .referee import (
    referee,
)
from .refutation import (
    refute,
)

__all__ = [
    "Extremum",
    "infimum",
    "needed_assumptions",
    "prove",
    "realize",
    "referee",
    "refute",
    "supremum",
]
