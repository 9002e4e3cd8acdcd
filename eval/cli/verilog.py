"""`modexplorer verilog`: a unit's Verilog, for a project of one's own."""

from pathlib import Path

import click

from eval.cli.options import (
    OUTPUT,
    example,
    flag,
    json_option,
    nbits_option,
    option,
    print_json,
)

UNITS = ("peripheral", "accelerator", "exponentiator", "multiplier")


@example(
    """
modexplorer verilog array-8 --nbits 1024 --unit peripheral -o peripheral.v --core
modexplorer verilog mont-best --nbits 32 --unit multiplier -o multiplier.v
"""
)
@click.command("verilog")
@click.argument("design")
@nbits_option
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
@flag("--core", "Describe it for FuseSoC in a file beside it that ends in .core.")
@json_option
def command(design: str, nbits: int, unit: str, path: Path, core: bool, as_json: bool) -> None:
    """Write the Verilog of a unit of DESIGN at N bits: one file, no parameters.

    Its top module and ports are printed. Everything is clocked by clk; reset is synchronous, and
    high for a cycle or more.
    """
    from eval.catalog.inputs import check_output
    from eval.catalog.point import Point
    from eval.cli.core_file import check_core, core_text
    from eval.tasks.unit import translation

    point = Point(design, nbits)
    if unit == "peripheral":
        point.check_peripheral()
    check_output("--output", path)
    beside = path.with_suffix(".core")
    if core:
        check_core(path, beside)
    found = translation(point, unit)
    path.write_text(found.text)
    if core:
        beside.write_text(core_text(path, found.top, unit, point.entry.title, nbits))
    if as_json:
        ports = [vars(port) for port in found.ports]
        shown = {"module": found.top, "file": str(path), "core": str(beside) if core else None}
        print_json(shown | {"ports": ports})
        return
    click.echo(f"module {found.top}")
    for port in found.ports:
        click.echo(f"  {port.direction:<7}{port.nbits:5}  {port.name}")
