"""ELF files of RV32 programs to images."""

from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from proc.programs.image import Image, Segment
from sim.errors import UserError

RVC = 0x0001  # e_flags: the file may have 16-bit instructions
ADVICE = {"ET_REL": "; link it first", "ET_DYN": "; link it with -static"}


def is_elf(path: Path | str) -> bool:
    """Return whether the file starts as an ELF file does."""
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def load_elf(path: Path | str) -> Image:
    """Return the loadable segments, entry and symbols of a 32-bit RISC-V executable.

    UserError says what is wrong with any other file.
    """
    try:
        with open(path, "rb") as file:
            return _load(ELFFile(file), Path(path).stat().st_size, str(path))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except (ELFError, ValueError, AttributeError) as error:
        raise UserError(f"{path}: not a readable ELF file ({error})") from None


def _load(elf: ELFFile, size: int, name: str) -> Image:
    _check(elf, name)
    segments = []
    for part in elf.iter_segments("PT_LOAD"):
        if part["p_offset"] + part["p_filesz"] > size:
            raise UserError(f"{name}: truncated, a segment ends after the end of the file")
        zeros = part["p_memsz"] - part["p_filesz"]
        if zeros < 0:
            raise UserError(f"{name}: a segment has more bytes in the file than in memory")
        if part["p_memsz"]:
            executable = bool(part["p_flags"] & P_FLAGS.PF_X)
            segments.append(Segment(part["p_vaddr"], part.data(), executable, zeros))
    if not segments:
        raise UserError(f"{name}: has nothing to load")
    compressed = bool(elf["e_flags"] & RVC)
    return Image(tuple(segments), elf["e_entry"], _symbols(elf), name, compressed)


def _check(elf: ELFFile, name: str) -> None:
    if elf["e_machine"] != "EM_RISCV":
        raise UserError(f"{name}: made for {elf.get_machine_arch()}, not for RISC-V")
    if elf.elfclass != 32:
        raise UserError(f"{name}: {elf.elfclass}-bit RISC-V; compile it with -march=rv32im")
    if not elf.little_endian:
        raise UserError(f"{name}: big-endian; the processor is little-endian")
    if elf["e_type"] != "ET_EXEC":
        advice = ADVICE.get(elf["e_type"], "")
        raise UserError(f"{name}: {elf['e_type']}, not an executable{advice}")


def _symbols(elf: ELFFile) -> dict[str, int]:
    """Return named addresses, without the names of files, sections and the compiler's labels."""
    symbols = {}
    for section in elf.iter_sections():
        if isinstance(section, SymbolTableSection):
            for symbol in section.iter_symbols():
                named = symbol["st_info"]["type"] not in ("STT_FILE", "STT_SECTION")
                if named and symbol.name[:1] not in ("", "$", "."):
                    symbols[symbol.name] = symbol["st_value"]
    return symbols
