"""Which cycles of a window are simulated with delays, too, and by how much its energy may be off
for those that are not."""

import random
from itertools import pairwise
from statistics import stdev

import numpy as np
import pytest

from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.replayed import Replayed
from flow.gates.sampling import PARTS, equal_parts, window_in_stretches
from flow.gates.simulate import simulate
from flow.gates.timing import Timing
from flow.gates.window_toggles import ARRAYS, window_row
from flow.recording import RecordedPort, Recording
from flow.results.energy import Simulation, Window
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick
PERIOD = 4.0
BEGIN, CYCLES = 3, 1200


def spans(window: tuple[int, int], samples: int, seed: int = 1) -> list[list[tuple[int, int, int]]]:
    """Tell the stretches of each part: their first cycle, that after the last, and which are
    simulated with delays: each, or none if 0."""
    found = window_in_stretches("all", window, samples, random.Random(seed), 2)
    return [
        [(s.structure.begin, s.structure.end, s.structure.every) for s in part] for part in found
    ]


def test_all_of_a_short_window_is_simulated_with_delays() -> None:
    assert spans((3, 13), 10) == spans((3, 13), 50) == [[(3, 13, 1)]]


def test_nothing_is_without_samples() -> None:
    assert spans((3, 13), 0) == [[(3, 13, 0)]]


@pytest.mark.parametrize(
    ("cycles", "samples", "parts", "each"),
    [(1200, 240, 12, 20), (1200, 1199, 12, 99), (13, 12, 12, 1), (100, 13, 12, 1), (9, 5, 5, 1)],
)
def test_a_long_window_has_a_stretch_in_each_equal_part(
    cycles: int, samples: int, parts: int, each: int
) -> None:
    """The stretches of all parts are the window, without a gap; their places are drawn."""
    bounds = equal_parts((7, 7 + cycles), samples)
    assert (bounds[0][0], bounds[-1][1], len(bounds)) == (7, 7 + cycles, parts)
    assert {end - begin for begin, end in bounds} <= {cycles // parts, -(-cycles // parts)}
    drawn = set()
    for seed in range(40):
        found = spans((7, 7 + cycles), samples, seed)
        for part, (begin, end) in zip(found, bounds, strict=True):
            assert (part[0][0], part[-1][1]) == (begin, end)
            assert all(one[1] == other[0] for one, other in pairwise(part))
            [(first, last, every)] = [stretch for stretch in part if stretch[2]]
            assert (last - first, every) == (each, 1)
        drawn |= {next(s[0] - bounds[0][0] for s in found[0] if s[2])}
    room = bounds[0][1] - bounds[0][0] - each
    assert {0, room} <= drawn if room < PARTS else len(drawn) > 10
    assert min(drawn) >= 0
    assert max(drawn) <= room


WIDE = 6  # inverters of some 0.2 ns: their pulse passes a gate of 0.5 ns
NETS = ["a", *(f"n{i}" for i in range(WIDE))]
PULSES = (
    *("Pulses", "a -> y", *(f"INV i{i} A={NETS[i]} ZN={NETS[i + 1]}" for i in range(WIDE))),
    f"XOR2 last A=a B={NETS[-1]} Z=y",
)


class Played:
    """What makes a pulse of two toggles whenever a changes, and its energy."""

    def __init__(self, made_up: Library, a: list[int], samples: int, times: int = 1) -> None:
        """The window is as many `times` as long as what was recorded of it."""
        self.given = netlist_of(*PULSES)
        ports = RecordedPort("a", False, 1, a), RecordedPort("y", True, 1, [0] * len(a))
        recording = Recording(ports, {"all": (BEGIN, len(a))})
        timing = Timing(MappedNetlist(self.given, made_up))
        found = simulate(timing, recording, samples)
        self.parts = found.windows["all"]
        row = window_row(times * (len(a) - BEGIN), self.parts, timing.netlist, timing.clocks)
        activity = {
            f"all.{number}.{what}": getattr(part, what)
            for number, part in enumerate(self.parts)
            for what in ARRAYS
        }
        simulation = Simulation({"all": row}, len(a), 1, "", timing.netlist.nets, 0, found.latest)
        replayed = Replayed(self.given, {}, recording, simulation, activity)
        self.window: Window = replayed.energy(made_up, PERIOD, "clk", None).windows["all"]

    def total(self, what: str) -> np.ndarray:
        """Add up what the parts have counted."""
        return np.sum([getattr(part, what) for part in self.parts], axis=0)


def changing(cycles: set[int]) -> list[int]:
    """Make what changes with these cycles of the window alone."""
    values = [0] * BEGIN
    for cycle in range(CYCLES):
        values.append(values[-1] ^ (cycle in cycles))
    return values


def test_parts_count_what_the_whole_counts(made_up: Library) -> None:
    a = changing({cycle for cycle in range(CYCLES) if cycle % 7 in (1, 2, 5)})
    whole, some, none = (Played(made_up, a, samples) for samples in (CYCLES, 240, 0))
    assert len(whole.parts) == len(none.parts) == 1
    assert len(some.parts) == PARTS
    assert sum(part.cycles for part in some.parts) == CYCLES
    assert [part.sampled for part in some.parts] == [20] * PARTS
    for what in ("toggles", "high"):
        counts = [played.total(what).tolist() for played in (whole, some, none)]
        assert counts[0] == counts[1] == counts[2]
    assert some.window.energy_nj == pytest.approx(whole.window.energy_nj)
    assert none.window.energy_with_glitches_nj == none.window.energy_nj
    assert whole.window.pieces is none.window.pieces is None


def test_a_loop_of_the_operation_is_not_missed(made_up: Library) -> None:
    """Glitches of every tenth cycle: each stretch of twenty has two of them, wherever it is."""
    a = changing({cycle for cycle in range(CYCLES) if cycle % 10 == 3})
    whole, some = (Played(made_up, a, samples) for samples in (CYCLES, 240))
    y = whole.given.names["y"]
    assert (whole.total("toggles")[y], whole.total("delayed_toggles")[y]) == (0, 240)
    assert [part.delayed_toggles[y] for part in some.parts] == [4] * PARTS
    exact = whole.window.energy_with_glitches_nj
    assert some.window.energy_with_glitches_nj == pytest.approx(exact)
    assert exact > 1.05 * whole.window.energy_nj


def test_the_error_is_of_what_glitches_add_alone(made_up: Library) -> None:
    """a changes at random. All toggles without delays are counted in all cycles, so that the
    energy without glitches has no error, and that with glitches has twice the standard error of a
    mean of twelve, less for the fifth of all cycles that is simulated."""
    rng = random.Random(3)
    a = changing({cycle for cycle in range(CYCLES) if rng.random() < 0.2})
    whole, some = (Played(made_up, a, samples) for samples in (CYCLES, 240))
    y = whole.given.names["y"]
    glitches = [int(part.delayed_toggles[y]) for part in some.parts]
    # Beside y, nothing toggles more with delays than without.
    for part in some.parts:
        assert (part.delayed_toggles - part.sampled_toggles).sum() == part.delayed_toggles[y]
    added = some.window.energy_with_glitches_nj - some.window.energy_nj
    per_toggle = added / (sum(glitches) / 240 * CYCLES)
    error = 2 * stdev(count / 20 for count in glitches) * (0.8 / PARTS) ** 0.5
    assert some.window.pieces is not None
    assert (some.window.pieces.count, some.window.pieces.cycles) == (PARTS, CYCLES)
    assert some.window.pieces.energy_error_nj == 0
    found = some.window.pieces.energy_with_glitches_error_nj
    assert found == pytest.approx(error * CYCLES * per_toggle)
    off = some.window.energy_with_glitches_nj - whole.window.energy_with_glitches_nj
    assert 0 < abs(off) < 1.5 * found < 0.5 * added


def test_pieces_of_a_longer_window_may_be_off_without_glitches_too(made_up: Library) -> None:
    """As they are not all of it. Toggles of a and of all inverters take nearly all."""
    rng = random.Random(5)
    a = changing({cycle for cycle in range(CYCLES) if rng.random() < 0.1 + 0.2 * (cycle > 500)})
    found = Played(made_up, a, 240, times=3)
    pieces = found.window.pieces
    assert pieces is not None
    assert (pieces.count, pieces.cycles, found.window.cycles) == (PARTS, CYCLES, 3 * CYCLES)
    each = [int(part.toggles.sum()) / part.cycles for part in found.parts]
    error = 2 * stdev(each) / PARTS**0.5 / np.mean(each)
    assert pieces.energy_error_nj == pytest.approx(error * found.window.energy_nj, rel=0.05)
    assert pieces.energy_with_glitches_error_nj > pieces.energy_error_nj


def test_the_error_covers_the_true_energy(made_up: Library) -> None:
    """Of random recordings one in twenty or so is further off than twice the standard error."""
    further = 0
    for seed in range(60):
        rng = random.Random(seed)
        a = changing({cycle for cycle in range(CYCLES) if rng.random() < 0.1 + 0.2 * (cycle > 500)})
        whole, some = (Played(made_up, a, samples) for samples in (CYCLES, 240))
        assert some.window.pieces is not None
        off = some.window.energy_with_glitches_nj - whole.window.energy_with_glitches_nj
        further += abs(off) > some.window.pieces.energy_with_glitches_error_nj
    assert further <= 9
