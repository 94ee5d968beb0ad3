from . import gallery as gallery
from .files import (
    load,
    read_csv,
)
from .joint import (
    JointDistribution,
    independent_features,
    mixture,
    product,
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
