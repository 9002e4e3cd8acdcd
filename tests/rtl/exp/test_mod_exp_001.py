"""Document 001's naive exponentiator: its cycles to the one, planted faults."""

import pytest

import rtl.exp.mod_exp_001
from cl.mul_rem import mod_exp_001_latency
from eval.catalog import find
from eval.catalog.processor import Processor
from eval.contract.exponentiator import any_modulus, check_exponentiator, edge_cases, random_cases
from eval.documents.d001.figures import SYSTEMS
from eval.tasks.execution import Execution
from fl.rsa_keys import BENCHMARK
from rtl.exp.mod_exp_001 import ModExp001
from sim.stream import STALLS, Stalls
from tests.faults import CAUGHT, faults, plant
from tests.harness import check_within, component_runner

DESIGN = find("mul-rem-001")
PRINTED = next(system for system in SYSTEMS if system.title == "naive accelerator")
MODEL = ModExp001(8, any_modulus)
CASES = edge_cases(8, exp_bits=4)[::2] + random_cases(8, 12, seed=21)
LATE_SINK = Stalls("late-sink", (0,), (300,))


@pytest.mark.parametrize("nbits", [9, 64, 128])
def test_widths(nbits):
    with component_runner(DESIGN.component("rtl", nbits), "batch") as runner:
        check_exponentiator(runner, DESIGN.at(nbits), random_cases(nbits, 20, seed=6))


def printed_time(base, exp, mod):
    """T = 6 + the sum over the bits of exp of 5 + max(2k + 1), by quotients."""

    def places(product):
        return max(0, (product // mod).bit_length() - 1)

    cycles, result = 6, 1
    for bit in reversed(f"{exp:b}"):
        active = [base * base] + [result * base] * (bit == "1")
        cycles += 5 + max(2 * places(product) + 1 for product in active)
        if bit == "1":
            result = result * base % mod
        base = base * base % mod
    return cycles


@pytest.mark.quick
def test_the_formula_is_the_documents():
    key = BENCHMARK.key
    for workload, (text, exp) in {
        "e": (BENCHMARK.message, key.e),
        "d": (BENCHMARK.ciphertext, key.d),
    }.items():
        printed = PRINTED.calls[workload].cycles
        assert printed_time(text, exp, key.n) == printed
        assert mod_exp_001_latency(32, text, exp, key.n) + 4 == printed


def test_a_call_on_the_processor_takes_the_printed_cycles():
    found = Execution(Processor("mul-rem-001"), "xcel").compute(lambda step: None)
    cycles = {workload: call.cycles for workload, call in found.normalised.items()}
    assert cycles == {workload: call.cycles for workload, call in PRINTED.calls.items()}
    assert cycles == {"e": 1062, "d": 1840}


FAULTS = {
    "the square only is waited for": (
        "s.square.send.val & (s.multiply.send.val | ~s.exp[0])",
        "s.square.send.val",
    ),
    "the product only is waited for": (
        "s.square.send.val & (s.multiply.send.val | ~s.exp[0])",
        "(s.multiply.send.val & s.exp[0]) | (s.square.send.val & ~s.exp[0])",
    ),
    "multiplies at every bit": ("(s.state == ASK) & s.exp[0]", "s.state == ASK"),
    "keeps the product of a 0 bit": (
        "                if s.exp[0]:\n                    s.result",
        "                if s.exp != 0:\n                    s.result",
    ),
    "ends a bit early": ("s.over @= (s.exp == 0)", "s.over @= (s.exp <= 1)"),
    "squares the result": ("s.square.recv.msg.a //= s.base", "s.square.recv.msg.a //= s.result"),
    "multiplies the base": (
        "s.multiply.recv.msg.a //= s.result",
        "s.multiply.recv.msg.a //= s.base",
    ),
    "result kept from before": (
        "                        s.result <<= 1\n",
        "                        pass\n",
    ),
    "1 mod 1 is 1": ("s.recv.msg.mod <= 1:", "s.recv.msg.mod < 1:"),
    "modulus 0 taken": ("| (s.mod == 0)", ""),
    "bad modulus not told": ("s.send.msg.status @= BAD_MODULUS", "s.send.msg.status @= OK"),
    "answer not held for a slow sink": ("elif s.send.rdy:", "elif s.state == DONE:"),
    "accepts while busy": ("s.recv.rdy @= s.state == IDLE", "s.recv.rdy @= s.state != DONE"),
}


def check_hardware(component):
    with component_runner(component) as runner:
        for some, stalls in ((CASES, STALLS["none"]), (CASES[::8], LATE_SINK)):
            check_within(runner, MODEL, some, room=310, stalls=stalls)


@pytest.mark.quick
def test_the_sound_hardware_passes():
    check_hardware(MODEL.rtl())


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.mod_exp_001, sound, faulty)
    with pytest.raises(CAUGHT):
        check_hardware(broken.ModExp001RTL(8))
