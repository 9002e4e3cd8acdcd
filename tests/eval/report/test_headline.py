"""The first sentence: who is best for what, of those that were measured in it."""

from pathlib import Path

import pytest

import eval.report.headline
from eval.catalog.point import Point
from eval.report.headline import by_width, findings, headline
from eval.study.results import StudyResult
from eval.tasks.clocks import Curve
from tests.eval.made_up import found_of, row, simulated
from tests.eval.report.test_space import run
from tests.faults import faults, plant

pytestmark = pytest.mark.quick
# By design: cycles, and netlists of clock, area, period and energy.
CURVES = {
    "array-8": (200_000, (3.0, 2e5, 2.0, 1e5), (1.0, 3e5, 0.9, 2e5)),
    "array-4": (400_000, (3.0, 1e5, 2.0, 1.5e5), (1.0, 1.4e5, 0.9, None)),
    "ssmm-small": (9_000_000, (3.0, 0.9e5, 2.0, 9e5), (1.0, 0.95e5, 0.9, None)),
    "systolic-16": (900_000, (3.0, 2e5, 2.0, None), (1.0, 2.5e5, 1.0, None)),
    "array-8-window-4": (500_000, (3.0, 5e5, 2.0, None), (1.0, 6e5, 1.0, None)),
}


def rows(design: str, cycles: int, *netlists: tuple, nbits: int = 1024) -> list:
    """A design's cycles and curve."""
    point = Point(design, nbits)
    runs = [run(*netlist) for netlist in netlists]
    metrics = {"shortest_period_ns": min(n[2] for n in netlists), "fastest_area_um2": 1.0}
    return [
        simulated(point, "d", {"xcel_cycles_d": cycles}),
        row(Curve(point, 3.0), metrics=metrics, runs=runs),
    ]


def found(*more: list, without: tuple[str, ...] = ()) -> StudyResult:
    """What was found of these designs, and of more."""
    shown = [rows(name, *figures) for name, figures in CURVES.items() if name not in without]
    return found_of(*(one for design in (*shown, *more) for one in design))


# array-8: 200000 x 0.9 ns. array-4: 0.14 mm2 x 360 us = 50.4; array-8: 0.3 x 180 = 54.
WHOLE = (
    "At 1024 bits, a private operation of 5 designs, each at its own clock: array-8 is fastest "
    "(180 us, 0.300 mm2, 0.9 ns); array-4 has the least area x time (360 us, 0.140 mm2, 0.9 ns; "
    "within the noise array-8, too); array-8 takes the least energy (100 uJ, of 3 measured); of 2 "
    "in constant time array-8-window-4 is fastest (500 us, 0.600 mm2, 1 ns)."
)


def test_each_claim_is_of_the_netlist_that_has_it() -> None:
    assert headline(found(), 1024) == WHOLE
    assert [*findings(found())] == [WHOLE]


def test_no_claim_is_without_rivals() -> None:
    less = headline(found(without=("array-4", "ssmm-small", "systolic-16")), 1024)
    assert "energy" not in less  # array-8's is the only one
    assert "in constant time" not in less
    assert "array-8-window-4 alone takes constant time (500 us" in less
    assert headline(found(without=tuple(CURVES)[1:]), 1024) is None
    assert headline(found(), 512) is None


def test_what_was_mapped_at_one_clock_is_no_rival() -> None:
    once = rows("array-16", 100_000, (3.0, 1e5, 0.5, 1.0))
    told = headline(found(once), 1024)
    assert "array-16" not in told
    assert "each at its own clock (1 more, mapped for one clock, is not compared): " in told
    special = rows("near-power-4", 100, (3.0, 1.0, 0.5, 1.0))
    both = headline(found(once, rows("array-2", 1, (3.0, 1e5, 0.5, 1.0)), special), 1024)
    assert "of 5 designs, each at its own clock (2 more, mapped for one clock, are not" in both
    alone = headline(found(once, without=tuple(CURVES)[1:]), 1024)
    assert alone.startswith("At 1024 bits, a private operation of 2 designs, mapped for 3 ns, each")


def test_figures_of_the_fastest_are_told_once() -> None:
    steady = rows("array-16-window-4", 100_000, (3.0, 1e5, 2.0, None), (1.0, 2e5, 1.0, None))
    told = headline(found(steady), 1024)
    assert told.endswith("; of 3 in constant time array-16-window-4 is fastest, too.")
    alone = headline(found(steady, without=("systolic-16", "array-8-window-4")), 1024)
    assert alone.endswith("; array-16-window-4 alone takes constant time.")


def test_a_design_for_some_moduli_is_no_rival() -> None:
    special = rows("near-power-4", 100, (3.0, 1.0, 0.5, 1.0), (1.0, 2.0, 0.4, 1.0))
    assert "near-power-4" not in headline(found(special), 1024)


def test_the_first_sentence_about_a_width_is_at_its_tab() -> None:
    told = by_width(["At 1024 bits, a.", "At 32 bits and 3 ns b.", "At 32 bits c.", "Others d."])
    assert told == {1024: "At 1024 bits, a.", 32: "At 32 bits and 3 ns b."}


@faults(
    {
        "the slowest": ("first = min(least", "first = max(least"),
        "the longest clock": ("least[p] = min(values, key=", "least[p] = max(values, key="),
        "an energy of one": ("thrifty.count > 1", "thrifty.count > 0"),
        "constant time of all": ("if p.point.entry.constant_time}", "}"),
        "one clock among many": ("if len(searched) > 1:", "if False:"),
        "noise of nothing": ("* (1 - band(p)) <= limit", "<= 0 * limit"),
    }
)
def test_a_wrong_sentence_is_seen(tmp_path: Path, sound: str, faulty: str) -> None:
    wrong = plant(tmp_path, eval.report.headline, sound, faulty)
    once = rows("array-16", 100_000, (3.0, 1e5, 0.5, 1.0))
    some = (found(once), found(without=("array-4", "ssmm-small", "systolic-16")))
    assert any(wrong.headline(one, 1024) != headline(one, 1024) for one in some)
