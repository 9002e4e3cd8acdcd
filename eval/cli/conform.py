"""`modexplorer conform`: published vectors of RSA on a design."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import (
    OUTPUT,
    SOURCE,
    Folder,
    Listed,
    Number,
    cli_command,
    given,
    nbits_option,
    option,
    print_json,
)

if TYPE_CHECKING:
    from eval.catalog.point import Point
    from eval.conform.acvp import Prompt
    from eval.conform.run import Tried
    from eval.conform.vector import Vector
    from fl.rsa_keys import RsaKey

STEPS = 20  # of progress


@cli_command(
    "conform array-16 --nbits 1024 --most 2",
    "conform mont-best --nbits 512 --acvp docs/examples/acvp-sig-gen.json --out signed.json",
)
@click.argument("design")
@nbits_option
@option(
    "--through WAY",
    "port (of the accelerator), peripheral (its bus) or driver (in C, on the processor).",
    click.Choice(["port", "peripheral", "driver"]),
    default="port",
)
@option(
    "--level LEVEL",
    "fl (no cycles), cl, rtl, verilog or batch (the Verilog, compiled: fastest).",
    default="batch",
)
@option(
    "--suite LIST",
    "Of these only: SigGen15, SigVer15, SigGenPSS, SigVerPSS, PKCS1v15-decrypt, OAEP-decrypt.",
    Listed(),
)
@option("--most K", "Take at most K vectors of each suite, from all parts of it.", Number(1, 10000))
@option(
    "--vectors DIR",
    "Where the files of the package cryptography-vectors are, if not where it is installed.",
    Folder(),
)
@option("--acvp FILE", "Answer a prompt of ACVP (sigVer, sigGen, signaturePrimitive).", SOURCE)
@option("--key FILE", "Sign what --acvp asks for with this key in PEM (PKCS#1).", SOURCE)
@option("--out FILE", "Write the answers to --acvp.", OUTPUT)
def command(
    design: str,
    nbits: int,
    through: str,
    level: str,
    suite: list[str] | None,
    most: int | None,
    vectors: Path | None,
    acvp: str | None,
    key: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Try DESIGN by published vectors of RSA with keys of N bits, those of NIST's CAVP and of RSA
    Laboratories.

    The design makes the power of each, and this program the padding, before and after it. A vector
    passes if what comes out is what it says, and the power is that of Python's pow. Signatures that
    must be refused are among them. Exit code 1 if one fails, and then --out writes nothing.
    """
    from eval.catalog.inputs import check_output
    from eval.catalog.point import Point
    from eval.conform import powers
    from eval.conform.files import load
    from eval.conform.run import rows, try_all
    from eval.conform.vector import spread
    from sim.errors import UserError

    point = Point(design, nbits)
    powers.check(point, through, level)
    suites = _suites(suite)
    if vectors and not vectors.is_dir():
        raise UserError(f"--vectors: {vectors} is no folder; give one that has the package's files")
    prompt = _prompt(point, acvp, key, out, as_json)
    if out:
        check_output("--out", out)
    chosen = prompt.vectors if prompt else spread(load(vectors, nbits, suites), most)
    for modulus in {one.modulus for one in chosen}:
        point.check_takes(modulus)
    tried = _try_all(point, chosen, through, level, try_all)
    counts = rows(tried)
    failed = [one for one in tried if one.wrong]
    answers = prompt.response(tried) if prompt and not failed else None
    if answers and out:
        import json

        out.write_text(json.dumps(answers, indent=2) + "\n")
    asked = {"design": point.design, "nbits": nbits, "through": through, "level": level}
    if as_json:
        print_json(asked | _describe(counts, tried) | {"acvp": answers})
    else:
        _print(f"{point} by vectors, through the {through}, level {level}", counts)
        if prompt and prompt.left_out:
            click.echo(f"groups of other widths, left out: {prompt.left_out}")
        if answers and out:
            click.echo(f"wrote {out}")
    if failed:
        _fail(point, failed)


def _suites(given_suites: list[str] | None) -> tuple[str, ...]:
    from eval.catalog.inputs import shorten
    from eval.conform.vector import SUITES
    from sim.errors import UserError

    for name in given_suites or ():
        if name not in SUITES:
            known = ", ".join(SUITES)
            raise UserError(f"--suite: {shorten(name)!r} is none; choose from {known}")
    return tuple(given_suites or SUITES)


def _prompt(
    point: "Point", acvp: str | None, key: str | None, out: Path | None, as_json: bool
) -> "Prompt | None":
    """Read what ACVP asks; UserError if options do not go together."""
    from eval.conform.acvp import read_prompt
    from sim.errors import UserError

    if acvp is None:
        if name := given("key", "out"):
            raise UserError(f"{name}: is of --acvp; give that, or leave it out")
        return None
    if name := given("suite", "most", "vectors"):
        raise UserError(f"{name}: is not of --acvp, whose file has the vectors; leave it out")
    if out is None and not as_json:
        raise UserError("--out: is missing; it says where the answers to --acvp go")
    return read_prompt("--acvp", acvp, point.nbits, lambda: _own_key(point, key))


def _own_key(point: "Point", path: str | None) -> "RsaKey":
    """Return the key of a file, or one that is made for the width."""
    from eval.catalog.keys import load_key
    from fl.rsa_keys import even_key
    from sim.errors import UserError

    if path is not None:
        key = load_key("--key", path)
        if key.nbits != point.nbits:
            raise UserError(f"--key: {path} has {key.nbits} bits; give one of {point.nbits}")
        return key
    try:
        return even_key(point.nbits, 1)
    except ValueError as error:
        raise UserError(f"--{error}; give another width") from None


def _try_all(
    point: "Point", vectors: "list[Vector]", through: str, level: str, try_all: Any
) -> "list[Tried]":
    """Try the vectors, and say now and then how far that is."""
    from eval.cli.progress import Reporter

    every = -(-len(vectors) // STEPS)
    with Reporter(f"{point} by vectors", len(vectors)) as progress:
        progress.now("preparing the simulation")

        def say(vector: "Vector", done: int) -> None:
            if done % every == 0:
                progress.now(f"{vector.suite}: {vector.name}", done)

        found: list[Tried] = try_all(point, vectors, through, level, say)
    return found


def _describe(counts: list[Any], tried: "list[Tried]") -> dict[str, Any]:
    return {
        "suites": [vars(row) for row in counts],
        "vectors": [
            {
                "suite": one.vector.suite,
                "name": one.vector.name,
                "passed": one.wrong is None,
                "found": one.found.hex() if isinstance(one.found, bytes) else one.found,
                "must_be_refused": one.vector.must_fail,
                "wrong": one.wrong,
                "cycles": one.cycles,
            }
            for one in tried
        ],
        "passed": not any(one.wrong for one in tried),
    }


def _print(title: str, counts: list[Any]) -> None:
    from eval.table import numbers, words
    from eval.table.terminal import print_rows

    columns = words({"suite": "suite"})
    columns += numbers(0, {"vectors": "vectors", "passed": "passed", "of them\nrefused": "refused"})
    columns += numbers(0, {"failed": "failed", "cycles,\nleast": "least", "most": "most"})
    print_rows(title, columns, counts)


def _fail(point: "Point", failed: "list[Tried]") -> None:
    """Raise RunError with the first vector that fails, and what asks for its power again."""
    from eval.catalog.user_designs import with_option
    from sim.errors import RunError

    first = failed[0]
    power, own = first.vector.power, with_option(point.design)
    repeat = (
        f"\nRepeat it by: modexplorer simulate {point.arguments}{own} --level batch --xcel "
        f"--base {power.base} --exp {power.exp} --mod {power.mod}"
        if power
        else ""
    )
    others = f", and {len(failed) - 1} more" if len(failed) > 1 else ""
    raise RunError(f"{point}: {first.vector.name}: {first.wrong}{others}{repeat}")
