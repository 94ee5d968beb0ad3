"""A workbench for the theory of feature selection on finite sample spaces.

A `JointDistribution` of features and a class is built from data or weights, taken from the `gallery` or asked
for (`adversarial`). `bayes_risks` gives the risks of all of its feature subsets at once; `minimal_optimal`,
`k_optimal`, `relevance` and `select` choose features; `info` measures information; `criteria` holds the other
performance measures, `bounds` what removing features can cost. A `claim` about distributions is checked,
proved for a whole shape (`prove`) or refuted by the smallest counterexample (`refute`); `claims` holds those
of the papers, and `audit` says which are true. Every number is exact.
"""

import lazy_loader

# Which name lives where is said once, in the stub beside this file: type checkers read it, and a name
# loads its module when it is first used.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

__version__ = "0.2.0"
