"""The price of protection and what is seen of the key, of made-up figures."""

from dataclasses import replace
from math import inf

import pytest

from eval.catalog.point import Point
from eval.report.secure import (
    findings,
    front,
    least_told,
    pairs_told,
    price_grid,
    price_told,
    rows,
    seen_grid,
)
from eval.study.secure import ATTACKED, PROTECTION
from eval.study.studies import STUDIES
from eval.tasks.attack.task import Attack
from eval.tasks.faults.models import STUCK
from eval.tasks.faults.operation import OUTCOMES
from eval.tasks.faults.operation import POWER as POWER_D
from eval.tasks.faults.skips import Skips
from eval.tasks.faults.task import Faults
from eval.tasks.faults.tried import BY_E, NO_CHECK
from eval.tasks.flow_run.task import POWER, FlowRun
from eval.tasks.unit import ACCELERATOR
from tests.eval.made_up import flow_row, found_of, row, simulated
from tests.eval.report.test_countermeasures import power, timed

pytestmark = pytest.mark.quick

PLAIN, CONSTANT, MASKED = (Point(f"array-4{end}", 32) for end in ("", "-ct", "-masked"))
COUNT = dict.fromkeys(OUTCOMES, 0)


def tried(point: Point, exploitable: int):
    """Campaigns without a check, in which so many of 1000 can be exploited, and with one."""
    made = [
        {
            **{"check": check, "cycles": 100, "register_bits": 30, "population": 9000},
            **{"faults": 1000, "registers": {}, "exponent_bits_told": [], "only_as_base": 0},
            "outcomes": COUNT | {"correct": 1000 - found, "exploitable": found},
        }
        for check, found in ((NO_CHECK, exploitable), (BY_E, 0))
    ]
    return row(Faults(point), key_bits=64, campaigns=made)


def attacked(point: Point, first: int | None, every: bool = True):
    """Attacks of which one finds a key by so many traces, if any does, and the others by none;
    every: none of them knows too little."""

    def found(least: float) -> list[dict[str, float]]:
        counts = (1, 10, 100, 1000)
        return [{"traces": n, "keys": 3 * (n >= least), "right": 0.5} for n in counts]

    tried = {"template": inf, "pairs": first or inf, "horizontal": inf}
    if every:
        tried["correlation"] = inf
    attacks = [{"attack": name, "keys": 3, "found": found(n)} for name, n in tried.items()]
    return row(Attack(point, ATTACKED), attacks=attacks)


def measured(
    point: Point, cycles: float, area: float, leaking: int, *told: str, first: int | None = 10
):
    """All that the study measures of a point."""
    flow = FlowRun(point, ACCELERATOR, 3.0)
    return [
        *(simulated(point, w, {f"xcel_cycles_{w}": cycles}) for w in "ed"),
        flow_row(flow, {"area_um2": area, "period_ns": 2.0, "setup_slack_ns": 1.0}),
        *(timed(point, *told), power(point, leaking), tried(point, 300)),
        attacked(point, first),
    ]


FOUND = found_of(
    *measured(PLAIN, 500, 1000.0, 90, "length", "bits"),
    *measured(CONSTANT, 1000, 1000.0, 80),
    *measured(MASKED, 1000, 1500.0, 1, first=None),
)


def test_the_price_is_of_a_signature_and_its_check() -> None:
    lines = price_grid(FOUND, 32).lines
    assert [line.cells[:4] for line in lines] == [
        ("none", "array-4", "none", "500"),
        ("time", "array-4-ct", "none", "1000"),
        ("time, base, exponent", "array-4-masked", "none", "1000"),
        ("none", "array-4", "by e", "1000"),
        ("time", "array-4-ct", "by e", "2000"),
        ("time, base, exponent", "array-4-masked", "by e", "2000"),
    ]
    assert [line.cells[6] for line in lines][:2] == ["1000000", "500000"]  # 500 x 2 ns
    assert [line.cells[8] for line in lines] == ["0.50", "1.00", "1.50", "1.00", "2.00", "3.00"]
    assert "modexplorer flow array-4 --nbits 32 --clock 3" in lines[0].commands
    assert "modexplorer faults array-4 --nbits 32" in lines[0].commands
    assert "modexplorer leakage array-4 --nbits 32" in lines[0].commands


def test_the_energy_is_that_of_both_powers_and_its_command_is_named() -> None:
    energies = {f"energy_glitches_{w}_nj": nj for w, nj in (("e", 1.5), ("d", 2.25))}
    flow = flow_row(FlowRun(PLAIN, ACCELERATOR, 3.0, POWER), {"area_um2": 9.0} | energies)
    found = found_of(*(r for r in FOUND.rows if r.task.kind != "flow"), flow)
    lines = [line for line in price_grid(found, 32).lines if line.cells[1] == "array-4"]
    assert [line.cells[7] for line in lines] == ["2.25", "3.75"]
    assert "modexplorer flow array-4 --nbits 32 --clock 3 --to power" in lines[0].commands


def test_what_is_seen_is_beside_it() -> None:
    lines = seen_grid(FOUND, 32).lines
    plain, masked = (lines[at].cells[3:] for at in (0, -1))
    assert plain == ("len,bits=", "2.0", "7.0", "0", "90", "10", "300", "1000", "yes")
    assert masked == ("-=", "2.0", "7.0", "0", "1", "> 1000", "0", "1000", "yes")
    assert "modexplorer attack array-4 --nbits 32" in " ".join(lines[0].commands)


def test_what_nets_and_other_faults_tell_is_not_beside_it() -> None:
    """They come first, and are of the same design."""
    campaigns = [{"traces": 1, "keys": 3, "right": 1.0}]
    attacks = [{"attack": "template", "keys": 3, "found": campaigns}]
    others = [
        power(PLAIN, 77, level="gates"),
        row(Attack(PLAIN, replace(ATTACKED, level="gates")), attacks=attacks),
        replace(tried(PLAIN, 999), task=Faults(PLAIN, POWER_D)),
        replace(tried(PLAIN, 998), task=Faults(PLAIN, model=STUCK)),
    ]
    with_others = found_of(*others, *FOUND.rows)
    assert [line.cells for line in seen_grid(with_others, 32).lines] == [
        line.cells for line in seen_grid(FOUND, 32).lines
    ]


def test_attacks_that_were_not_tried_are_told_where_none_finds_a_key() -> None:
    def told(first: int | None) -> str:
        others = [row for row in FOUND.rows if row.task.kind != "attack"]
        return (
            seen_grid(found_of(*others, attacked(PLAIN, first, every=False)), 32).lines[0].cells[8]
        )

    assert (told(None), told(100)) == ("> 1000 by 3", "100")


def test_the_front_has_what_nothing_beats() -> None:
    worse = found_of(*FOUND.rows, *measured(Point("array-8-ct", 32), 1000, 1600.0, 80))
    best = {(row.point, row.check) for row in front(rows(worse))}
    assert (Point("array-8-ct", 32), NO_CHECK) not in best  # array-4-ct costs less
    assert best >= {(PLAIN, NO_CHECK), (CONSTANT, NO_CHECK), (MASKED, BY_E)}


def test_the_price_of_each_protection_is_told_by_its_cheapest_design() -> None:
    dearer = found_of(*FOUND.rows, *measured(Point("array-8-ct", 32), 1000, 1600.0, 80))
    told, *_ = findings(dearer)
    assert told == (
        "At 32 bits, area x time of a signature over that of array-4-ct, unchecked: array-4 0.50, "
        "checked by e 1.00 (keeps nothing); array-4-ct 1.00, checked by e 2.00 (keeps time); "
        "array-4-masked 1.50, checked by e 3.00 (keeps time, base, exponent)."
    )
    assert price_told(found_of(*measured(MASKED, 1000, 1500.0, 1)), 32) is None  # no reference


def test_who_shows_least_is_told_if_nobody_shows_less_in_anything() -> None:
    _, told = findings(FOUND)
    assert told == (
        "At 32 bits array-4-masked checked by e shows no more of its key than any other: time "
        "tells nothing, power without noise tells the base in 0 cycles and the exponent in 1, an "
        "attack needs more than 1000 traces, and of 1,000 flipped bits 0 give a prime away."
    )
    as_little = measured(Point("array-8-ct", 32), 1000, 1400.0, 1, first=None)
    assert "array-8-ct checked by e shows" in least_told(found_of(*FOUND.rows, *as_little), 32)
    fewer = measured(Point("array-8-ct", 32), 1000, 1400.0, 1, first=1000)
    assert "array-4-masked checked by e shows" in least_told(found_of(*FOUND.rows, *fewer), 32)
    beaten = measured(Point("array-8", 32), 1000, 900.0, 0, "length")  # in its time alone
    assert least_told(found_of(*FOUND.rows, *beaten), 32) is None
    assert least_told(found_of(*measured(PLAIN, 500, 1000.0, 90)), 64) is None
    both = (measured(point, 500, 1000.0, 9, "length") for point in (PLAIN, Point("array-8", 32)))
    assert "time leaks len" in least_told(found_of(*(one for own in both for one in own)), 32)


def test_pairs_of_faults_are_told_by_check() -> None:
    counts = {"none": 9, "primes": 2, "infective": 0}
    campaigns = [
        {
            **{"check": check, "population": 99, "faults": 50, "instructions": 99, "functions": {}},
            "outcomes": COUNT | {"check": 50 - found, "exploitable": found},
        }
        for check, found in counts.items()
    ]
    tried = [row(Skips(PLAIN, model=m), key_bits=64, campaigns=campaigns) for m in ("skip", "pair")]
    assert [*pairs_told(found_of(*tried))] == [
        "Where a power of array-4-32 is wrong and the driver leaves out an instruction, it gives a "
        "prime away in so many of the pairs tried, by its check: none 9 of 50, primes 2 of 50, "
        "infective 0 of 50."
    ]


def test_nothing_is_shown_as_measured_that_was_not() -> None:
    wide = [simulated(Point("array-4", 1024), w, {f"xcel_cycles_{w}": 9.0}) for w in "ed"]
    found = found_of(*FOUND.rows, *wide)
    assert seen_grid(found, 1024) is None
    assert price_grid(found, 1024).lines[0].cells[4:] == ("-", "-", "-", "-", "-")
    assert price_grid(found_of(*wide), 1024) is None


def test_the_study_measures_all_of_it() -> None:
    tasks = STUDIES["secure"].tasks
    for design in PROTECTION:
        own = [task for task in tasks if task.subject() == (design, 32)]
        kinds = {task.kind for task in own} - {"skips"}
        assert kinds == {"simulate", "flow", "timing", "leakage", "attack", "faults"}
        assert [one.model for one in own if one.kind == "faults"] == ["flip", "stuck"]
    skips = [
        (*task.subject(), task.operation, task.model) for task in tasks if task.kind == "skips"
    ]
    assert skips == [
        *(("mont-best", 32, "crt", "skip"), ("mont-best", 32, "crt", "pair")),
        ("array-crt-16", 64, "private", "skip"),
    ]


@pytest.mark.parametrize("lacking", ["e", "d"])
def test_a_price_is_of_both_powers_or_not_known(lacking: str) -> None:
    """What was not measured is no 0."""
    left = [r for r in FOUND.rows if getattr(r.task, "workload", "") != lacking]
    energies = {f"energy_glitches_{w}_nj": 2.0 for w in "ed" if w != lacking}
    left.append(flow_row(FlowRun(PLAIN, ACCELERATOR, 3.0, POWER), {"area_um2": 9.0} | energies))
    found = [row for row in rows(found_of(*left)) if row.point == PLAIN]
    unchecked, checked = (next(one for one in found if one.check == c) for c in (NO_CHECK, BY_E))
    assert (checked.cycles, checked.energy_nj, checked.time_us) == (None, None, None)
    if lacking == "e":
        assert (unchecked.cycles, unchecked.energy_nj) == (500, 2.0)
    else:
        assert (unchecked.cycles, unchecked.energy_nj) == (None, None)
