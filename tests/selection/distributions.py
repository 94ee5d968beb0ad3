"""Small distributions for hypothesis: any shape, ties and zero cells often, weights of any size."""

from math import prod
from random import Random

import numpy as np
from hypothesis import strategies as st

from fstheory import JointDistribution
from fstheory.distributions import gallery
from fstheory.testing import joint_distributions

__all__ = ["GALLERY", "REGULAR", "distributions"]

#: Of both assumptions.
REGULAR = joint_distributions(max_weight=2, huge=False, positive=True, unique_maximum=True)

GALLERY = {
    "ahmed": gallery.ahmed_example_1,
    "example 1": gallery.pena_nilsson_example_1,
    "copies": gallery.copies,
    "three copies": lambda: gallery.copies(3),
    "recoded": gallery.recoded,
    "ties": gallery.ties,
    "titanic": gallery.titanic,
    "xor": gallery.xor,
    "xor with a copy": lambda: gallery.with_copy(gallery.xor(), "X2"),
    "noisy xor": lambda: gallery.xor(noise="1/10"),
    "one state": lambda: JointDistribution([[[1, 2], [3, 1]]]),
    "one class": lambda: JointDistribution([[[1], [2]], [[0], [1]]]),
    "no feature": lambda: JointDistribution([3, 1]),
}


_CARDINALITIES = st.sampled_from((3, 3, 3, 3, 2, 2, 1, 0)).flatmap(
    lambda n: st.lists(st.sampled_from((2, 2, 2, 2, 2, 2, 2, 3, 3, 1)), min_size=n, max_size=n)
)


@st.composite
def distributions(draw: st.DrawFn) -> JointDistribution:
    """Draw a distribution of up to 3 features with 1 to 3 states each, and 1 to 3 classes.

    Its posteriors are of a few kinds, and features may be copies, so that there are ties, several solutions and
    irrelevant features as often as not. Cells come from a seed: drawn one by one they would mostly be alike.
    """
    cards, random = draw(_CARDINALITIES), Random(draw(st.integers(0, 2**32)))
    classes, kinds = random.choice((2,) * 8 + (3,) * 4 + (1,)), random.choice((1, 2, 3, 8))
    rows = [[random.randint(0, 4) for _ in range(classes)] for _ in range(kinds)]
    rows += [row[::-1] for row in rows]  # so that no class is the likeliest everywhere
    factors = (0, 1, 2, 3) if random.random() < 0.5 else (1, 2, 3)
    cells = [random.choice(factors) * np.array(random.choice(rows), dtype=object) for _ in range(prod(cards))]
    table = np.array(cells, dtype=object).reshape(*cards, classes)
    if len(cards) > 1 and random.random() < 0.4:  # only the states in which two features agree
        places = np.indices(table.shape)[random.sample(range(len(cards)), 2)]
        table = np.where(places[0] == places[1], table, 0)
    if not table.any():
        table[...] = 1
    scale = random.choice((1, 1, 1, 2**33, 2**70))
    table = table * scale
    if scale > 1:  # or it would be reduced to small weights
        table.reshape(-1)[int(np.argmax(table))] += random.choice((1, 2))
    return JointDistribution(table)
