from .certificate import (
    Certificate,
)
from .checker import (
    Checked,
    check_certificate,
)
from .claims import (
    Claim,
    claim,
    positive,
    unique_maximum,
)
from .evaluate import (
    Evaluation,
    truth,
    value,
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
    Instance,
    Shape,
    Statement,
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
    "Checked",
    "Claim",
    "Classifier",
    "Evaluation",
    "Formula",
    "Holds",
    "Impossible",
    "Instance",
    "Model",
    "NotRefuted",
    "Proved",
    "Realized",
    "Refuted",
    "Shape",
    "Statement",
    "Term",
    "Undecided",
    "Vacuous",
    "check_certificate",
    "claim",
    "positive",
    "truth",
    "unique_maximum",
    "value",
]
