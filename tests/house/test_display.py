"""Every public result shows itself in a notebook: found by a walk from all public names, so that none is forgotten."""

import abc
import dataclasses
import functools
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, get_args
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import fstheory as fs
from fstheory import bounds, criteria, logic, points, regression, selection
from fstheory.criteria.criterion import CRITERIA
from fstheory.points.lemmas import LEMMAS
from tests.house.test_public_names import MODULES

D = fs.JointDistribution(
    [[[[3, 1], [0, 2]], [[1, 1], [2, 5]]], [[[4, 2], [1, 1]], [[2, 3], [0, 7]]]], features=("<i>&", 'b"c', "50%_{}")
)
WIDE = fs.gallery.parity(10)
RISKS = fs.bayes_risks(D)
PAIR = logic.Shape((2, 2))
MODEL = logic.Model(PAIR)
ASSUMED = fs.claims["PN-4"].stated()
TEXTS = fs.SubsetTable.from_mapping({(): 3, ("a",): 1, ("b",): 1}, features=["a", "b"])


@functools.cache
def proved() -> Any:
    return fs.prove("PN-M", cardinalities=(2, 2))


@functools.cache
def refuted() -> Any:
    return ASSUMED.without("positive").check(fs.gallery.copies(2))


@functools.cache
def eliminated() -> selection.CMISelection:
    return selection.cmi_selection(D, selection.ErrorRule("1/10"))


FOS = fs.FOS(tau="1/20", ties="first")
NULL = points.LabelPermutations(4, frozenset([(0, 1), (1, 2), (2, 3)]), (2, 2))
CHOSEN_BY_GAIN = points.select_by_certainty_gain(np.arange(40)[:, None] ** 2.0, labels=[0] * 20 + [1] * 20)
DRAWN = fs.sample(fs.gallery.titanic(), 50, rng=0)


@functools.cache
def experiment() -> fs.experiments.NgExperiment:
    return fs.experiments.ng_experiment(
        [1], settings=fs.experiments.NgSettings(trials=2, features=(1,), bits_features=(1,))
    )


@functools.cache


@functools.cache
def walks() -> fs.experiments.BerahaExperiment:
    return fs.experiments.beraha_experiment(
        settings=fs.experiments.BerahaSettings(
            regions=("sum",), useful=(3,), features=11, samples=20, trials=1, problems=2, few_features=3, sizes=(20,),
            fractions=(0.1,), size_trials=1, distributions=50, test_points=10,
        )
    )  # fmt: skip
