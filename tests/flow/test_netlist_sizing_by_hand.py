"""Arrivals, slacks, guessed gains and areas of gates that are sized, from a library of planes."""

import re

import numpy as np
import pytest

from flow.gates.strengths import Cells
from flow.netlist import HIGH
from flow.synthesis import sizing as code
from flow.synthesis.sizing import (
    OUTSIDE,
    SLEW,
    Gates,
    Sizing,
    State,
    gates_of_module,
    gates_of_netlist,
    restore,
    strengthen,
    weaken,
)
from tests.flow import made_up_library as made
from tests.flow.made_up_library import Edges, Plane
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick
RISE, FALL = 0, 1
PERIOD = 2.0
STRONG_DELAY = Edges(Plane(0.06, 0.5, 0.008), Plane(0.03, 0.25, 0.004))
STRONG_PIN, STRONG_AREA = 4.0, 3.0
SETUP = Edges(Plane(0.30, 2.0), Plane(0.50, 1.0))
PINS = {"INV": 1.5, "INV_X2": 3.0, "INV_X8": STRONG_PIN}


def setup_table(kind: str, plane: Plane) -> str:
    """By the slew of the data, then by that of the clock, which is as steep as can be."""
    rows = ", ".join(f'"{plane.at(slew)!r}, 77.0"' for slew in made.SLEWS)
    index = ", ".join(map(str, made.SLEWS))
    return f'{kind} (check) {{ index_1 ("{index}"); index_2 ("0, 1"); values ({rows}); }}'


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> Cells:
    """The library with an inverter of thrice the area, and with setup times."""
    text = made.liberty()
    [weak] = re.findall(r"  cell \(INV\) \{.*?\n  \}", text, re.DOTALL)
    strong = weak.replace("(INV)", "(INV_X8)").replace("area : 1.0", f"area : {STRONG_AREA}")
    strong = strong.replace("capacitance : 1.5", f"capacitance : {STRONG_PIN}")
    for kind, old, new in zip(
        ("cell_rise", "cell_fall"), made.INV_DELAY, STRONG_DELAY, strict=True
    ):
        assert old.text(kind) in strong
        strong = strong.replace(old.text(kind), new.text(kind))
    tables = map(setup_table, ("rise_constraint", "fall_constraint"), SETUP)
    setup = f"timing () {{ related_pin : CK; timing_type : setup_rising; {' '.join(tables)} }}"
    template = "lu_table_template (check) { variable_1 : constrained_pin_transition; "
    template += "variable_2 : related_pin_transition; }\n  power_lut_template"
    text = text.replace(weak, f"{weak}\n{strong}").replace("power_lut_template", template)
    text = text.replace("pin (D) {", f"pin (D) {{ {setup}")
    path = tmp_path_factory.mktemp("library") / "made.lib"
    path.write_text(text)
    return Cells(made.around(path))


def module(ports: str, *instances: str) -> str:
    """A module as yosys writes it: "a -> y" are its ports, "INV one A=a ZN=n" is a cell."""
    inputs, outputs = (names.split() for names in ports.split("->"))
    lines = [f"module Made({', '.join([*inputs, *outputs])});"]
    for way, names in (("input", inputs), ("output", outputs)):
        lines += [line for name in names for line in (f"  {way} {name};", f"  wire {name};")]
    cells = [cell.split() for cell in instances]
    nets = dict.fromkeys(pin.split("=")[1] for _, _, *pins in cells for pin in pins)
    lines += [f"  wire {net};" for net in nets if net not in {*inputs, *outputs}]
    for kind, name, *pins in cells:
        joined = ",\n".join(f"    .{p}({n})" for p, n in (pin.split("=") for pin in pins))
        lines.append(f"  {kind} {name} (\n{joined}\n  );")
    return "\n".join([*lines, "endmodule", ""])


CHAIN = ("INV one A=a ZN=n", "INV two A=n ZN=y")


def sizing(cells: Cells, ports: str, *instances: str, period: float = PERIOD, whole: bool = False):
    return Sizing(gates_of_module(module(ports, *instances), cells), cells, period, whole)


def pace(cells: Cells) -> float:
    return cells.library.technology.pace


def inverted(before: tuple, load: float, delay: Edges = made.INV_DELAY) -> tuple:
    """Arrivals and slews of both edges behind an inverter."""
    (rise, fall), (rise_slew, fall_slew) = before
    arrival = fall + delay.rise.at(fall_slew, load), rise + delay.fall.at(rise_slew, load)
    slew = made.INV_SLEW.rise.at(fall_slew, load), made.INV_SLEW.fall.at(rise_slew, load)
    return arrival, slew


def ends_of(found: Sizing, net: int, what: np.ndarray) -> list[float]:
    return what[2 * net : 2 * net + 2].tolist()


def net_at(found: Sizing, name: str, pin: str) -> int:
    return found.pins[[known for _, known in found.gates.names].index(name)][pin]


def test_a_chain_of_a_module(cells: Cells) -> None:
    """Inputs come, and outputs leave, OUTSIDE later than the edge; wires are of one load."""
    found = sizing(cells, "a -> y", *CHAIN)
    worst = found.time()
    a, n, y = (net_at(found, *at) for at in (("one", "A"), ("one", "ZN"), ("two", "ZN")))
    assert found.load[[a, n, y]].tolist() == [1.5 + 2, 1.5 + 2, made.PORT_LOAD + 2]
    start = OUTSIDE * pace(cells)
    entering = (start, start), (SLEW * pace(cells),) * 2
    middle = inverted(entering, 3.5)
    last = inverted(middle, 9)
    for net, (arrival, slew) in ((a, entering), (n, middle), (y, last)):
        assert ends_of(found, net, found.arrival) == pytest.approx(arrival)
        assert ends_of(found, net, found.slew) == pytest.approx(slew)
    slack = [PERIOD - start - at for at in last[0]]
    assert ends_of(found, y, found.slack) == pytest.approx(slack)
    # n rises where y falls.
    assert ends_of(found, n, found.slack) == pytest.approx(slack[::-1])
    assert ends_of(found, a, found.slack) == pytest.approx(slack)
    assert worst == pytest.approx(min(slack))
    assert found.trials == 1
    found.tighter = 0.25
    assert found.time() == pytest.approx(worst - 0.25)


def test_a_chain_of_a_whole_netlist(cells: Cells) -> None:
    """A cell drives each input, whose own delay without a load does not count; an output has the
    whole period."""
    found = sizing(cells, "a -> y", *CHAIN, whole=True)
    worst = found.time()
    delay, slew = made.INV_DELAY, made.INV_SLEW
    entering = (
        (delay.rise.load * 3.5, delay.fall.load * 3.5),
        (slew.rise.at(0, 3.5), slew.fall.at(0, 3.5)),
    )
    arrival, _ = inverted(inverted(entering, 3.5), 9)
    assert worst == pytest.approx(PERIOD - max(arrival))


HELD = ("INV one A=a ZN=d", "DFF held CK=clk D=d Q=q", "INV two A=q ZN=y")


def test_paths_end_before_registers_by_their_setup_time_and_begin_at_the_edge(
    cells: Cells,
) -> None:
    found = sizing(cells, "clk a -> y", *HELD)
    found.time()
    d, q, y = (net_at(found, *at) for at in (("one", "ZN"), ("held", "Q"), ("two", "ZN")))
    start = OUTSIDE * pace(cells)
    arrival, slew = inverted(((start, start), (SLEW * pace(cells),) * 2), 1.75 + 2)
    setup = SETUP.rise.at(slew[RISE]), SETUP.fall.at(slew[FALL])
    slack = [PERIOD - s - at for s, at in zip(setup, arrival, strict=True)]
    assert ends_of(found, d, found.slack) == pytest.approx(slack)
    # The clock's edge is ideal: at 0, as steep as can be, and later than no other net.
    leaves = tuple(plane.at(0, 3.5) for plane in made.REGISTER_DELAY["Q"])
    steep = tuple(plane.at(0, 3.5) for plane in made.REGISTER_SLEW)
    assert ends_of(found, q, found.arrival) == pytest.approx(leaves)
    last, _ = inverted((leaves, steep), 9)
    assert ends_of(found, y, found.slack) == pytest.approx([PERIOD - start - at for at in last])
    clk = net_at(found, "held", "CK")
    assert found.clocks == {clk}
    assert ends_of(found, clk, found.slack)[FALL] > 1e9


def test_the_worse_of_two_inputs_counts(cells: Cells) -> None:
    """Through two inverters a comes later than b, and as late to each edge."""
    ports, gates = "a b -> y", (*CHAIN[:1], "INV two A=n ZN=m", "AND2 last A1=m A2=b Z=y")
    found = sizing(cells, ports, *gates)
    found.time()
    start, slew = OUTSIDE * pace(cells), SLEW * pace(cells)
    entering = (start, start), (slew, slew)
    arrival, steep = inverted(inverted(entering, 3.5), 1.0 + 2)
    planes = made.AND_DELAY
    by = {
        "A1": [at + p.at(s, 9) for at, s, p in zip(arrival, steep, planes["A1"], strict=True)],
        "A2": [start + p.at(slew, 9) for p in planes["A2"]],
    }
    y, b, m = (net_at(found, "last", pin) for pin in ("Z", "A2", "A1"))
    assert ends_of(found, y, found.arrival) == pytest.approx(by["A1"])
    end = PERIOD - start
    assert ends_of(found, m, found.slack) == pytest.approx([end - at for at in by["A1"]])
    assert ends_of(found, b, found.slack) == pytest.approx([end - at for at in by["A2"]])
    slews = [
        max(one.at(s, 9), two.at(slew, 9))
        for one, two, s in zip(made.AND_SLEW["A1"], made.AND_SLEW["A2"], steep, strict=True)
    ]
    assert ends_of(found, y, found.slew) == pytest.approx(slews)


def test_strengths_are_sorted_by_area_and_change_loads_delays_and_areas(cells: Cells) -> None:
    found = sizing(cells, "a -> y", *CHAIN)
    found.time()
    names = [variant.cell.name for variant in found.variants[1]]
    assert set(names[:2]) == {"INV", "INV_X2"}
    assert names[2] == "INV_X8"
    assert found.area() == 2
    found.resize(1, 2)
    assert found.area() == 1 + STRONG_AREA
    n, y = net_at(found, "one", "ZN"), net_at(found, "two", "ZN")
    assert found.load[[n, y]].tolist() == [STRONG_PIN + 2, 9]
    start = OUTSIDE * pace(cells)
    middle = inverted(((start, start), (SLEW * pace(cells),) * 2), STRONG_PIN + 2)
    last, _ = inverted(middle, 9, STRONG_DELAY)
    assert found.time() == pytest.approx(PERIOD - start - max(last))
    assert found.changed() == {"": {"two": "INV_X8"}}
    restore(found, found.first_sizes)
    assert found.load[n] == 3.5
    assert found.changed() == {}


def test_a_gain_is_what_the_gate_wins_less_what_the_one_before_it_loses(cells: Cells) -> None:
    """On the slowest path, on which y rises."""
    found = sizing(cells, "a -> y", *CHAIN)
    found.time()
    n, y = net_at(found, "one", "ZN"), net_at(found, "two", "ZN")
    assert found.slack[2 * y + RISE] < found.slack[2 * y + FALL]
    slew = found.slew[2 * n + FALL]
    own = made.INV_DELAY.rise.at(slew, 9) - STRONG_DELAY.rise.at(slew, 9)
    loses = made.INV_DELAY.fall.load * (STRONG_PIN - 1.5)
    assert found.gains([(1, 2)], [1]) == pytest.approx([own - loses])
    assert found.gains([(1, 2)], [1], beside=True) == pytest.approx([-loses])
    # Nothing that is known stands before the first one.
    slew = SLEW * pace(cells)
    first = made.INV_DELAY.fall.at(slew, 3.5) - STRONG_DELAY.fall.at(slew, 3.5)
    assert found.gains([(1, 2), (0, 2)], [1, 0]) == pytest.approx([own - loses, first])
    assert found.gains([], []).tolist() == []
    found.resize(1, 2)
    found.time()
    assert found.gains([(1, found.first_sizes[1])], [1])[0] < 0


def test_ways_are_those_within_the_strengths_of_gates_below_a_limit(cells: Cells) -> None:
    found = sizing(cells, "a b -> y z", *CHAIN, "INV third A=b ZN=z")
    found.time()
    slack, at = found.slack_of_gates()
    assert at.tolist() == [0, 1, 2]
    assert slack[0] == pytest.approx(slack[1])
    assert slack[2] > slack[0]
    found.resize(0, 2)
    found.time()
    slack, _ = found.slack_of_gates()
    ways = found.gain_of((-1, 1, 2), (slack[0] + slack[2]) / 2)
    sizes = found.sizes
    expected = {(0, 1)} | {(1, s) for s in (sizes[1] - 1, sizes[1] + 1, sizes[1] + 2) if 0 <= s < 3}
    assert {way for _, *way_ in ways for way in [tuple(way_)]} == expected
    assert [gain for gain, *_ in ways] == pytest.approx(
        found.gains([(gate, size) for _, gate, size in ways], [gate for _, gate, _ in ways])
    )


def test_what_is_beside_a_slow_path_may_become_weaker(cells: Cells) -> None:
    """The strong inverter at n loads the path to y; it has time itself, though not without end."""
    gates = (*CHAIN, "INV_X8 beside A=n ZN=z", "INV third A=y ZN=x")
    found = sizing(cells, "a -> z x", *gates)
    found.time()
    slack, _ = found.slack_of_gates()
    assert slack[2] > slack[1]
    limit = slack[1] + 0.01
    n = net_at(found, "one", "ZN")
    edge = RISE if found.slack[2 * n + RISE] < found.slack[2 * n + FALL] else FALL
    lighter = STRONG_PIN - PINS[found.variants[2][1].cell.name]
    [(gain, gate, size)] = found.relief(limit)
    assert (gate, size) == (2, 1)
    assert gain == pytest.approx(made.INV_DELAY[edge].load * lighter)
    assert found.relief(slack[2] - 1e-6) == []
    assert found.relief(slack[1] - 1e-6) == []


def test_a_state_is_the_sum_of_what_is_missed(cells: Cells) -> None:
    """Both edges of both outputs, each by how much it is too late; an area times a period."""
    found = sizing(cells, "a b -> y z", *CHAIN, "INV third A=b ZN=z", period=0.5)
    worst = found.time()
    state = found.state()
    start = OUTSIDE * pace(cells)
    late = [
        found.arrival[2 * net_at(found, name, "ZN") + edge] - (0.5 - start)
        for name in ("two", "third")
        for edge in (RISE, FALL)
    ]
    assert worst < 0
    assert state.missed == pytest.approx(sum(max(one, 0.0) for one in late))
    assert state.worst == worst == pytest.approx(-max(late))
    assert state.price == pytest.approx(3 * (0.5 - worst))
    assert state.sizes == found.sizes
    assert state.sizes is not found.sizes


@pytest.mark.parametrize(
    ("worst", "missed", "better"),
    [
        (-0.9, 5.0, True),  # faster
        (-1.0, 4.0, True),  # as fast, and less missed
        (-1.0, 5.0, False),
        (-0.99995, 5.0, False),  # by a hair, and the others are no faster
        (-1.00005, 4.0, False),
        (-1.1, 1.0, False),
        (-0.9, 9.0, True),
    ],
)
def test_which_state_is_better(worst: float, missed: float, better: bool) -> None:
    before = State([], -1.0, 5.0, 1.0)
    assert State([], worst, missed, 1.0).better(before) == better


def test_a_gate_of_a_module_is_one_wherever_it_stands(cells: Cells) -> None:
    """Two places of a module in a hierarchy, each an inverter, and one at the top."""
    netlist = netlist_of(
        *("Top", "a b -> y z", "INV u.own A=a ZN=y", "INV v.own A=b ZN=n", "INV last A=n ZN=z")
    )
    owners = {"u.own": ("u", "Part"), "v.own": ("v", "Part"), "last": ("", "Top")}
    gates = gates_of_netlist(netlist, owners)
    assert gates.names == [("Part", "own"), ("Top", "last")]
    assert gates.gates == [0, 0, 1]
    assert gates.nets == HIGH + 6
    found = Sizing(gates, cells, PERIOD, whole=True)
    found.time()
    assert found.areas[0] == [2.0, 2.0, 2 * STRONG_AREA]
    found.resize(0, 2)
    assert found.area() == 2 * STRONG_AREA + 1
    for name in "ab":
        assert found.load[netlist.names[name]] == STRONG_PIN + 2
    assert found.changed() == {"Part": {"own": "INV_X8"}}


def test_nets_that_no_cell_has_are_numbered_too() -> None:
    found = gates_of_netlist(netlist_of("Empty", "a -> y"), {})
    assert isinstance(found, Gates)
    assert (len(found.entering), len(found.leaving), found.nets) == (1, 1, HIGH + 3)


def test_a_net_that_is_assigned_is_one(cells: Cells) -> None:
    text = module("a -> y", "INV one A=a ZN=n", "INV two A=m ZN=y")
    joined = text.replace("endmodule", "  assign m = n;\nendmodule")
    apart, one = (gates_of_module(some, cells) for some in (text, joined))
    assert apart.pins[0]["ZN"] != apart.pins[1]["A"]
    assert one.pins[0]["ZN"] == one.pins[1]["A"]


def test_what_is_too_slow_becomes_strong_and_weak_again_where_there_is_time(cells: Cells) -> None:
    """The last inverter drives the port: nothing else pays."""
    found = sizing(cells, "a -> y", *CHAIN, period=0.2)
    before = found.time()
    strengthen(found)
    assert found.changed()[""]["two"] == "INV_X8"
    assert found.time() > before + 0.05
    found.period = PERIOD
    found._required_at_ends()
    weaken(found)
    assert found.area() == 2
    assert found.time() > 0


def test_an_enable_is_there_before_the_edge(cells: Cells) -> None:
    """A clock gate's, of which no setup time is known."""
    found = sizing(cells, "clk a -> g", "INV one A=a ZN=e", "GATE gate CK=clk E=e GCK=g")
    found.time()
    e = net_at(found, "gate", "E")
    start = OUTSIDE * pace(cells)
    arrival, _ = inverted(((start, start), (SLEW * pace(cells),) * 2), 0.5 + 2)
    assert ends_of(found, e, found.slack) == pytest.approx([PERIOD - at for at in arrival])


def test_what_stands_before_a_gate_is_asked_of_each_way(cells: Cells) -> None:
    """Two arcs before the first inverter, one before the second."""
    gates = ("AND2 first A1=a A2=b Z=m", "INV two A=m ZN=n", "INV three A=n ZN=y")
    found = sizing(cells, "a b -> y", *gates)
    found.time()
    # y rises last, and so n falls and m rises.
    m, n, y = (net_at(found, *at) for at in (("first", "Z"), ("two", "ZN"), ("three", "ZN")))
    assert found.slack[2 * y + RISE] < found.slack[2 * y + FALL]
    heavier = STRONG_PIN - 1.5
    slew = found.slew[2 * n + FALL]
    last = made.INV_DELAY.rise.at(slew, 9) - STRONG_DELAY.rise.at(slew, 9)
    last -= made.INV_DELAY.fall.load * heavier
    slew = found.slew[2 * m + RISE]
    middle = made.INV_DELAY.fall.at(slew, 3.5) - STRONG_DELAY.fall.at(slew, 3.5)
    middle -= made.AND_DELAY["A1"].rise.load * heavier
    assert found.gains([(1, 2), (2, 2)], [1, 2]) == pytest.approx([middle, last])
    assert found.gains([(2, 2), (1, 2)], [2, 1]) == pytest.approx([last, middle])


def test_what_is_beside_keeps_twice_what_it_loses(cells: Cells) -> None:
    found = sizing(cells, "a -> z x", *CHAIN, "INV_X8 beside A=n ZN=z", "INV third A=y ZN=x")
    found.time()
    slack, at = found.slack_of_gates()
    [lost] = found.gains([(2, 1)], [int(at[2])])
    edge = slack[2] - 2 * abs(lost)
    assert slack[1] < edge - 1e-6
    assert [way[1:] for way in found.relief(edge - 1e-6)] == [(2, 1)]
    assert found.relief(edge + 1e-6) == []


def test_so_often_a_netlist_is_timed(cells: Cells, monkeypatch) -> None:
    """By its arcs, at least 15 times, and 120 at most."""
    found = sizing(cells, "a -> y", *CHAIN)
    assert len(found.source) == 4
    for arcs, most in ((4 * 20 + 3, 20), (1, 15), (10**6, 120)):
        monkeypatch.setattr(code, "MOST_ARCS", arcs)
        for found.trials, may in ((most - 1, True), (most, False)):
            assert found.may_try() == may


def test_a_whole_netlist_grows_by_no_more_than_it_gains(cells: Cells) -> None:
    """Thrice the area of an inverter for less than half of the time does not pay; 1 % does."""
    dear, cheap = (sizing(cells, "a -> y", *CHAIN, period=0.2, whole=True) for _ in range(2))
    strengthen(dear)
    assert dear.changed() == {}
    cheap.areas = [[1.0, 1.0, 1.01]] * 2
    strengthen(cheap)
    assert cheap.changed()[""]["two"] == "INV_X8"


def test_a_whole_netlist_shrinks_as_far_as_that_pays(cells: Cells) -> None:
    """A weak inverter takes less than twice the time, for a third of the area: not for 1 %."""
    strong = ("INV one A=a ZN=n", "INV_X8 two A=n ZN=y")
    dear, cheap = (sizing(cells, "a -> y", *strong, whole=True) for _ in range(2))
    weaken(dear)
    assert dear.area() == 2
    cheap.areas = [[1.0, 1.0, 1.01]] * 2
    weaken(cheap)
    assert "two" not in cheap.changed().get("", {})


def test_gates_on_one_net_do_not_change_together(cells: Cells) -> None:
    """The first of them in the list does; so many are changed at most."""
    ways = [(3.0, 1, 2), (2.0, 0, 2), (1.0, 2, 2)]
    for most, changed in ((9, [(1, 2), (2, 2)]), (2, [(1, 2), (2, 2)]), (1, [(1, 2)])):
        found = sizing(cells, "a b -> y z", *CHAIN, "INV third A=b ZN=z")
        before = found.sizes[0]
        assert code._change(found, ways, most) == changed
        assert found.sizes[:2] == [before, 2]


def test_registers_of_one_clock_may_change_together(cells: Cells) -> None:
    held = ("DFF one CK=clk D=a Q=y", "DFF two CK=clk D=b Q=z", "DFF three CK=clk D=z Q=x")
    found = sizing(cells, "clk a b -> x y z", *held)
    assert code._change(found, [(1.0, gate, 0) for gate in range(3)], 9) == [(0, 0), (1, 0)]


def test_all_bits_of_ports_are_outside(cells: Cells) -> None:
    """Of y the upper bit is driven, and of a the upper bit drives it."""
    text = module("a -> y", "INV one A=a[1] ZN=y[1]").replace("  wire a[1];\n  wire y[1];\n", "")
    for name, way in (("a", "input"), ("y", "output")):
        text = text.replace(
            f"{way} {name};\n  wire {name};", f"{way} [1:0] {name};\n  wire [1:0] {name};"
        )
    gates = gates_of_module(text, cells)
    [pins] = gates.pins
    assert (len(gates.entering), len(gates.leaving)) == (2, 2)
    assert pins["A"] == gates.entering[1]
    assert pins["ZN"] == gates.leaving[1]
    found = Sizing(gates, cells, PERIOD)
    assert found.load[pins["ZN"]] == made.PORT_LOAD + 2
    assert found.time() < PERIOD


def test_what_a_part_of_the_design_takes_and_gives_is_outside(cells: Cells) -> None:
    """It takes an input and a net that a gate drives, each of which it loads as an output is, and
    gives a net."""
    part = "Part inner from_port=a from_gate=n made=m"
    gates = (*CHAIN, part, "INV third A=m ZN=z")
    found = sizing(cells, "a -> y z", *gates)
    a, n, m = (net_at(found, name, "A") for name in ("one", "two", "third"))
    y, z = (net_at(found, name, "ZN") for name in ("two", "third"))
    assert found.entering == sorted((a, m))
    assert found.leaving == sorted((a, n, y, z))
    assert found.load[[a, n, m]].tolist() == [1.5 + made.PORT_LOAD + 3.5] * 2 + [1.5 + 2]


@pytest.mark.parametrize("bit", [0, 1])
def test_a_constant_is_never_too_late(cells: Cells, bit: int) -> None:
    """At an output, even if the period is less than what is left for the outside."""
    text = module("a -> y", "INV one A=a ZN=n")
    text = text.replace("endmodule", f"  assign y = 1'b{bit};\nendmodule")
    period = 0.5 * OUTSIDE * pace(cells)
    found = Sizing(gates_of_module(text, cells), cells, period)
    assert found.time() == np.inf
    assert found.state().missed == 0


@pytest.mark.parametrize("cheap", [0, 1])
def test_what_gains_most_for_its_area_becomes_stronger_first(
    cells: Cells, monkeypatch, cheap: int
) -> None:
    """Of two paths that are as slow, one inverter takes 2 um2 more and the other one 8."""
    found = sizing(cells, "a b -> y z", "INV one A=a ZN=y", "INV two A=b ZN=z", period=0.2)
    found.areas = [[1.0, 1.0, 9.0], [1.0, 1.0, 9.0]]
    found.areas[cheap][2] = 3.0
    monkeypatch.setattr(code, "MOST_TRIALS", 2)  # of which one is of what there was
    strengthen(found)
    assert found.changed() == {"": {("one", "two")[cheap]: "INV_X8"}}


@pytest.mark.parametrize("most", [0, 1])
def test_what_saves_most_area_becomes_weaker_first(cells: Cells, monkeypatch, most: int) -> None:
    """By a step: of two inverters on one net, both of 3 um2, one becomes one of 1.25 and the other
    one of 2.5."""
    found = sizing(cells, "a -> y", "INV_X8 one A=a ZN=n", "INV_X8 two A=n ZN=y")
    found.areas = [[1.0, 2.5, 3.0], [1.0, 2.5, 3.0]]
    found.areas[most][1] = 1.25
    monkeypatch.setattr(code, "MOST_TRIALS", 2)  # of which one is of what there was
    weaken(found)
    assert found.sizes == ([1, 2] if most == 0 else [2, 1])


def test_strengths_are_those_from_the_smallest_on_whichever_is_asked_for(cells: Cells) -> None:
    for name in ("INV_X8", "INV"):
        found = Cells(cells.library).variants(name)
        assert [variant.cell.area for variant in found] == [1.0, 1.0, STRONG_AREA]
        assert found[-1].cell.name == "INV_X8"
        assert found[-1].capacitance == {"A": STRONG_PIN}
        assert found[-1].loads.tolist() == [STRONG_PIN] * 2
        assert list(found[-1].arcs) == [("A", "ZN", 0, 1), ("A", "ZN", 1, 0)]


@pytest.mark.parametrize("first", ["clock", "data"])
def test_a_setup_time_is_by_the_slew_of_the_data(cells: Cells, tmp_path, first: str) -> None:
    """Whichever of both slews the rows of a table are of; the clock's is the least there is."""
    text = cells.library.text
    if first == "clock":
        names = "constrained_pin_transition", "related_pin_transition"
        text = text.replace(
            f"variable_1 : {names[0]}; variable_2 : {names[1]};",
            f"variable_1 : {names[1]}; variable_2 : {names[0]};",
        )
        for kind, plane in zip(("rise_constraint", "fall_constraint"), SETUP, strict=True):
            at = [repr(plane.at(slew)) for slew in made.SLEWS]
            index = ", ".join(map(str, made.SLEWS))
            text = text.replace(
                setup_table(kind, plane),
                f'{kind} (check) {{ index_1 ("0, 1"); index_2 ("{index}"); '
                f'values ("{", ".join(at)}", "77.0, 77.0"); }}',
            )
    path = tmp_path / "made.lib"
    path.write_text(text)
    known = Cells(made.around(path))
    register = known.variants("DFF")[0]
    assert register.setups.keys() == {("D", RISE), ("D", FALL)}
    for edge, plane in enumerate(SETUP):
        number = np.array([register.setups["D", edge]])
        for slew in (0.0, 0.1, 0.2, 0.5):
            [found] = known.bank.look_up(number, np.array([slew]), np.zeros(1))
            assert found == pytest.approx(plane.at(slew))
