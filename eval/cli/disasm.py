"""`modexplorer disasm`: a program as instructions."""

import click

from eval.cli.options import SOURCE, example, json_option, print_json


@example("modexplorer disasm proc/app/hello.c")
@click.command("disasm")
@click.argument("program", type=SOURCE)
@json_option
def command(program: str, as_json: bool) -> None:
    """Show the instructions of PROGRAM: an ELF file, assembly (.S or .s), or C (.c)."""
    from proc.asm.disassembler import listing
    from proc.programs.load import load_program
    from sim.errors import UserError

    image = load_program(program)
    lines = list(listing(image))
    if not lines:
        raise UserError(f"{program}: has no instructions")
    if as_json:
        print_json(
            {"program": program, "entry": image.entry, "symbols": image.symbols, "listing": lines}
        )
        return
    for line in lines:
        click.echo(line)
