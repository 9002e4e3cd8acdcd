"""Verilog models of cells, made of their functions, simulate a mapped netlist as the RTL would."""

import random
import re
import subprocess
from pathlib import Path

import pytest

from flow.gates.liberty import Library
from flow.gates.models import models_of
from flow.technologies.kit import view
from sim.translate import translate
from tests.flow.runs import folder_of, kept_run
from tests.flow.toys import PowerToy

CYCLES = 60
BENCH = """module bench;
  reg clk = 0, reset = 1, val = 0;
  reg [3:0] a = 0;
  wire [3:0] y;
  PowerToy toy(.clk(clk), .reset(reset), .val(val), .a(a), .y(y));
  initial begin
STEPS
    $finish;
  end
endmodule
"""


def steps(did: list[tuple[int, int, int]]) -> str:
    """A line for each cycle: what comes in, what is seen, an edge of the clock."""
    return "\n".join(
        f'    reset = {reset}; val = {val}; a = {a}; #5 $display("y %0d", y); clk = 1; #5 clk = 0;'
        for reset, val, a in did
    )


def sums(did: list[tuple[int, int, int]]) -> list[int | None]:
    """What y shows in each cycle, by hand; None before the first reset has worked."""
    total, shown = None, []
    for reset, val, a in did:
        shown.append(total)
        if reset:
            total = 0
        elif val and total is not None:
            total = (total + a) % 16
    return shown


def simulated(models: str, netlist: str, folder: Path) -> list[str]:
    """What y was in each cycle, in iverilog."""
    draw = random.Random(5)
    did = [
        (int(cycle in (0, 1, 30)), draw.randrange(2), draw.randrange(16)) for cycle in range(CYCLES)
    ]
    (folder / "bench.v").write_text(BENCH.replace("STEPS", steps(did)) + netlist + models)
    compiled = folder / "bench.vvp"
    subprocess.run(["iverilog", "-g2012", "-o", compiled, folder / "bench.v"], check=True)
    done = subprocess.run(["vvp", compiled], capture_output=True, text=True, check=True)
    expected = sums(did)
    seen = re.findall(r"^y (\S+)$", done.stdout, re.MULTILINE)
    assert len(seen) == len(expected) == CYCLES
    return [
        f"cycle {cycle}: {was}, not {value}"
        for cycle, (was, value) in enumerate(zip(seen, expected, strict=True))
        if value is not None and was != str(value)
    ]


@pytest.mark.parametrize("gated", [False, True])
def test_a_netlist_of_sky130_adds_up(gated: bool, tmp_path: Path) -> None:
    text = translate(PowerToy(4), "PowerToy").text
    asked = {"tech": "sky130", "recipes": ["area"], "clock_period": 18.8}
    result = kept_run(text, "PowerToy", to="equivalence", gated=gated, **asked)
    netlist = (folder_of(result, "synthesis") / "outputs/netlist.v").read_text()
    assert ("dlclkp" in netlist) == gated
    models = models_of(Library(view("sky130") / "stdcells.lib"))
    assert not simulated(models, netlist, tmp_path)
    sound, faulty = ("open = GATE;", "open = 1;") if gated else ("IQ <= D;", "IQ <= ~D;")
    assert sound in models
    assert simulated(models.replace(sound, faulty), netlist, tmp_path)


def test_cells_that_a_netlist_never_has_are_left_out() -> None:
    models = models_of(Library(view("osu018") / "stdcells.lib"))
    names = re.findall(r"^module (\w+)\(", models, re.MULTILINE)
    assert {"INVX1", "FAX1", "DFFPOSX1"} <= {*names}
    assert {"DFFNEGX1", "DFFSR", "LATCH", "TBUFX1"}.isdisjoint(names)
