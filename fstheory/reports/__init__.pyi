from .explorer import (
    explorer_data,
    explorer_page,
    lattice_widget,
)
from .reporting import (
    Report,
    SampleReport,
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
