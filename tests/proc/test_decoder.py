"""The RTL decoder against the table of instructions and the rules of the CSRs."""

from itertools import product
from random import Random

import pytest
from pymtl3 import DefaultPassGroup

from proc import csr
from proc.csr import CSR_NAMES
from proc.isa import TABLE, Spec, decode
from proc.rtl.decoder import Decoder
from proc.rtl.interrupt_issue import InterruptIssue

WORDS_A_SPEC = 60
pytestmark = pytest.mark.quick
CSR_NUMBERS = sorted({n + d for n in CSR_NAMES.values() for d in (-1, 0, 1)} | {0x300, 0x000})


@pytest.fixture(scope="module")
def decoder() -> Decoder:
    component = Decoder()
    component.apply(DefaultPassGroup())
    return component


@pytest.fixture(scope="module")
def interruptible() -> InterruptIssue:
    component = InterruptIssue(True)
    component.apply(DefaultPassGroup())
    return component


def expected(word: int, interrupts: bool = False) -> tuple[bool, bool, bool, bool]:
    """(traps, reads rs1, reads rs2, writes a register) of any word."""
    ins = decode(word)
    if ins is None or ins.spec.kind == "trap" or (ins.spec.kind == "interrupt" and not interrupts):
        return True, False, False, False
    if ins.spec.kind == "csr":
        reads, writes = csr.access(word >> 12 & 7, ins.rd, ins.rs1)
        if not csr.is_legal(ins.imm, reads, writes, interrupts):
            return True, False, False, False
    spec = ins.spec
    return False, spec.reads_rs1, spec.reads_rs2, spec.writes_rd and ins.rd != 0


def decoded(decoder: Decoder | InterruptIssue, word: int) -> tuple[bool, bool, bool, bool]:
    decoder.word @= word
    decoder.sim_eval_combinational()
    control = decoder.control
    if control.trap:
        return True, False, False, False
    return False, bool(control.reads_rs1), bool(control.reads_rs2), bool(control.wen)


@pytest.mark.parametrize("spec", TABLE, ids=lambda spec: spec.name)
def test_instruction(decoder: Decoder, spec: Spec):
    """Every other field random, then also one bit of the encoding wrong."""
    random = Random(spec.match)
    for i in range(WORDS_A_SPEC):
        word = spec.match | random.getrandbits(32) & ~spec.mask
        if i % 3 == 0:
            word &= ~0xF80  # rd = x0
        if i % 5 == 0:
            word &= ~0xF8000  # rs1 = x0
        if i % 2:
            word ^= 1 << random.choice([b for b in range(32) if spec.mask >> b & 1])
        assert decoded(decoder, word) == expected(word), f"{word:#010x}"


@pytest.mark.parametrize("number", CSR_NUMBERS, ids=hex)
def test_csr(decoder: Decoder, number: int):
    """Every way of access."""
    for word in accesses(number):
        assert decoded(decoder, word) == expected(word), f"{word:#010x}"


def accesses(number: int) -> list[int]:
    """Every way to access a CSR, and words of its opcode that are none."""
    return [
        number << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x73
        for funct3, rd, rs1 in product(range(8), (0, 5), (0, 6))
    ]


def test_random_words(decoder: Decoder):
    random = Random(1)
    for _ in range(2000):
        word = random.getrandbits(32) | 3
        assert decoded(decoder, word) == expected(word), f"{word:#010x}"


@pytest.mark.seconds
def test_with_interrupts(interruptible: InterruptIssue):
    """Every CSR, and words that differ from an instruction in a bit."""
    words = [word for number in CSR_NUMBERS for word in accesses(number)]
    words += [spec.match ^ 1 << bit for spec in TABLE for bit in range(32)]
    for word in (*words, *(spec.match for spec in TABLE)):
        assert decoded(interruptible, word) == expected(word, True), f"{word:#010x}"
