"""Joint distributions: the value everything else is computed from; products and mixtures of them."""

from fstheory.distribution.compose import independent_features, mixture, product
from fstheory.distribution.joint import JointDistribution
from fstheory.distribution.joint import require_distribution as require_distribution  # for the other packages
from fstheory.distribution.rows import Data as Data
from fstheory.distribution.rows import Sample, sample
from fstheory.distribution.rows import asked_tables as asked_tables
from fstheory.distribution.rows import draw as draw
from fstheory.distribution.rows import generator as generator
from fstheory.distribution.rows import require_data as require_data
from fstheory.distribution.rows import require_few as require_few
from fstheory.distribution.variables import Event as Event  # types, for annotations
from fstheory.distribution.variables import Label as Label
from fstheory.distribution.variables import States as States

__all__ = ["JointDistribution", "Sample", "independent_features", "mixture", "product", "sample"]
