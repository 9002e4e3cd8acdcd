"""A unit of a design point placed and routed: wires, checks and picture, kept in the store."""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval.tasks.answers import check_answers
from eval.tasks.at_clock import GatedClocks, UnitAtClock
from eval.tasks.keyed import recorded_by, steps_to
from eval.tasks.task import LAYOUT, MetricsResult
from eval.tasks.unit import ACCELERATOR, OnStep, translation
from eval.tasks.versions import energy_tools, flow_tools
from flow.request import UTILISATIONS, Request
from flow.results.energy import Operation
from flow.results.layout import Buffers, GroupArea, Routing
from flow.results.record import Kit
from flow.results.run import Results, StepRun, read_results
from flow.technologies.cells import not_fetched
from flow.technologies.rules import layout_hash
from sim.errors import RunError
from sim.paths import build_dir

FILES = (
    "amoeba.png",
    "amoeba.svg",
    "layout.gds",
    "layout.def",
    "layout.spef",
    "layout.sdf",
    "simulated.v",
    "layout.v",
)
PICTURE = "amoeba_png"  # in a result: the picture in base64
SHARES = (Request.utilisation, *UTILISATIONS)  # of the core that are cells
USUAL, LEAST_FILL, MOST_FILL = (round(100 * share) for share in SHARES)  # in %


class LayoutResult(MetricsResult):
    """What came out, the energies of operations with wires and before them, where the files are,
    and the picture, so that a report has it."""

    label: str
    violations: dict[str, int]
    core_um: tuple[float, float]
    buffers: Buffers
    router: Routing
    modules: list[GroupArea]
    wire_um_by_metal: dict[str, float]
    operations: dict[str, Operation]
    operations_before: dict[str, Operation]
    seconds: dict[str, float]
    files: dict[str, str]
    amoeba_png: str
    kit: Kit
    gating: GatedClocks | None = None


@dataclass(frozen=True)
class LaidOut(UnitAtClock[LayoutResult]):
    """A unit of a point placed and routed for a clock; so much of its core is cells."""

    fill: int = field(default=USUAL, kw_only=True)

    kind = "layout"
    Result = LayoutResult
    text = "{0.point} {0.unit} layout{0.how}"
    shell = "flow {0.point.arguments} --clock {0.clock_ns:.10g}{0.options}"
    rank = LAYOUT

    @property
    def options(self) -> str:
        """The other options of its command."""
        fill = f" --fill {self.fill}" if self.unusual else ""
        return f"{self.unit_option} --to layout{self.gated_option}{fill}"

    @property
    def unusual(self) -> bool:
        """Whether the core is filled otherwise than that of other layouts."""
        return self.fill != USUAL

    @property
    def how(self) -> str:
        """What the text says of clocks and core."""
        return self.with_gates + (f", {self.fill} % filled" if self.unusual else "")

    def parameters(self) -> dict[str, Any]:
        """Add how the core is filled, if it is unusual."""
        found = super().parameters() | ({"fill": self.fill} if self.unusual else {})
        return found | (self.workloads() if self.energy else {})

    @property
    def filling(self) -> str:
        """What names of files say of the core."""
        return f"-fill{self.fill}" if self.unusual else ""

    @property
    def folder(self) -> str:
        """Give each way to fill the core a folder of its own."""
        return super().folder + self.filling

    @property
    def energy(self) -> bool:
        """Whether the unit has a workload, and so energies."""
        return self.unit == ACCELERATOR

    def tools(self) -> dict[str, str]:
        """Add rules and cells of layouts, and what records workloads, to the flow's tools."""
        of_layout = {"layout files": layout_hash(self.tech)[:12]}
        return flow_tools(self.tech) | of_layout | (energy_tools() if self.energy else {})

    @property
    def to(self) -> str:
        """The last step."""
        return "layout_energy" if self.energy else "layout"

    def uses(self) -> Iterable[str]:
        """Name the steps up to the last, and what records workloads."""
        return steps_to(self.to, self.energy) + (recorded_by(self.unit) if self.energy else [])

    def compute(self, on_step: OnStep) -> LayoutResult:
        """Run the flow up to layout, with energies if there are any."""
        found = self.run(self.to, on_step, energy=self.energy, utilisation=self.fill / 100)
        steps, files = found.steps, files_of(found.run)
        layout, placed, energy = steps.layout, steps.place, steps.layout_energy
        assert layout, self
        assert placed, self
        assert steps.route, self
        assert found.kit, self
        return LayoutResult(
            label=layout.label,
            violations=layout.violations,
            core_um=placed.core_um,
            buffers=placed.buffers,
            modules=layout.modules,
            wire_um_by_metal=layout.wire_um_by_metal,
            metrics=found.metrics,
            router=steps.route,
            operations=energy.operations if energy else {},
            operations_before=energy.before if energy else {},
            seconds={step.step: step.seconds for step in found.run},
            files=files,
            amoeba_png=base64.b64encode(Path(files["amoeba.png"]).read_bytes()).decode(),
            tools=found.tools,
            kit=found.kit,
            gating=GatedClocks.of(steps),
        )

    def run(
        self,
        to: str,
        on_step: OnStep,
        recipes: Sequence[str] = (),
        seed: int = 0,
        energy: bool = False,
        **asked: Any,
    ) -> Results:
        """Run the flow as other units do, by the rules of the technology for layouts."""
        from flow.layout_run import run_layout

        if why := not_fetched(self.tech):
            raise RunError(why)
        check_answers(self.point, on_step)
        recording = None
        if energy:
            from eval.tasks.flow_run.recording import record

            on_step("recording the workload")
            recording = record(self.point)
        done = translation(self.point, self.unit)
        found = run_layout(
            *(self.folder, done.text, done.top, build_dir("flow")),
            on_step=lambda step, event: on_step(f"{step} {event}"),
            recording=recording,
            wait=True,
            to=to,
            clock_period=self.clock_ns,
            flatten=done.flattened,
            carry_save=done.carry_save,
            recipes=recipes,
            seed=seed,
            gated=self.gated,
            tech=self.tech,
            **asked,
        )
        return read_results(found)

    def shown(self, result: LayoutResult) -> dict[str, Any]:
        """Leave the picture out."""
        return {name: v for name, v in super().shown(result).items() if name != PICTURE}


def files_of(run: list[StepRun]) -> dict[str, str]:
    """Find where the flow left the layout's files."""
    folders = [Path(step.folder) / "outputs" for step in run]
    return {
        name: str(path) for name in FILES for folder in folders if (path := folder / name).exists()
    }
