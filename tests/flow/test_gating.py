"""Gated clocks in the flow: by hand, on a toy end to end, and with faults planted."""

import json
import random
import re

import numpy as np
import pytest

from flow import opensta
from flow.gates.clock_gate import why_not_a_gate
from flow.gates.liberty import LibertyError
from flow.gates.mapped import MappedNetlist, NetlistError
from flow.gates.power import Nets, PowerModel
from flow.gates.simulate import Mismatch, simulate
from flow.gates.timing import Timing
from flow.layout import buffering
from flow.layout.design import Design
from flow.layout.ideal_clock import with_ideal_clock
from flow.layout.technology import stack_of
from flow.netlist import HIGH, LOW, read_netlist
from flow.recording import RecordedPort, Recording
from flow.run import run_flow
from sim.errors import UserError
from tests.flow.netlists import netlist_of, read_verilog
from tests.flow.runs import folder_of, kept_run
from tests.flow.scripts import map_design
from tests.flow.test_equivalence import prove
from tests.flow.toys import LIBERTY

VOLTAGE, PERIOD = 1.1, 3.0
TABLE = "L L : - : L , L H : - : H , H - : - : N"

# One register behind a gate, one not.
PAIR = (
    *("Pair", "clk en d -> q p", "CLKGATE_X1 gate CK=clk E=en GCK=gck"),
    *("DFF_X1 q_reg CK=gck D=d Q=q", "DFF_X1 p_reg CK=clk D=d Q=p"),
)


def pair_recording(enables, data, begin=1):
    """What Pair does; its registers are known from the second cycle on if the first is enabled."""
    kept, q, p = 0, [], []
    for cycle in range(len(data)):
        q.append(kept)
        p.append(data[cycle - 1] if cycle else 0)
        kept = data[cycle] if enables[cycle] else kept
    ports = [RecordedPort("en", False, 1, enables), RecordedPort("d", False, 1, data)]
    ports += [RecordedPort("q", True, 1, q), RecordedPort("p", True, 1, p)]
    return Recording(tuple(ports), {"all": (begin, len(data))}, ((0, 1),))


def run_pair(library, enables, data, begin=1):
    given = netlist_of(*PAIR)
    mapped = MappedNetlist(given, library)
    timing = Timing(mapped)
    recording = pair_recording(enables, data, begin)
    [activity] = simulate(timing, recording, samples=len(data)).windows["all"]
    return given, timing, activity


@pytest.mark.quick
def test_toggles_of_a_gated_clock_by_hand(library):
    enables = [1, 0, 0, 1, 1, 0, 1, 0]
    data = [0, 1, 0, 1, 1, 1, 0, 1]
    given, _, activity = run_pair(library, enables, data, begin=2)
    net = given.names
    # Cycles 2 to 7 begin with the enables of cycles 1 to 6: three pulses.
    assert activity.toggles[net["gck"]] == 2 * 3
    assert activity.sampled_toggles[net["gck"]] == activity.delayed_toggles[net["gck"]] == 2 * 3
    # q is 0, takes 1 after cycles 3 and 4, 0 after cycle 6; p follows d.
    assert activity.toggles[net["q"]] == 2
    assert activity.toggles[net["p"]] == 4
    assert activity.high[net["q"]] == 3


def pair_energies(library, enable, cycles=40):
    """fJ a cycle of each component and cell; enable is steady, and so is the data."""
    enables = [1, *[enable] * (cycles + 1)]
    given, timing, activity = run_pair(library, enables, [0] * (cycles + 2), begin=2)
    nets = Nets(activity.cycles, activity.toggles, activity.high / activity.cycles)
    found = PowerModel(timing, PERIOD).energies(nets)
    ports = found.pop("ports")
    assert ports == 0
    names = [cell.name for cell in given.instances]
    return (
        timing,
        given,
        {
            part: dict(zip(names, values / activity.cycles, strict=True))
            for part, values in found.items()
        },
    )


@pytest.mark.quick
@pytest.mark.parametrize("enable", [0, 1])
def test_clock_power_of_a_gate_by_hand(library, enable):
    timing, given, found = pair_energies(library, enable)
    clock = found["clock"]
    # The clock net is shared by two pins, the gated one is that of one register.
    share = 0.5 * timing.load[given.names["clk"]] * VOLTAGE**2 * 2 / 2
    behind = 0.5 * timing.load[given.names["gck"]] * VOLTAGE**2 * 2
    # A register that keeps a 0 takes 7 fJ in the clock's two edges. From the library, at the
    # least slew: 1.31 + 3.57 fJ in a gate that stays shut; 3.1 to 3.4 and 5.0 to 5.3 fJ in one
    # that opens.
    register = clock["p_reg"] - share
    assert register == pytest.approx(6.9, abs=0.5)
    if enable:
        assert 3.1 + 5.0 < clock["gate"] - share < 3.4 + 5.3
        assert clock["q_reg"] - behind == pytest.approx(register)
    else:
        assert clock["gate"] - share == pytest.approx(1.31 + 3.57, abs=0.05)
        assert clock["q_reg"] == 0
    # By state, half of the time each.
    leakage = (60.270782 + 55.547822) / 2 if enable else (38.414200 + 38.483698) / 2
    assert found["leakage"]["gate"] == pytest.approx(leakage * PERIOD * 1e-3)
    assert found["internal"]["gate"] == found["switching"]["gate"] == 0


@pytest.mark.quick
def test_an_enable_that_changes_moves_the_latch(library):
    cycles = 41
    enables = [cycle % 2 for cycle in range(1, cycles + 1)]
    _, timing, activity = run_pair(library, enables, [0] * cycles)
    nets = Nets(activity.cycles, activity.toggles, activity.high / activity.cycles)
    clock = PowerModel(timing, PERIOD).energies(nets)["clock"][0] / activity.cycles
    share = 0.5 * timing.load[timing.clock] * VOLTAGE**2 * 2 / 2
    # Each second cycle shut: 1.31 fJ, and 6.31 when the clock falls and enable is 1 by then; else
    # open: 3.1 to 3.4, and 5.1 to 6.0 when it falls with enable 0. Changes of enable while the
    # clock is high: 0.54 and -0.41 fJ, or 0.48 and -0.37 while the output is, too.
    least, most = ((1.31 + 6.3 + rise + fall + 0.1) / 2 for rise, fall in ((3.1, 5.1), (3.4, 6.0)))
    assert least < clock - share < most


@pytest.mark.quick
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("p_reg CK=clk -> p_reg CK=en", "is not the port clk"),
        ("E=en -> E=gck", "goes to more than registers"),
        ("q p -> q gck", "goes to more than registers"),
        ("gate CK=clk -> gate CK=en", "clock gate's clock is not the port clk"),
    ],
)
def test_clocks_that_are_refused(library, change, message):
    old, new = change.split(" -> ")
    words = tuple(word.replace(old, new) for word in PAIR)
    assert words != PAIR
    with pytest.raises(NetlistError, match=message):
        Timing(MappedNetlist(netlist_of(*words), library))


@pytest.mark.quick
@pytest.mark.parametrize(
    ("table", "function", "why"),
    [
        (TABLE, "(CK & IQ)", None),
        (TABLE, "IQ", "while the clock is 0"),
        (TABLE, "(CK & !IQ)", "just if enable is 1"),
        (TABLE, "CK", "just if enable is 1"),
        # What an earlier row says of a state, a later one does not change.
        ("H - : - : N , - L : - : L , - H : - : H", "(CK & IQ)", None),
        ("- L : - : L , - H : - : H , H - : - : N", "(CK & IQ)", "change while the clock is 1"),
        # Without the latch, or with one that is open while the clock is 1.
        ("- L : - : L , - H : - : H", "(CK & IQ)", "change while the clock is 1"),
        ("H L : - : L , H H : - : H , L - : - : N", "(CK & IQ)", "change while the clock is 1"),
        ("L L : - : L , L H : - : H", "(CK & IQ)", "not understood"),
        ("R L : - : L", "(CK & IQ)", "not understood"),
        ("- - L : - : N", "(CK & IQ)", "not understood"),
    ],
)
def test_a_gate_is_proved_of_its_state_table(table, function, why):
    found = why_not_a_gate(["CK", "E", "IQ"], table, "CK", "E", function)
    assert found is None if why is None else why in found


@pytest.mark.quick
@pytest.mark.parametrize("pins", [["CK", "SE", "IQ"], ["CK", "IQ"], ["CK", "E", "SE", "IQ"]])
def test_a_gate_of_other_pins_in_its_state_table_is_refused(pins):
    assert "other pins" in why_not_a_gate(pins, TABLE, "CK", "E", "(CK & IQ)")


@pytest.mark.quick
def test_the_order_of_a_state_table_s_inputs_makes_no_difference():
    table = "L L : - : L , H L : - : H , - H : - : N"
    assert why_not_a_gate(["E", "CK", "IQ"], table, "CK", "E", "(CK & IQ)") is None
    assert why_not_a_gate(["CK", "E", "IQ"], table, "CK", "E", "(CK & IQ)") is not None


@pytest.mark.quick
def test_the_librarys_gates(library):
    assert library["CLKGATE_X1"].enable == "E"
    with pytest.raises(LibertyError, match="CLKGATETST_X1: a clock gate of other pins"):
        library["CLKGATETST_X1"]


def test_the_slack_has_the_enables(tmp_path):
    """OpenSTA takes a gate's enable for an end of paths: here of the slowest."""
    stages = 9
    nets = ["en", *(f"n{i}" for i in range(stages))]
    chain = [f"INV_X1 i{i} A={nets[i]} ZN={nets[i + 1]}" for i in range(stages)]

    def timed(*words):
        path = tmp_path / "pair.v"
        netlist_of(*words).write_verilog(path)
        return opensta.summary(opensta.run_sta(path, "Pair", LIBERTY, PERIOD, "clk"), PERIOD)

    slow = timed(*(word.replace("E=en", f"E={nets[-1]}") for word in PAIR), *chain)
    assert slow.end == "gate/E"
    assert slow.setup_slack_ns == slow.enable_slack_ns
    assert slow.registers == 2
    fast = timed(*PAIR)
    # From 0.048 ns, the setup time alone.
    assert fast.enable_slack_ns == pytest.approx(PERIOD - 0.048, abs=0.005)
    assert fast.setup_slack_ns < fast.enable_slack_ns
    assert slow.enable_slack_ns < fast.enable_slack_ns - 0.005 * stages


NBITS = 8
BANK = f"""
module Half(input clk, input reset, input en, input [{NBITS - 1}:0] d,
            output reg [{NBITS - 1}:0] t);
  always @(posedge clk) if (reset) t <= 0; else if (en) t <= t + d;
endmodule
module Bank(input clk, input reset, input en, input add, input [{NBITS - 1}:0] d,
            output reg [{NBITS - 1}:0] q, output [{NBITS - 1}:0] t, output reg [1:0] few);
  Half half(clk, reset, add, d, t);
  always @(posedge clk) begin
    if (en) q <= d;
    if (add) few <= d[1:0];
  end
endmodule"""
BUSY = 60


def bank_recording():
    """Reset and both enables; a window without, one with few, one with an enable in each cycle."""
    rng = random.Random(1)
    cycles = [(1, 1, 1, 0), (0, 1, 1, 3), (0, 0, 0, 0)]  # reset, en, add, d
    for few in (0, 0.1, 1):
        cycles += [
            (0, int(rng.random() < few), int(rng.random() < few), rng.randrange(1 << NBITS))
            for _ in range(BUSY)
        ]
    q = t = few = 0
    outputs = []
    for reset, en, add, d in cycles:
        outputs.append((q, t, few))
        t = 0 if reset else t + d * add & (1 << NBITS) - 1
        q, few = (d if en else q), (d & 3 if add else few)
    columns = zip(*(a + b for a, b in zip(cycles, outputs, strict=True)), strict=True)
    reset, en, add, d, q, t, few = map(list, columns)
    widths = {"reset": 1, "en": 1, "add": 1, "d": NBITS, "q": NBITS, "t": NBITS, "few": 2}
    return Recording(
        tuple(
            RecordedPort(name, name in ("q", "t", "few"), widths[name], values)
            for name, values in zip(widths, (reset, en, add, d, q, t, few), strict=True)
        ),
        {
            name: (3 + i * BUSY, 3 + (i + 1) * BUSY)
            for i, name in enumerate(("never", "rarely", "always"))
        },
        unchecked=((0, 1),),
        operations={"rarely": "never", "always": "never"},
    )


class Banks:
    """The toy through the flow, plain and with gated clocks."""

    def __init__(self):
        self.plain = self.run()
        self.gated = self.run(gated=True)

    def run(self, to="equivalence", **changes):
        return kept_run(BANK, "Bank", bank_recording(), to=to, recipes=["area"], **changes)

    def netlist(self, result=None):
        folder = folder_of(result or self.gated, "synthesis")
        return read_netlist(folder / "outputs/flat.json")


@pytest.fixture(scope="module")
def banks():
    return Banks()


def test_gates_are_put_where_enough_registers_share_an_enable(banks):
    # q by itself, and t, whose enable is add or reset; two bits are too few for a gate.
    assert banks.gated["steps"]["synthesis"]["gating"] == {
        "least_registers": 3,
        "clock_gates": 2,
        "gated_registers": 2 * NBITS,
        "registers": 2 * NBITS + 2,
    }
    assert [cell.master for cell in banks.netlist().instances].count("CLKGATE_X1") == 2


def test_areas_and_cells_have_the_gates(banks, library):
    steps = banks.gated["steps"]
    rows = {row["module"]: row for row in steps["synthesis"]["modules"]}
    cells = banks.netlist().instances
    area = sum(library[cell.master].area for cell in cells)
    assert banks.gated["metrics"]["area_um2"] == pytest.approx(area)
    assert banks.gated["metrics"]["cells"] == len(cells)
    assert sum(row["area_um2"] for row in rows.values()) == pytest.approx(area)
    # The multiplexers of 16 bits are worth more than two gates.
    assert area < banks.plain["metrics"]["area_um2"]


def test_a_gated_netlist_does_what_the_rtl_does(banks):
    steps = banks.gated["steps"]  # the simulation would have stopped the flow
    assert steps["simulation"]["outputs_compared"] == 2 * NBITS + 2
    assert steps["equivalence"]["outcome"] == "proven"
    assert steps["equivalence"]["registers_paired"] == 2 * NBITS + 2
    assert any("gated clocks" in text for text in steps["equivalence"]["trusted"])
    assert not any("gated" in text for text in banks.plain["steps"]["equivalence"]["trusted"])
    clocked = {n: row["clocked"] for n, row in steps["simulation"]["windows"].items()}
    ungated = 2 / (2 * NBITS + 2)
    assert clocked["never"] == pytest.approx(ungated, abs=1e-4)
    assert ungated < clocked["rarely"] < 0.35
    assert clocked["always"] == pytest.approx(
        1, abs=0.02
    )  # the window begins after a cycle without


def test_energy_falls_if_enables_are_rare(banks):
    def power(result, window, part="total"):
        return result["steps"]["power"]["windows"][window]["power_mw"][part]

    ratios = {}
    for window in ("never", "rarely", "always"):
        clock = [power(result, window, "clock") for result in (banks.gated, banks.plain)]
        ratios[window] = clock[0] / clock[1]
    assert ratios["never"] < ratios["rarely"] < 0.6
    assert ratios["always"] > 1  # the gates come on top
    assert power(banks.gated, "rarely") < 0.8 * power(banks.plain, "rarely")
    assert "gates" in banks.gated["steps"]["power"]["method"]["clock"]
    # The registers' module burns the clock, by state of its gate.
    for window in ("never", "always"):
        rows = banks.gated["steps"]["power"]["windows"][window]["modules"]
        found = {row["module"]: row["clock"] for row in rows}
        assert found["Half"] > 0
        assert sum(found.values()) == pytest.approx(power(banks.gated, window, "clock"))


@pytest.fixture(scope="module")
def laid_out(banks):
    """The toy's layouts, plain and with gated clocks."""
    return [banks.run("layout_energy", gated=gated) for gated in (False, True)]


@pytest.fixture
def placed(laid_out):
    return Design.load(folder_of(laid_out[1], "place") / "outputs/placed.json")


def way_to(netlist, register):
    """The cells between the clock port and a register, the register's neighbour first."""
    before = {}
    for cell in netlist.instances:
        for clock, out in (("A", "Z"), ("CK", "GCK")):
            if {clock, out} <= cell.pins.keys():
                before[cell.pins[out]] = cell.master, cell.pins[clock]
    net, way = register.pins["CK"], []
    while net in before:
        master, net = before[net]
        way.append(master)
    assert net == netlist.names["clk"]
    return way


def test_a_layout_has_a_tree_behind_each_gate(banks, laid_out, placed):
    plain, gated = (run["steps"]["place"]["buffers"] for run in laid_out)
    # A leaf of q, t and few each, a buffer above that of few in the place of a gate, the root.
    assert gated == plain | {"clock_buffers": 5, "clock_levels": 3}
    netlist = placed.netlist()
    ways = {
        cell.name: way_to(netlist, cell)
        for cell in netlist.instances
        if cell.master.startswith("DFF")
    }
    assert len(ways) == 2 * NBITS + 2
    for name, way in ways.items():
        above = "BUF_X8" if "few" in name else "CLKGATE_X1"
        assert way == ["CLKBUF_X3", above, "BUF_X8"]
    assert buffering.differences(stack_of(), banks.netlist(laid_out[1]), netlist) == []


def test_a_register_behind_another_gates_tree_is_found(banks, laid_out, placed, library):
    """By comparing with the netlist before, and by what simulates the layout's netlist."""
    netlist = placed.netlist()
    [register] = [cell for cell in netlist.instances if cell.name == "q[0]_reg"]
    other = next(cell for cell in netlist.instances if cell.name == "half.t[0]_reg")
    register.pins["CK"] = other.pins["CK"]
    [found] = buffering.differences(stack_of(), banks.netlist(laid_out[1]), netlist)
    assert found.startswith("cell q[0]_reg")
    ideal, _ = with_ideal_clock(
        stack_of(), netlist, {}, dict.fromkeys(("CLKBUF_X3", "BUF_X8"), 1.0)
    )
    with pytest.raises(Mismatch, match="differs"):
        simulate(Timing(MappedNetlist(ideal, library)), bank_recording())


def test_a_layout_with_gates_is_clean_and_in_time(laid_out):
    plain, gated = laid_out
    for run in laid_out:
        assert run["steps"]["layout"]["label"] == "clean"
        assert run["steps"]["layout_energy"]["outputs_compared"] == 2 * NBITS + 2
        assert run["metrics"]["layout_setup_slack_ns"] > 0
        assert run["metrics"]["layout_hold_slack_ns"] > 0
    assert "layout_enable_slack_ns" not in plain["metrics"]
    assert 0 < gated["metrics"]["layout_enable_slack_ns"] < PERIOD
    assert gated["metrics"]["layout_clock_skew_ns"] < 0.02
    assert 0.03 < gated["metrics"]["layout_clock_latency_ns"] < 0.2


def test_what_is_behind_a_gate_is_on_its_net(laid_out, placed):
    """1 fF for each wire of the tree, 2 for each buffer's pin."""
    netlist = placed.netlist()
    gated = [netlist.name_of[gate.pins["GCK"]] for gate in gates_of(netlist)]
    buffers = [c.pins["Z"] for c in netlist.instances if c.name.startswith("clock_buffer_")]
    wires = dict.fromkeys(["clk", *gated, *(netlist.name_of[net] for net in buffers)], 1.0)
    ideal, found = with_ideal_clock(stack_of(), netlist, wires, {"CLKBUF_X3": 2.0, "BUF_X8": 2.0})
    # Before the gates: the port's wire, the root, and the way to few. Behind one: a leaf.
    assert found == {"clk": 1 + 3 * (1 + 2)} | dict.fromkeys(gated, 1 + (1 + 2))
    assert {gate.pins["CK"] for gate in gates_of(ideal)} == {ideal.names["clk"]}

    def clock(run):
        power = json.loads((folder_of(run, "layout_power") / "outputs/power.json").read_text())
        return power["windows"]["never"]["power_mw"]["clock"]

    plain, gated = map(clock, laid_out)
    assert 0 < gated < 0.6 * plain


def gates_of(netlist):
    return [cell for cell in netlist.instances if cell.master == "CLKGATE_X1"]


def with_enable(netlist, net):
    """The first gate's enable is another net."""
    gates_of(netlist)[0].pins["E"] = net


def enables_swapped(netlist):
    first, second = (gate.pins for gate in gates_of(netlist))
    first["E"], second["E"] = second["E"], first["E"]


def with_clock(netlist, name=None):
    """The register of q[0] is clocked by another net: by the other gate's if it is not given."""
    [register] = [cell for cell in netlist.instances if cell.name == "q[0]_reg"]
    gated = {gate.pins["GCK"] for gate in gates_of(netlist)}
    [other] = {netlist.names[name]} if name else gated - {register.pins["CK"]}
    register.pins["CK"] = other


FAULTS = {
    "enable stuck at 1": lambda netlist: with_enable(netlist, HIGH),
    "enable stuck at 0": lambda netlist: with_enable(netlist, LOW),
    "enables of two gates swapped": enables_swapped,
    "register without its gate": lambda netlist: with_clock(netlist, "clk"),
    "register behind the other gate": with_clock,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found_by_simulation_and_by_proof(banks, library, fault, tmp_path):
    netlist = banks.netlist()
    FAULTS[fault](netlist)
    assert netlist != banks.netlist()
    with pytest.raises(Mismatch, match="differs"):
        simulate(Timing(MappedNetlist(netlist, library)), bank_recording())
    done = prove(banks.gated, netlist, tmp_path)
    assert (done.returncode, done.stderr) == (
        1,
        "ERROR: the netlist is not equivalent to the RTL\n",
    )


def test_the_plain_flow_is_as_it_was(banks):
    steps = banks.plain["steps"]
    assert "gating" not in steps["synthesis"]
    assert "enable_slack_ns" not in steps["timing"]
    assert "CLKGATE_X1" not in {cell.master for cell in banks.netlist(banks.plain).instances}
    assert not any("clocked" in row for row in steps["simulation"]["windows"].values())


def test_a_folder_with_gates_does_not_take_what_one_without_has_made(banks, tmp_path):
    """Nor the other way round."""

    def run(**changes):
        arguments = {"to": "synthesis", "recipes": ["area"]} | changes
        return run_flow("bank", BANK, "Bank", tmp_path, **arguments)

    def gates(result):
        return result["steps"]["synthesis"]["gating"]["clock_gates"]

    assert gates(run(gated=True, gate_registers=2)) == 3
    plain = run()
    assert "gating" not in plain["steps"]["synthesis"]
    assert plain["metrics"] == {k: banks.plain["metrics"][k] for k in plain["metrics"]}
    assert gates(run(gated=True)) == 2


def test_what_is_refused(tmp_path):
    with pytest.raises(UserError, match="registers of a clock gate 0"):
        run_flow("gated", BANK, "Bank", tmp_path, gated=True, gate_registers=0)


WIDE = """
module Wide(input clk, input en, input [69:0] d, output reg [69:0] q);
  always @(posedge clk) if (en) q <= d;
endmodule"""


@pytest.mark.parametrize(("bits", "loads"), [(70, [23, 23, 24]), (64, [32, 32])])
def test_no_gate_has_more_registers_than_it_can_drive(tmp_path, library, bits, loads):
    (tmp_path / "wide.v").write_text(WIDE.replace("69", str(bits - 1)))
    map_design(tmp_path / "wide.v", "area", tmp_path / "area", least_gated=3)
    mapped = MappedNetlist(read_verilog(tmp_path / "area.v", "Wide", tmp_path), library)
    timing = Timing(mapped)
    gated = timing.clocks.gated
    assert sorted(mapped.loads[gated]) == loads
    most = re.search(r"cell \(CLKGATE_X1\).*?max_capacitance\s*:\s*([\d.]+)", library.text, re.S)
    assert timing.load[gated].max() < float(most[1])
    # 32 is the most that a gate is given.
    load = 32 * library["DFF_X1"].pins["CK"].capacitance
    wire = library.wire_load.capacitances(np.array([32]))[0]
    assert load + wire < float(most[1])
