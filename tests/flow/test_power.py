"""The flow's simulation and power steps end to end, on a toy whose behaviour is plain."""

import hashlib
import random
import re

import pytest

from flow.gates.mapped import MappedNetlist
from flow.gates.simulate import Mismatch, simulate
from flow.gates.timing import Timing
from flow.netlist import read_netlist
from flow.recording import RecordedPort, Recording
from flow.run import run_flow
from sim.errors import UserError
from sim.translate import translate
from tests.flow.netlists import with_other
from tests.flow.runs import folder_of, kept_run, run_step
from tests.flow.toys import PowerToy

NBITS = 8
BUSY = 60


def recorded(wrong_from=None):
    """Reset, an idle window, one that adds for half of its cycles, one that adds in all."""
    rng = random.Random(1)
    numbers = [rng.randrange(1 << NBITS) for _ in range(BUSY)]
    cycles = [(1, 0, 0)] * 2 + [(0, 0, 0)] * (1 + BUSY)  # reset, val, a
    half = [(0, 1, number) for number in numbers[: BUSY // 2]]
    cycles += half + [(0, 0, half[-1][2])] * (BUSY // 2)
    cycles += [(0, 1, number) for number in numbers]
    total, sums = 0, []
    for reset, val, a in cycles:
        sums.append(total)
        total = 0 if reset else total + val * a & (1 << NBITS) - 1
    if wrong_from is not None:
        sums[wrong_from] ^= 1
    reset, val, a = (list(column) for column in zip(*cycles, strict=True))
    return Recording(
        (
            RecordedPort("reset", False, 1, reset),
            RecordedPort("val", False, 1, val),
            RecordedPort("a", False, NBITS, a),
            RecordedPort("y", True, NBITS, sums),
        ),
        {
            "idle": (3, 3 + BUSY),
            "half": (3 + BUSY, 3 + 2 * BUSY),
            "full": (3 + 2 * BUSY, 3 + 3 * BUSY),
        },
        unchecked=((0, 2),),
        operations={"half": "idle", "full": "idle"},
    )


class Toy:
    def __init__(self):
        verilog = translate(PowerToy(NBITS), "PowerToy").text
        self.result = kept_run(verilog, "PowerToy", recorded(), to="power", recipes=["area"])
        self.power = self.result["steps"]["power"]
        flat = folder_of(self.result, "synthesis") / "outputs/flat.json"
        self.netlist = read_netlist(flat)


@pytest.fixture(scope="module")
def toy():
    return Toy()


def test_power_moves_as_it_must(toy):
    idle, half, full = (toy.power["windows"][name]["power_mw"] for name in ("idle", "half", "full"))
    assert idle["total"] < half["total"] < full["total"]
    assert idle["switching"] == idle["internal"] == 0
    # Twice the additions: about twice the toggles.
    assert full["switching"] == pytest.approx(2 * half["switching"], rel=0.15)
    assert full["internal"] == pytest.approx(2 * half["internal"], rel=0.15)
    # Leakage depends on the state of the nets (threefold in a gate), not on how often they change.
    for row in (half, full):
        assert row["leakage"] == pytest.approx(idle["leakage"], rel=0.25)
    assert full["clock"] == pytest.approx(idle["clock"], rel=0.1)


def test_energy_is_power_times_time_and_the_dummy_is_subtracted(toy):
    windows, operations = toy.power["windows"], toy.power["operations"]
    for name, window in windows.items():
        energy = window["power_mw"]["total"] * window["cycles"] * 3.0 * 1e-3
        assert window["energy_nj"] == pytest.approx(energy)
        assert toy.result["metrics"][f"energy_{name}_nj"] == pytest.approx(energy)
        assert toy.result["metrics"][f"power_{name}_mw"] == window["power_mw"]["total"]
    assert set(operations) == {"half", "full"}
    for name, row in operations.items():
        difference = windows[name]["energy_nj"] - windows["idle"]["energy_nj"]
        assert row["energy_nj"] == pytest.approx(difference)
        assert row["dummy_energy_nj"] == windows["idle"]["energy_nj"]
        assert row["cycles"] == 0


def test_power_by_module(toy):
    rows = {row["module"]: row for row in toy.power["windows"]["full"]["modules"]}
    assert set(rows) == {"PowerToy", "ToyAdder__nbits_8", "(inputs of the design)"}
    assert rows["ToyAdder__nbits_8"]["clock"] == 0
    assert rows["ToyAdder__nbits_8"]["internal"] > 0
    assert rows["PowerToy"]["clock"] > 0
    assert rows["(inputs of the design)"]["leakage"] == 0


def test_delays_add_the_glitches_of_the_carry(toy):
    window = toy.power["windows"]["full"]
    sampled = window["sampled"]
    assert sampled["cycles"] == BUSY
    assert sampled["toggle_factor"] > 1
    # All cycles were sampled: without delays the power is that of the whole window.
    assert sampled["power_mw"] == pytest.approx(window["power_mw"]["total"])
    assert sampled["power_with_glitches_mw"] > sampled["power_mw"]
    assert window["energy_with_glitches_nj"] > window["energy_nj"]
    latest = toy.result["steps"]["simulation"]["latest_ns"]
    assert 0 < latest <= toy.result["metrics"]["period_ns"] + 0.02


def test_what_the_netlist_does_differently_stops_the_simulation(toy, tmp_path):
    wrong, recording = 3 + BUSY + 7, tmp_path / "recording.json"
    recording.write_text(recorded(wrong_from=wrong).to_json())
    parameters = {
        "recording": recording,
        "recording_sha256": hashlib.sha256(recording.read_bytes()).hexdigest(),
        "sampled_cycles": 0,
        "start_seed": 1,
    }
    done = run_step(toy.result, "simulation", tmp_path, **parameters)
    message = rf"ERROR: the netlist does not do what the RTL does: cycle {wrong} \(half\)"
    assert done.returncode == 1
    assert re.match(message, done.stderr)
    done = run_step(toy.result, "simulation", tmp_path, **parameters | {"recording_sha256": "0"})
    assert re.match(r"ERROR: .*recording\.json changed since the graph was made", done.stderr)


def test_every_wrong_kind_of_gate_is_found(toy, library):
    tried = 0
    for right, wrong in (("NAND2_X1", "NOR2_X1"), ("NOR2_X1", "NAND2_X1")):
        changed = with_other(toy.netlist, right, wrong)
        if changed is toy.netlist:
            continue
        tried += 1
        netlist = MappedNetlist(changed, library)
        with pytest.raises(Mismatch, match=r"bit \d of y differs"):
            simulate(Timing(netlist), recorded())
    assert tried


def test_arrival_times_are_those_of_opensta(toy, library):
    timing = Timing(MappedNetlist(toy.netlist, library))
    metrics = toy.result["metrics"]
    # OpenSTA's path ends with the register's setup time, of some 0.03 ns.
    assert timing.latest == pytest.approx(metrics["period_ns"] - 0.03, rel=0.05)


def test_power_needs_a_recording(tmp_path):
    with pytest.raises(UserError, match="needs a recording"):
        run_flow("toy", "", "PowerToy", tmp_path, to="power")
