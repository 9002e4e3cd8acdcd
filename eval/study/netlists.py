"""The netlists of a design's accelerator that a study made: one for each clock asked for."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval.catalog.point import Point
from eval.tasks.clocks import Curve, CurveResult, Run, with_energies
from eval.tasks.flow_run.task import POWER, TIMING, FlowResult, FlowRun
from eval.tasks.task import Result, Task
from eval.tasks.unit import ACCELERATOR


@dataclass(frozen=True, eq=False)
class Netlist:
    """A netlist at the shortest period at which it works: area, time and energy of one circuit at
    one clock. `cycles` are those of the workloads through the port."""

    run: FlowRun
    figures: Run
    cycles: Mapping[str, float]

    @property
    def area_um2(self) -> float:
        """The area of all cells."""
        return self.figures.area_um2

    @property
    def period_ns(self) -> float:
        """The shortest period at which it works."""
        return self.figures.period_reached_ns

    @property
    def command(self) -> str:
        """The command that makes it, and measures its energies if these are known."""
        return self.run.command_to(POWER if self.figures.energies_nj else TIMING)

    @property
    def metrics(self) -> dict[str, float]:
        """Area, times and energies, by the names that metrics have."""
        times = {
            f"least_time_{w}_us": cycles * self.period_ns / 1000
            for w, cycles in self.cycles.items()
        }
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
    before others of the same clock."""
    runs: dict[FlowRun, Run] = {}
    for task, result in results.items():
        if isinstance(task, FlowRun) and isinstance(result, FlowResult) and task.about:
            runs[task] = _run(task, result)
        elif isinstance(result, CurveResult) and isinstance(task, Curve):
            for run in result.runs:
                asked = FlowRun(task.point, ACCELERATOR, run.clock_ns)
                if run.energies_nj or not (asked in runs and runs[asked].energies_nj):
                    runs[asked] = run
    found: dict[Point, list[Netlist]] = {}
    for task, run in sorted(runs.items(), key=lambda item: -item[1].clock_ns):
        found.setdefault(task.point, []).append(Netlist(task, run, cycles[task.point]))
    return found


def _run(task: FlowRun, result: FlowResult) -> Run:
    return with_energies(Run.of(result.metrics, clock_ns=task.clock_ns), result)
