"""Every command line that a request writes is parsed back to it, in all its fields."""

import re
import shlex
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from eval.catalog.point import Point
from eval.catalog.processor import SYSTEM, Processor
from eval.tasks.attack.campaign import ATTACKS, Asked
from eval.tasks.attack.task import Attack
from eval.tasks.clocks import Curve
from eval.tasks.composed import Composed
from eval.tasks.corners import Corners
from eval.tasks.crosscheck.task import Crosscheck
from eval.tasks.execution import Execution
from eval.tasks.faults.models import FLIP, PAIR, SKIP, STUCK
from eval.tasks.faults.skips import Skips
from eval.tasks.faults.task import Faults
from eval.tasks.flow_run.task import EQUIVALENCE, POWER, TIMING, FlowRun
from eval.tasks.fpga.task import OnFpga
from eval.tasks.layout.task import LEAST_FILL, MOST_FILL, LaidOut
from eval.tasks.leakage.levels import GATES, LAYOUT, LEVELS, RTL
from eval.tasks.leakage.task import Leakage
from eval.tasks.noise import Noise
from eval.tasks.placements import Placements
from eval.tasks.rsa import Rsa
from eval.tasks.signoff.task import Signoff
from eval.tasks.simulation import ByFormula, Simulation
from eval.tasks.task import Task
from eval.tasks.timing import TimeTells
from eval.tasks.unit import ACCELERATOR, EXPONENTIATOR, MULTIPLIER
from flow.fpga.devices import FAMILIES
from flow.technologies.technology import folders, no_gates, technology
from tests.asked import parsed, tasks_of

pytestmark = pytest.mark.quick

points = st.builds(
    Point,
    st.sampled_from(["mul-rem", "mont(steps=3)", "mont-best", "mm-000"]),
    st.integers(8, 40),
).filter(lambda point: point.nbits % 4 == 0)
clocks = st.integers(101, 99_999).map(lambda ps: ps / 1000)
count = st.integers(1000, 90_000)
flags = st.booleans()
technologies = st.sampled_from(
    [*folders(), *(f"{name}@{corner}" for name in folders() for corner in technology(name).corners)]
)
units = st.sampled_from([ACCELERATOR, MULTIPLIER])
fills = st.integers(LEAST_FILL, MOST_FILL)
at_clock: dict[str, Any] = {"point": points, "clock_ns": clocks, "tech": technologies}


def through_the_flow(kind: type[Task[Any]], **fields: Any) -> st.SearchStrategy[Task[Any]]:
    """Requests with plain clocks, and with gated ones where the technology has clock gates."""
    fields = {"clock_ns": clocks} | fields
    return st.builds(kind, **fields, tech=technologies, gated=st.just(False)) | st.builds(
        kind,
        **fields,
        tech=technologies.filter(lambda tech: no_gates(tech) is None),
        gated=st.just(True),
    )


levels = st.sampled_from(LEVELS)
asked = st.builds(
    Asked,
    keys=st.integers(1, 99),
    traces=st.integers(2, 999),
    profile=st.integers(100, 9999),
    noise=st.integers(0, 400).map(lambda tenth: tenth / 10),
    seed=st.integers(0, 999),
    level=st.sampled_from([RTL, GATES, LAYOUT]),
)
TASKS = [
    through_the_flow(
        FlowRun,
        point=points,
        unit=st.just(ACCELERATOR),
        to=st.sampled_from([TIMING, POWER, EQUIVALENCE]),
    ),
    through_the_flow(FlowRun, point=points, unit=st.just(MULTIPLIER)),
    through_the_flow(LaidOut, point=points, unit=units, fill=fills),
    through_the_flow(Signoff, point=points, unit=units, fill=fills),
    st.builds(Curve, **at_clock, energy=flags),
    st.builds(Composed, **at_clock, shortest_ns=st.just(0.0) | clocks).filter(
        lambda task: task.shortest_ns < task.clock_ns
    ),
    *(st.builds(kind, **at_clock) for kind in (Noise, Crosscheck, Placements)),
    st.builds(Corners, points, clocks, tech=st.sampled_from(list(folders()))),
    st.builds(TimeTells, points, count),
    st.builds(Leakage, st.just(Point("mont-best", 40)), count, flags, st.integers(0, 32), levels),
    st.builds(
        Attack,
        points,
        asked,
        st.lists(st.sampled_from(ATTACKS), min_size=1, unique=True).map(
            lambda some: tuple(name for name in ATTACKS if name in some)
        ),
    ),
    st.builds(
        Faults,
        points,
        faults=count,
        seed=st.integers(0, 999),
        model=st.sampled_from([FLIP, STUCK]),
    ),
    st.builds(
        Skips, points, faults=count, seed=st.integers(0, 999), model=st.sampled_from([SKIP, PAIR])
    ),
    st.builds(
        OnFpga,
        points,
        st.sampled_from(sorted(FAMILIES)),
        st.sampled_from([ACCELERATOR, EXPONENTIATOR, MULTIPLIER]),
    ),
    through_the_flow(
        FlowRun,
        point=st.builds(Processor, st.sampled_from(["mul-rem", "mont-best"])),
        unit=st.just(SYSTEM),
    ),
]


def written(task: Task[Any]) -> str:
    """The command line for a task, without the program's name."""
    command = task.command_to(task.to) if isinstance(task, FlowRun) else task.command
    program, *words = shlex.split(command)
    assert program == "modexplorer"
    return shlex.join(words)


@pytest.mark.parametrize(
    "tasks", TASKS, ids=lambda tasks: re.findall(r"builds\((\w+)", str(tasks))[0]
)
def test_a_request_comes_back(tasks) -> None:
    @settings(max_examples=8, deadline=None)
    @given(task=tasks)
    def comes_back(task: Task[Any]) -> None:
        found = tasks_of(written(task))
        assert [(type(one), vars(one)) for one in found] == [(type(task), vars(task))]

    comes_back()


runs = st.builds(Simulation, points, st.sampled_from("ed")) | st.builds(
    ByFormula, points, st.sampled_from("ed")
)
signed = st.builds(
    Rsa,
    st.sampled_from([64, 128]),
    st.sampled_from(["crt", "d", "e"]),
    st.sampled_from(["mul-rem", "mont(steps=3)"]),
    st.just("none") | st.sampled_from(["software", "primes"]),
    flags,
    st.integers(0, 32),
)


@settings(max_examples=40, deadline=None)
@given(task=runs | signed)
@example(task=Execution(Processor("mul-rem", divider="seed"), "xcel"))
def test_what_runs_at_once_is_parsed_to_its_fields(task: Task[Any]) -> None:
    """Commands that keep no rows are not run: their options are compared."""
    found = parsed(written(task))
    if isinstance(task, Rsa):
        assert found["design"] == task.design
        assert found["nbits"] == task.nbits
        assert found["operation"] == task.operation
        assert found["check"] == task.check
        assert found["blind_base"] == task.blind_base
        assert (found["mask_bits"] or 0) == task.mask_bits
    elif isinstance(task, Execution):
        assert found["xcel"] == task.point.attached
        assert found["nbits"] == task.point.nbits
        assert found["divider"] == task.point.divider
    else:
        assert (found["design"], found["nbits"]) == (task.point.design, task.point.nbits)
        assert found["workload"] == task.workload
        assert (found["level"] == "formula") == isinstance(task, ByFormula)
