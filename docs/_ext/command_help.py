"""The directive ``command-help``: what ``fstheory COMMAND --help`` prints, asked for when the page is built."""

from __future__ import annotations

import contextlib
import io
import os
from unittest.mock import patch

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from fstheory.cli import main


def help_of(*command: str) -> str:
    """Return the help of a command of this checkout, in lines of 72 characters without colors."""
    printed = io.StringIO()
    with patch.dict(os.environ, COLUMNS="72", NO_COLOR="1"), contextlib.redirect_stdout(printed):
        try:
            main([*command, "--help"])
        except SystemExit:  # the parser ends the program once it has printed a help
            return printed.getvalue()
    raise ValueError(f"fstheory has no command {' '.join(command)}")


class CommandHelp(SphinxDirective):
    """Show the help of one command; without an argument, that of fstheory itself."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Ask the command line of this checkout."""
        text = help_of(*self.arguments)
        return [nodes.literal_block(text, text, language="text")]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
