"""Tables of one exact value for each feature subset, their orderings and comparisons."""

from fstheory.table.columns import Column, EnclosedColumn, RationalColumn
from fstheory.table.compare import Comparison, compare
from fstheory.table.ordering import Level, Ordering
from fstheory.table.subset_table import SubsetTable

__all__ = ["Column", "Comparison", "EnclosedColumn", "Level", "Ordering", "RationalColumn", "SubsetTable", "compare"]
