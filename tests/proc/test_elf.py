"""The ELF loader, on small files made here byte by byte."""

import struct

import pytest

from proc.elf import is_elf, load_elf
from proc.fl_processor import ProcessorFL
from proc.image import Segment
from sim.errors import UserError

pytestmark = pytest.mark.quick

CODE = struct.pack("<3I", 0x00020537, 0x7C051073, 0x0000006F)  # lui a0, 0x20; csrw 0x7c0; j .
EXEC, RISCV, PT_LOAD = 2, 243, 1
HEADER, PROGRAM = 52, 32


def elf(machine: int = RISCV, kind: int = EXEC, flags: int = 0, programs: int = 2) -> bytes:
    """An executable: code at 0x200, 4 bytes of data and 8 of bss at 0x1000."""
    data_at = HEADER + programs * PROGRAM + len(CODE)
    ident = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9)
    shape = (HEADER, PROGRAM, programs, 40, 0, 0)
    header = struct.pack("<2H5I6H", kind, machine, 1, 0x200, HEADER, 0, flags, *shape)
    code_at = data_at - len(CODE)
    code = struct.pack("<8I", PT_LOAD, code_at, 0x200, 0x200, len(CODE), len(CODE), 5, 4)
    data = struct.pack("<8I", PT_LOAD, data_at, 0x1000, 0x1000, 4, 12, 6, 4)
    return ident + header + (code + data)[: programs * PROGRAM] + CODE + b"data"


@pytest.fixture
def load(tmp_path):
    def load(content: bytes):
        path = tmp_path / "program.elf"
        path.write_bytes(content)
        return load_elf(path)

    return load


def test_segments_entry_and_bss(load):
    image = load(elf())
    assert image.entry == 0x200
    assert image.segments == (
        Segment(0x200, CODE, executable=True),
        Segment(0x1000, b"data" + bytes(8)),
    )


def test_it_runs(load):
    assert ProcessorFL(load(elf())).run(limit=10) == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (elf(machine=62), "made for x64, not for RISC-V"),
        (elf(kind=1), "ET_REL, not an executable; link it first"),
        (elf(kind=3), "ET_DYN, not an executable; link it first"),
        (elf(flags=1), "has compressed instructions; compile it with -march=rv32im"),
        (elf()[:-1], "truncated, a segment ends after the end of the file"),
        (elf(programs=0), "nothing to load; link it into an executable first"),
        (b"", "not a readable ELF file"),
        (b"#!/bin/sh\n", "not a readable ELF file"),
        (elf()[:4], "not a readable ELF file"),
        (elf()[:30], "not a readable ELF file"),
        (elf()[:60], "not a readable ELF file"),
    ],
)
def test_wrong_files(load, content: bytes, message: str):
    with pytest.raises(UserError, match=message):
        load(content)


def test_wrong_class_and_byte_order(load):
    wide = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9)
    wide += struct.pack("<2HI3QI6H", EXEC, RISCV, 1, 0x200, 0, 0, 0, 64, 56, 0, 64, 0, 0)
    with pytest.raises(UserError, match="64-bit RISC-V; compile it with -march=rv32im"):
        load(wide)
    big = b"\x7fELF" + bytes([1, 2, 1]) + bytes(9)
    big += struct.pack(">2H5I6H", EXEC, RISCV, 1, 0x200, 0, 0, 0, HEADER, PROGRAM, 0, 40, 0, 0)
    with pytest.raises(UserError, match="big-endian; the processor is little-endian"):
        load(big)


def test_missing_file(tmp_path):
    with pytest.raises(UserError, match="none: No such file or directory"):
        load_elf(tmp_path / "none")


def test_recognised_by_its_first_bytes(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(elf())
    assert is_elf(path)
    path.write_bytes(b".text\n")
    assert not is_elf(path)
