"""The area-delay curve of a design: its accelerator hardened for one clock period after another."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from eval.catalog.point import Point
from eval.tasks.harden import translation
from eval.tasks.measure import Hardening, measure
from eval.tasks.store import Key, as_text
from eval.tasks.versions import flow_tools

SLOWER = (2.0, 1.5)  # times the shortest period at the first clock
STEP = 0.9  # from one clock to the next shorter one
MOST = 8  # clocks
FIGURES = ("area_um2", "setup_slack_ns", "shortest_period_ns")


@dataclass(frozen=True, order=True)
class Curve:
    """A point's accelerator at clocks around the shortest period that it reaches, down to the
    first that it misses; `clock_ns` is where the search starts."""

    point: Point
    clock_ns: float

    def __str__(self) -> str:
        return f"{self.point} clocks"

    @property
    def command(self) -> str:
        """The command that reproduces the row."""
        return f"modexplorer clocks {self.point.arguments} --clock {self.clock_ns:.10g}"

    @property
    def key(self) -> Key:
        """The row's key."""
        return Key(
            kind="clocks",
            design=self.point.design,
            nbits=self.point.nbits,
            parameters=as_text({"clock_ns": self.clock_ns, "rule": (SLOWER, STEP, MOST)}),
            workload="",
            verilog=translation(self.point, "accelerator").digest,
            tools=as_text(flow_tools()),
        )

    def compute(self, on_step: Callable[[str], None]) -> dict[str, Any]:
        """The figures at each clock, the longest first, and the shortest period of all."""

        def run(clock_ns: float) -> dict[str, Any]:
            task = Hardening(self.point, "accelerator", round(clock_ns, 3))
            row = measure(task, lambda step: on_step(f"{task.clock_ns:g} ns, {step}"))
            figures = {name: row.result["metrics"][name] for name in FIGURES}
            return figures | {"clock_ns": task.clock_ns, "tools": row.result["tools"]}

        first = run(self.clock_ns)
        reached = first["shortest_period_ns"]
        runs = [first, *(run(factor * reached) for factor in SLOWER)]
        clock_ns = min(reached, self.clock_ns)
        while len(runs) < MOST:
            runs.append(run(clock_ns))
            if runs[-1]["setup_slack_ns"] < 0:
                break
            clock_ns = STEP * min(clock_ns, runs[-1]["shortest_period_ns"])
        tools = first["tools"]
        for found in runs:
            del found["tools"]
        runs.sort(key=lambda found: -found["clock_ns"])
        shortest = min(found["shortest_period_ns"] for found in runs)
        return {"runs": runs, "shortest_period_ns": shortest, "tools": tools}
