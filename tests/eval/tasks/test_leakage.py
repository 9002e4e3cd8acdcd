"""Power leakage, on units whose answer is known: one that must leak, one that cannot, with noise
and with blinding; and an exponent read off a trace."""

import re
from collections import Counter
from functools import cache
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

import flow.gates.traces
from eval.catalog.point import Point
from eval.chart.panel import BLACK, GREY
from eval.tasks.layout.task import LaidOut
from eval.tasks.leakage import gates, task
from eval.tasks.leakage.gates import PORT, GateTraces
from eval.tasks.leakage.layouts import laid_out
from eval.tasks.leakage.levels import GATES, GLITCHES, LAYOUT
from eval.tasks.leakage.netlists import mapped
from eval.tasks.leakage.operations import Operations
from eval.tasks.leakage.rtl import PartSums, RtlTraces
from eval.tasks.leakage.section import GAP, SECTION, spans
from eval.tasks.leakage.task import CHECKPOINTS, Leakage, LeakageResult, chunks
from eval.tasks.leakage.welch import SURE, THRESHOLD, Moments, TTest, welch
from eval.tasks.unit import ACCELERATOR
from flow.netlist import HIGH
from sim.errors import RunError, UserError
from sim.toggles import ToggleCounter
from tests.toys import PowerRTL

TRACES, CYCLES = 4000, 12
FIXED, LOAD = 0x5B, 0  # a message whose lowest bit is 1, and the cycle in which it is taken


@cache
def toy(leaks: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """Traces of the unit with random power, their groups, t by register, the registers' names."""
    rng = Random(3)
    groups = np.array([rng.getrandbits(1) for _ in range(TRACES)])
    operations = [[rng.getrandbits(8) if group else FIXED] for group in groups]
    counter = ToggleCounter(PowerRTL(leaks), "recv", "send", CYCLES, 100)
    found = counter.run(operations, groups)
    sums = PartSums(np.bincount(groups, minlength=2), found.sums, found.squares)
    names = [str(register) for register in counter.registers]
    counter.close()
    return found.totals, groups, sums.t(), names


def assessed(rows: np.ndarray, groups: np.ndarray) -> TTest:
    """A test of all traces, which are added at some of the checkpoints."""
    test = TTest(rows.shape[1])
    for part in np.split(np.arange(len(rows)), [100, 1000, 2000]):
        test.add(rows[part], groups[part])
    return test


def direct(rows: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Welch's t by its definition."""
    a, b = rows[groups == 0], rows[groups == 1]
    return (a.mean(0) - b.mean(0)) / np.sqrt(a.var(0) / len(a) + b.var(0) / len(b))


def test_t_of_either_order_is_that_of_the_definition():
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 50, (500, 7)).astype(float)
    groups = rng.integers(0, 2, 500)
    rows[groups == 1, 3] += 20
    rows[groups == 1, 5] = 25 + 2 * (rows[groups == 1, 5] - 25)
    test = assessed(rows, groups)
    assert np.allclose(test.t(), direct(rows, groups))
    squares = rows.copy()
    for group in (0, 1):
        squares[groups == group] = (rows[groups == group] - rows[groups == group].mean(0)) ** 2
    assert np.allclose(test.t(2), direct(squares, groups))
    assert test.leaks().tolist() == [cycle == 3 for cycle in range(7)]
    assert test.leaks(2).tolist() == [cycle == 5 for cycle in range(7)]
    assert (test.seen(1), test.seen(2)) == (100, 100)


def test_what_never_varies_leaks_if_it_differs():
    first, second = Moments(np.array([3.0, 3.0])), Moments(np.array([3.0, 3.0]))
    first.add(np.array([[3, 4]] * 5))
    second.add(np.array([[3, 5]] * 5))
    assert welch(first, second).tolist() == [0, -SURE]
    assert welch(first, second, 2).tolist() == [0, 0]


def test_random_power_tells_nothing():
    rows, groups, by_register, _ = toy(leaks=False)
    test = assessed(rows, groups)
    for order in (1, 2):
        assert not test.leaks(order).any()
        assert test.seen(order) is None
    assert np.abs(by_register).max() < THRESHOLD
    assert test.hiding() is None


def test_a_register_that_is_written_only_when_a_bit_is_1_is_found():
    rows, groups, by_register, names = toy(leaks=True)
    test = assessed(rows, groups)
    assert np.flatnonzero(test.leaks()).tolist() == [LOAD]
    assert test.seen() == 100
    cycle, register = np.unravel_index(np.abs(by_register).argmax(), by_register.shape)
    assert (names[register], cycle) == ("told", LOAD)


def test_noise_hides_a_leak_where_the_test_says():
    rows, groups, *_ = toy(leaks=True)
    enough = assessed(rows, groups).hiding()
    rng = np.random.default_rng(2)
    seen = []
    for part in (0.1, 0.4, 4.0):
        noisy = rows + rng.normal(0, part * enough, rows.shape)
        seen.append(assessed(noisy, groups).seen())
    assert seen[0] <= seen[1]
    assert seen[2] is None


SMALL, FEW = 16, 400


@cache
def measured(
    design: str, blind_base: bool = False, mask_bits: int = 0, traces: int = FEW
) -> LeakageResult:
    """The result of a few traces of a narrow design."""
    point = Point(design, SMALL + mask_bits)
    return Leakage(point, traces, blind_base, mask_bits).compute(lambda step: None)


def test_the_exponent_is_read_off_a_mean_trace_of_square_and_multiply():
    read = measured("mont-best").read
    assert read.right == read.bits == Operations(Point("mont-best", SMALL)).key.d.bit_length()
    hidden = measured("mont-ct").read
    assert hidden.bits == SMALL
    assert hidden.right <= 0.8 * SMALL
    assert measured("array-4").read is None


def test_a_loop_that_always_multiplies_leaks_less_but_leaks():
    bare, always = (measured(name) for name in ("mont-best", "mont-ct"))
    assert always.tests["exponent"].leaking[0] < bare.tests["exponent"].leaking[0]
    assert always.tests["exponent"].parts[0].name == "exponentiator.loop.exponent.word"


def test_pushes_do_not_count():
    """They leak in any design."""
    result = measured("mont-ct")
    for test in result.tests.values():
        pushed = [abs(t) for t in test.t[0][: result.work]]
        assert max(pushed) > THRESHOLD
        assert all(part.cycle >= result.work for part in test.parts)
        counted = [abs(t) > THRESHOLD for t in test.t[0][result.work :]]
        assert test.leaking[0] <= sum(counted)


def test_blinding_the_base_hides_it():
    bare, blinded = (measured("mont-ct", blind).tests["base"] for blind in (False, True))
    assert bare.leaking[0] > 20
    assert bare.seen[0] == 100
    assert (blinded.leaking, blinded.seen, blinded.hiding) == ([0, 0], [None, None], None)


def test_blinding_the_exponent_leaves_its_lowest_bits():
    """A multiple of (p - 1)(q - 1) is one of 4."""
    bare = measured("mont-ct", True, 0, 3000).tests["exponent"]
    blinded = measured("mont-ct", True, 16, 3000).tests["exponent"]
    assert bare.leaking[0] > 10
    assert 0 < blinded.leaking[0] < bare.leaking[0] / 2


def test_blinded_operands_are_those_of_the_same_power():
    operations = Operations(Point("mont-ct", 32), True, 16)
    key = operations.key
    assert key.nbits == 16
    drawn = list(operations.draw("exponent", 200))
    assert {group for group, _ in drawn} == {0, 1}
    fixed = {exp % ((key.p - 1) * (key.q - 1)) for group, (_, exp, _) in drawn if group == 0}
    assert fixed == {key.d}
    assert len({exp for _, (_, exp, _) in drawn}) > 190
    bases = {base for group, (base, _, _) in operations.draw("base", 200) if group == 0}
    assert len(bases) > 90


def test_a_wrong_answer_is_named(monkeypatch: pytest.MonkeyPatch):
    source = RtlTraces(Point("mont-ct", SMALL), 10)
    monkeypatch.setattr("eval.tasks.leakage.rtl.pow", lambda *_: 3, raising=False)
    with pytest.raises(RunError, match=r"mont-ct-16: .* was answered \d+, right is 3"):
        source.measure(Operations(source.point).draw("base", 20))
    source.close()


@cache
def at_gates() -> LeakageResult:
    """The result of a few traces of a netlist."""
    return Leakage(Point("ssmm-small", 8), 120, level="gates").compute(lambda step: None)


def test_the_netlist_leaks_too_and_the_nets_are_named():
    test = at_gates().tests["base"]
    assert test.leaking[0] > 5
    assert all(re.search("[a-z]", part.name) for part in test.parts)
    assert test.parts[0].t > THRESHOLD


def test_energy_is_that_of_the_toggles_by_capacitance():
    point, said = Point("ssmm-small", 8), []
    source = GateTraces(point, 40, said.append)
    source.at_once = 7  # so that sums of several parts are added up, each by its own groups
    drawn = [*Operations(point).draw("base", 30)]
    rows, groups = source.measure(drawn)
    assert groups.tolist() == [group for group, _ in drawn]
    by_group = [rows[groups == group].sum(axis=0) for group in (0, 1)]
    assert np.allclose(source.parts.sums @ source.energies, by_group, rtol=1e-4)
    source.close()


def test_a_toggle_takes_half_c_v_squared():
    """C is that of the wire, as the library has it for so many loads, and of the pins behind it."""
    point = Point("ssmm-small", 8)
    source = GateTraces(point, 40, lambda step: None)
    given = mapped(point, lambda step: None).timing.netlist
    library, loads = given.library, Counter()
    pins = np.zeros(given.nets)
    for kind in given.kinds.values():
        for pin in kind.cell.inputs:
            for net in kind.nets[pin].tolist():
                pins[net] += kind.cell.pins[pin].capacitance
                loads[net] += 1
    checked = 0
    ports = {net for port in given.ports.values() for net in port.nets}
    for net, count in loads.items():
        if net in ports or net <= HIGH:
            continue
        [wire] = library.wire_load.capacitances(np.array([count]))
        expected = (wire + pins[net]) * library.voltage**2 / 2
        assert source.energies[net] == pytest.approx(expected), source.names[net]
        checked += 1
    assert checked > 50
    source.close()


def test_the_first_trace_follows_an_operation_as_all_do():
    """Where all operations are the same, so are all traces."""
    source = GateTraces(Point("ssmm-small", 8), 40, lambda step: None)
    [operation] = Operations(source.point).draw("base", 1)
    rows, _ = source.measure([operation] * 3)
    source.close()
    assert np.ptp(rows[0]) > 0
    assert (rows == rows[0]).all()


def test_traces_in_parts_are_those_of_one_run():
    """But for the first of each later part: an operation that does not count is before it."""
    point, rows = Point("ssmm-small", 8), []
    drawn = [*Operations(point).draw("base", 30)]
    for at_once in (30, 7):
        source = GateTraces(point, 40, lambda step: None)
        source.at_once = at_once
        rows.append(source.measure(drawn)[0])
        source.close()
    others = np.flatnonzero(~np.isclose(*rows).all(axis=1))
    assert set(others.tolist()) <= {7, 14, 21, 28}


def test_a_cycle_is_that_of_the_rtl():
    """What the edge at its end changes: the registers' nets toggle when the registers do."""
    point = Point("mont-ct", 8)
    cycles = Operations(point).cycles("exponent")
    drawn = [*Operations(point).draw("exponent", 20)]
    gates, rtl = GateTraces(point, cycles, lambda step: None), RtlTraces(point, cycles)
    registers = np.unique(gates.design.state_nets[gates.design.state_nets >= 0])
    gates.measure(drawn)
    toggles = gates.parts.sums.sum(axis=0)[:, registers].sum(axis=1)
    bits = rtl.measure(drawn)[0].sum(axis=0)
    gates.close()
    rtl.close()
    assert np.corrcoef(toggles, bits)[0, 1] > 0.99
    assert np.corrcoef(toggles[1:], bits[:-1])[0, 1] < 0.9


def test_random_bits_go_on_from_part_to_part():
    """Of the same operation, a design with random bits has another trace each time."""
    source = GateTraces(Point("array-4-masked", 8), 100, lambda step: None)
    [operation] = Operations(source.point).draw("base", 1)
    source.at_once = 3
    rows, _ = source.measure([operation] * 12)
    source.close()
    assert len(np.unique(rows, axis=0)) == 12


def test_a_host_s_constants_are_those_of_all_parts(monkeypatch: pytest.MonkeyPatch):
    """As they stand from the reset on."""
    source = GateTraces.__new__(GateTraces)
    source.point = Point("mont-ct", 8)
    source.engine = SimpleNamespace(model=SimpleNamespace(ports={PORT: None}), held={})
    monkeypatch.setattr(gates, "host_says", lambda model, base, mod: base)
    source._give([(3, 5, 221), (3, 7, 221)])
    source._give([(3, 9, 221)])
    assert source.engine.held == {PORT: 3}
    for wrong in ([(4, 5, 221)], [(3, 5, 221), (4, 5, 221)]):
        with pytest.raises(UserError, match="constants that depend on the base"):
            source._give(wrong)


def test_glitches_are_pairs_of_toggles_more():
    """A net that settles as without delays toggles as often, or two, four... times more often."""
    point = Point("ssmm-small", 8)
    sources = [GateTraces(point, 40, lambda step: None, level) for level in (GATES, GLITCHES)]
    drawn = [(0, operands) for _, operands in Operations(point).draw("base", 3)]
    more = 0
    for one in drawn:
        rows, counts = [], []
        for source in sources:
            source.clear()
            rows.append(source.measure([one])[0])
            counts.append(source.parts.sums[0].astype(int))
            assert (source.parts.squares[0] == counts[-1] ** 2).all()
        extra = counts[1] - counts[0]
        assert not (extra % 2).any()
        assert (extra >= 0).all()
        assert np.allclose(rows[1] - rows[0], extra @ sources[0].energies, rtol=1e-4, atol=1e-3)
        more += extra.sum()
    assert more > 100
    for source in sources:
        source.close()


def test_after_layout_wires_are_those_of_the_layout():
    """And what is between them is in the traces: no more than all of it takes in each cycle."""
    point = Point("ssmm-small", 8)
    source, plain = (GateTraces(point, 40, lambda step: None, one) for one in (LAYOUT, GLITCHES))
    found = LaidOut(point, ACCELERATOR, 3.0).run("layout", lambda step: None, utilisation=0.5)
    metrics = found.metrics
    given = laid_out(point, lambda step: None)
    assert given.coupled
    timing, voltage = given.timing, given.timing.library.voltage
    own = [net for name, net in given.timing.netlist.ports["clk"].bits("clk")]
    assert own == [timing.clock]
    between = given.coupled.energy.sum() / voltage**2  # fF, without those of the clock
    share = metrics["wire_coupling_share"]
    in_pf = 1000 * metrics["wire_capacitance_pf"]
    pins = timing.wire.sum() - in_pf  # of the tree's buffers, on the clock net
    assert 0 < pins < 40
    assert 0.8 * share * in_pf < 2 * between < share * in_pf
    drawn = [(0, operands) for _, operands in Operations(point).draw("base", 10)]
    [rows, others] = [one.measure(drawn)[0] for one in (source, plain)]
    alone = source.parts.sums[0] @ source.energies
    beside = rows.sum(axis=0) - alone
    # Which nets lie beside each other, and so how much cancels, is the layout's.
    assert (np.abs(beside) > 1e-4 * alone).mean() > 0.5
    assert (np.abs(beside) < 0.25 * alone).all()
    assert np.corrcoef(rows.sum(axis=0), others.sum(axis=0))[0, 1] > 0.95
    for one in (source, plain):
        one.close()


def test_a_layout_that_is_not_clean_has_no_traces(monkeypatch: pytest.MonkeyPatch):
    label = SimpleNamespace(label="not clean: 2 open nets")
    found = SimpleNamespace(steps=SimpleNamespace(layout=label))
    monkeypatch.setattr(LaidOut, "run", lambda *given, **asked: found)
    said = (
        "mont-ct-8: its layout is not clean: 2 open nets, and .* modexplorer flow mont-ct --nbits 8"
    )
    with pytest.raises(RunError, match=f"{said} --clock 3 --to layout$"):
        GateTraces(Point("mont-ct", 8), 40, lambda step: None, LAYOUT)


def test_a_count_of_toggles_that_sums_do_not_hold_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(flow.gates.traces, "MOST", 0)
    source = GateTraces(Point("ssmm-small", 8), 40, lambda step: None)
    with pytest.raises(RunError, match="ssmm-small-8: a net toggles more than 0 times in a cycle"):
        source.measure(Operations(source.point).draw("base", 2))
    source.close()


def test_a_netlist_that_answers_otherwise_is_named(monkeypatch: pytest.MonkeyPatch):
    source = GateTraces(Point("ssmm-small", 8), 40, lambda step: None)
    sums = source.design.sums

    def wrong(*args):
        found = sums(*args)
        found.seen[50] ^= 1
        return found

    monkeypatch.setattr(source.design, "sums", wrong)
    with pytest.raises(RunError, match=r"ssmm-small-8: in cycle 50 \w+ is not that of the RTL"):
        source.measure(Operations(source.point).draw("base", 5))
    source.close()


def test_an_answer_that_the_netlist_alone_gives_is_named(monkeypatch: pytest.MonkeyPatch):
    """Where the RTL gives none, no message counts, but that there is one does."""
    source = GateTraces(Point("ssmm-small", 8), 40, lambda step: None)
    drawn = [*Operations(source.point).draw("base", 3)]
    names = [port.name.rpartition("__")[2] for port in source.outputs for _ in range(port.nbits)]
    sums, val = source.design.sums, names.index("val")
    for field in ("msg", "val"):

        def changed(*args, field: str = field):
            found = sums(*args)
            [cycle, *_] = 20 + np.flatnonzero(found.seen[20:, val] == 0)
            found.seen[cycle, [name == field for name in names]] ^= 1
            return found

        monkeypatch.setattr(source.design, "sums", changed)
        if field == "msg":
            source.measure(drawn)
            continue
        with pytest.raises(RunError, match=r"in cycle \d+ \w+__val is not that of the RTL"):
            source.measure(drawn)
    source.close()


@pytest.mark.quick
def test_traces_come_in_parts_that_end_at_the_checkpoints():
    for traces in (100, 150, 12_345):
        ends = np.cumsum(list(chunks(traces))).tolist()
        assert ends[-1] == traces
        assert {c for c in CHECKPOINTS if c <= traces} <= set(ends)


@pytest.mark.quick
def test_what_cannot_be_blinded_is_refused():
    with pytest.raises(UserError, match="--blind-exponent: leaves 4 of --nbits"):
        Leakage(Point("mont-ct", 20), mask_bits=16)
    with pytest.raises(UserError, match="takes no RSA modulus"):
        Leakage(Point("near-power-4", 32), mask_bits=8)


def test_a_report_shows_tests_and_charts():
    rows = {Leakage(Point("mont-best", SMALL), FEW): measured("mont-best")}
    tests, read = SECTION.results(rows)
    assert [line.cells[4] for line in tests.lines] == ["base", "exponent"]
    assert read.lines[0].cells[-1] == read.lines[0].cells[-2]
    over_time, mean = SECTION.charts(rows)
    assert over_time.svg.startswith("<svg")
    assert mean.svg.startswith("<svg")
    [result] = rows.values()
    [panel] = over_time.panels
    for line, test in zip(panel.lines, result.tests.values(), strict=False):
        assert line.spots == list(enumerate(test.t[0]))
    base, exponent, below, above, start = panel.lines
    assert (base.colour, exponent.colour) == (GREY, BLACK)
    assert [y for line in (below, above) for _, y in line.spots] == [
        *[-THRESHOLD] * 2,
        *[THRESHOLD] * 2,
    ]
    assert {x for x, _ in start.spots} == {result.work}
    assert panel.y.kind == "symlog"
    [traces] = mean.panels
    assert [y for _, y in traces.lines[0].spots] == result.read.mean
    [parts] = SECTION.details(rows)
    assert "exponentiator.loop.exponent.word" in [line.cells[5] for line in parts.lines]
    assert [item for item in (*SECTION.results({}), *SECTION.charts({})) if item] == []


def test_parts_that_chance_may_show_are_left_out():
    """Of 100 000 in 100 cycles chance passes 7 about once in 40 000 times, 8 in 80 million."""
    for most, shown in ((7.0, 0), (8.0, 1)):
        part = task.Part("net", most, 50)
        test = task.Test([[0.0] * 104] * 2, [0, 0], [None, None], [part])
        result = LeakageResult({}, 4, {"base": test})
        [parts] = SECTION.details({Leakage(Point("mont-best", SMALL), FEW): result})
        assert len(parts.lines if parts else []) == shown


@pytest.mark.quick
def test_spans_of_cycles_that_leak():
    """Cycles before the work are none; short gaps are part of a span, of either sign."""
    t = [9.0] * 4 + [0.0] * 30 + [5.0] + [0.0] * (GAP - 1) + [-5.0, 4.5] + [0.0] * GAP + [6.0]
    assert spans(t, 4) == [(34, 34 + GAP), (len(t) - 1, len(t) - 1)]
    assert spans([4.5, -4.5], 0) == []
