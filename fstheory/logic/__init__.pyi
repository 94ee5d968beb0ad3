from .certificate import (
    Certificate,
)
from .claims import (
    Claim,
    claim,
    positive,
    unique_maximum,
)
from .entry import (
    Entry,
    Evidence,
    Paper,
    Statements,
)
from .evaluate import (
    truth,
    value,
)
from .every_size import (
    EverySize,
)
from .expressions import (
    Classifier,
    Formula,
    Term,
)
from .language import (
    Model,
)
from .ledger import (
    register,
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
    "Entry",
    "EverySize",
    "Evidence",
    "Formula",
    "Holds",
    "Impossible",
    "Model",
    "NotRefuted",
    "Paper",
    "Proved",
    "Realized",
    "Refuted",
    "Shape",
    "Statements",
    "Term",
    "Undecided",
    "Vacuous",
    "claim",
    "positive",
    "register",
    "truth",
    "unique_maximum",
    "value",
]
