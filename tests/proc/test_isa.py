"""The instruction table: complete, unambiguous, and as the other tools encode it."""

from itertools import combinations
from random import Random

import pytest

from proc import csr
from proc.asm.assembler import assemble
from proc.asm.disassembler import disassemble, listing
from proc.isa import SPECS, TABLE, Instruction, decode, encode
from tests.cases.encodings import ENCODINGS

pytestmark = pytest.mark.quick


def word_of(text: str) -> int:
    return assemble(text).words()[0x80]


def test_every_instruction_has_a_known_encoding():
    assert {text.split()[0] for text in ENCODINGS} == set(SPECS)


@pytest.mark.parametrize("text", ENCODINGS)
def test_encoding_is_that_of_binutils(text: str):
    assert word_of(text) == ENCODINGS[text]
    assert decode(ENCODINGS[text]).name == text.split()[0]


def test_no_word_is_two_instructions():
    for a, b in combinations(TABLE, 2):
        assert (a.match ^ b.match) & a.mask & b.mask, f"{a.name} and {b.name} overlap"


@pytest.mark.parametrize("spec", TABLE, ids=lambda spec: spec.name)
def test_decode_and_encode_agree(spec):
    r = Random(spec.name)
    for _ in range(200):
        word = spec.match | r.getrandbits(32) & ~spec.mask & 0xFFFFFFFF
        ins = decode(word)
        assert ins.spec is spec
        if spec.format != "N":
            assert encode(spec.name, ins.rd, ins.rs1, ins.rs2, ins.imm) == word


def test_random_words_survive_disassembly():
    r = Random(3)
    legal = 0
    for i in range(6000):
        word = r.getrandbits(32)
        if i % 2:
            spec = r.choice(TABLE)
            word = spec.match | word & ~spec.mask & 0xFFFFFFFF
        pc = r.randrange(0, 1 << 16, 4)
        text = disassemble(word, pc)
        legal += not text.startswith(".word")
        found = assemble(text, entry=pc).segments[0].data
        assert int.from_bytes(found, "little") == word, text
    assert legal > 2500


@pytest.mark.parametrize(
    ("word", "text"),
    [
        (0x7C059573, "csrrw a0, proc2mngr, a1"),
        (0xFC002573, "csrrs a0, mngr2proc, zero"),
        (0x34402573, "csrrs a0, mip, zero"),
        (0x30102573, "csrrs a0, 0x301, zero"),
        (0xFE051CE3, "bne a0, zero, 0x1f8"),
        (0x00C12083, "lw ra, 12(sp)"),
        (0xFFFFF097, "auipc ra, 0xfffff"),
        (0x0330000F, ".word 0x0330000f"),  # fence rw, rw: the assembler only writes the full one
        (0x00000000, ".word 0x00000000"),
    ],
)
def test_disassembly(word: int, text: str):
    assert disassemble(word, 0x200) == text


def test_a_target_before_the_first_address_is_one_of_the_last():
    assert disassemble(0xFFDFF06F, 0) == "jal zero, 0xfffffffc"
    assert disassemble(0xFE051CE3, 4) == "bne a0, zero, 0xfffffffc"
    assert disassemble(0x0080006F, 0xFFFFFFFC) == "jal zero, 0x4"


def test_listing_names_addresses_and_targets():
    image = assemble("main: nop\n1: call f\nj 1b\nf: ret\n.data\nx: .word 0")
    assert list(listing(image)) == [
        "00000200 <main>:",
        "     200:  00000013  addi zero, zero, 0",
        "     204:  008000ef  jal ra, 0x20c  # f",
        "     208:  ffdff06f  jal zero, 0x204",
        "0000020c <f>:",
        "     20c:  00008067  jalr zero, 0(ra)",
    ]


def test_operands_say_what_is_read_and_written():
    def uses(name: str) -> tuple[bool, bool, bool]:
        spec = SPECS[name]
        return spec.reads_rs1, spec.reads_rs2, spec.writes_rd

    assert uses("add") == (True, True, True)
    assert uses("addi") == uses("lw") == uses("jalr") == uses("csrrw") == (True, False, True)
    assert uses("sw") == uses("beq") == (True, True, False)
    assert uses("lui") == uses("jal") == uses("csrrwi") == (False, False, True)
    assert uses("fence") == uses("ecall") == (False, False, False)


@pytest.mark.parametrize(
    ("name", "imm", "message"),
    [
        ("addi", 2048, "immediate 2048 of addi is outside -2048..2047"),
        ("sw", -2049, "immediate -2049 of sw is outside -2048..2047"),
        ("srai", 32, "shift amount 32 of srai is outside 0..31"),
        ("lui", -1, "upper immediate -1 of lui is outside 0..1048575"),
        ("beq", 4096, "branch offset 4096 of beq is outside -4096..4094"),
        ("beq", 3, "branch offset 3 of beq is odd"),
        ("jal", 1 << 20, "jump offset 1048576 of jal is outside -1048576..1048574"),
        ("csrrw", 4096, "CSR number 4096 of csrrw is outside 0..4095"),
    ],
)
def test_immediate_out_of_range(name: str, imm: int, message: str):
    with pytest.raises(ValueError, match="outside|odd") as error:
        encode(name, imm=imm)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("name", "low", "high", "step"),
    [
        ("addi", -2048, 2047, 1),
        ("lw", -2048, 2047, 1),
        ("sw", -2048, 2047, 1),
        ("slli", 0, 31, 1),
        ("lui", 0, 0xFFFFF, 1),
        ("csrrw", 0, 0xFFF, 1),
        ("beq", -4096, 4094, 2),
        ("jal", -(1 << 20), (1 << 20) - 2, 2),
    ],
)
def test_both_ends_of_an_immediate(name: str, low: int, high: int, step: int):
    """What fits is found again in the word, and the next one is refused, not cut."""
    for imm in (low, low + step, high - step, high):
        ins = decode(encode(name, imm=imm))
        assert (ins.name, ins.imm) == (name, imm)
    for imm in (low - step, high + step, 2 * high + 2 * step, 2 * low - 2 * step):
        with pytest.raises(ValueError, match="is outside"):
            encode(name, imm=imm)


def test_csr_accesses():
    def legal(text: str) -> bool:
        ins: Instruction = decode(word_of(text))
        return csr.is_legal(ins.imm, *csr.access(ins.word >> 12 & 7, ins.rd, ins.rs1))

    for name in ("mcycle", "minstreth", "cycle", "coreid", "mngr2proc"):
        assert legal(f"csrr a0, {name}")
        assert legal(f"csrrci a0, {name}, 0")
        assert not legal(f"csrw {name}, x0")
        assert not legal(f"csrrs a0, {name}, a1")
    for access in ("csrrw a0, stats_en, a1", "csrrs a0, stats_en, a1", "csrr a0, stats_en"):
        assert legal(access)
    assert legal("csrw proc2mngr, a0")
    assert not legal("csrr a0, proc2mngr")
    assert legal("csrr a0, xr31")
    assert legal("csrwi xr0, 3")
    assert not legal("csrrw a0, xr3, a1")
    assert not any(legal(f"csrr a0, {n}") for n in (0, 0x300, 0x7DF, 0x7C2, 0xC01, 0xFFF))
