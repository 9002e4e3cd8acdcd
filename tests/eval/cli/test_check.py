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
from tests.command_line import assert_refused, run, run_json
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
        ("multiplier", "cl.py", "nbits + 1", "nbits + 2", "the formula says"),
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
    repeating = done.stderr.partition("Repeat it by: modexplorer ")[2].partition("\n")[0]
    assert bool(repeating) == ("line 39" not in says)
    if repeating:
        again = run(shlex.join(shlex.split(repeating)))
        assert again.exit_code == 1


def test_the_hardware_of_a_third_party_exponentiator_is_checked(mine):
    core = ROOT / "tests/eval/foreign/power.v"
    run_json(f"new theirs --verilog {core} --as exponentiator --top power")
    asked = "check theirs --with theirs/entry.py --nbits 8 --part exponentiator"
    rows = run_json(f"{asked} --level fl,cl,batch")["rows"]
    assert [row["result"] for row in rows] == ["reference model", "reference model", "right"]
    edit(mine.parents[1] / "theirs/power.v", "i <= N - 1;", "i <= N - 2;")
    forget()
    rows = failed(f"{asked} --level rtl,batch")
    assert [row["result"] for row in rows] == ["wrong", "wrong"]


def failed(line: str) -> list[dict]:
    """The rows of a check that fails."""
    done = run(f"{line} --json")
    assert done.exit_code == 1, done.output
    found = json.loads(done.stdout)
    assert not found["passed"]
    return found["rows"]


def test_a_check_that_ran_no_hardware_fails_unless_its_levels_were_chosen(mine):
    asked = "check 'what-if(latency=9)' --nbits 8 --part multiplier"
    results = {row["level"]: row["result"] for row in failed(asked)}
    assert results == {"fl": "right", "cl": "right", "rtl": "not run", "batch": "not run"}
    assert "no hardware of what-if(latency=9) was run" in run(asked).stderr
    assert [row["result"] for row in run_json(f"{asked} --level fl,cl")["rows"]] == ["right"] * 2
    run_json("new before --level cl")
    asked = "check before --nbits 8 --part multiplier --with before/entry.py"
    assert {row["result"] for row in failed(asked)} == {"right", "not run"}
    said = run(asked).stderr
    assert "`modexplorer check before --level fl,cl --with " in said
    assert "`modexplorer new FOLDER --level rtl` adds the hardware" in said


def test_hardware_that_python_runs_and_nothing_translates_fails_with_a_remedy(mine):
    edit(mine.parent / "rtl.py", "s.state == DONE\n", "s.state == DONE and s.recv.rdy == 0\n")
    [row] = failed(f"{ASKED} --part multiplier --level rtl")
    assert row["result"] == "not translatable"
    assert [failure["kind"] for failure in row["failures"]] == ["translation"]
    assert "rtl.py, line 51: `s.send.val @= s.state == DONE and" in row["reason"]
    assert row["reason"].endswith("`s.send.val @= (s.state == DONE) & (s.recv.rdy == 0)`")


def test_all_failures_are_listed_the_most_telling_first(mine):
    """A time of the formula, a result, and a line that is no hardware, in one design."""
    edit(mine.parent / "cl.py", "nbits + 1", "nbits + 2")
    edit(mine.parent / "rtl.py", "s.result <<= 0", "s.result <<= 1")
    [row] = failed(f"{ASKED} --part multiplier --level rtl")
    kinds = [failure["kind"] for failure in row["failures"]]
    assert kinds == sorted(kinds, key=["value", "time"].index)
    assert set(kinds) == {"value", "time"}
    assert row["reason"] == row["failures"][0]["reason"]
    request = row["request"]
    assert "expected " + hex(request["a"] * request["b"] % request["m"]) in row["reason"]
    edit(mine.parent / "rtl.py", "s.state == DONE\n", "s.state == DONE and s.recv.rdy == 0\n")
    forget()
    done = run(f"{ASKED} --part multiplier --level rtl,batch")
    told = done.stderr.partition("does not keep its contract: ")[2].splitlines()
    assert "rtl.py, line 51" in told[0]
    others = [line.split(":")[0] for line in told if line.startswith("- ")]
    assert others == ["- value", *["- time"] * (len(others) - 1)]
    assert len(others) > 1


def test_a_fault_in_one_of_a_thousand_products_is_found(mine):
    old, new = (
        "s.result\n\n        @update_ff\n        def control",
        "s.result ^ zext(s.odd, nbits)",
    )
    text = (mine.parent / "rtl.py").read_text()
    assert text.count(old) == 1
    text = text.replace(old, old.replace("s.result", new)).replace(
        "            s.recv.rdy @=",
        "            s.odd @= (s.m[0:5] == 21) & (s.b[0:5] == 13)\n            s.recv.rdy @=",
    )
    (mine.parent / "rtl.py").write_text(
        text.replace("s.state = Register(2)", "s.state = Register(2)\n        s.odd = Wire()")
    )
    asked = f"{ASKED} --part multiplier --level batch"
    assert run_json(f"{asked} --cases 30")["rows"][0]["cases"] == 30
    [row] = failed(asked)
    assert row["request"]["m"] % 32 == 21
    assert row["request"]["b"] % 32 == 13


@pytest.mark.quick
def test_stale_faults_are_named_before_anything_runs(mine):
    edit(mine, '"s.left <<= top",', '"s.gone <<= top",')
    assert_refused(
        "check mine --with mine/entry.py", "design: fault 'a step too few': rtl.py has 0"
    )
    edit(mine, '"s.gone <<= top", "s.left <<= top - 1"', '"s.left <<= top", "s.left <<= ("')
    forget()
    assert_refused("check mine --with mine/entry.py", "rtl.py, line 70: SyntaxError")


NONSENSE = [
    (
        "cl.py",
        "return nbits + 1",
        f"return {value}",
        f"MineUnit.latency({{}}) returns {shown}",
        must,
    )
    for value, shown in (
        *(("None", "None"), ("'7'", "'7'"), ("2.5", "2.5"), ("0", "0"), ("True", "True")),
        *(("-3", "-3"), ("10**300", "a number of 997 bits")),
    )
    for must in ("an int from 1 to 1e+12. It calls mine_latency (cl.py, line 4)",)
] + [
    ("fl.py", "return result\n", f"return {value}\n", f"MineUnit.value({{}}) returns {shown}", must)
    for value, shown in (("None", "None"), ("'7'", "'7'"), ("-result - 1", "-"), ("m << 9", ""))
    for must in ("whole numbers from 0 on that fit the response",)
]
NONSENSE += [
    (
        "fl.py",
        "    result = 0\n",
        "    result = 1 // 0\n",
        "raises ZeroDivisionError",
        "fl.py, line 15",
    ),
    ("cl.py", "return nbits + 1", "return nbits.x", "raises AttributeError", "cl.py, line 6"),
    ("rtl.py", "m >= 1 and b <= m", "None", "MineUnit.accepts({}) returns None", "True or False"),
    ("rtl.py", "m >= 1 and b <= m", "False", "accepts() refuses every case", "return True"),
]


@pytest.mark.parametrize(("file", "old", "new", "says", "must"), NONSENSE)
def test_what_a_formula_returns_is_checked_by_every_command(mine, file, old, new, says, must):
    edit(mine.parent / file, old, new)
    with_mine = "--with mine/entry.py"
    lines = [f"check mine --nbits 8 --level cl --part multiplier {with_mine}"]
    if "accepts" not in says:
        product = "--unit multiplier --a 3 --b 5 --m 251"
        lines.append(f"simulate mine --nbits 8 {product} --level cl {with_mine}")
    if "latency" in says:
        power = "simulate mine --nbits 8 --base 3 --exp 5 --mod 251"
        lines += [f"{power} --level {level} {with_mine}" for level in ("formula", "cl")]
    for line in lines:
        done = run(line)
        assert done.exit_code == 1, (line, done.output)
        start, _, end = says.partition("{}")
        assert start in done.stderr
        assert end in done.stderr
        assert must in done.stderr


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
