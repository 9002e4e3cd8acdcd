"""Components of the catalog prepared once for all tests of a process."""

from collections.abc import Sequence
from functools import cache

import pytest
from pymtl3 import Component

from cl.exponentiator import Exponentiator
from eval.catalog import DESIGNS, MULTIPLIERS
from eval.contract.exponentiator import ExpCase, check_exponentiator
from sim.stream import LEVELS, NO_STALLS, STALLS, Stalls, StreamRunner


def model_level(level: str) -> str:
    """The level whose component runs at a simulation level: verilog and batch run rtl."""
    return level if level in ("fl", "cl") else "rtl"


def modulus_for(name: str, nbits: int, otherwise: int) -> int:
    """The modulus fixed in a design of the catalog, or the other one if it has none."""
    only = DESIGNS[name].moduli.only
    return only(nbits) if only else otherwise


@cache
def multiplier_runner(name: str, nbits: int, level: str) -> StreamRunner:
    """A multiplier of the catalog by itself."""
    component = MULTIPLIERS[name].by_itself(nbits).component(model_level(level))
    return StreamRunner(component, level, name=f"{name}-{nbits}")


@cache
def design_runner(name: str, nbits: int, level: str) -> StreamRunner:
    """An exponentiator of the catalog."""
    component = DESIGNS[name].at(nbits).component(model_level(level))
    return StreamRunner(component, level, name=f"{name}-{nbits}")


def port_width(name: str, level: str) -> int:
    """The width at which a port is tried at a level: where it is quick, one of several words.

    cm-pseudo-2 has the port of cm-pseudo-1, and takes twice as long to build.
    """
    return 40 if level == "batch" and name != "cm-pseudo-2" else 8


@cache
def xcel_runner(name: str, nbits: int, level: str) -> StreamRunner:
    """An accelerator of the catalog."""
    component = DESIGNS[name].xcel(model_level(level), nbits)
    return StreamRunner(component, level, "xcel.req", "xcel.resp", name=f"{name}-xcel-{nbits}")


def stalled(names: Sequence[str], imported: Sequence[str]) -> pytest.MarkDecorator:
    """Every design at every level under all stalls; of hardware that Python simulates, which level
    batch has quickly, only those imported."""
    rows = [
        pytest.param(name, level, stalls, id=f"{name}-{level}-{stalls.name}")
        for name in names
        for level in LEVELS
        for stalls in STALLS.values()
        if name in imported or level not in ("rtl", "verilog")
    ]
    return pytest.mark.parametrize(("name", "level", "stalls"), rows)


def check_within(
    runner: StreamRunner,
    exponentiator: Exponentiator,
    cases: Sequence[ExpCase],
    room: int,
    stalls: Stalls = NO_STALLS,
) -> None:
    """Check cases in the cycles that they take, with some room for each: what hangs is found soon,
    sooner yet if a few cases are checked before all."""
    limit = sum(exponentiator.latency(*case.operands) + room for case in cases)
    check_exponentiator(runner, exponentiator, cases, stalls, limit)


def component_runner(component: Component, level: str = "rtl", **ports: str) -> StreamRunner:
    """Any component; the caller closes the runner."""
    return StreamRunner(component, level, **ports)
