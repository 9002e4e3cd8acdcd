"""`modexplorer verilog`: a unit's Verilog, for a project of one's own."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eval.cli.options import NUMBER, OUTPUT, SOURCE, cli_command, flag, option, tell

if TYPE_CHECKING:
    from eval.catalog.point import Point
    from fl.rsa_keys import RsaKey
    from sim.translate import Translation

UNITS = ("peripheral", "accelerator", "exponentiator", "multiplier")


@cli_command(
    "verilog array-8 --nbits 1024 --unit peripheral -o peripheral.v --core",
    "verilog mont-best --nbits 32 --unit multiplier -o multiplier.v",
    "verilog mont-best --nbits 32 --unit exponentiator -o power.v --testbench",
)
@click.argument("design")
@option("--nbits N", "Width of the design in bits; the key's, if there is one.", NUMBER)
@option(
    "--unit UNIT",
    "peripheral (on an AXI4-Lite bus), accelerator (behind the processor's port), exponentiator or "
    "multiplier.",
    click.Choice(UNITS),
    default="accelerator",
)
@click.option(
    "-o", "--output", "path", type=OUTPUT, metavar="FILE", required=True, help="Write it there."
)
@option(
    "--key FILE",
    "Make a peripheral of this key alone, from a file in PEM (PKCS#1); of cm-modulus, cm-late and "
    "dm-modulus, trees for its modulus.",
    SOURCE,
)
@flag("--core", "Describe it for FuseSoC in a file beside it that ends in .core.")
@flag(
    "--testbench",
    "Write it in plain Verilog, with a testbench (_tb.v) and its vectors (_vectors.hex) beside it.",
)
def command(
    design: str,
    nbits: int | None,
    unit: str,
    path: Path,
    key: str | None,
    core: bool,
    testbench: bool,
    as_json: bool,
) -> None:
    """Write the Verilog of a unit of DESIGN at N bits: one file, no parameters.

    Its top module and ports are printed. Everything is clocked by clk; reset is synchronous, and
    high for a cycle or more. With a key, modulus and exponents are constants of the peripheral, the
    private one too: who has the file has the key.
    """
    from eval.catalog.inputs import check_output
    from eval.catalog.point import Point
    from eval.cli.core_file import check_core, core_text

    found = load_key(key, design, unit) if key is not None else None
    point = Point(design, width(nbits, found))
    if unit == "peripheral":
        point.check_peripheral()
    check_output("--output", path)
    beside = path.with_suffix(".core")
    if core:
        check_core(path, beside)
    made = translated(point, unit, found)
    bench = write_testbench(point, unit, made, path, found) if testbench else ()
    if not bench:
        path.write_text(made.text)
    if core:
        beside.write_text(core_text(path, made.top, unit, point.entry.title, point.nbits))
    shown = {
        **{"module": made.top, "file": str(path), "core": str(beside) if core else None},
        "testbench": [str(one) for one in bench],
        "ports": [vars(port) for port in made.ports],
    }
    lines = [f"  {port.direction:<7}{port.nbits:5}  {port.name}" for port in made.ports]
    lines += [f"testbench {one}" for one in bench[:1]]
    tell(shown, [f"module {made.top}", *lines], as_json)


def write_testbench(
    point: "Point", unit: str, made: "Translation", path: Path, key: "RsaKey | None"
) -> tuple[Path, Path]:
    """Write a unit in plain Verilog, and beside it its testbench and vectors; return these two."""
    from eval.catalog.inputs import check_output
    from eval.contract.testbench import testbench
    from eval.foreign.source import plain_verilog
    from sim.errors import UserError

    if key is not None:
        raise UserError("--testbench: there is none of a unit with a key; leave --key out")
    bench, vectors = (path.with_name(f"{path.stem}_{end}") for end in ("tb.v", "vectors.hex"))
    for one in (bench, vectors):
        check_output("--output", one)
    written = testbench(point, unit, made, path.name, bench.name, vectors.name)
    path.write_text(plain_verilog(made.text, made.top))
    bench.write_text(written.text)
    vectors.write_text(written.vectors)
    return bench, vectors


def load_key(path: str, design: str, unit: str) -> "RsaKey":
    """Read the key that a peripheral is made of, or a design for its modulus."""
    from eval.catalog import find, keys
    from sim.errors import UserError

    of_modulus = find(design).of_modulus and unit != "multiplier"
    if unit != "peripheral" and not of_modulus:
        raise UserError(f"--key: no {unit} holds a key; give --unit peripheral, or leave it out")
    return keys.load_key("--key", path)


def width(nbits: int | None, key: "RsaKey | None") -> int:
    """Choose the width: what is asked for, or the key's."""
    from sim.errors import UserError

    if key and nbits is not None and nbits < key.nbits:
        raise UserError(f"--nbits: {nbits} is less than the key's {key.nbits} bits; leave it out")
    if nbits is not None:
        return nbits
    if key is None:
        raise UserError("--nbits: give the width of the design in bits")
    return key.nbits


def translated(point: "Point", unit: str, key: "RsaKey | None") -> "Translation":
    """Translate a unit, or one that is made for a key."""
    from eval.tasks.unit import whole
    from fl.peripheral_map import Fixed
    from sim.errors import UserError
    from sim.translate import translate

    if key is None:
        return whole(point, unit).named(point.top_of(unit))
    entry = point.entry.built_for(key.n)
    if entry is point.entry:
        point.check_takes(key.n, "--key")
    try:
        entry.at(point.nbits)
    except ValueError as error:
        raise UserError(f"--nbits: {error}; leave it out") from None
    if unit == "peripheral":
        hardware = entry.peripheral("rtl", point.nbits, Fixed(key.n, (key.e, key.d)))
    else:
        make = entry.xcel if unit == "accelerator" else entry.component
        hardware = make("rtl", point.nbits)
    return translate(hardware, f"{point.top_of(unit)}_keyed")
