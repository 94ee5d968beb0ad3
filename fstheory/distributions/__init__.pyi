from . import gallery as gallery
from .compose import (
    independent_features,
    mixture,
    product,
)
from .csv import (
    read_csv,
)
from .files import (
    load,
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
