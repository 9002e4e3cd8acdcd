"""Programs by file name: ELF, assembly or C to an image."""

from collections.abc import Mapping
from pathlib import Path

from proc.asm.assembler import assemble_file
from proc.programs.build import build_program
from proc.programs.elf import is_elf, load_elf
from proc.programs.image import DEFAULT_MEMORY, Image
from sim.errors import UserError


def load_program(
    path: Path | str,
    defines: Mapping[str, str | int] | None = None,
    memory: int = DEFAULT_MEMORY,
) -> Image:
    """Return the image of a file: ELF under any name, .S or .s assembly, .c.

    C is compiled with the macros `defines` for so many bytes of memory; UserError says what is
    wrong.
    """
    path = Path(path)
    if path.is_dir():
        raise UserError(f"{path}: is a folder; give a program's file")
    if not path.is_file():
        raise UserError(f"{path}: no such file")
    try:
        if path.suffix == ".c" and not is_elf(path):
            return load_elf(build_program(path, defines, memory))
        if defines:
            raise UserError(f"{path}: only C programs are compiled with definitions")
        if is_elf(path):
            return load_elf(path)
        if path.suffix in (".S", ".s"):
            return assemble_file(path)
    except UnicodeDecodeError:
        raise UserError(f"{path}: not a text file") from None
    raise UserError(f"{path}: not a program: give an ELF file, .S assembly or .c")
