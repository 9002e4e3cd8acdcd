"""A unit of a design point or of the processor: its Verilog, and the flow run on it."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from pymtl3 import Component

from flow.results.run import Results, read_results
from sim.errors import UserError
from sim.paths import build_dir
from sim.translate import Translation, translate

if TYPE_CHECKING:
    from flow.workload import Workload

OnStep = Callable[[str], None]  # told what is being done
ACCELERATOR, MULTIPLIER, EXPONENTIATOR = "accelerator", "multiplier", "exponentiator"
WHOLE = (ACCELERATOR, "system")  # the unit that a command means if it names none
CLOCKS_NS = (0.1, 1000.0)


class Target(Protocol):
    """What goes through the flow, a unit at a time: a design point, or the processor."""

    design: str
    nbits: int
    arguments: str  # as commands take it
    dissolve: tuple[str, ...]  # classes of modules that are mapped with their parents

    def top_of(self, unit: str) -> str:
        """The unit's Verilog top module."""
        ...

    def component(self, unit: str) -> Component:
        """A new component of the unit."""
        ...


def check_clock(clock_ns: float) -> None:
    """UserError unless the clock period is one that a person can mean."""
    least, most = CLOCKS_NS
    if not least <= clock_ns <= most:
        raise UserError(f"--clock: {clock_ns:g} ns is not from {least:g} to {most:g} ns")


@lru_cache(None)
def translation(target: Target, unit: str = ACCELERATOR) -> Translation:
    """The Verilog of a unit, under a top module name of its own."""
    return translate(target.component(unit), target.top_of(unit))


def run_name(target: Target, unit: str, clock_ns: float, seed: int = 0, gated: bool = False) -> str:
    """The name of the flow's run, and of its folder."""
    name = f"{target.top_of(unit)}-{clock_ns:.10g}ns"
    return name + (f"-seed{seed}" if seed else "") + "-gated" * gated


def recorded(target: Target, on_step: OnStep) -> "Workload":
    """What gate-level simulation of a whole design replays."""
    from eval.tasks.flow_run.recording import record

    on_step("recording the workload")
    return record(target)


def run_unit(
    target: Target,
    unit: str,
    clock_ns: float,
    to: str,
    on_step: OnStep,
    recipes: Sequence[str] = (),
    seed: int = 0,
    recording: "Workload | None" = None,
    gated: bool = False,
) -> Results:
    """What the flow says of a unit up to a step. All steps of a unit share one build folder, which
    a second run waits for."""
    from flow.run import run_flow

    done = translation(target, unit)
    found = run_flow(
        run_name(target, unit, clock_ns, seed, gated),
        done.text,
        done.top,
        build_dir("flow"),
        clock_period=clock_ns,
        to=to,
        workload=recording,
        dissolve=target.dissolve,
        recipes=recipes,
        seed=seed,
        gated=gated,
        on_step=lambda step, event: on_step(f"{step} {event}"),
        wait=True,
    )
    return read_results(found)


def clock_option(clock_ns: float) -> str:
    """The clock on a command line."""
    return f"--clock {clock_ns:.10g}"


def unit_option(unit: str) -> str:
    """The unit on a command line, after a space, unless it is the whole."""
    return "" if unit in WHOLE else f" --unit {unit}"
