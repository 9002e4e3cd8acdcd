"""A result behind the port stays until the next go, a reset at work leaves what the register map
says: every design, one word and several."""

import json
from dataclasses import replace

import pytest

import rtl.exp.mod_exp_001
import rtl.port.result_words
import rtl.port.xcel
from eval.catalog import DESIGNS, VARIANTS, find
from eval.contract.broken_off import check_broken_off
from eval.contract.check import CAUGHT
from eval.contract.design import ACCELERATOR, Broken, Check, widths_of
from eval.contract.exponentiator import fitted, random_cases
from eval.contract.late_pops import check_late_pops
from sim.stream import NO_STALLS, random_stalls
from tests.command_line import run
from tests.faults import faults, plant
from tests.harness import component_runner, port_width, xcel_runner

NBITS = 8
ENDS = [(name, nbits) for name in DESIGNS for nbits in (8, 40)]
OTHER_KINDS = [
    "mul-rem-001",
    "mm-pseudo-2",
    "array-crt-16",
    "array-4-masked",
    "mont-ladder-masked",
]  # of exponentiators than those of the table


def late(runner, name, nbits, count=8, stalls=NO_STALLS):
    design = find(name)
    cases = random_cases(nbits, count, seed=31, exp_bits=4)
    if only := design.moduli.only:
        cases = fitted(cases, only(nbits))[: count + 4]
    check_late_pops(runner, design.at(nbits), cases, stalls)


def broken_off(runner, name, nbits, tries):
    only = find(name).moduli.only
    mods = [only(nbits)] * 2 if only else [(1 << nbits) - 3, (1 << nbits) - 5]
    first, again = (200, 0b1011, mods[0]), (99, 0b10000101, mods[1])
    check_broken_off(runner, find(name).at(nbits), first, again, tries)


@pytest.mark.parametrize("level", ["fl", "cl"])
@pytest.mark.parametrize(("name", "nbits"), ENDS)
def test_models(name, nbits, level):
    late(xcel_runner(name, nbits, level), name, nbits)


@pytest.mark.parametrize("name", DESIGNS)
def test_hardware(name):
    """Of several words; of one, too, where Python simulates it."""
    nbits = port_width(name, "batch")
    for stalls in (NO_STALLS, random_stalls(3)):
        late(xcel_runner(name, nbits, "batch"), name, nbits, 30, stalls)
    late(xcel_runner(name, 8, "rtl"), name, 8, 1)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] * (n not in OTHER_KINDS)) for n in VARIANTS]
)
def test_hardware_of_variants(name):
    hardware(name, NBITS)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in VARIANTS if find(name).tested_to >= 40])
def test_hardware_of_variants_of_several_words(name):
    hardware(name, 40)  # which takes minutes to build; the port is that of the designs


def hardware(name, nbits):
    component = find(name).xcel("rtl", nbits)
    with component_runner(component, "batch", recv="xcel.req", send="xcel.resp") as runner:
        late(runner, name, nbits, 3)
        broken_off(runner, name, nbits, 20)


@pytest.mark.parametrize("level", ["fl", "cl"])
@pytest.mark.parametrize("name", OTHER_KINDS)
def test_models_of_variants_after_a_reset(name, level):
    component = find(name).xcel(level, NBITS)
    with component_runner(component, level, recv="xcel.req", send="xcel.resp") as runner:
        broken_off(runner, name, NBITS, 5)


@pytest.mark.quick
def test_a_variant_of_each_other_kind_is_tried():
    in_table = {type(design.at(8)) for design in DESIGNS.values()}
    others = {type(find(name).at(8)) for name in VARIANTS} - in_table
    assert {type(find(name).at(8)) for name in OTHER_KINDS} == others


WRITES_IN_IDLE = (
    "                if s.recv.val:  # or",
    "                s.exp <<= s.exp + 1\n"  # which was 0
    "                if s.recv.val | (s.exp == 2):  # or",
)
WORDS_FAULTS = {
    "a word is gone a cycle later": ("s.kept <<= s.kept >> WORD_BITS", "s.kept <<= 0"),
    "words move though none is popped": ("elif s.pop:", "else:"),
}


@pytest.fixture
def result_lost_in_idle(tmp_path, monkeypatch):
    """mul-rem-001 nearly as it was: what is on its inputs in the third idle cycle becomes its
    result."""
    broken = plant(tmp_path, rtl.exp.mod_exp_001, *WRITES_IN_IDLE)
    monkeypatch.setattr(rtl.exp.mod_exp_001, "ModExp001RTL", broken.ModExp001RTL)


def test_check_finds_a_result_of_several_words_that_is_lost_in_idle(result_lost_in_idle):
    with pytest.raises(Broken, match=r"response 0x0, expected") as caught:
        Check(ACCELERATOR, 40, "rtl").run(find("mul-rem-001"))
    assert set(caught.value.request) == {"base", "exp", "mod"}


def test_check_tells_it_in_json(result_lost_in_idle):
    done = run("check mul-rem-001 --nbits 8 --part accelerator --level rtl --json")
    assert done.exit_code == 1
    [row] = json.loads(done.stdout)["rows"]
    assert row["result"] == "wrong"
    assert "popped late" in row["reason"]
    assert row["reason"] in done.stderr
    assert row["repeat"] in done.stderr
    assert f"The request: base = {row['request']['base']}, exp = " in done.stderr


@pytest.mark.quick
def test_several_words_are_checked_unless_a_width_is_named():
    assert widths_of(find("mul-rem-001")) == [8, 40, 128]
    assert widths_of(find("mont-small")) == [8, 40]
    assert widths_of(find("dm-pseudo-1")) == [8, 40, 128]


@pytest.mark.quick
@faults(WORDS_FAULTS)
def test_fault_in_the_words(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.port.result_words, sound, faulty)
    monkeypatch.setattr(rtl.port.xcel, "ShiftedWords", broken.ShiftedWords)
    goes = replace(find("mont-small"), name="mont-small, planted").at(40)
    accelerator = rtl.port.xcel.XcelRTL(goes)
    runner = component_runner(accelerator, recv="xcel.req", send="xcel.resp")
    with runner, pytest.raises(CAUGHT):
        check_late_pops(runner, goes, random_cases(40, 4, seed=33, exp_bits=4, odd=True))
