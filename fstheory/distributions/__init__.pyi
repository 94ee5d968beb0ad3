from . import gallery as gallery
from .compose import (
    independent_features,
    mixture,
    product,
)
from .files import (
    load,
    read_csv,
)
from .joint import (
    JointDistribution,
)
from .rows import (
    Sample,
    sample,
)

__all__ = [
    "JointDistribution",
    "Sample",
    "gallery",
    "independent_features",
    "load",
    "mixture",
    "product",
    "read_csv",
    "sample",
]
