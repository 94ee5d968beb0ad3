"""Every guard of the checker has a test that fails without it."""

import os
import subprocess
import sys

import pytest

from tests.house import source

# The quick tests of the checker, which refuse something at every guard.
FILES = ["checker/test_numbers.py", "logic/test_accepted.py", "logic/test_changes.py", "logic/test_certificates.py"]
FILES += ["checker/test_vectors.py", "logic/test_soundness.py", "logic/test_untrusted.py", "points/test_checker.py"]
FILES += ["proofs/test_facts.py", "proofs/test_envelopes.py", "proofs/test_costs.py", "logic/test_quotients.py"]


@pytest.mark.thorough
def test_no_guard_of_the_checker_can_be_deleted_unnoticed(pytestconfig: pytest.Config) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "tests.checker.guards", "-p", "no:cacheprovider"]
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "ci"}
    command += [f"tests/{file}" for file in FILES] + [f"--seed={pytestconfig.option.seed}"]
    command += ["--whole"] * pytestconfig.option.whole
    done = subprocess.run(command, cwd=source.ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
