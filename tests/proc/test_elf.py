"""The ELF loader, on small files made here byte by byte."""

import struct
import tracemalloc

import pytest

from proc.asm.disassembler import listing
from proc.fl.processor import ProcessorFL
from proc.programs.elf import is_elf, load_elf
from proc.programs.image import Segment
from proc.retire import Trap
from sim.errors import UserError

pytestmark = pytest.mark.quick

CODE_WORD = 0x00020537
CODE = struct.pack("<3I", CODE_WORD, 0x7C051073, 0x0000006F)  # lui a0, 0x20; csrw 0x7c0; j .
EXEC, RISCV, PT_LOAD, RVC = 2, 243, 1, 1
HEADER, PROGRAM = 52, 32


def elf(
    machine: int = RISCV,
    kind: int = EXEC,
    flags: int = 0,
    programs: int = 2,
    entry: int = 0x200,
    code: bytes = CODE,
    bss: int = 8,
) -> bytes:
    """An executable: code at 0x200, 4 bytes of data and 8 of bss at 0x1000."""
    code_at = HEADER + programs * PROGRAM
    ident = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9)
    shape = (HEADER, PROGRAM, programs, 40, 0, 0)
    header = struct.pack("<2H5I6H", kind, machine, 1, entry, HEADER, 0, flags, *shape)
    size, data_at = len(code), code_at + len(code)
    parts = struct.pack("<8I", PT_LOAD, code_at, 0x200, 0x200, size, size, 5, 4)
    parts += struct.pack("<8I", PT_LOAD, data_at, 0x1000, 0x1000, 4, 4 + bss, 6, 4)
    return ident + header + parts[: programs * PROGRAM] + code + b"data"


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
        Segment(0x1000, b"data", zeros=8),
    )
    assert image.memory()[0x1000:0x1010] == b"data" + bytes(12)


@pytest.mark.parametrize("flags", [0, RVC])
def test_it_runs(load, flags: int):
    assert ProcessorFL(load(elf(flags=flags))).run(limit=10) == 0


def test_a_compressed_instruction_stops_it(load):
    image = load(elf(flags=RVC, code=struct.pack("<HIH", 0x4501, CODE_WORD, 0)))
    with pytest.raises(Trap, match="what begins so has 16 bits"):
        ProcessorFL(image).run(limit=10)
    assert [line.split()[1:3] for line in listing(image)] == [
        ["4501", ".half"],
        [f"{CODE_WORD:08x}", "lui"],
        ["0000", ".half"],
    ]


def test_memory_is_checked_before_it_is_taken(load):
    tracemalloc.start()
    image = load(elf(bss=0xE000_0000))
    with pytest.raises(UserError, match=r"do not fit in a memory of .*; link it lower$"):
        image.memory()
    assert tracemalloc.get_traced_memory()[1] < 1 << 24
    tracemalloc.stop()
    with pytest.raises(UserError, match=r"do not fit in a memory of .*; give more memory$"):
        load(elf(bss=1 << 21)).memory()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (elf(machine=62), "made for x64, not for RISC-V"),
        (elf(kind=1), "ET_REL, not an executable; link it first"),
        (elf(kind=3), "ET_DYN, not an executable; link it with -static"),
        (elf(kind=4), "ET_CORE, not an executable$"),
        (elf(entry=0x202), "starts at 0x202; instructions are at multiples of 4"),
        (elf(bss=-2), "a segment has more bytes in the file than in memory"),
        (elf()[:-1], "truncated, a segment ends after the end of the file"),
        (elf(programs=0), "has nothing to load"),
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
