from .bundle import (
    save_bundle,
    save_coq,
)
from .explorer import (
    explorer_data,
    explorer_page,
    lattice_widget,
)
from .of_distribution import (
    Report,
    report,
)
from .of_sample import (
    SampleReport,
)

__all__ = [
    "Report",
    "SampleReport",
    "explorer_data",
    "explorer_page",
    "lattice_widget",
    "report",
    "save_bundle",
    "save_coq",
]
