"""`modexplorer disasm`: a program as instructions."""

import click

from eval.cli.options import SOURCE, cli_command, tell


@cli_command("disasm proc/app/hello.c")
@click.argument("program", type=SOURCE)
def command(program: str, as_json: bool) -> None:
    """Show the instructions of PROGRAM: an ELF file, assembly (.S or .s), or C (.c)."""
    from proc.asm.disassembler import listing
    from proc.programs.load import load_program
    from sim.errors import UserError

    image = load_program(program)
    lines = list(listing(image))
    if not lines:
        raise UserError(f"{program}: has no instructions")
    shown = {"program": program, "entry": image.entry, "symbols": image.symbols, "listing": lines}
    tell(shown, lines, as_json)
