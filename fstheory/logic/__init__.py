"""The language of claims: written once, evaluated exactly at a distribution, spelled out for the solver."""

from fstheory.logic.certificate import Certificate
from fstheory.logic.claim import Claim, claim, positive, unique_maximum
from fstheory.logic.evaluate import Evaluation, truth, value
from fstheory.logic.expressions import Formula, Term
from fstheory.logic.model import Classifier, Model
from fstheory.logic.statement import Named, Shape, Statement
from fstheory.logic.verdict import Holds, Impossible, NotRefuted, Proved, Realized, Refuted, Undecided, Vacuous
from fstheory.logic.verdict import Verdict as Verdict  # a type, for annotations

__all__ = [
    "Certificate", "Claim", "Classifier", "Evaluation", "Formula", "Holds", "Impossible", "Model", "Named",
    "NotRefuted", "Proved", "Realized", "Refuted", "Shape", "Statement", "Term", "Undecided", "Vacuous", "claim",
    "positive", "truth", "unique_maximum", "value",
]  # fmt: skip
