"""What `modexplorer check` finds: what breaks a contract, the command that repeats it, faults."""

import json
import shlex
from dataclasses import replace

import pytest

from eval.catalog import bring, find
from eval.contract.design import Broken, Check
from eval.contract.exponentiator import any_modulus
from eval.contract.planted import faults_of, found_out
from rtl.exp.ssmm_shared import SsmmShared
from sim.errors import UserError
from tests.command_line import run, run_json
from tests.eval.user_designs import edit, forget
from tests.places import ROOT

ASKED = "check mine --with mine/entry.py --nbits 8"


def test_a_new_design_keeps_its_contract_and_its_faults_are_found(mine):
    done = run("check mine --with mine/entry.py --nbits 8 --part multiplier --level cl,rtl")
    assert done.exit_code == 0, done.output
    assert "= formula" in done.stdout
    faults = faults_of(find("mine"))
    assert len(faults) == 3
    assert all(found_out(find("mine"), fault) for fault in faults)
    edit(mine, "s.once > zext(s.m, wide) + zext(s.m, wide):", "s.once >= zext(s.m, wide) + 0:")
    forget()
    bring("--with", mine)
    harmless = faults_of(find("mine"))[0]
    assert found_out(find("mine"), harmless) is None


@pytest.mark.quick
@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"s.left <<= top - 1"', '"s.left <<= to"', "rtl.py, line 70: NameError: name 'to'"),
        ('"s.left <<= top - 1"', '"s.left <<= ("', "rtl.py, line 70: SyntaxError"),
        ('"s.left <<= top",', '"s.left",', "rtl.py has 6 times 's.left'"),
    ],
)
def test_a_fault_that_cannot_be_planted_is_named(mine, old, new, says):
    edit(mine, old, new)
    bring("--with", mine)
    fault = next(fault for fault in faults_of(find("mine")) if fault.name == "a step too few")
    with pytest.raises(UserError) as caught:
        found_out(find("mine"), fault)
    assert str(caught.value).startswith("design: fault 'a step too few': ")
    assert says in str(caught.value)
    assert ("line" in says) == (str(mine.parent) in str(caught.value))


@pytest.mark.parametrize(
    ("part", "file", "old", "new", "says"),
    [
        ("exponentiator", "cl.py", "nbits + 1", "nbits + 2", "the formula says"),
        ("multiplier", "fl.py", "bit * b", "bit", "is not a * b / 2^0 mod m"),
        ("multiplier", "rtl.py", "s.a[top]:", "s.a[top] and s.b[0]:", "line 39: `if s.a[top] and"),
        ("multiplier", "rtl.py", "s.a[top]:", "s.a[topp]:", "rtl.py, line 39: NameError"),
        ("exponentiator", "rtl.py", "elif s.send.rdy:", "elif 0:", "0 of "),
    ],
)
def test_what_breaks_the_contract_is_told_with_a_command_that_repeats_it(
    mine, part, file, old, new, says
):
    edit(mine.parent / file, old, new)
    level = "batch" if "`" in says else "rtl"
    done = run(f"{ASKED} --part {part} --level {level}")
    assert done.exit_code == 1
    assert says in done.stderr
    repeating = done.stderr.partition("Repeat it by: modexplorer ")[2]
    assert bool(repeating) == ("line 39" not in says)
    if repeating:
        again = run(shlex.join(shlex.split(repeating)))
        assert again.exit_code == 1


def test_the_hardware_of_a_third_party_exponentiator_is_checked(mine):
    core = ROOT / "tests/eval/foreign/power.v"
    run_json(f"new theirs --verilog {core} --as exponentiator --top power")
    asked = "check theirs --with theirs/entry.py --nbits 8 --part exponentiator"
    rows = run_json(f"{asked} --level batch")["rows"]
    assert [row["result"] for row in rows] == ["right"]
    edit(mine.parents[1] / "theirs/power.v", "i <= N - 1;", "i <= N - 2;")
    forget()
    done = run(f"{asked} --json")
    assert done.exit_code == 1
    results = {row["level"]: row["result"] for row in json.loads(done.stdout)["rows"]}
    assert results["rtl"] == results["batch"] == "wrong"


@pytest.mark.parametrize("name", ["array-4-kept", "near-power-4", "cm-pseudo-2", "mont(units=1)"])
def test_designs_that_keep_or_take_few_moduli_are_checked_as_such(name):
    for part in ("multiplier", "accelerator"):
        cases, stalled = Check(part, 8, "fl").run(find(name))
        assert min(cases, stalled) > 50


@pytest.mark.quick
def test_time_that_is_not_constant_is_not_called_so():
    design = replace(find("ssmm-small"), make=lambda nbits: Claims(nbits, any_modulus))
    with pytest.raises(Broken, match="says that its time is constant, and takes from"):
        Check("exponentiator", 8, "fl").run(design)


class Claims(SsmmShared):
    """Takes more or less time, and says that it does not."""

    constant_time = True
