"""Every design behind the bus: document 000's operations, their time, their peers."""

from dataclasses import replace
from random import Random

import pytest

from eval.catalog import DESIGNS
from eval.contract.peripheral import Key, Operation, check_operations
from fl.axi_lite import SLVERR
from fl.peripheral_driver import load_key
from fl.peripheral_map import INTERRUPT_ENABLE, LOADED, MODULUS, Fixed
from fl.pkcs1 import ENCRYPTION, PLAIN, SIGNATURE
from fl.rsa_keys import even_key
from sim.axi_lite import BusMaster
from tests.golden.pkcs1_packages import check_peers, lengths_of
from tests.pauses import RandomPauses
from tests.peripherals import bus, pins_of, random_bytes


def key_for(name: str, nbits: int, e: int = 3, d: int = 1) -> Key:
    """A modulus of the width that the design takes, as long as it can be, with short exponents."""
    moduli = DESIGNS[name].moduli
    modulus = (1 << nbits) - 5
    if moduli.only:
        modulus = moduli.only(nbits)
    elif moduli.key:
        modulus = moduli.key(nbits).n
    return Key(modulus, e, d)


def fixed_for(name: str, nbits: int, fixed: Fixed = LOADED) -> Fixed:
    """What is fixed, also by the design itself."""
    only = DESIGNS[name].moduli.only
    return replace(fixed, modulus=only(nbits)) if only else fixed


def operations(nbits: int, seed: int = 1) -> list[Operation]:
    """Operations of each kind, with data that are too short, right, and too long."""
    rng = Random(f"operations {nbits} {seed}")
    size = nbits // 8
    return [
        Operation(rng.randbytes(length), decrypt, kind)
        for kind in (ENCRYPTION, SIGNATURE, PLAIN, 3)
        for decrypt, length in ((False, rng.randrange(size + 1)), (True, size + rng.randint(0, 4)))
    ]


def check(name: str, nbits: int, level: str, seed: int = 1, asked=None) -> None:
    """Operations on a peripheral at a level, under pauses."""
    master = bus(name, nbits, level)
    master.reset(RandomPauses(seed), random_bytes(seed))
    key, fixed = key_for(name, nbits), fixed_for(name, nbits)
    asked = operations(nbits, seed) if asked is None else asked
    check_operations(master, DESIGNS[name].at(nbits), key, asked, fixed)


@pytest.mark.parametrize("nbits", [32, 135])
@pytest.mark.parametrize("name", DESIGNS)
def test_values(name: str, nbits: int):
    if nbits <= DESIGNS[name].widths[1]:
        check(name, nbits, "fl")


@pytest.mark.parametrize("name", DESIGNS)
def test_cycles_by_formula(name: str):
    check(name, 32, "cl", asked=operations(32)[:2])


# cm-pseudo-2 has the port of cm-pseudo-1, and takes twice as long to put together.
@pytest.mark.parametrize("name", [name for name in DESIGNS if name != "cm-pseudo-2"])
def test_hardware_without_padding(name: str):
    check(name, 32, "rtl", asked=operations(32)[1:2])


# Operands held or not, a result that stays or not: what an exponentiator may be behind the port.
@pytest.mark.parametrize("name", ["mont-best", "ssmm-004", "scaled-high-4"])
def test_hardware_with_padding(name: str):
    check(name, 96, "rtl", asked=operations(96)[:6])


@pytest.mark.parametrize("nbits", [90, 135])
def test_hardware_of_odd_widths(nbits: int):
    check("mont-best", nbits, "rtl", asked=operations(nbits)[::2])


@pytest.mark.parametrize("level", ["fl", "rtl"])
def test_a_fixed_key(level: str):
    """Document 000's: everything is a constant, here of 122 bits and for its own family."""
    key = key_for("cm-pseudo-1", 122)
    fixed = Fixed(key.modulus, (key.e, key.d))
    name = "cm-pseudo-1" if level == "fl" else "mont-best"
    component = DESIGNS[name].peripheral(level, 122, fixed)
    master = BusMaster(pins_of(component, level), f"{name} with a fixed key ({level})")
    master.reset(RandomPauses(2), random_bytes(2))
    check_operations(master, DESIGNS[name].at(122), key, operations(122)[::3], fixed)
    assert master.write(MODULUS, 0) == SLVERR


@pytest.mark.parametrize("level", ["fl", "batch"])
def test_peers(level: str):
    """`rsa` and `cryptography` encrypt for it and sign to it, and the other way round."""
    nbits = 102 if level == "batch" else 1024
    key = even_key(nbits, 3)
    master = bus("mont-best", nbits, level)
    master.reset(source=random_bytes(3))
    master.write(INTERRUPT_ENABLE, 1)
    master.perform(load_key(nbits, key.n, (key.e, key.d)))
    check_peers(lambda one: master.perform(one, 10**7), nbits, key, lengths_of(key)[2:])


@pytest.mark.long
@pytest.mark.parametrize("nbits", [96, 1024])
@pytest.mark.parametrize("name", DESIGNS)
def test_every_design_with_padding(name: str, nbits: int):
    if nbits <= DESIGNS[name].tested_to:
        check(name, nbits, "batch")


@pytest.mark.long
def test_peers_of_hardware_at_1024_bits():
    key = even_key(1024, 3)
    master = bus("array-8", 1024, "batch")
    master.reset(RandomPauses(4), random_bytes(4))
    master.write(INTERRUPT_ENABLE, 1)
    master.perform(load_key(1024, key.n, (key.e, key.d)))
    check_peers(lambda one: master.perform(one, 10**7), 1024, key, lengths_of(key))


@pytest.mark.long
@pytest.mark.parametrize("nbits", [33, 2048, 4096])
def test_widths_in_verilog(nbits: int):
    check("ssmm-best", nbits, "batch")
