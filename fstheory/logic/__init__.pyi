from .certificate import (
    Certificate,
)
from .claims import (
    Claim,
    claim,
    positive,
    unique_maximum,
)
from .evaluate import (
    truth,
    value,
)
from .every_size import (
    EverySize,
)
from .expressions import (
    Formula,
    Term,
)
from .language import (
    Classifier,
    Model,
)
from .statement import (
    Shape,
)
from .verdict import (
    Holds,
    Impossible,
    NotRefuted,
    Proved,
    Realized,
    Refuted,
    Undecided,
    Vacuous,
)

__all__ = [
    "Certificate",
    "Claim",
    "Classifier",
    "EverySize",
    "Formula",
    "Holds",
    "Impossible",
    "Model",
    "NotRefuted",
    "Proved",
    "Realized",
    "Refuted",
    "Shape",
    "Term",
    "Undecided",
    "Vacuous",
    "claim",
    "positive",
    "truth",
    "unique_maximum",
    "value",
]
