"""A unit of a design point placed and routed: wires, checks and picture, kept in the store."""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import msgspec

from eval.catalog.processor import Target
from eval.tasks.answers import check_answers
from eval.tasks.at_clock import GatedClocks, UnitAtClock
from eval.tasks.keyed import recorded_by, steps_to
from eval.tasks.task import LAYOUT, MetricsResult, R, Result
from eval.tasks.unit import ACCELERATOR, OnStep, translation
from eval.tasks.versions import energy_tools, flow_tools
from flow.request import UTILISATIONS, Request
from flow.results.energy import Operation
from flow.results.layers import Layers
from flow.results.layout import Buffers, GroupArea, Routing
from flow.results.netlist import InCorner
from flow.results.record import Kit
from flow.results.run import Results, StepRun, read_results
from flow.technologies.cells import not_fetched
from flow.technologies.rules import layout_hash, no_layout
from flow.technologies.technology import no_gates
from sim.errors import RunError, UserError
from sim.paths import build_dir

LAYERS = "layers.json"  # the last step that leaves it has added to it
GDS = "layout.gds"
FILES = (
    "amoeba.png",
    "amoeba.svg",
    GDS,
    "layout.def",
    "layout.lef",
    "layout.spef",
    "layout.sdf",
    "simulated.v",
    "layout.v",
    "powered.v",
)
DRAWN = ("amoeba_png", "layers")  # in a result: what only a page shows
SHARES = (Request.utilisation, *UTILISATIONS)  # of the core that are cells
USUAL, LEAST_FILL, MOST_FILL = (round(100 * share) for share in SHARES)  # in %


class LayoutResult(MetricsResult):
    """What came out, the energies of operations with wires and before them, where the files are,
    and the pictures, in base64 and in layers, so that a report has them."""

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
    layers: Layers
    kit: Kit
    corners: list[InCorner]
    gating: GatedClocks | None = None
    beside: ClassVar[frozenset[str]] = Result.beside | {"files", *DRAWN}


@dataclass(frozen=True)
class OfLayout(UnitAtClock[R]):
    """What is asked of a unit of a point placed and routed for a clock; so much of its core is
    cells."""

    fill: int = field(default=USUAL, kw_only=True)

    @classmethod
    def of_command(
        cls, target: Target, unit: str, clock_ns: float, gated: bool, fill: int | None, tech: str
    ) -> Self:
        """Make what a command line asks for, where the core may be left to the usual."""
        filled = USUAL if fill is None else fill
        return cls(target, unit, clock_ns, gated=gated, fill=filled, tech=tech)

    def __post_init__(self) -> None:
        for wanted, lacking in ((True, no_layout), (self.gated, no_gates)):
            if wanted and (why := lacking(self.tech)):
                raise UserError(why)
        if not LEAST_FILL <= self.fill <= MOST_FILL:
            raise UserError(f"--fill {self.fill}: must be from {LEAST_FILL} to {MOST_FILL}, in %")

    @property
    def options(self) -> str:
        """The options of its layout on a command line."""
        fill = f" --fill {self.fill}" if self.unusual else ""
        return f"{self.unit_option}{self.gated_option}{fill}"

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

    def stages(self) -> Iterable[str]:
        """List the stages of the steps up to the last, and of recording workloads."""
        return steps_to(self.to, self.energy) + (recorded_by(self.unit) if self.energy else [])

    def finished(self, on_step: OnStep, placement_seed: int = 0) -> Results:
        """Run the flow up to the layout, unless it is there; one of another placement is in a
        folder of its own."""
        return self.run(
            self.to,
            on_step,
            energy=self.energy,
            utilisation=self.fill / 100,
            placement_seed=placement_seed,
        )

    def run(
        self,
        to: str,
        on_step: OnStep,
        recipes: Sequence[str] = (),
        seed: int = 0,
        energy: bool = False,
        placement_seed: int = 0,
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
            self.folder + (f"-placement{placement_seed}" if placement_seed else ""),
            *(done.text, done.top, build_dir("flow")),
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
            placement_seed=placement_seed,
            **asked,
        )
        return read_results(found)


@dataclass(frozen=True)
class LaidOut(OfLayout[LayoutResult]):
    """A unit of a point placed and routed."""

    kind = "layout"
    Result = LayoutResult
    text = "{0.point} {0.unit} layout{0.how}"
    shell = "flow {0.point.arguments} --clock {0.clock_ns:.10g} --to layout{0.options}"
    rank = LAYOUT

    def compute(self, on_step: OnStep) -> LayoutResult:
        """Run the flow up to layout, with energies if there are any."""
        found = self.finished(on_step)
        steps, files = found.steps, files_of(found.run)
        layout, placed, energy = steps.layout, steps.place, steps.layout_energy
        assert layout, self
        assert placed, self
        assert steps.route, self
        layers = files_of(found.run, [LAYERS])[LAYERS]
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
            layers=msgspec.json.decode(Path(layers).read_bytes(), type=Layers),
            tools=found.tools,
            kit=found.kit,
            corners=layout.corners,
            gating=GatedClocks.of(steps),
        )

    def shown(self, result: LayoutResult) -> dict[str, Any]:
        """Leave the pictures out."""
        return {name: v for name, v in super().shown(result).items() if name not in DRAWN}


def files_of(run: list[StepRun], names: Iterable[str] = FILES) -> dict[str, str]:
    """Find where the flow left the layout's files; of two of a name, the later."""
    folders = [Path(step.folder) / "outputs" for step in run]
    return {
        name: str(path) for name in names for folder in folders if (path := folder / name).exists()
    }
