"""RSA round trips in C over a table of keys, on the processor at level fl and as hardware."""

import re
from functools import cache
from math import lcm

import pytest

from eval.catalog import find
from proc.manager import Manager
from proc.programs.build import APP, build
from proc.programs.elf import load_elf
from proc.run.systems import make_system
from tests.proc.test_app import POWERS, TESTS

PROGRAM = TESTS / "test_round_trips.c"
POWER = ("mod_exp", "mont_mod_exp", "mont_printed", "xcel_mod_exp")
KEYS = [
    tuple(map(int, re.findall(r"\d+", row)))
    for row in re.findall(r"{(\d.*u)}", PROGRAM.read_text())
]


@cache
def system(level: str):
    """The processor with document 001's accelerator at a level, of which fl has no clock."""
    design = find("mont-001")
    return make_system(level, lambda: design.xcel("fl" if level == "fl" else "rtl", 32))


def run(level: str, power: str, program=PROGRAM) -> str:
    elf = build([program, *POWERS, APP / "xcel.c"], {"POWER": power})
    manager = Manager()
    system(level).run(load_elf(elf), manager)
    return manager.reason


@pytest.mark.quick
def test_the_keys_are_keys():
    assert len(KEYS) == 11
    for n, e, d in KEYS:
        p = next(p for p in range(3, n, 2) if n % p == 0)
        assert e * d % lcm(p - 1, n // p - 1) == 1


@pytest.mark.parametrize("power", POWER)
@pytest.mark.parametrize("level", ["fl", "batch"])
def test_messages_come_back(level, power):
    assert run(level, power) == "exit code 0"


def test_a_wrong_key_is_seen(tmp_path):
    wrong = tmp_path / "wrong.c"
    text = PROGRAM.read_text().replace("977851481u", "977851483u", 1)
    wrong.write_text(text.replace('"check.h"', f'"{TESTS}/check.h"'))
    assert run("fl", "mod_exp", wrong).startswith("failed at line ")
