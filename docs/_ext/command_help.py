"""The directive ``command-help``: what ``fstheory COMMAND --help`` prints, asked for when the page is built."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

CHECKOUT = Path(__file__).parents[2]


class CommandHelp(SphinxDirective):
    """Show the help of one command; without an argument, that of fstheory itself."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Ask the command line of this checkout."""
        answer = subprocess.run(
            [sys.executable, "-m", "fstheory", *self.arguments, "--help"],
            capture_output=True,
            check=True,
            cwd=CHECKOUT,
            env={**os.environ, "COLUMNS": "72", "NO_COLOR": "1"},
            text=True,
        )
        return [nodes.literal_block(answer.stdout, answer.stdout, language="text")]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
