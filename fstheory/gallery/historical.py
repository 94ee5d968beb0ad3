"""Historical tables: people who were counted."""

from __future__ import annotations

from fstheory.distribution import JointDistribution

__all__ = ["berkeley", "titanic"]

# class -> sex -> (children lost, children saved, adults lost, adults saved)
_TITANIC = {
    "1st": {"male": (0, 5, 118, 57), "female": (0, 1, 4, 140)},
    "2nd": {"male": (0, 11, 154, 14), "female": (0, 13, 13, 80)},
    "3rd": {"male": (35, 13, 387, 75), "female": (17, 14, 89, 76)},
    "crew": {"male": (0, 0, 670, 192), "female": (0, 0, 3, 20)},
}

# department -> (men rejected, men admitted, women rejected, women admitted)
_BERKELEY = {
    "A": (313, 512, 19, 89),
    "B": (207, 353, 8, 17),
    "C": (205, 120, 391, 202),
    "D": (279, 138, 244, 131),
    "E": (138, 53, 299, 94),
    "F": (351, 22, 317, 24),
}


def titanic() -> JointDistribution:
    """Return the 2201 people on board the Titanic: class, sex and age -> survived.

    Returns
    -------
    JointDistribution
        Features ``class`` (1st, 2nd, 3rd, crew), ``sex`` (male, female) and ``age`` (child, adult);
        target ``survived`` (no, yes).

    Notes
    -----
    There were no children in the crew, so p(x) > 0 fails; and every child of the first two classes was
    saved. The minimal-optimal subset is nevertheless unique: all three features. Age is of no use
    next to sex alone, yet it is of use next to class, and next to both.

    References
    ----------
    .. [1] R. J. MacG. Dawson, "The 'Unusual Episode' Data Revisited", Journal of Statistics
       Education 3(3), 1995.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.titanic()
    >>> d.total, d.probability({"survived": "yes"})
    (2201, Fraction(711, 2201))
    >>> d.probability({"class": "crew", "age": "child"})
    Fraction(0, 1)
    >>> [str(bayes_risk(d, subset)) for subset in ((), {"class"}, {"sex"}, {"age"})]
    ['711/2201', '630/2201', '493/2201', '706/2201']
    >>> [str(bayes_risk(d, subset)) for subset in ({"sex", "age"}, {"class", "sex"}, {"class", "sex", "age"})]
    ['493/2201', '477/2201', '461/2201']
    """
    weights = [[[row[:2], row[2:]] for row in sexes.values()] for sexes in _TITANIC.values()]
    return JointDistribution(
        weights,
        features=["class", "sex", "age"],
        target="survived",
        states={
            "class": list(_TITANIC),
            "sex": ["male", "female"],
            "age": ["child", "adult"],
            "survived": ["no", "yes"],
        },
    )


def berkeley() -> JointDistribution:
    """Return the 4526 applicants to Berkeley's six largest departments in 1973: gender and department -> admitted.

    Returns
    -------
    JointDistribution
        Features ``gender`` (male, female) and ``department`` (A to F); target ``admitted`` (no, yes).

    Notes
    -----
    The standard example of Simpson's paradox: 1198 of 2691 men and 557 of 1835 women were admitted, yet
    in four of the six departments the women's rate is the higher one. For the Bayes classifier the
    paradox is moot: gender alone is worth nothing, because both genders are mostly rejected, and next
    to the department it is worth nothing either. The minimal-optimal subset is {department}.

    Some copies of the table have 16 and 256 men in department F in place of 22 and 351; only
    the latter agree with the published totals.

    References
    ----------
    .. [1] P. J. Bickel, E. A. Hammel and J. W. O'Connell, "Sex Bias in Graduate Admissions: Data from
       Berkeley", Science 187, 1975.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.berkeley()
    >>> d.total, d.probability({"admitted": "yes"})
    (4526, Fraction(1755, 4526))
    >>> [str(d.posterior({"gender": gender})["yes"]) for gender in ("male", "female")]
    ['1198/2691', '557/1835']
    >>> [str(bayes_risk(d, subset)) for subset in ((), {"gender"}, {"department"}, {"gender", "department"})]
    ['1755/4526', '1755/4526', '1331/4526', '1331/4526']
    """
    weights = [[row[:2] for row in _BERKELEY.values()], [row[2:] for row in _BERKELEY.values()]]
    return JointDistribution(
        weights,
        features=["gender", "department"],
        target="admitted",
        states={"gender": ["male", "female"], "department": list(_BERKELEY), "admitted": ["no", "yes"]},
    )
