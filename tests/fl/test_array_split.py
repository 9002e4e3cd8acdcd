"""A row that splits, as integers: private operations of any key and message, powers, sizes."""

import random
from contextlib import suppress
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

import fl.array_split_program
from fl.array import WORD_BITS, RowShape
from fl.array_program import BASE, NOT_M, M
from fl.array_split import SplitShape
from fl.array_split_program import KEY, MINUS_1, SplitProgram
from fl.crt import CrtKey, private
from fl.exponentiator import FAULT, OK
from fl.rsa_keys import RsaKey, even_key
from tests.faults import plant
from tests.golden.array_split import SplitRow

pytestmark = pytest.mark.quick

SHAPES = [(16, 2, 6), (16, 4, 16), (18, 4, 12), (24, 8, 32), (64, 16, 48), (70, 8, 24)]


def messages(key: RsaKey, nbits: int) -> list[int]:
    """The edges of the primes, of n and of n bits; the last ones are above n."""
    n, p, q = key.n, key.p, key.q
    ones = (1 << nbits) - 1
    return [0, 1, n - 1, n // 2, p, q, 3 * p, (q - 1) * p, q * q % n, (1 << nbits - 2) | 1, n, ones]


def result(program: SplitProgram, key: RsaKey, parts: CrtKey, c: int) -> int | None:
    return SplitRow(program, parts, c, key.n).private()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.seconds
def test_private_operations(shape):
    nbits, bits = shape[0], 2 + (shape[1] == 4)
    for checks in (True, False):
        program = SplitProgram(SplitShape(*shape), bits, checks)
        key = even_key(nbits, shape[1] + bits)
        parts = CrtKey.of(key)
        for c in messages(key, nbits):
            for one in (parts, parts.turned()):
                assert result(program, key, one, c) == pow(c, key.d, key.n)


def test_a_key_of_another_package():
    """By the numbers that it gives: p, q, dP, dQ and qInv."""
    nbits = 1024
    made = rsa.generate_private_key(65537, nbits)
    numbers = made.private_numbers()
    n = numbers.public_numbers.n
    key = CrtKey(numbers.p, numbers.q, numbers.dmp1, numbers.dmq1, numbers.iqmp, 65537)
    program = SplitProgram(SplitShape(nbits, 16, 64), 2, True)
    c = random.Random(nbits).getrandbits(nbits)
    row = SplitRow(program, key, c, n)
    assert row.private() == pow(c, numbers.d, n)


@pytest.mark.parametrize("wrong", ["p", "q", "dp", "dq", "q_inverse"])
def test_a_key_with_a_fault_gives_nothing(wrong):
    shape = (64, 4, 16)
    program = SplitProgram(SplitShape(*shape), 2, True)
    for seed in range(3):
        key = even_key(64, seed)
        parts = CrtKey.of(key)
        for bit in (1, 5, 31):  # not the lowest one: an even modulus has no c
            faulty = replace(parts, **{wrong: getattr(parts, wrong) ^ 1 << bit})
            c = random.Random(seed).getrandbits(64)
            assert result(program, key, faulty, c) is None
            assert private(c, key.n, faulty) == (0, FAULT)


def test_what_is_right_by_the_numbers():
    key = even_key(64, 9)
    for parts in (CrtKey.of(key), CrtKey.of(key).turned()):
        for c in messages(key, 64):
            assert private(c, key.n, parts) == (pow(c, key.d, key.n), OK)
            assert private(c, key.n, parts, checks=False) == (pow(c, key.d, key.n), OK)


OF_MODULUS = (M, NOT_M, MINUS_1)


@pytest.mark.parametrize("shape", [*SHAPES, (1024, 16, 64)], ids=str)
def test_an_operand_stays_until_all_words_have_taken_it(shape):
    """Which one it is, is one signal for all words."""
    program = SplitProgram(SplitShape(*shape), 2, True)
    for operations in (program.private, program.power):
        loaded, cycles = None, 0
        for one in operations:
            kind = "m" if one.x in OF_MODULUS else one.x
            if kind in ("m", BASE, KEY):
                assert loaded in (None, kind) or cycles > 2 * program.shape.words, one.name
                loaded, cycles = kind, 0
            cycles += one.cycles


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_powers(shape):
    """Of any odd modulus: what another program has left in the row is no matter."""
    nbits = shape[0]
    program = SplitProgram(SplitShape(*shape), 2, True)
    rng = random.Random(f"{shape}")
    for _ in range(12):
        n = rng.getrandbits(rng.randint(1, nbits)) | 1
        base, exp = rng.getrandbits(nbits), rng.getrandbits(rng.randint(1, nbits)) | 1
        key = CrtKey(*(rng.getrandbits(nbits // 2) | 1 for _ in range(6)))
        row = SplitRow(program, key, base, n)
        row.x, row.mod = rng.getrandbits(nbits), rng.getrandbits(nbits)
        assert row.power(exp) == pow(base, exp, n)


@pytest.mark.parametrize("w", [2, 4, 8, 16])
@pytest.mark.parametrize("nbits", [*range(8, 40), 64, 1024, 1536, 2048, 3072, 4096])
@pytest.mark.seconds
def test_there_are_shapes_of_few_steps(w, nbits):
    shape = SplitShape(nbits, w, WORD_BITS[w])
    assert shape.half.value_bits + w + 1 <= shape.low_bits  # no carry leaves the first half
    assert shape.joined.value_bits == shape.low_bits + shape.half.value_bits
    assert shape.joined.words == 2 * shape.words
    program = SplitProgram(shape, 2, True)
    assert all(one.steps > 0 for one in program.private + program.power)
    if nbits >= 1024:
        assert shape.half.steps <= RowShape(nbits // 2, w, WORD_BITS[w]).steps + 1
        assert shape.joined.steps <= RowShape(nbits, w, WORD_BITS[w]).steps + 10


@pytest.mark.parametrize(("nbits", "cycles"), [(1024, 3206), (2048, 6408)])
def test_what_finding_constants_takes(nbits, cycles):
    """Those of p, q and n twice, the last time for the check: what docs/designs.md says."""
    program, found, finding = SplitProgram(SplitShape(nbits, 16, 64), 2, True), [], False
    for operation in program.private:
        finding |= operation.begins
        found += [operation] * finding
        finding &= operation.to_table is None
    assert sum(operation.begins for operation in found) == 4
    assert sum(operation.cycles for operation in found) == cycles


PROGRAM_FAULTS = {
    "a digit of the message too few": ("2 * self._r, x=RESULT", "2 * self._r - 1, x=RESULT"),
    "s_p not negative": (
        'yield minus_1\n        yield self._half("-R / 2^k"',
        'yield self._half("-R / 2^k"',
    ),
    "t of digits alone": ("to_table=2, whole=True", "to_table=2"),
    "t in both halves": ("to_table=2, into=FIRST", "to_table=3, into=FIRST"),
    "x + M' too soon": ('            SplitOperation("x + M\' stands", 1, soft=True),\n', ""),
    "c times another R": ("r + C_COMES, x=RESULT", "r + C_COMES + 1, x=RESULT"),
}


@pytest.mark.parametrize("name", PROGRAM_FAULTS)
def test_a_fault_in_the_operations(tmp_path, name):
    broken = plant(tmp_path, fl.array_split_program, *PROGRAM_FAULTS[name])
    key = even_key(64, 3)
    program = broken.SplitProgram(SplitShape(64, 4, 16), 2, True)
    assert any(
        of_faulty(SplitRow(program, CrtKey.of(key), c, key.n)) != pow(c, key.d, key.n)
        for c in messages(key, 64)
    )


def of_faulty(row: SplitRow) -> int | None:
    """What a row makes whose operations are not right; None if x + M' is asked for too soon."""
    with suppress(ValueError):
        return row.private()
    return None


def test_a_sum_that_has_no_room_is_told():
    program = SplitProgram(SplitShape(16, 4, 16), 2, True)
    row = SplitRow(program, CrtKey(251, 241, 3, 3, 1, 7), 5, 251 * 241)
    row.x = row.mod = row.table[0] = (1 << program.shape.joined.value_bits + 4) - 1
    with pytest.raises(ValueError, match="square: a sum of"):
        row.carry_out(program.square)
