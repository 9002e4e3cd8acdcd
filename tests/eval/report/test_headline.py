"""The page agrees with itself: sentence, fronts, points and datasheets are of the same netlists."""

import re
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

import eval.report.headline
from eval.catalog.point import Point
from eval.report.cards import cards
from eval.report.headline import by_width, findings, headline, some
from eval.report.picture import panel, space_of
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
    "At 1024 bits, workload d, of 5 designs for any key, each netlist at its minimum clock period: "
    "array-8 is the fastest, with 180 us, 0.300 mm2, 200 uJ at 0.900 ns; ssmm-small is the "
    "smallest, with 18.0 ms, 0.0900 mm2, 900 uJ at 2.00 ns; array-4 has the least area x time "
    "(within noise: array-8), with 360 us, 0.140 mm2 at 0.900 ns; array-8 "
    "needs the least energy of the 3 measured, with 400 us, 0.200 mm2, 100 uJ at 2.00 ns; "
    "array-8-window-4 is the fastest of 2 constant-time designs, with 500 us, 0.600 mm2 at 1.00 ns."
)


def test_each_claim_is_of_the_netlist_that_has_it() -> None:
    assert headline(found(), 1024) == WHOLE
    assert [*findings(found())] == [WHOLE]


def test_a_claim_needs_two_designs() -> None:
    less = headline(found(without=("array-4", "ssmm-small", "systolic-16")), 1024)
    assert "energy" not in less  # array-8's is the only one
    assert "array-8-window-4 is the only constant-time design, with 500 us" in less
    one = found(without=tuple(CURVES)[1:])
    assert headline(one, 1024) is None
    [only] = findings(one)
    assert only == (
        "At 1024 bits, workload d: array-8 is the only design for any key that was synthesised, "
        "with 180 us, 0.300 mm2, 200 uJ at 0.900 ns."
    )
    assert headline(found(), 512) is None
    assert [*findings(found_of())] == []


def test_what_was_synthesised_for_one_clock_is_compared() -> None:
    once = rows("array-16", 100_000, (3.0, 1e5, 0.5, 1.0))
    told = headline(found(once), 1024)
    assert "of 6 designs for any key" in told
    assert "; 1 were synthesised for one clock period only: array-16 is the fastest" in told


def test_a_design_for_some_moduli_is_not_compared() -> None:
    special = rows("near-power-4", 100, (3.0, 1.0, 0.5, 1.0), (1.0, 2.0, 0.4, 1.0))
    assert headline(found(special), 1024) == WHOLE


def test_the_first_sentence_about_a_width_is_at_its_tab() -> None:
    told = by_width(["At 1024 bits, a.", "At 32 bits and 3 ns b.", "At 32 bits c.", "Others d."])
    assert told == {1024: "At 1024 bits, a.", 32: "At 32 bits and 3 ns b."}


def test_of_many_names_the_first_are_told() -> None:
    assert some(["a", "b"]) == "a and b"
    assert some([*"abcd"]) == "a, b, c and d"
    assert some([*"abcde"]) == "a, b, c and 2 others"


UNITS = {"um2": 1.0, "mm2": 1e6, "ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
UNITS |= {"pJ": 1e-3, "nJ": 1.0, "uJ": 1e3, "mJ": 1e6}
QUANTITIES = {r"the fastest(?! of \d+ constant)": 0, "the smallest": 1, "the least energy": 2}
# Whether a design accepts any key, and whether its time is constant.
KINDS = {
    **dict.fromkeys(("array-4", "array-8", "mont-best", "ssmm-small"), (True, False)),
    **dict.fromkeys(("mont-ct", "systolic-16", "array-8-window-4", "tiny"), (True, True)),
    **dict.fromkeys(("near-power-4",), (False, False)),
}


@dataclass(frozen=True)
class Made:
    """A made-up netlist: ns of the operation, um2, nJ if it was measured, and ns of the period."""

    name: str
    time: float
    area: float
    energy: float | None
    period: float

    @property
    def figures(self) -> tuple[float | None, ...]:
        """The figures that the page states together."""
        return self.time, self.area, self.energy, self.period

    @property
    def any_key(self) -> bool:
        """Whether it is compared."""
        return KINDS[self.name][0]


def made_up(seed: int) -> tuple[StudyResult, list[Made]]:
    """Results drawn at random, and the netlists in them: ties are likely."""
    rng, made, every = Random(seed), [], []
    measured = rng.choice((0.1, 0.7))  # part of the netlists that have an energy
    for name in rng.sample([*KINDS], rng.randint(3, len(KINDS))):
        cycles = rng.choice((1000, 2000, 5000, rng.randint(500, 90_000)))
        clocks = sorted(rng.sample([3.0, 2.0, 1.5, 1.0, 0.7], rng.randint(1, 4)), reverse=True)
        netlists = []
        for clock in clocks:
            area = rng.choice((2e4, 3e4, 4e4, rng.uniform(1e4, 9e4)))
            period = rng.choice((clock, clock, clock * rng.uniform(0.5, 1.2)))
            energy = rng.choice((6.0, rng.uniform(1, 90))) if rng.random() < measured else None
            netlists.append((clock, area, period, energy))
            every.append(Made(name, cycles * period, area, energy, period))
        made += rows(name, cycles, *netlists, nbits=32)
    return found_of(*made), every


def close(one: float | None, other: float | None) -> bool:
    """Whether two figures are the same as they are written."""
    return one is other is None or None not in (one, other) and abs(one / other - 1) < 0.006


def stated(text: str) -> tuple[float | None, ...]:
    """Read `180 us, 0.300 mm2, 200 uJ at 0.900 ns`: time, area, energy, period."""
    figures = {unit: float(number.replace(",", "")) for number, unit in AMOUNT.findall(text)}
    before, _, period = text.partition(" at ")
    read = {}
    for number, unit in AMOUNT.findall(before):
        read[{"2": "area", "s": "time", "J": "energy"}[unit[-1]]] = (
            float(number.replace(",", "")) * UNITS[unit]
        )
    [(number, unit)] = AMOUNT.findall(period)
    assert figures
    return read["time"], read["area"], read.get("energy"), float(number) * UNITS[unit]


AMOUNT = re.compile(r"([\d.,]+) (um2|mm2|[num]?s|[pnum]J)\b")


def netlist(of: list[Made], name: str, text: str) -> Made:
    """Find the netlist that a text states."""
    figures = stated(text)
    same = [one for one in of if one.name == name and all(map(close, one.figures, figures))]
    assert same, (name, text)
    return same[0]


def check_sentence(sentence: str, every: list[Made]) -> list[Made]:
    """Each claim is true of all netlists compared; return those of the fastest and smallest."""
    compared = [one for one in every if one.any_key]
    names = {one.name for one in compared}
    assert f"of {len(names)} designs for any key" in sentence
    ends = []
    for claim in sentence.partition("clock period")[2].partition(": ")[2].rstrip(".").split("; "):
        words, _, figures = claim.rpartition(", with ")
        name = words.split()[0]
        best = netlist(compared, name, figures)
        for text, place in QUANTITIES.items():
            if not re.search(text, words):
                continue
            having = [one for one in compared if one.figures[place] is not None]
            least = min(one.figures[place] for one in having)
            assert best.figures[place] == least, claim
            assert len({one.name for one in having}) > 1
            ends += [best] if place < 2 else []
        if "area x time" in words:
            least = min(one.area * one.time for one in compared)
            assert best.area * best.time == pytest.approx(least, rel=1e-5), claim
        steady = [one for one in compared if KINDS[one.name][1]]
        count = len({one.name for one in steady})
        if "constant-time" in words:
            assert best.time == min(one.time for one in steady), claim
            told = f"of {count} constant-time" if count > 1 else "the only constant-time"
            assert told in words, claim
    assert ("constant-time" in sentence) == any(KINDS[name][1] for name in names)
    for text, place in QUANTITIES.items():
        having = {one.name for one in compared if one.figures[place] is not None}
        assert bool(re.search(text, sentence)) == (len(having) > 1), (text, sentence)
    return ends


def front_of(every: list[Made], constant: bool = False) -> set[tuple[float, float]]:
    """The area and time of the netlists that no other beats, pair by pair."""
    able = [o for o in every if o.any_key and (KINDS[o.name][1] or not constant)]
    spots = {(float(f"{o.area:.6g}"), float(f"{o.time / 1000:.6g}")) for o in able}
    return {s for s in spots if not any(o != s and o[0] <= s[0] and o[1] <= s[1] for o in spots)}


def check_page(seed: int, module: ModuleType = eval.report.headline) -> None:
    """All that a page states of netlists agrees, and is true of what was made up."""
    found, every = made_up(seed)
    space, [sentence] = space_of(found), module.findings(found)
    designs = {one.name for one in every if one.any_key}
    front = front_of(every)
    if len(designs) > 1:
        ends = {(float(f"{o.area:.6g}"), float(f"{o.time / 1000:.6g}")) for o in
                check_sentence(sentence, every)}  # fmt: skip
        assert ends == {min(front), max(front)}
    # The fronts as they are drawn.
    drawn = panel(space)
    across, up = (UNITS[axis.title.split(", ")[1]] for axis in (drawn.x, drawn.y))
    for line, of in zip(drawn.lines[-2:], (front, front_of(every, constant=True)), strict=True):
        corners = {(spot.across * across, spot.up * up / 1e3) for spot in line.spots}
        assert {tuple(float(f"{at:.6g}") for at in corner) for corner in corners} == of
    # The points of the picture, with what they tell; each netlist has one.
    [data] = [one for one in space.spec["data"] if "values" in one]
    told = [one["told"] for one in data["values"]]
    assert len(told) == len(every)
    by_name: dict[str, list[str]] = {}
    for tip in told:
        name = tip["title"].removesuffix(", 32 bits").rstrip("#")
        shown = [tip[k] for k in ("time", "area", "energy with glitches") if k in tip]
        text = f"{', '.join(shown)} at {tip['clock period']}"
        netlist(every, name, text)
        by_name.setdefault(name, []).append(text)
    # Each card begins with the least area x time of its design, as its point tells it.
    for card in cards(found):
        own = [o for o in every if o.name == card.name.rstrip("#")]
        assert card.headline in by_name[own[0].name]
        best = netlist(own, own[0].name, card.headline)
        least = min(one.area * one.time for one in own)
        assert best.area * best.time == pytest.approx(least, rel=0.02)


@pytest.mark.parametrize("seed", range(10))
def test_sentence_fronts_points_and_cards_agree(seed: int) -> None:
    check_page(seed)


@faults(
    {
        "the most": ("first = least_of(least, quantity)", "first = least[-1]"),
        "an energy of one": ("of.count > 1", "of.count > 0"),
        "constant time of all": ('if place["constant"] == "yes"]', "]"),
        "those of several clocks alone": (
            'if "area" in place["values"]]\n    count',
            'if _count(here, place["name"]) > 1]\n    count',
        ),
        "designs for some moduli, too": (
            "here = compared(found, nbits, places(found) if shown is None else shown)",
            "here = places(found)",
        ),
    }
)
def test_a_wrong_sentence_is_seen(tmp_path: Path, sound: str, faulty: str) -> None:
    wrong = plant(tmp_path, eval.report.headline, sound, faulty)
    with pytest.raises((AssertionError, ValueError)):
        [check_page(seed, wrong) for seed in range(10)]
