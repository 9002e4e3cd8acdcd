"""`modexplorer fpga`: a design on an FPGA."""

import click

from eval.cli.options import cli_command, nbits_option, option


@cli_command(
    "fpga ssmm-004 --nbits 64 --device cyclonev",
    "fpga mmm-004 --nbits 64 --device artix7 --unit multiplier",
)
@click.argument("design")
@nbits_option
@option(
    "--device NAME",
    "cyclonev (Cyclone V), artix7 (Artix-7), virtexe (Virtex-E), or ecp5 (ECP5, placed and "
    "routed, too).",
    required=True,
)
@option(
    "--unit UNIT",
    "exponentiator, accelerator (with its port to a processor), multiplier, or core (of others, "
    "without an adapter).",
    default="exponentiator",
)
def command(design: str, nbits: int, device: str, unit: str, as_json: bool) -> None:
    """Map DESIGN at N bits to the cells of an FPGA with yosys, and count them.

    All but ECP5 are mapped only: the counts are estimates, and no frequency is known. On ECP5,
    nextpnr places and routes the design, too, in a shell of shift registers that gives it
    four pins; the shell is not counted.
    """
    from eval.catalog.point import Point
    from eval.cli.measuring import measured, print_row
    from eval.tasks.fpga.task import OnFpga, check_fpga

    point = Point(design, nbits)
    check_fpga(point, device, unit)
    task = OnFpga(point, device, unit)
    if row := measured(task, as_json, device=device, unit=unit):
        click.echo(f"{task}" + (", from the store" if row.reused else ""))
        print_row(row)
