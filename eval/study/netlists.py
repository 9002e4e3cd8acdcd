"""The netlists of a design's accelerator that a study made: one for each clock asked for."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval.catalog.point import Point
from eval.tasks.clocks import Curve, CurveResult, Run, clock_of, with_energies
from eval.tasks.composed import Composed, ComposedResult
from eval.tasks.flow_run.task import POWER, TIMING, FlowResult, FlowRun
from eval.tasks.task import Result, Task
from eval.tasks.unit import ACCELERATOR


@dataclass(frozen=True, eq=False)
class Netlist:
    """A netlist at the shortest period at which it works: area, time and energy of one circuit at
    one clock. `cycles` are those of the workloads through the port; `composed` is what composed it
    of modules, if the flow did not run for its clock."""

    run: FlowRun
    figures: Run
    cycles: Mapping[str, float]
    composed: Composed | None = None

    @property
    def area_um2(self) -> float:
        """The area of all cells."""
        return self.figures.area_um2

    @property
    def period_ns(self) -> float:
        """The shortest period at which it works."""
        return self.figures.period_ns

    @property
    def command(self) -> str:
        """The command that makes it, and measures its energies if these are known."""
        if self.composed:
            return self.composed.command
        return self.run.command_to(POWER if self.figures.energies_nj else TIMING)

    @property
    def metrics(self) -> dict[str, float]:
        """Area, times and energies, by the names that metrics have."""
        times = {
            f"least_time_{w}_us": cycles * self.period_ns / 1000
            for w, cycles in self.cycles.items()
        }
        if typical := self.figures.period_typical_ns:
            times |= {f"typical_time_{w}_us": n * typical / 1000 for w, n in self.cycles.items()}
        energies = {f"energy_glitches_{w}_nj": nj for w, nj in self.figures.energies_nj.items()}
        return {"area_um2": self.figures.area_um2} | times | energies

    def time_us(self, workload: str) -> float | None:
        """The time of a workload, if its cycles are known."""
        return self.metrics.get(f"least_time_{workload}_us")

    def energy_nj(self, workload: str) -> float | None:
        """The energy of a workload with glitches, if it was measured."""
        return self.figures.energies_nj.get(workload)


def netlists_of(
    results: Mapping[Task, Result | None], cycles: Mapping[Point, Mapping[str, float]]
) -> dict[Point, list[Netlist]]:
    """Find the netlists of each point, those for the longest clock first; those with energies
    before others of the same clock, and composed ones where the flow did not run for their clock.
    """
    runs: dict[FlowRun, Run] = {}
    composed: dict[FlowRun, tuple[Run, Composed]] = {}
    for task, result in results.items():
        if isinstance(task, FlowRun) and isinstance(result, FlowResult) and task.about:
            runs[task] = _run(task, result)
        elif isinstance(task, Composed) and isinstance(result, ComposedResult):
            composed |= _composed(task, result)
        elif isinstance(result, CurveResult) and isinstance(task, Curve):
            if result.composed:
                composed |= _composed(
                    Composed(task.point, task.clock_ns, tech=task.tech), result.composed
                )
            for run in result.runs:
                asked = FlowRun(task.point, ACCELERATOR, run.clock_ns, tech=task.tech)
                if run.energies_nj or not (asked in runs and runs[asked].energies_nj):
                    runs[asked] = run
    by = {asked: task for asked, (_, task) in composed.items() if asked not in runs}
    every = {asked: run for asked, (run, _) in composed.items()} | runs
    found: dict[Point, list[Netlist]] = {}
    for asked, run in sorted(every.items(), key=lambda item: -item[1].clock_ns):
        netlist = Netlist(asked, run, cycles.get(asked.point, {}), by.get(asked))
        found.setdefault(asked.point, []).append(netlist)
    return found


def _run(task: FlowRun, result: FlowResult) -> Run:
    return with_energies(Run.of(result.metrics, clock_ns=task.clock_ns), result)


def _composed(task: Composed, result: ComposedResult) -> dict[FlowRun, tuple[Run, Composed]]:
    """List the netlists of a composed curve, by the flow runs that would confirm them."""
    found = {}
    for point in result.points:
        clock_ns = clock_of(point)
        slack_ns = round(clock_ns - point.period_ns, 5)
        run = Run(point.area_um2, slack_ns, point.period_ns, clock_ns)
        found[FlowRun(task.point, ACCELERATOR, clock_ns, tech=task.tech)] = run, task
    return found
