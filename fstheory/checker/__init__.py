"""The independent checker: whether what a certificate states is true, decided from the definitions alone.

It shares no code with the sweep, the Bayes risks, the language of claims or the search, and imports only the exact
numbers. To read it takes ten minutes: `statement` (plain values, limits, what a certificate speaks about, what is true
at one distribution), `cases` (what is true of all), `checking` (the functions to call).

A certificate is JSON: a shape, assumptions, and formulas to show, each a nested list such as
``["<=", ["R", [0]], ["q", "1/2"]]``. Features, their states and the classes are numbered from 0:
``["P", [0, null], 1]`` is the probability that the first feature is 0 and the class 1, ``["R", [0]]`` the Bayes risk of
the first feature, ``["H", [0], true]`` the entropy in nats of the first feature and the class.

*refuted* or *realized*: the weights of a distribution at which all assumptions are true and the one formula to show is
false or true, with the value of each side of its comparisons.

*proved*: for each formula to show, a contradiction from the assumptions and its negation, for all distributions at
once: a tree of cases, each with multipliers under which linear facts add up to 0 > 0, or a reference to the tree of
another formula that is the same up to the names of features, states and classes. A fact is one of the branch, by its
number; ``"total"``, the probabilities sum to 1; ``["p", i]``, cell i has none below 0; ``["M", k, j]``, maximum k is at
least its argument j; ``["whole", k]``, it is at most the sum of its arguments, where these are sums of probabilities;
``["sum", k, [a, b, ..]]``, it is at most the sum of maxima a, b, .., where their arguments add up to its own, one by
one. The last two are new in version 2; what version 1 had is read as before.

What is verified is the *statement in the certificate*. Whether that is the statement of the claim whose name it bears
is for others to compare.
"""

from fstheory.checker.checking import (
    Checked,
    certificate_digest,
    check_certificate,
    check_certificate_text,
    read_certificate,
)

__all__ = ["Checked", "certificate_digest", "check_certificate", "check_certificate_text", "read_certificate"]
