"""Searches whose flow is a table: netlists of a sub-space that were all made once, by the flow.

exhaustive_32.json has area and period of each, at 32 bits and 3 ns, as `modexplorer explore
--designs DESIGNS --nbits 32 --clock 3` measured them, half an hour on a busy machine, for DESIGNS
of 'ssmm(steps=*,loop=*)', 'interleaved(steps=*)', 'mont(steps=1..8,units=1..2)', 'array(digit=*)'
and 'array(digit=*,loop=windows-N)' for N from 1 to 4. What a search finds is compared with the best
of all of them.
"""

import json
import random
import re
import time
from math import inf, log

import pytest

from eval.catalog import find
from eval.catalog.point import Point
from eval.find import candidates, search
from eval.find.answer import EQUAL, LINES, Answer
from eval.find.formula import cycles_of
from eval.find.known import Netlist
from eval.find.model import Spot
from eval.find.need import read_need
from eval.find.search import OutOfTime, Search, within
from eval.study.engine import Engine
from eval.study.failures import RowsFailed
from eval.study.user_study import from_file
from eval.table.terminal import print_grids
from eval.tasks.flow_run.task import POWER, TIMING, FlowRun
from eval.tasks.simulation import Simulation
from tests.command_line import assert_refused, run, said
from tests.eval.find.exhaustive import table_of
from tests.eval.made_up import energy_of, flow_row, metrics_of

pytestmark = pytest.mark.quick
NBITS, CLOCK_NS = 32, 3.0
TABLE = {name: by_clock["3"] for name, by_clock in table_of(NBITS).items()}
AREA, PERIOD = ({name: figures[i] for name, figures in TABLE.items()} for i in (0, 1))


@pytest.fixture(autouse=True)
def _empty_store(monkeypatch, tmp_path):
    monkeypatch.setattr(search, "stored", lambda: [])
    monkeypatch.setattr(search, "curves", dict)


class Flow:
    """Makes rows of the table, and counts them."""

    def __init__(self, fails=()) -> None:
        self.asked, self.fails = [], fails

    def __call__(self, tasks):
        self.asked += tasks
        rows = [self.row(task) for task in tasks if task.point.design not in self.fails]
        if failures := {t: "failed" for t in tasks if t.point.design in self.fails}:
            raise RowsFailed(failures, rows)
        return rows

    def row(self, task):
        """The row of a task; energies are the same of all."""
        name = task.point.design
        metrics = {"area_um2": AREA[name], "period_ns": PERIOD[name]}
        metrics["setup_slack_ns"] = task.clock_ns - PERIOD[name]
        if task.to != POWER:
            return flow_row(task, metrics)
        return flow_row(task, metrics | metrics_of(energy_of()), energy=energy_of())


def need_of(least, at_most=(), **more):
    """A need at 32 bits and 3 ns among the designs of the table, unless another is asked for."""
    options = {"nbits": NBITS, "operation": "sign", "clock": "3", "designs": tuple(TABLE)} | more
    return read_need(least=least, at_most=at_most, **options)


def searched(flow, *least, at_most=(), **more):
    """A search that is over."""
    done = Search(need_of(least, at_most, **more), flow, 1)
    done.go()
    return done


def best_of_all(need):
    """By looking at every netlist: those that no other beats in all that is to be least."""
    fits = {}
    for name in TABLE:
        its = {"area": AREA[name], "time": cycles_of(name, NBITS, "d") * CLOCK_NS / 1000}
        kept = all(its[limited] <= most for limited, most in need.at_most.items())
        if kept and PERIOD[name] <= CLOCK_NS and find(name).constant_time >= need.constant_time:
            fits[name] = [its[wanted] for wanted in need.least]
    return {
        name
        for name, its in fits.items()
        if not any(
            other != its and all(o <= v for o, v in zip(other, its, strict=True))
            for other in fits.values()
        )
    }


NEEDS = [
    (["area"], ["time=3us"], False, 5),
    (["area"], ["time=1.5us"], True, 6),
    (["time"], ["area=6000um2"], False, 12),
    (["time"], ["area=8000um2"], True, 6),
    (["area"], [], True, 4),
    (["area", "time"], [], False, 30),
]


@pytest.mark.parametrize(("least", "at_most", "constant", "runs"), NEEDS)
@pytest.mark.parametrize("knows", [True, False], ids=["quoted", "nothing"])
@pytest.mark.seconds
def test_what_is_found_is_the_best_of_all(least, at_most, constant, runs, knows, monkeypatch):
    """Also where estimates know nothing at first; by few runs where they know what is quoted."""
    if not knows:
        monkeypatch.setattr(search, "quoted", lambda: [])
    flow = Flow()
    done = searched(flow, *least, at_most=at_most, constant_time=constant)
    best = best_of_all(done.need)
    assert best
    assert {spot.design for spot in done.front()} == best
    assert len(TABLE) >= 60
    assert len(flow.asked) <= (runs if knows else len(TABLE) - 10)
    assert len(flow.asked) == len(set(flow.asked)) == done.steps.new == done.steps.mapped
    assert done.steps.out == len(done.candidates.cycles) - done.steps.mapped > 0
    assert done.steps.in_time
    assert not done.steps.open


def test_of_a_signature_by_the_primes_both_powers_take_time():
    """Of 64 bits: two of 32 after each other, so that twice the limit gives the same design."""
    one = searched(Flow(), "area", at_most=["time=1.5us"])
    both = searched(Flow(), "area", at_most=["time=3us"], nbits=64, operation="sign-crt")
    [best] = both.front()
    assert [best] == one.front()
    assert both.value(best, "time") == pytest.approx(2 * one.value(best, "time"))
    assert both.value(best, "area") == one.value(best, "area")
    line = Answer(both).best
    assert line.cycles == 2 * cycles_of(best.design, NBITS, "d")
    assert (
        "An operation is 2 powers of 32 bits, without the host's part."
        in LINES.of(Answer(both)).note
    )


def test_a_need_that_none_meets_names_the_nearest():
    flow = Flow()
    done = searched(flow, "area", at_most=["time=0.1us"])
    answer = Answer(done)
    assert not answer.met
    assert answer.best is None
    assert len(flow.asked) <= search.MOST_NEAR + 1
    [line] = answer.lines
    assert line.rank == "nearest"
    [time, *_] = answer.binds()
    assert time.startswith(f"time: {line.spot.design} has ")
    assert "times the limit of 100 ns." in time
    assert answer.remedy.endswith(f"{line.spot.design} is nearest")


def test_what_is_over_a_limit_is_so_many_per_cents_or_times():
    slow = Answer(searched(Flow(), "area", at_most=["time=440ns"]))
    assert not slow.met
    [time, *_] = slow.binds()
    over = slow.lines[0].get("time") / 0.44 - 1
    assert 0.095 < over < 1
    assert time.endswith(f", {100 * over:.0f} % over the limit of 440 ns.")


def test_what_binds_is_the_limit_that_a_better_one_exceeds():
    """Of four netlists: the smallest takes 2.7 us, the next smaller one is over 3 us."""
    designs = ["ssmm-small", "ssmm-best", "ssmm(steps=3)", "interleaved(steps=2)"]
    answer = Answer(searched(Flow(), "area", at_most=["time=3.1us"], designs=designs))
    assert answer.best.spot.design == "ssmm-small"
    [said] = answer.binds()
    assert said.startswith("time: 2.73 us of 3.10 us; ")
    fast = Answer(searched(Flow(), "time", at_most=["area=5000um2"], designs=designs))
    assert fast.best.spot.design == "ssmm-best"
    [said] = fast.binds()
    assert said == (
        "area: 4,912 um2 of 5,000 um2; it binds: at 7,318 um2 ssmm(steps=3) has time 966 ns."
    )


def test_a_search_goes_on_where_it_stopped(monkeypatch):
    """What is over when the time is leaves open what may win; the next one begins with its rows."""
    flow = Flow()

    def one_run(tasks):
        if flow.asked:
            raise OutOfTime
        return flow(tasks)

    first = searched(one_run, "time", at_most=["area=6000um2"])
    assert not first.steps.in_time
    assert first.steps.open
    answer = Answer(first)
    assert "may win" in " ".join(answer.how())
    assert (answer.complete, answer.as_json()["open"]) == (False, len(first.steps.open))
    assert answer.lines[0].rank == "best so far"
    kept = first._stored
    monkeypatch.setattr(search, "stored", lambda: [*kept])
    monkeypatch.setattr(search, "has_row", lambda task: True)
    second = searched(flow, "time", at_most=["area=6000um2"])
    assert {spot.design for spot in second.front()} == best_of_all(second.need)
    assert len(flow.asked) == len(set(flow.asked))  # none is made twice
    answer = Answer(second)
    assert (answer.complete, answer.headline, answer.lines[0].rank) == (True, [], "best")


def test_without_time_nothing_old_is_shown(monkeypatch):
    """Two netlists are read from the store; the row of the smaller one is of other code."""
    read = [
        Netlist(Spot(name, NBITS, CLOCK_NS), AREA[name], PERIOD[name])
        for name in ("ssmm-small", "ssmm-best")
    ]

    def over(tasks):
        raise OutOfTime

    for old, best in (("ssmm-small", "ssmm-best"), ("ssmm-best", "ssmm-small")):
        monkeypatch.setattr(search, "stored", lambda: [*read])
        monkeypatch.setattr(search, "has_row", lambda task, old=old: task.point.design != old)
        done = searched(over, "area", designs=["ssmm-small", "ssmm-best"])
        assert [spot.design for spot in done.shown()] == [best]


@pytest.mark.parametrize("seed", range(4))
def test_without_time_what_comes_after_old_netlists_is_not_old_either(monkeypatch, seed):
    """Of twenty netlists in the store most are of other code: those that are shown in the place of
    the ones that are dropped may be old, too, time after time."""
    source = random.Random(seed)
    names = source.sample([*TABLE], 20)
    old = {*source.sample(names, 20 - 3 * seed)}
    read = [Netlist(Spot(name, NBITS, CLOCK_NS), AREA[name], PERIOD[name]) for name in names]
    monkeypatch.setattr(search, "stored", lambda: [*read])
    monkeypatch.setattr(search, "has_row", lambda task: task.point.design not in old)

    def over(tasks):
        raise OutOfTime

    done = searched(over, "area", designs=names)
    left = [name for name in names if name not in old and PERIOD[name] <= CLOCK_NS]
    best = sorted(left, key=AREA.__getitem__)[: 1 + search.RUNNERS_UP]
    if best or not seed:
        assert {spot.design for spot in done.shown()} == {*best}
    else:
        assert not {spot.design for spot in done.shown()} & old


class Ends(Flow):
    """Makes so many rows, and then the time is over or somebody interrupts."""

    def __init__(self, rows, how) -> None:
        super().__init__()
        self.left, self.how = rows, how

    def __call__(self, tasks):
        if self.left <= 0:
            raise self.how
        self.left -= len(tasks)
        return super().__call__(tasks)


LINE = (
    "find --nbits 32 --operation sign --clock 3 --least area --constant-time "
    f"--jobs 1 --designs '{','.join(TABLE)}'"
)


def found_by(flow, line, monkeypatch):
    """What the command prints whose rows this makes."""
    monkeypatch.setattr(Engine, "run", lambda engine, tasks, *_: flow(tasks))
    return run(line)


@pytest.mark.parametrize("how", [OutOfTime, KeyboardInterrupt])
def test_a_search_that_stops_early_says_so_first_and_by_its_exit_code(how, monkeypatch):
    """It prints the best so far; a search that is complete names another."""
    early = found_by(Ends(1, how), LINE, monkeypatch)
    assert early.exit_code == 3
    [head] = re.findall(
        r"\ABest so far: (\d+) candidates? not measured could still be better; repeat the command "
        r"to go on\.\nNot considered: .* more: not constant-time\.\n\n32-bit sign",
        early.stdout,
    )
    [note] = said(early.stderr)
    assert note.startswith(f"modexplorer: note: best so far: {head} candidate")
    assert max(map(len, early.stdout.splitlines())) <= 100
    told = found_by(Ends(1, how), f"{LINE} --json", monkeypatch)
    assert told.exit_code == 3
    answer = json.loads(told.stdout)
    assert (answer["met"], answer["complete"], answer["open"]) == (True, False, int(head))
    assert answer["steps"]["interrupted"] == (how is KeyboardInterrupt)
    assert answer["rows"][0]["rank"] == "best so far"
    whole = found_by(Flow(), LINE, monkeypatch)
    assert whole.exit_code == 0
    assert whole.stdout.startswith("Not considered: ")
    assert "so far" not in whole.stdout
    assert said(whole.stderr) == []
    answer = json.loads(found_by(Flow(), f"{LINE} --json", monkeypatch).stdout)
    assert (answer["complete"], answer["open"], answer["rows"][0]["rank"]) == (True, 0, "best")


def test_a_search_that_has_met_no_limit_yet_may_still(monkeypatch):
    """One that ends before anything was measured says that designs may meet the need."""
    early = found_by(Ends(0, KeyboardInterrupt), LINE, monkeypatch)
    assert early.exit_code == 3
    assert early.stdout.startswith("No design meets the need so far: ")
    assert "could meet the need; repeat the command to go on" in " ".join(early.stdout.split())


def test_a_candidate_that_is_too_large_to_be_measured_leaves_the_answer_open(monkeypatch):
    """Nobody can go on: the command says that."""
    small = AREA["ssmm-small"]
    monkeypatch.setattr(candidates, "MOST_UM2", 1.2 * small)
    line = "find --nbits 32 --operation sign --clock 3 --least time --jobs 1 --designs ssmm-small,"
    found = found_by(Flow(), f"{line}ssmm-best,array-16", monkeypatch)
    assert found.exit_code == 3
    assert "could still be better; they are too large" in " ".join(found.stdout.split())


@pytest.mark.parametrize(
    ("operation", "bits", "blinded", "nbits"),
    [("sign", 32, 0, 32), ("sign", 32, 16, 48), ("sign-crt", 64, 0, 32), ("sign-crt", 64, 9, 41)],
)
@pytest.mark.parametrize(("clock", "least"), [("free", "area"), ("2.5", "area"), ("2.5", "energy")])
def test_a_study_measures_what_was_found(
    operation, bits, blinded, nbits, clock, least, tmp_path, monkeypatch
):
    """The netlist of the best is among its rows, at the width of the design; it is short, and its
    estimates are those that none is smaller and faster than."""
    file = tmp_path / "found.toml"
    names = [*TABLE][::8]
    line = (
        f"find --nbits {bits} --operation {operation} --blinded {blinded} --clock {clock} "
        f"--least {least} --designs '{','.join(names)}' --study {file} --jobs 1"
    )
    result = found_by(Ends(4, OutOfTime), f"{line} --json", monkeypatch)
    assert result.exit_code in (0, 3), result.output
    best = json.loads(result.stdout)["rows"][0]
    (study,) = from_file(str(file)).studies()
    point = Point(best["design"], nbits)
    to = POWER if least == "energy" else TIMING
    assert FlowRun(point, "accelerator", best["clock"], to) in study.tasks
    assert Simulation(point, "d") in study.tasks
    assert {task.point.nbits for task in study.tasks} == {nbits}
    estimates = sorted((one.area_um2, one.time_us) for one in study.looked)
    assert estimates == sorted(estimates, key=lambda one: -one[1])
    assert len({time for _, time in estimates}) == len(estimates)
    assert len(file.read_text().splitlines()) < 30
    [written] = re.findall("^# written by modexplorer (.*)$", file.read_text(), re.MULTILINE)
    again = found_by(Ends(0, KeyboardInterrupt), f"{written} --json", monkeypatch)
    assert json.loads(again.stdout)["need"] == json.loads(result.stdout)["need"]


def test_a_study_has_no_gated_netlists(tmp_path):
    line = "find --nbits 8 --operation sign --least area --designs mul-rem --gated free"
    assert_refused(f"{line} --study {tmp_path / 'found.toml'}", "--study: a study has no clock-gat")
    assert not [*tmp_path.iterdir()]


def test_rows_that_fail_are_said_and_left_out():
    best = min(TABLE, key=lambda name: AREA[name] if PERIOD[name] <= CLOCK_NS else inf)
    done = searched(Flow(fails=[best]), "area")
    assert done.steps.failed == [best]
    assert done.front()[0].design != best
    assert f"1 failed in the flow: {best}." in Answer(done).how()


def test_energy_is_asked_of_what_may_win_alone():
    """The energies of the table are all the same: a smaller one cannot be shown but by a run."""
    flow = Flow()
    designs = ["ssmm-small", "ssmm-best", "ssmm-ct"]
    done = searched(flow, "energy", at_most=["area=4000um2"], designs=designs)
    assert [task.point.design for task in flow.asked if task.to == POWER] == ["ssmm-small"]
    line = Answer(done).best
    assert line.get("energy") == metrics_of(energy_of())["energy_glitches_d_nj"]
    assert line.commands == (
        "modexplorer flow ssmm-small --nbits 32 --clock 3 --to power",
        "modexplorer simulate ssmm-small --nbits 32 --workload d --level batch --xcel",
    )


def test_the_answer_is_a_table_with_commands(capsys):
    answer = Answer(searched(Flow(), "area", at_most=["time=3us"]))
    print_grids([LINES.of(answer)])
    text = capsys.readouterr().out
    assert text.startswith("32-bit sign, least area, time at most 3.00 us, a clock of 3 ns\n")
    assert text.count("Reproduce with:\n  modexplorer flow ") == 1
    assert max(map(len, text.splitlines())) <= 100
    first, *others = answer.as_json()["rows"]
    assert first["rank"] == "best"
    assert all(row["rank"] == "runner-up" for row in others)
    assert [row["equal"] for row in others] == [
        row["area"] * 0.98 <= first["area"] for row in others
    ]
    assert EQUAL in " ".join(answer.how())


def test_of_a_free_clock_a_netlist_tells_of_those_that_it_meets():
    """A netlist for 3 ns that works at 1 ns: no other clock from 1 ns on makes a smaller one."""
    need = read_need(NBITS, "sign", ["area"], designs=["ssmm-small"])
    done = Search(need, Flow(), 1)
    before = done.candidates.settled()
    assert not before.any()
    spot = Spot("ssmm-small", NBITS, 3.0)
    done.candidates.tell([Netlist(spot, 3000.0, 1.0)])
    marked = zip(done.candidates.spots, done.candidates.settled(), strict=True)
    settled = {one.clock_ns for one, is_settled in marked if is_settled}
    assert settled == {c for c in done.candidates.clocks if c >= 1.0 and c != 3.0}


def test_a_shorter_clock_makes_no_smaller_netlist():
    need = read_need(NBITS, "sign", ["area"], designs=["ssmm-small"])
    done = Search(need, Flow(), 1)
    done.candidates.tell([Netlist(Spot("ssmm-small", NBITS, 3.0), 3000.0, 2.9)])
    least = done.candidates.estimates(done._learned()).optimistic("area")
    for spot, area in zip(done.candidates.spots, least, strict=True):
        if spot.clock_ns < 3:
            assert area >= log(3000 * 0.98) - 1e-9  # but for the noise
        elif spot.clock_ns > 3:
            assert area < log(3000 * 0.98)


def test_runs_end_when_the_time_is_over():
    def wait():
        with within(0.05):
            time.sleep(60)

    with pytest.raises(OutOfTime):
        wait()
    with within(60):
        pass
