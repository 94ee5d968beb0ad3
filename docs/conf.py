"""Configuration of the documentation: `sphinx-build -W docs docs/_build/html`."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))
sys.path.insert(0, str(HERE.parent))

import fstheory  # noqa: E402 - found through the line above, so that pages describe this checkout

project = "fstheory"
author = "fstheory contributors"
project_copyright = "2026, fstheory contributors"
version = release = fstheory.__version__

extensions = [
    "command_help",
    "ledger_page",
    "links",
    "mathml",
    "myst_nb",
    "references",
    "search_offline",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["_build"]
default_role = "code"

# The notebooks live at the top of the repository, where readers look for them; Sphinx reads only below
# docs/. They are committed without outputs and executed here, so what a page shows is what the code says.
shutil.rmtree(HERE / "notebooks", ignore_errors=True)
(HERE / "notebooks").mkdir()
for notebook in sorted((HERE.parent / "notebooks").glob("*.ipynb")):
    shutil.copy(notebook, HERE / "notebooks")

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
myst_update_mathjax = False
nb_execution_mode = "cache"
# What a page shows depends on the whole package: outputs of another one are never taken from the cache.
_package = hashlib.sha256()
for file in sorted((HERE.parent / "fstheory").rglob("*")):
    if file.is_file() and file.suffix != ".pyc":
        _package.update(file.read_bytes())
nb_execution_cache_path = str(HERE / "_build" / ".jupyter_cache" / _package.hexdigest()[:16])
nb_execution_timeout = 120
# A notebook with outputs was run already, as .ci/run does before it builds the pages; none is committed with some.
nb_execution_excludepatterns = [
    f"notebooks/{path.name}"
    for path in (HERE / "notebooks").glob("*.ipynb")
    if any(cell.get("outputs") for cell in json.loads(path.read_text(encoding="utf-8"))["cells"])
]
nb_execution_raise_on_error = True
nb_merge_streams = True  # a print that was flushed early is no output of its own
# The default loads scripts from elsewhere; this one shows the lattices of the lessons.
nb_ipywidgets_js = {"widgets.js": {}}

autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
python_maximum_signature_line_length = 100

copybutton_prompt_text = r">>> |\.\.\. |\$ "  # what is copied runs: without prompts, and without what was printed
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_math_renderer = "mathml"
html_title = "fstheory"
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["fstheory.css"]
_WIDE = (
    "index",
    "figures",
    "inside",
    "comparison",
    "audit",
    "readings/*",
    "architecture",
    "contributing",
    "cite",
    "release-notes",
    "search",
    "genindex",
)
html_sidebars = {page: [] for page in _WIDE}
html_context = {"default_mode": "auto"}  # without it, each page logs "Got invalid theme mode"
html_theme_options = {
    "navigation_with_keys": False,
    "header_links_before_dropdown": 4,
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
}
