"""The peripheral's registers as integers: document 000's operation, and misuse of it."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fl.axi_lite import OKAY, SLVERR
from fl.exponentiator import mod_exp
from fl.peripheral_driver import Outcome, load_key, operate, perform
from fl.peripheral_map import *
from fl.peripheral_registers import Registers
from fl.pkcs1 import ENCRYPTION, PLAIN, SIGNATURE, modulus_bytes
from fl.rsa_keys import RsaKey, even_key
from tests.golden.pkcs1_packages import check_peers, lengths_of


def loaded(nbits: int, key: RsaKey) -> Registers:
    """Registers with a key."""
    registers = Registers(nbits, mod_exp)
    perform(registers, load_key(nbits, key.n, (key.e, key.d)))
    return registers


def performer(registers: Registers, seed: int = 1):
    """What performs a procedure with random bytes of its own."""
    rng = Random(seed)
    return lambda procedure: perform(
        registers, procedure, rng.choices(range(1, 256), k=4 * registers.words)
    )


@pytest.mark.quick
@pytest.mark.parametrize(
    ("nbits", "key_bits"), [(96, 96), (96, 90), (100, 96), (512, 512), (160, 96)]
)
def test_peers_of_every_length(nbits: int, key_bits: int):
    key = even_key(key_bits, 3)
    check_peers(performer(loaded(nbits, key)), nbits, key, lengths_of(key))


def test_peers_at_1024_bits():
    key = even_key(1024, 3)
    check_peers(performer(loaded(1024, key)), 1024, key, (117,))


@pytest.mark.quick
@given(st.integers(32, 300), st.randoms(use_true_random=False), st.booleans())
def test_without_padding_it_is_the_power(nbits: int, rng, decrypt: bool):
    modulus = rng.getrandbits(nbits) | 1
    e, d = rng.getrandbits(nbits), rng.getrandbits(nbits)
    base = rng.getrandbits(nbits)
    registers = Registers(nbits, mod_exp)
    perform(registers, load_key(nbits, modulus, (e, d)))
    size = -(-nbits // 8)
    outcome = perform(registers, operate(nbits, base.to_bytes(size), decrypt, PLAIN))
    assert not outcome.error
    power = pow(base, d if decrypt else e, modulus)
    assert outcome.output == power.to_bytes(modulus_bytes(modulus))


# offset: (read, written, written while busy)
ACCESS = {
    0x00: (1, 1, 1),
    0x04: (0, 1, 0),
    0x08: (1, 0, 0),
    0x0C: (0, 1, 0),
    0x10: (0, 1, 1),
    0x14: (0, 1, 1),
    0x18: (1, 0, 0),
    0x1C: (0, 1, 0),
    0x20: (0, 1, 0),
    0x24: (0, 1, 0),
    0x28: (1, 0, 0),
    0x2C: (1, 0, 0),
    0x30: (1, 1, 1),
    0x34: (1, 1, 0),
}


def responses(registers: Registers, address: int) -> tuple[int, int]:
    """1 for each of read and write that is answered OKAY; what is refused has changed nothing."""
    before = vars(registers).copy() | {"operands": registers.operands.copy()}
    written = registers.write(address, 0) == OKAY
    assert written or vars(registers) == before
    data, response = registers.read(address)
    assert response in (OKAY, SLVERR)
    assert response == OKAY or data == 0
    return response == OKAY, written


@pytest.mark.quick
def test_every_address():
    for address in range(64):
        registers = Registers(64, mod_exp)
        read, write, while_busy = ACCESS.get(address, (0, 0, 0))
        assert responses(registers, address) == (read, write), hex(address)
        registers.write(STATUS, START)
        assert registers.busy
        assert responses(registers, address) == (read, while_busy), hex(address)
        for strobes in range(15):
            assert registers.write(address, 0, strobes) == SLVERR


@pytest.mark.quick
def test_a_fixed_key_is_not_written():
    registers = Registers(32, mod_exp, Fixed(3381691693, (5, 2028945041)), "123456789")
    assert {registers.write(address, 0) for address in (MODULUS, EXPONENT_E, EXPONENT_D)} == {
        SLVERR
    }
    outcome = perform(registers, operate(32, (17111998).to_bytes(4)))
    assert int.from_bytes(outcome.output) == 407188056
    assert registers.read(CAPABILITIES) == (0x0001_0020, OKAY)
    assert Registers(4096, mod_exp).read(CAPABILITIES) == (0x0301_1000, OKAY)
    assert registers.read(DESIGN) == (0xCBF43926, OKAY)


@pytest.mark.quick
@pytest.mark.parametrize("address", [WRITE_ADDRESS, READ_ADDRESS, MODULUS, EXPONENT_E, EXPONENT_D])
def test_places_outside_an_operand(address: int):
    registers = Registers(70, mod_exp)
    places = (0, 1, 2, 3, 4, 1 << 31)
    answers = [registers.write(address, place) for place in places]
    assert answers == [OKAY] * 3 + [SLVERR] * 3


@pytest.mark.quick
def test_a_start_clears_what_was_and_waits_for_the_end():
    registers = loaded(96, even_key(96, 3))
    performer(registers)(operate(96, b"x"))
    assert registers.read(STATUS) == (DONE, OKAY)
    assert not registers.irq
    registers.write(INTERRUPT_ENABLE, 1)
    assert registers.irq
    registers.write(STATUS, DECRYPT)
    assert not registers.irq
    assert registers.read(STATUS) == (DECRYPT, OKAY)
    assert registers.read(OUTPUT_LENGTH) == (12, OKAY)
    registers.write(STATUS, DECRYPT | START)
    assert registers.read(STATUS) == (DECRYPT | BUSY, OKAY)
    assert registers.read(OUTPUT_LENGTH) == (0, OKAY)
    assert registers.read(OUTPUT_FIFO) == (0, OKAY)
    registers.write(STATUS, START)  # ignored
    assert registers.read(STATUS) == (DECRYPT | BUSY, OKAY)


@pytest.mark.quick
def test_an_input_that_is_not_below_the_modulus_is_no_ciphertext():
    key = even_key(96, 3)
    run = performer(loaded(96, key))
    good = int.from_bytes(run(operate(96, b"x")).output)
    assert run(operate(96, good.to_bytes(12), True)).output == b"x"
    above = good + key.n
    while above >> 96:
        good = int.from_bytes(run(operate(96, b"x")).output)
        above = good + key.n
    assert run(operate(96, above.to_bytes(12), True)) == Outcome(True, b"")
    assert run(operate(96, above.to_bytes(12), True, PLAIN)).output.endswith(b"\0x")


@pytest.mark.quick
def test_a_modulus_that_is_not_taken_is_an_error():
    registers = Registers(96, lambda *operands: mod_exp(*operands, lambda m: m % 2 == 1))
    for modulus, wrong in ((7, False), (8, True), (0, True), (1 << 95 | 2, True)):
        perform(registers, load_key(96, modulus, (3, 3)))
        for kind in (PLAIN, SIGNATURE, ENCRYPTION):
            assert performer(registers)(operate(96, b"\5", False, kind)).error is wrong


@pytest.mark.quick
@pytest.mark.parametrize("kind", [PLAIN, SIGNATURE, ENCRYPTION])
@pytest.mark.parametrize("decrypt", [False, True])
def test_only_a_message_that_is_encrypted_takes_random_bytes(kind: int, decrypt: bool):
    """One for each byte of the modulus, if that has room for a block, of 12 bytes at least."""
    for modulus_bits, count in ((96, 12), (97, 13), (88, 0)):
        registers = Registers(128, mod_exp)
        registers.operands[MODULUS] = 1 << modulus_bits - 1 | 1
        registers.kind, registers.decrypt = kind, decrypt
        drawn = count if kind == ENCRYPTION and not decrypt else 0
        assert registers.draws == drawn


@pytest.mark.quick
def test_a_reset_wipes_everything():
    registers = loaded(96, even_key(96, 3))
    performer(registers)(operate(96, b"x"))
    registers.reset()
    assert vars(registers) | {"compute": None} == vars(Registers(96, mod_exp)) | {"compute": None}
