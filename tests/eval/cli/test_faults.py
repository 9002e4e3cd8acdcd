"""`modexplorer faults` end to end, and a fault whose effect is known."""

from functools import partialmethod

import pytest

from eval.catalog.point import Point
from eval.tasks.faults.campaign import run_campaign
from eval.tasks.faults.models import STUCK
from eval.tasks.faults.operation import CORRECT, DETECTED, EXPLOITABLE, OUTCOMES, POWER, Signing
from fl.messages import XcelReq
from fl.xcel import GO
from sim.faults import Fault, FaultInjector, register_bits
from sim.transfers import packer
from sim.translate import Translation
from tests.command_line import assert_refused, run, run_json

LINE = "faults mont-ct --nbits 8"


def test_all_faults_of_a_small_design() -> None:
    found = run_json(LINE)
    assert found["key_bits"] == 16
    plain, checked = found["campaigns"]
    for one in (plain, checked):
        assert one["faults"] == one["population"] == one["register_bits"] * one["cycles"]
        assert sum(one["outcomes"].values()) == one["faults"]
        by_register = [sum(counts.values()) for counts in one["registers"].values()]
        assert sum(by_register) == one["faults"]
        low = one["exploitable"][1]
        assert one["exploitable"] == [low, low, low]
    assert plain["outcomes"]["exploitable"] > 1000
    assert plain["outcomes"]["check"] == 0
    assert checked["outcomes"]["exploitable"] == checked["outcomes"]["harmless"] == 0
    assert checked["outcomes"]["check"] > 1000
    assert checked["coverage"][0] == 1
    assert checked["price"] == checked["cycles"] / plain["cycles"] - 1


def test_a_sample_says_how_sure_it_is_and_is_the_same_again() -> None:
    line = f"{LINE} --operation d --faults 500"
    plain, checked = run_json(line)["campaigns"]
    assert plain["faults"] == 500
    share, low, high = plain["exploitable"]
    signing = Signing(Point("mont-ct", 8), POWER)
    assert run_campaign(signing, 500, 1).outcomes == plain["outcomes"]
    whole = run_campaign(signing, 10**6, 1)
    assert low < share < high
    assert 0.5 * low < whole.exploitable[0] < 2 * high
    assert checked["exploitable"][:2] == [0, 0]
    assert 0 < checked["exploitable"][2] < 0.01
    again = run(line).stdout
    assert again != run(f"{line} --seed 2").stdout
    assert "| sample |" in again


def test_bits_that_are_stuck_at_either_value() -> None:
    found = run_json(f"{LINE} --model stuck")
    assert found["model"] == "stuck"
    plain, checked = found["campaigns"]
    for one in (plain, checked):
        assert one["faults"] == one["population"] == 2 * one["register_bits"] * one["cycles"]
    assert plain["outcomes"]["exploitable"] > 1000
    assert checked["outcomes"]["check"] > 1000
    assert checked["outcomes"]["exploitable"] == plain["only_as_base"] == 0
    assert checked["only_as_base"] > 0
    assert "refused for" in run(f"{LINE} --model stuck").stdout
    assert "| stuck |" in run(f"{LINE} --model stuck --faults 200").stdout


def test_a_check_that_takes_the_base_misses_what_both_powers_go_by(monkeypatch) -> None:
    signing = Signing(Point("mont-ct", 8), checked=True)
    sound = run_campaign(signing, 10**6, 1, model=STUCK)
    lenient = partialmethod(Signing.outcome, refuses_base=False)
    monkeypatch.setattr(Signing, "outcome", lenient)
    found = run_campaign(signing, 10**6, 1, model=STUCK)
    passed = {name: one.get(EXPLOITABLE, 0) for name, one in found.registers.items()}
    missed = {name: count for name, count in passed.items() if count}
    assert missed == {"exponentiator.loop.exponent.word": sound.only_as_base}


def test_a_bit_stuck_at_what_it_is_changes_nothing() -> None:
    """Half of all that are stuck from the last cycle on, at least."""
    signing = Signing(Point("mont-ct", 8), POWER)
    messages = [packer(XcelReq)(*one) for one in signing.messages]
    accelerator = signing.point.component("accelerator")
    injector = FaultInjector(accelerator, "xcel.req", "xcel.resp", messages, signing.echo, 200)
    [unharmed] = injector.run([None])
    last = unharmed.cycles - 1
    places = [injector.bit(number) for number in range(injector.bits)]
    stuck = [[Fault(*place, last, held) for place in places] for held in (0, 1)]
    pairs = zip(*(injector.run(faults) for faults in stuck), strict=True)
    assert all(unharmed in pair for pair in pairs)
    injector.close()


def test_a_bit_of_the_exponent_flipped_before_it_starts_is_told() -> None:
    signing = Signing(Point("mont-ct", 8), POWER)
    messages = [packer(XcelReq)(*one) for one in signing.messages]
    go = [one[1] for one in signing.messages].index(GO)
    accelerator = signing.point.component("accelerator")
    injector = FaultInjector(accelerator, "xcel.req", "xcel.resp", messages, signing.echo, 200)
    names = [one.name for one in injector.registers]
    exponent, base = names.index("exp.register"), names.index("base.register")
    faults = [Fault(exponent, bit, go) for bit in range(8)]
    found = [signing.outcome(seen) for seen in injector.run([None, *faults, Fault(base, 0, go)])]
    assert found[0] == (CORRECT, None)
    c, d, n = signing.power.base, signing.power.exp, signing.power.mod
    for bit, (outcome, told) in enumerate(found[1:9]):
        if pow(c, d ^ 1 << bit, n) != pow(c, d, n):
            assert outcome == EXPLOITABLE
            assert pow(c, d ^ 1 << told, n) == pow(c, d ^ 1 << bit, n)
    assert found[9][0] not in (CORRECT, *DETECTED)
    injector.close()


def test_a_row_that_checks_by_itself_gives_no_prime_away() -> None:
    asked = "--nbits 16 --operation private --faults 3000"
    [checked] = run_json(f"faults array-crt(digit=4) {asked}")["campaigns"]
    [bare] = run_json(f"faults array-crt(digit=4,checks=no) {asked}")["campaigns"]
    assert (checked["check"], bare["check"]) == ("its own", "none")
    assert checked["outcomes"]["exploitable"] == 0
    assert checked["outcomes"]["harmless"] > 0  # in the result, after the check: modulo both primes
    assert checked["outcomes"]["check"] > 100 < bare["outcomes"]["exploitable"]
    assert bare["outcomes"]["check"] < 30  # flips of the status itself


@pytest.mark.quick
def test_widths_of_registers_are_those_of_their_declarations() -> None:
    text = """typedef struct packed {
  logic [0:0] a;
  logic [6:0] b;
} Pair;

module part
(
  input  logic [0:0] clk ,
  output logic [39:0] out ,
  output Pair both
);
  logic [4:0] table_ [0:15];
  always_ff @(posedge clk) begin : ups
    out <= 40'd0;
    both.a <= 1'd0;
    table_[3] <= 5'd0;
  end

endmodule
"""
    found = {one.name: one for one in register_bits(Translation("part", text, ()))}
    assert {name: (one.bits, one.stride) for name, one in found.items()} == {
        "out": (40, 64),
        "both": (8, 8),
        "table_": (80, 8),
    }
    assert found["table_"].place(12) == 2 * 8 + 2
    assert set(OUTCOMES) > set(DETECTED)


@pytest.mark.quick
def test_what_is_refused() -> None:
    assert_refused("faults near-power-4 --nbits 64", "near-power-4 does not take")
    assert_refused("faults mont-ct --nbits 4096", "--nbits: no key has primes of 4096 bits")
    assert_refused(f"{LINE} --operation e", "'--operation'")
    assert_refused(f"{LINE} --operation private", "mont-ct makes no private operation by itself")
