"""Lay a unit of a design point out: placement, wires, checks and picture, kept in the store."""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.tasks.harden import Target, run_name, run_to, translation
from eval.tasks.store import Key, as_text
from eval.tasks.versions import energy_tools, flow_tools

FILES = ("amoeba.png", "amoeba.svg", "layout.gds", "layout.def", "layout.spef", "layout.v")
WHOLE = ("accelerator", "system")  # the unit that a command means if it names none
PICTURE = "amoeba_png"  # in a result: the picture in base64


@dataclass(frozen=True, order=True)
class Layout:
    """A unit of a point placed and routed for a clock."""

    point: Target
    unit: str
    clock_ns: float

    def __str__(self) -> str:
        return f"{self.point} {self.unit} layout"

    @property
    def run(self) -> str:
        """The flow's run, and its folder in build/flow."""
        return run_name(self.point, self.unit, self.clock_ns)

    @property
    def energy(self) -> bool:
        """Whether the unit has a workload, and so energies."""
        return self.unit == "accelerator"

    @property
    def command(self) -> str:
        """The command that reproduces the row."""
        unit = "" if self.unit in WHOLE else f" --unit {self.unit}"
        clock = f"--clock {self.clock_ns:.10g}"
        return f"modexplorer flow {self.point.arguments} {clock}{unit} --to layout"

    @property
    def key(self) -> Key:
        """The row's key."""
        return Key(
            kind="layout",
            design=self.point.design,
            nbits=self.point.nbits,
            parameters=as_text({"clock_ns": self.clock_ns, "unit": self.unit}),
            workload="",
            verilog=translation(self.point, self.unit).digest,
            tools=as_text(flow_tools() | (energy_tools() if self.energy else {})),
        )

    def compute(self, on_step: Callable[[str], None]) -> dict[str, Any]:
        """Run the flow up to layout; the picture is in the result, so that a report has it."""
        workload = None
        if self.energy:
            from eval.tasks.energy_workload import workload_for

            on_step("recording the workload")
            workload = workload_for(self.point)
        last = "layout_energy" if self.energy else "layout"
        found = run_to(last, self.point, self.clock_ns, self.unit, on_step, workload=workload)
        steps = found["steps"]
        energy = steps.get("layout_energy", {})
        files = files_of(found["run"])
        return {
            "metrics": found["metrics"],
            "label": steps["layout"]["label"],
            "violations": steps["layout"]["violations"],
            "core_um": steps["place"]["core_um"],
            "buffers": steps["place"]["buffers"],
            "router": steps["route"],
            "modules": steps["layout"]["modules"],
            "wire_um_by_metal": steps["layout"]["wire_um_by_metal"],
            "operations": energy.get("operations", {}),
            "operations_before": energy.get("before", {}),
            "seconds": {step["step"]: step["seconds"] for step in found["run"]},
            "files": files,
            PICTURE: base64.b64encode(Path(files["amoeba.png"]).read_bytes()).decode(),
            "tools": found["tools"] | {"flow code": flow_tools()["flow code"]},
            "kit": found["kit"],
        }


def files_of(run: list[dict[str, Any]]) -> dict[str, str]:
    """Where the flow left the layout's files."""
    folders = [Path(step["folder"]) / "outputs" for step in run]
    return {
        name: str(path) for name in FILES for folder in folders if (path := folder / name).exists()
    }
