"""What the functions and records of the language refuse."""

from fractions import Fraction

from fstheory import JointDistribution
from fstheory.errors import (
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    NotLinearError,
    TooLargeError,
    UnknownNameError,
)
from fstheory.logic.certificate import Certificate
from fstheory.logic.claims import choose_domains, claim, positive, unique_maximum
from fstheory.logic.evaluate import truth
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import Classifier
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from tests.refusals import Refusal, refusals

NAMES = {
    "Certificate": Certificate, "Model": Model, "Shape": Shape, "claim": claim, "positive": positive, "truth": truth,
    "unique_maximum": unique_maximum, "domains": choose_domains, "Fraction": Fraction, "m": Model(Shape((2,))),
    "m3": Model(Shape((2, 2, 3))), "every": Model(EverySize(3)), "every2": Model(EverySize(3, 2)),
    "g": Classifier((), {(): 0}),
    "CONTENT": Certificate({"kind": "refuted"}), "some": claim(assume=[positive], name="some")(lambda m: True),
    "certain": claim(lambda m: m.risk() == 0), "wide": JointDistribution([1, 10**5000]), "d": JointDistribution([1]),
}  # fmt: skip

CLAIMED: list[Refusal] = [
    *((call, InvalidTypeError, "claim", "applied to a function") for call in ("claim(3)", "claim()(3)")),
    ("claim(positive)", InvalidTypeError, "claim", "applied to a function"),
    ("claim(int)", InvalidTypeError, "claim", "applied to a function written in Python"),
    ("some.without('unique_maximum')", UnknownNameError, "assumption of some", "'unique_maximum' does not exist"),
    ("positive.without(unique_maximum)", UnknownNameError, "assumption of positive", "does not exist"),
    ("domains(['S'], {'S': None})", InvalidValueError, "where['S']", "'feature', 'subset'"),
    ("domains(['g', 'S'], {'g': 'classifier of S'})", InvalidValueError, "where['g']", "not 'classifier of S'"),
    ("domains(['i', 'g'], {'g': 'classifier of i'})", InvalidValueError, "where['g']", "not 'classifier of i'"),
    ("domains(['S', 'y'], {'y': 'class of S'})", InvalidValueError, "where['y']", "not 'class of S'"),
    ("domains(['S'], {'S': 'subset of S'})", InvalidValueError, "where['S']", "not 'subset of S'"),
    *((f"domains([{name!r}], {{}})", InvalidValueError, "a variable", "i, j, k") for name in ("X", "ii")),
    ("positive.check(Shape((2,)))", InvalidTypeError, "d", "a JointDistribution"),
    ("positive.statement([[1, 2]])", InvalidTypeError, "subject", "a Shape or"),
    *((f"truth({bad}, d)", InvalidTypeError, "a part of a claim", "a formula") for bad in ("None", "m.risk()")),
    ("certain.check(wide)", TooLargeError, "the distribution", "of weights of at most 13000 bits"),
    ("m.count([True] * 40, at_most=19)", TooLargeError, "formulas", "fewer than make 100,000 choices"),
    *((f"m3.risk('X1', target={x})", UnknownNameError, "variable", "does not exist") for x in ("'X9'", "['X2']", "3")),
    *(
        (f"m3.{word}('X9', target='X1')", UnknownNameError, "subset", "'X9' does not exist")
        for word in ("risk", "gini")
    ),
    ("m3.risk(m3.target)", UnknownNameError, "subset", "'Y' does not exist"),
    ("m3.risk(m3.target, target=m3.target)", UnknownNameError, "subset", "'Y' does not exist"),
    ("m3.risk(g, target='X1')", InvalidTypeError, "of", "a set of features where target is given"),
    ("m3.risk((), noise='2/3')", InvalidValueError, "noise", "between 0 and 1/2"),
    *(
        (f"m3.risk((), noise={noise})", InvalidValueError, "noise", "between 0 and 1/2")
        for noise in (
            "m3.risk()",
            "m3.parameter('a', above=0, below='2/3')",
            "m3.parameter('b', above=-1, below='1/3')",
        )
    ),
    *((f"m3.risk((), prior={p})", InvalidValueError, "prior", "of sum 1") for p in ("{0: 1}", "{0: '1/2', 1: '1/3'}")),
    ("m3.risk((), prior={0: 2, 1: -1})", InvalidValueError, "prior[1]", "at least 0"),
    ("m3.risk((), prior=['1/2', '1/2'])", InvalidTypeError, "prior", "a mapping from classes"),
    ("m3.risk((), merged=[1, 2])", UnknownNameError, "class", "2 does not exist"),
    ("m3.risk((), merged=1)", InvalidTypeError, "merged", "a list of classes"),
    ("m3.risk((), noise=0, merged=[0, 1])", InvalidValueError, "merged", "the only change"),
    ("m3.risk(g, noise=0)", InvalidTypeError, "of", "where noise is given"),
    *((f"every.risk((), {one})", NotLinearError, "it", "asks about classes") for one in ("noise=0", "prior={0: 1}")),
    ("every.risk((), merged=[0])", NotLinearError, "it", "merged classes"),
    ("every2.risk((), prior={0: '1/3', 1: '2/3'})", NotLinearError, "it", "write 2 * m.cost_sensitive(S, cost='1/3')"),
    *((f"every.{word}('X1', target='X2')", NotLinearError, "it", "X2 as a target") for word in ("risk", "gini")),
    *((f"m3.{call}", UnknownNameError, "variable", "'X4' does not exist") for call in ("xor('X4')", "xor('X1', 'X4')")),
    ("m3.function('X4', of=())", UnknownNameError, "variable", "'X4' does not exist"),
    ("m3.function('X1', of='X4')", UnknownNameError, "subset", "'X4' does not exist"),
    ("m3.xor('X1', 'X1')", InvalidValueError, "others", "different variables"),
    ("m3.xor('X1', 'X3')", InvalidValueError, "X3", "a variable of two states"),
    ("every.xor('X1', 'X2')", NotLinearError, "it", "an exclusive or"),
    ("Model(Shape((2,) * 40))", TooLargeError, "the shape", "of at most 63 features and 10,000,000 cells"),
    ("Model(Shape((1,) * 64))", TooLargeError, "the shape", "of at most 63 features and 10,000,000 cells"),
    *((f"m.value('X1', {x})", InvalidTypeError, "the label of X1", "an exact number") for x in ("0.5", "True")),
    *((f"Shape({sizes})", InvalidTypeError, "cardinalities", "a tuple of integers") for sizes in ("2", "'22'")),
    *((f"Shape({sizes})", InvalidTypeError, "cardinalities", "integers, not") for sizes in ("(2.0,)", "(True,)")),
    ("Shape((2,), '2')", InvalidTypeError, "classes", "integers, not '2'"),
    ("Shape((0,))", InvalidValueError, "cardinalities", "at least 1, not 0"),
    ("Shape((2,), 0)", InvalidValueError, "classes", "at least 1, not 0"),
]

JSON = "text must be a certificate in JSON"
CERTIFIED: list[Refusal] = [
    ("Certificate({'a': 0.5})", InvalidTypeError, "content", "what JSON has: 0.5 is not a whole number"),
    ("Certificate({'a': [float('nan')]})", InvalidTypeError, "content", "what JSON has: NaN is not a whole number"),
    ("Certificate({'a': Fraction(1, 2)})", InvalidTypeError, "content", "Object of type Fraction is not"),
    ("Certificate([1])", InvalidTypeError, "content", "a mapping, as JSON has it, not [1]"),
    ("Certificate.from_json('[1]')", InvalidFormatError, "text", "a JSON object, not [1]"),
    ("Certificate.from_json('{')", InvalidFormatError, JSON, "Expecting property name"),
    ("Certificate.from_json('[1e3]')", InvalidFormatError, JSON, "1e3 is not a whole number"),
    ("""Certificate.from_json('{"a": 1, "a": 2}')""", InvalidFormatError, JSON, "the key 'a' appears twice"),
    ("Certificate.from_json('[' * 200_000)", InvalidFormatError, JSON, "it is nested too deeply"),
    ("Certificate.from_json('1' * 5000)", InvalidFormatError, JSON, "Exceeds the limit (4300 digits)"),
    ("CONTENT.save(3)", InvalidTypeError, "path", "a string or a path"),
]

test_bad_call = refusals([*CLAIMED, *CERTIFIED], NAMES)
