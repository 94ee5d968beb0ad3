"""The Coq library, compiled once for all tests of this room, also by several processes."""

import os
import shutil

import pytest

from tests.coq.compiled import Compile, compiler


@pytest.fixture(scope="session")
def coqc(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    """Return what compiles a file beside the library, or skip the test."""
    program = shutil.which("coqc")
    if program is None:
        pytest.skip("NO COQ HERE: coqc is not installed, so that no proof was checked by it")
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "coq_library"
    shared.mkdir(exist_ok=True)
    return compiler(program, tmp_path_factory.mktemp("coq"), shared)
