"""Tables of one exact value for each feature subset, their orderings and comparisons."""

from fstheory.table.columns import Column as Column  # what a table is made of, for the other packages
from fstheory.table.columns import EnclosedColumn as EnclosedColumn
from fstheory.table.columns import RationalColumn as RationalColumn
from fstheory.table.compare import Comparison, compare
from fstheory.table.ordering import Level, Ordering
from fstheory.table.subset_table import SubsetTable

__all__ = ["Comparison", "Level", "Ordering", "SubsetTable", "compare"]
