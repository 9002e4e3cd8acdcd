"""The RTL decoder against the table of instructions and the rules of the CSRs."""

from random import Random

import pytest
from pymtl3 import DefaultPassGroup

from proc import csr
from proc.csr import CSR_NAMES
from proc.isa import TABLE, Spec, decode
from proc.rtl.decoder import Decoder

WORDS_A_SPEC = 60
pytestmark = pytest.mark.quick
CSR_NUMBERS = sorted({n + d for n in CSR_NAMES.values() for d in (-1, 0, 1)} | {0x300, 0x000})


@pytest.fixture(scope="module")
def decoder() -> Decoder:
    component = Decoder()
    component.apply(DefaultPassGroup())
    return component


def expected(word: int) -> tuple[bool, bool, bool, bool]:
    """(traps, reads rs1, reads rs2, writes a register) of any word."""
    ins = decode(word)
    if ins is None or ins.spec.kind == "trap":
        return True, False, False, False
    if ins.spec.kind == "csr":
        reads, writes = csr.access(word >> 12 & 7, ins.rd, ins.rs1)
        if not csr.is_legal(ins.imm, reads, writes):
            return True, False, False, False
    spec = ins.spec
    return False, spec.reads_rs1, spec.reads_rs2, spec.writes_rd and ins.rd != 0


def decoded(decoder: Decoder, word: int) -> tuple[bool, bool, bool, bool]:
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
    for funct3 in range(8):
        for rd in (0, 5):
            for rs1 in (0, 6):
                word = number << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x73
                assert decoded(decoder, word) == expected(word), f"{word:#010x}"


def test_random_words(decoder: Decoder):
    random = Random(1)
    for _ in range(2000):
        word = random.getrandbits(32) | 3
        assert decoded(decoder, word) == expected(word), f"{word:#010x}"
