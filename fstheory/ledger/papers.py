"""The papers that the ledger reads."""

from __future__ import annotations

from fstheory.ledger.entry import Paper

__all__ = ["AHMED_2015", "BERAHA_2019", "PENA_NILSSON_2010", "SEBBAN_NOCK_2002"]

PENA_NILSSON_2010 = Paper(
    "Peña and Nilsson",
    "J. M. Peña and R. Nilsson",
    "On the complexity of discrete feature selection for optimal classification",
    2010,
)

BERAHA_2019 = Paper(
    "Beraha et al.",
    "M. Beraha, A. M. Metelli, M. Papini, A. Tirinzoni and M. Restelli",
    "Feature selection via mutual information: new theoretical insights",
    2019,
)

AHMED_2015 = Paper(
    "Ahmed et al.",
    "S. Ahmed, H. Narasimhan and S. Agarwal",
    "Bayes optimal feature selection for supervised learning with general performance measures",
    2015,
)

SEBBAN_NOCK_2002 = Paper(
    "Sebban and Nock",
    "M. Sebban and R. Nock",
    "A hybrid filter/wrapper approach of feature selection using information theory",
    2002,
)
