"""What the room refuses: one table."""

import numpy as np

import fstheory as fs
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, UnknownNameError, ZeroProbabilityError
from tests.refusals import refusals

TWO = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
MANY_STATES = np.ones((2,) * 5, dtype=int) + np.arange(2) * np.arange(2)[:, None, None, None, None]
NAMES = {
    **{name: getattr(fs.samples, name) for name in fs.samples.__all__},
    "fs": fs,
    "source": np.random.default_rng(0),
    "two": TWO,
    "coin": fs.JointDistribution([[3, 1], [1, 3]]),
    "three": fs.JointDistribution([[3, 1, 1], [1, 3, 1]]),
    "one": fs.JointDistribution([[1], [2]]),
    "zero": fs.JointDistribution([[0, 1]]),
    "most_held": fs.StandardWrap(holdout=2**17, ties="first"),
    "wide": fs.JointDistribution(MANY_STATES),
    "huge": fs.JointDistribution(np.ones((2,) * 21, dtype=int)),
    "fos": fs.FOS(tau="1/20", ties="first"),
    "wrap": fs.StandardWrap(holdout="1/4", ties="first"),
    "drawn": fs.FBS(tau="1/2", ties="uniform"),
    "plain": fs.NoSelection(),
    "rows": fs.Sample([(0, 0), (0, 1), (1, 1), (1, 1)]),
    "row": fs.Sample([(0, 0)], states={"Y": [0, 1]}),
    "thirty": fs.Sample([(*([0] * 30), 0), (*([1] * 30), 1)]),
    "hundred": fs.Sample([([0] * 101)]),
    "many": fs.Sample.from_counts({(0, 1): 10**15}),
}

test_refuses = refusals(
    [
        # methods
        ("OrderedFS(holdout=0, ties='first')", InvalidValueError, "holdout", "above 0"),
        ("StandardWrap(holdout=0.3, ties='first')", InvalidTypeError, "holdout", "an exact number"),
        ("StandardWrap(holdout=3, ties='last')", InvalidValueError, "ties", "one of first, uniform"),
        ("FBS(tau='-1/2', ties='first')", InvalidValueError, "tau", "above 0"),
        ("FBS(tau='1/2', ties='first', estimate='cv')", InvalidValueError, "estimate", "resubstitution, leave-one-out"),
        ("PlugIn(select='greedy')", InvalidTypeError, "select", "a function"),
        # laws
        ("selection_law(two, -1, fos)", InvalidValueError, "m", "at least 0"),
        ("selection_law([1], 4, fos)", InvalidTypeError, "d", "a JointDistribution"),
        ("selection_law(two, 4, FOS)", InvalidTypeError, "method", "a method on samples"),
        ("selection_law(one, 4, fos)", InvalidValueError, "d", "two classes"),
        ("selection_law(two, 10**4, fos)", TooLargeError, "m", "small enough"),
        ("selection_law(two, 4, fos, engine='exact')", InvalidValueError, "engine", "one of counts, contrasts"),
        ("selection_law(three, 4, fos, engine='contrasts')", InvalidValueError, "engine", "'counts'"),
        ("selection_law(two, 4, OrderedFS(holdout=4, ties='first'))", InvalidValueError, "holdout", "below m = 4"),
        ("selection_law(two, 4, OrderedFS(holdout='1/3', ties='first'))", InvalidValueError, "holdout", "whole"),
        ("selection_law(two, 0, PlugIn(select=fs.minimal_optimal))", InvalidValueError, "m", "at least 1"),
        ("selection_law(two, 2, PlugIn(select=lambda e: 3))", InvalidTypeError, "what select returns", "names"),
        ("selection_law(two, 2, PlugIn(select=lambda e: 'X9'))", UnknownNameError, "what select returns", "X9"),
        ("selection_law(zero, 2**17 + 1, most_held)", TooLargeError, "m", "below enough"),
        ("selection_law(two, 4, fos, resume=7)", InvalidTypeError, "resume", "a string or a path"),
        ("simulate(two, 4, fos, trials=1, rng=0)", InvalidValueError, "trials", "at least 2"),
        ("simulate(two, 4, fos, trials=9, rng=None)", InvalidTypeError, "rng", "an integer"),
        ("simulate(two, 4, fos, trials=9, rng=source, resume=tmp)", InvalidTypeError, "rng", "a seed"),
        ("simulate(two, 4, fos, trials=9, rng=0, executor=0)", InvalidValueError, "executor", "at least 1"),
        ("simulate(huge, 4, fos, trials=9, rng=0)", TooLargeError, "d", "cells in all marginals"),
        ("simulate(two, 4, fos, trials=9, rng=0).interval([], '1')", InvalidValueError, "confidence", "between"),
        # curves
        ("law_curve(two, fos, [])", InvalidValueError, "ms", "at least one"),
        ("law_curve(two, fos, 10)", InvalidTypeError, "ms", "numbers of samples"),
        ("law_curve(two, fos, [-1])", InvalidValueError, "each of ms", "at least 0"),
        ("law_curve(two, fos, [4])[5]", InvalidValueError, "m", "one of 4"),
        # limits
        ("admissible_tau(coin, 'BS')", InvalidValueError, "method", "one of FBS, FOS"),
        ("admissible_tau(coin, 'FBS').limit(0)", InvalidValueError, "tau", "above 0"),
        ("error_exponent(coin, 'FBS')", InvalidTypeError, "method", "FBS or FOS"),
        ("error_exponent(wide, fos)", TooLargeError, "d", "sign patterns"),
        ("error_exponent(coin, FOS(tau=1, ties='first', holdout=2))", InvalidValueError, "method", "resubstitution"),
        ("error_exponent(coin, drawn)", InvalidValueError, "method", "ties='first'"),
        ("error_exponent(coin, fos).samples(1)", InvalidValueError, "probability", "below 1"),
        ("error_exponent(coin, FOS(tau=1, ties='first')).samples('1/2')", InvalidValueError, "probability", "left out"),
        ("error_exponent(coin, fos).failure_bound(-1)", InvalidValueError, "m", "at least 0"),
        # sample sizes
        ("risk_bound(two, 4, fos)", InvalidTypeError, "method", "NoSelection"),
        ("risk_bound(two, 0, plain)", InvalidValueError, "m", "at least 1"),
        ("risk_bound(two, 4, plain, delta=0)", InvalidValueError, "delta", "strictly between"),
        ("risk_bound(two, 4, wrap).noise_free('1/5')", InvalidValueError, "noise", "likelier class"),
        ("samples_to_bound(two, wrap, '1/10')", InvalidValueError, "limit", "tends to"),
        ("find_probability(0, 3, '1/4')", InvalidValueError, "features", "at least 1"),
        ("find_probability(10**6, 50, '1/4')", TooLargeError, "features", "small enough"),
        ("find_probability_bounds(2, 3, '1/4', bits=0)", InvalidValueError, "bits", "at least 1"),
        ("find_probability_bounds(2, 10**7, '1/4')", TooLargeError, "m", "at most 4,194,304"),
        ("samples_to_find(10, '9/10', '49999/100000')", TooLargeError, "noise", "such that 4,194,304 samples"),
        ("samples_to_find(2, 1, '1/4')", InvalidValueError, "probability", "below 1"),
        # one sample
        ("fit(two, plain)", InvalidTypeError, "sample", "a Sample"),
        ("fit(rows, OrderedFS(holdout=1, ties='first'))", InvalidValueError, "rng", "samples are held out"),
        ("fit(rows, plain, resume=3)", InvalidTypeError, "resume", "a path"),
        ("fit(rows, plain, rng=source, resume='f')", InvalidTypeError, "rng", "a seed, where resume="),
        ("fit(rows, drawn)", InvalidValueError, "rng", "ties are drawn"),
        ("fit(thirty, StandardWrap(holdout=1, ties='first'), rng=0)", TooLargeError, "sample", "at most"),
        ("holdout_risk(rows, {'X1'}, 0)", InvalidValueError, "holdout", "above 0"),
        ("holdout_risk(rows, {'Z'}, 1)", UnknownNameError, "feature", "Z"),
        ("holdout_risk(row, {'X1'}, 1)", InvalidValueError, "s", "at least two samples"),
        ("cross_validated_risk(rows, {'X1'}, folds=1)", InvalidValueError, "folds", "at least 2"),
        ("permutation_null(rows, {'X1'}, rng=0, permutations=0)", InvalidValueError, "permutations", "at least 1"),
        ("supported_features([(0, 1)], rng=0)", InvalidTypeError, "sample", "a Sample"),
        ("supported_features(many, rng=0)", TooLargeError, "the rows one by one", "half of this machine's memory"),
        ("supported_features(row, rng=0, permutations=38)", InvalidValueError, "permutations", "at least 39"),
        ("supported_features(row, rng=0, familywise=0)", InvalidValueError, "familywise", "above 0 and below 1"),
        ("supported_features(row, rng=0, criterion='f_measure')", InvalidValueError, "criterion", "a row left out"),
        # a sample where a distribution may stand, and where it may not
        ("fs.minimal_optimal(thirty)", InvalidTypeError, "d", "a JointDistribution"),
        ("fs.bayes_risks(thirty)", TooLargeError, "max_size", "at most 262,144 subsets of the features"),
        ("fs.criterion_values(thirty, 'gini', max_size=12)", TooLargeError, "max_size", "when 12"),
        ("fs.select(thirty, 15, 'zero_one', 'exhaustive')", TooLargeError, "k", "at most 262,144 subsets"),
        ("fs.bayes_risks(hundred, max_size=1)", TooLargeError, "s", "of at most 63 features for a table"),
        ("fs.bayes_risk(thirty, {'Z'})", UnknownNameError, "feature", "Z"),
        ("fs.criterion_value(row, 'balanced', {'X1'})", ZeroProbabilityError, "the balanced loss", "Y = 1"),
    ],
    NAMES,
)
