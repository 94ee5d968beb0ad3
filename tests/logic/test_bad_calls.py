"""What the functions and records of the language refuse."""

from fractions import Fraction

from fstheory import JointDistribution
from fstheory.distributions import gallery
from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError, TooLargeError, UnknownNameError
from fstheory.logic.certificate import Certificate
from fstheory.logic.claims import choose_domains, claim, positive, unique_maximum
from fstheory.logic.evaluate import truth
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from tests.refusals import Refusal, refusals

CERTIFICATE = "text must be a certificate in JSON"

NAMES = {
    "Certificate": Certificate, "Model": Model, "Shape": Shape, "claim": claim, "positive": positive, "truth": truth,
    "unique_maximum": unique_maximum, "domains": choose_domains, "Fraction": Fraction, "m": Model(Shape((2,))),
    "CONTENT": Certificate({"kind": "refuted"}), "some": claim(assume=[positive], name="some")(lambda m: True),
    "certain": claim(lambda m: m.risk() == 0), "wide": JointDistribution([1, 10**5000]), "xor": gallery.xor(),
}  # fmt: skip

DECLARED: list[Refusal] = [
    *((f"claim({what})", InvalidTypeError, "claim", "applied to a function") for what in ("3", "'PN-3'", "[positive]")),
    *((f"claim()({what})", InvalidTypeError, "claim", "applied to a function") for what in ("3", "'PN-3'", "positive")),
    ("claim(positive)", InvalidTypeError, "claim", "applied to a function"),
    ("claim(max)", InvalidTypeError, "claim", "applied to a function written in Python"),
    ("claim(int)", InvalidTypeError, "claim", "applied to a function written in Python"),
    ("some.without('unique_maximum')", UnknownNameError, "assumption of some", "'unique_maximum' does not exist"),
    ("positive.without(unique_maximum)", UnknownNameError, "assumption of positive", "does not exist"),
    ("domains(['S'], {'T': 'subset'})", InvalidValueError, "where", "about the variables ['S'], not 'T'"),
    ("domains(['S'], {'S': 'set'})", InvalidValueError, "where['S']", "with an earlier subset S, not 'set'"),
    ("domains(['S'], {'S': None})", InvalidValueError, "where['S']", "'feature', 'subset'"),
    ("domains(['g', 'S'], {'g': 'classifier of S'})", InvalidValueError, "where['g']", "not 'classifier of S'"),
    ("domains(['i', 'g'], {'g': 'classifier of i'})", InvalidValueError, "where['g']", "not 'classifier of i'"),
    ("domains(['S', 'y'], {'y': 'class of S'})", InvalidValueError, "where['y']", "not 'class of S'"),
    ("domains(['S'], {'S': 'subset of S'})", InvalidValueError, "where['S']", "not 'subset of S'"),
    *((f"domains([{name!r}], {{}})", InvalidValueError, "a variable", "i, j, k") for name in ("size", "X", "ii")),
]

CHECKED: list[Refusal] = [
    *((f"positive.check({d})", InvalidTypeError, "d", "a JointDistribution") for d in ("None", "[[1, 2]]", "'xor'")),
    ("positive.check(Shape((2,)))", InvalidTypeError, "d", "a JointDistribution"),
    *((f"positive.statement({d})", InvalidTypeError, "subject", "a Shape or") for d in ("None", "[[1, 2]]", "'xor'")),
    *(
        (f"truth({bad}, xor)", InvalidTypeError, "a part of a claim", "a formula")
        for bad in ("None", "0.5", "m.risk()")
    ),
    ("certain.check(wide)", TooLargeError, "the distribution", "of weights of at most 13000 bits"),
    ("Model(Shape((2,) * 40))", TooLargeError, "the shape", "of at most 10,000,000 cells"),
    *((f"m.value('X1', {x})", InvalidTypeError, "the label of X1", "an exact number") for x in ("0.5", "True", "(1,)")),
    ("Shape(2)", InvalidTypeError, "cardinalities", "a tuple of integers"),
    ("Shape('22')", InvalidTypeError, "cardinalities", "a tuple of integers"),
    ("Shape((2.0,))", InvalidTypeError, "cardinalities", "integers, not 2.0"),
    ("Shape((True,))", InvalidTypeError, "cardinalities", "integers, not True"),
    ("Shape((2,), '2')", InvalidTypeError, "classes", "integers, not '2'"),
    ("Shape((2,), None)", InvalidTypeError, "classes", "integers, not None"),
    ("Shape((0,))", InvalidValueError, "cardinalities", "at least 1, not 0"),
    ("Shape((2,), 0)", InvalidValueError, "classes", "at least 1, not 0"),
]

CERTIFIED: list[Refusal] = [
    ("Certificate({'a': 0.5})", InvalidTypeError, "content", "what JSON has: 0.5 is not a whole number"),
    ("Certificate({'a': [float('nan')]})", InvalidTypeError, "content", "what JSON has: NaN is not a whole number"),
    ("Certificate({'a': {1, 2}})", InvalidTypeError, "content", "Object of type set is not JSON serializable"),
    ("Certificate({'a': Fraction(1, 2)})", InvalidTypeError, "content", "Object of type Fraction is not"),
    ("Certificate([1])", InvalidTypeError, "content", "a mapping, as JSON has it, not [1]"),
    ("Certificate('a.json')", InvalidTypeError, "content", "a mapping, as JSON has it, not 'a.json'"),
    ("Certificate.from_json('[1]')", InvalidFormatError, "text", "a JSON object, not [1]"),
    ("Certificate.from_json('null')", InvalidFormatError, "text", "a JSON object, not None"),
    *(
        (f"Certificate.from_json({text})", InvalidFormatError, CERTIFICATE, reason)
        for text, reason in [
            ("''", "Expecting value"),
            ("'{'", "Expecting property name"),
            ("""'{"a": 0.5}'""", "0.5 is not a whole number"),
            ("""'{"a": [1e3]}'""", "1e3 is not a whole number"),
            ("""'{"a": NaN}'""", "NaN is not a whole number"),
            ("""'{"a": 1, "a": 2}'""", "the key 'a' appears twice"),
            ("""'{"b": {"a": 1, "a": 1}}'""", "the key 'a' appears twice"),
            ("'[' * 200_000", "it is nested too deeply"),
            ("'1' * 5000", "Exceeds the limit (4300 digits)"),
        ]
    ),
    ("CONTENT.save(3)", InvalidTypeError, "path", "a string or a path"),
]

test_bad_call = refusals([*DECLARED, *CHECKED, *CERTIFIED], NAMES)
