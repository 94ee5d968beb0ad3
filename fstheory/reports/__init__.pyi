from .explorer import (
    explorer_data,
    explorer_page,
    lattice_widget,
)
from .of_distribution import (
    Report,
)
from .of_sample import (
    SampleReport,
)
from .reporting import (
    report,
)

__all__ = [
    "Report",
    "SampleReport",
    "explorer_data",
    "explorer_page",
    "lattice_widget",
    "report",
]
