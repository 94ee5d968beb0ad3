"""Run the command line as ``python -m fstheory``."""

import sys

from fstheory.cli import main

if __name__ == "__main__":
    sys.exit(main())
