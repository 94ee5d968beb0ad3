from .extensions import (
    Order,
    check_linear_extension,
    count_linear_extensions,
    linear_extension_with,
    linear_extensions,
    random_linear_extension,
)
from .ordering import (
    Level,
    Ordering,
)
from .table import (
    Comparison,
    SubsetTable,
    compare,
)

__all__ = [
    "Comparison",
    "Level",
    "Order",
    "Ordering",
    "SubsetTable",
    "check_linear_extension",
    "compare",
    "count_linear_extensions",
    "linear_extension_with",
    "linear_extensions",
    "random_linear_extension",
]
