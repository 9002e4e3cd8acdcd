"""What a design's entry says of it is so in its hardware."""

import re

import pytest

from eval.catalog import DESIGNS, MULTIPLIERS, VARIANTS
from eval.contract.exponentiator import any_modulus
from fl.messages import mk_exp_msgs
from rtl.exp.organised import Organised
from sim.translate import translate
from tests.harness import design_runner, modulus_for

LIST = re.compile(r"logic \[\d+:0\] (\w+) \[0:(\d+)\];")
ORGANISED = [name for name, d in DESIGNS.items() if isinstance(d.at(8), Organised)]


@pytest.mark.parametrize("name", DESIGNS)
def test_every_component_has_a_line_trace(name):
    whole = DESIGNS[name].xcel("rtl", 8)
    whole.elaborate()
    kinds = {type(part) for part in whole.get_all_components()}
    assert not [kind for kind in kinds if not hasattr(kind, "line_trace")]


@pytest.mark.parametrize("name", DESIGNS)
def test_no_signal_points_beyond_a_list(name):
    """Such a read is undefined: synthesis makes of it what it likes, and nothing can be proven."""
    design = DESIGNS[name]
    text = translate(design.xcel("rtl", 100 if design.tested_to > 64 else 8)).text
    for module in re.sub(r"//.*", "", text).split("endmodule"):
        for wires, last in LIST.findall(module):
            if re.search(rf"\b{wires}\[[^0-9\]]+\]", module):
                assert (int(last) + 1).bit_count() == 1, f"{wires} [0:{last}]"


@pytest.mark.parametrize("name", ORGANISED)
@pytest.mark.parametrize("exp", [1, 0b1011, 0b10000000, 255])
def test_the_hardware_makes_the_products_of_the_schedule(name, exp):
    """Requests that units accept in the loop, counted in a run of the hardware."""
    design = DESIGNS[name].at(8)
    runner = design_runner(name, 8, "rtl")
    Request, _ = mk_exp_msgs(8)
    dut = runner.engine.top
    loop = dut.core.loop
    runner.reset()
    dut.recv.msg @= Request(7, exp, modulus_for(name, 8, 251))
    dut.recv.val @= 1
    dut.send.rdy @= 1
    taken = 0
    for _ in range(design.latency(7, exp, modulus_for(name, 8, 251)) + 1):
        dut.sim_eval_combinational()
        taken += sum(int(port.req.val & port.req.rdy) for port in loop.products())
        dut.sim_tick()
        dut.recv.val @= 0
    assert taken == design.counts(exp).total


@pytest.mark.quick
def test_names_are_given_once():
    assert not set(DESIGNS) & set(VARIANTS)
    assert all(name == design.name for name, design in (DESIGNS | VARIANTS).items())
    assert {design.multiplier.name for design in DESIGNS.values()} - set(MULTIPLIERS) == {"ssmm-2"}


@pytest.mark.quick
@pytest.mark.parametrize("name", [n for n, d in DESIGNS.items() if d.moduli.text == "any >= 1"])
def test_designs_for_any_modulus_take_any(name):
    assert all(DESIGNS[name].at(8).takes(mod) == any_modulus(mod) for mod in range(256))
