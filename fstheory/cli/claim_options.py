"""What may be typed after the commands about claims."""

from __future__ import annotations

import argparse
from typing import Any

from fstheory.cli import claims as claiming
from fstheory.cli.options import add_json, add_source, cores, names, new_command, seconds, whole, wholes

__all__ = ["add_claim_commands"]

_CLAIM = (
    "an id of the ledger ('fstheory audit' lists them), or FILE.py:NAME, a function in a file of your own; the file is "
    "run as a program, so name none that you do not trust"
)


def add_claim_commands(adder: Any) -> None:
    """Add the commands about claims."""
    _add_check(adder)
    _add_prove(adder)
    _add_refute(adder)
    _add_needed_assumptions(adder)
    _add_realize(adder)
    _add_audit(adder)
    _add_verify_certificate(adder)


def _add_check(adder: Any) -> None:
    command = new_command(
        adder, "check", claiming.check, "whether a claim is true at one distribution", "check PN-3 titanic"
    )
    command.add_argument("claim", nargs="?", metavar="CLAIM", help=_CLAIM)
    add_source(command)
    command.add_argument(
        "--all",
        action="store_true",
        help="instead of CLAIM: every claim of the ledger, in one table; the features have 8 states together at most",
    )
    _add_certificate(command)
    add_json(command)


def _add_prove(adder: Any) -> None:
    command = new_command(
        adder,
        "prove",
        claiming.prove,
        "a proof of a claim for every distribution of a shape",
        "prove PN-3 --cardinalities 2,2,3 --certificate proof.json",
    )
    command.add_argument("claim", metavar="CLAIM", help=_CLAIM)
    command.add_argument(
        "--cardinalities", type=wholes, metavar="2,3,..", required=True, help="states of each feature; required"
    )
    command.add_argument("--classes", type=whole, default=2, metavar="N", help="number of classes (2)")
    _add_without(command)
    _add_time_limit(command)
    command.add_argument("--second-opinion", action="store_true", help="ask the solver cvc5 too")
    _add_certificate(command)
    _add_out(command)
    add_json(command)


def _add_refute(adder: Any) -> None:
    command = new_command(
        adder,
        "refute",
        claiming.refute,
        "the smallest distribution at which a claim is false",
        "refute PN-4 --without positive --certificate smallest.json",
    )
    command.add_argument("claim", metavar="CLAIM", help=_CLAIM)
    _add_without(command)
    command.add_argument(
        "--cardinalities", type=wholes, metavar="2,3,..", help="states of each feature; all small shapes if left out"
    )
    command.add_argument("--classes", type=whole, metavar="N", help="number of classes; from 2 on if left out")
    for name, what, default in [("features", "features", 3), ("cardinality", "states of a feature", 3)]:
        command.add_argument(f"--max-{name}", type=whole, metavar="N", help=f"largest number of {what} ({default})")
    command.add_argument("--max-classes", type=whole, metavar="N", help="largest number of classes (3)")
    _add_max_total(command)
    command.add_argument("--seed", type=whole, metavar="N", help="seed of the distributions drawn at random (0)")
    command.add_argument(
        "--resume",
        metavar="FILE",
        help="keep the progress there; if the file exists, continue where that search stopped",
    )
    _add_workers(command)
    _add_time_limit(command)
    _add_certificate(command)
    _add_out(command)
    add_json(command)


def _add_needed_assumptions(adder: Any) -> None:
    command = new_command(
        adder,
        "needed-assumptions",
        claiming.needed_assumptions,
        "for each assumption of a claim a counterexample without it, or a proof that it is not needed",
        "needed-assumptions PN-6",
    )
    command.add_argument("claim", metavar="CLAIM", help=_CLAIM)
    command.add_argument(
        "--cardinalities", type=wholes, metavar="2,3,..", help="states of each feature (one to three binary ones)"
    )
    command.add_argument("--classes", type=whole, default=2, metavar="N", help="number of classes (2)")
    _add_max_total(command)
    _add_workers(command)
    _add_time_limit(command)
    add_json(command)


def _add_realize(adder: Any) -> None:
    command = new_command(
        adder,
        "realize",
        claiming.realize,
        "a distribution with a given ordering of the Bayes risks, ties included, or a proof that there is none",
        "realize 'X1X2 < X1 = X2 < {}' --assume positive --out d.json",
    )
    command.add_argument("ordering", metavar="ORDERING", help="all subsets, smallest risk first: 'X1X2 < X1 = X2 < {}'")
    command.add_argument("--features", type=names, metavar="A,B,..", help="the names of the features, or how many")
    command.add_argument("--cardinalities", type=wholes, metavar="2,3,..", help="states of each feature (2 each)")
    command.add_argument("--classes", type=whole, default=2, metavar="N", help="number of classes (2)")
    command.add_argument(
        "--assume",
        type=names,
        action="append",
        metavar="NAME",
        help="what the distribution must satisfy: positive, unique_maximum, or FILE.py:NAME",
    )
    _add_time_limit(command)
    _add_certificate(command)
    _add_out(command)
    add_json(command)


def _add_audit(adder: Any) -> None:
    command = new_command(
        adder, "audit", claiming.audit, "the ledger: what the papers say, and what is true", "audit PN-3 PN-4"
    )
    command.add_argument("ids", nargs="*", metavar="ID", help="only these entries")
    how = command.add_mutually_exclusive_group()
    how.add_argument("--markdown", action="store_true", help="a page of Markdown, with all evidence")
    add_json(how)


def _add_verify_certificate(adder: Any) -> None:
    command = new_command(
        adder,
        "verify-certificate",
        claiming.verify_certificate,
        "whether certificates prove what they state, checked from the definitions",
        "verify-certificate smallest.json proof.json",
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="certificates, as --certificate writes them")
    command.add_argument(
        "--claim",
        metavar="CLAIM",
        help="the claim they should be about; if left out, the ledger entry that each names; without one it "
        "is verified as it stands, with exit status 3",
    )
    _add_without(command)
    add_json(command)


def _add_without(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--without", type=names, action="append", metavar="NAME", help="drop this assumption; repeatable"
    )


def _add_max_total(command: argparse.ArgumentParser) -> None:
    command.add_argument("--max-total", type=whole, metavar="N", help="search all integer weights with sums up to N")


def _add_workers(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--workers",
        type=whole,
        default=cores(),
        metavar="N",
        help="processes (all cores); the answer does not depend on it",
    )


def _add_time_limit(command: argparse.ArgumentParser) -> None:
    command.add_argument("--time-limit", type=seconds, metavar="SECONDS", help="stop after this time (never)")


def _add_certificate(command: argparse.ArgumentParser) -> None:
    command.add_argument("--certificate", metavar="FILE", help="write the certificate there")


def _add_out(command: argparse.ArgumentParser) -> None:
    command.add_argument("--out", metavar="FILE", help="write the distribution there, as JSON")
