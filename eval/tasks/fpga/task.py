"""A design on an FPGA: what it takes of the device, and on ECP5 the frequency after routing."""

from collections.abc import Iterable
from dataclasses import dataclass

from eval.catalog.point import Point
from eval.catalog.processor import CORE
from eval.tasks.answers import check_answers
from eval.tasks.keyed import stages_of
from eval.tasks.task import MetricsResult, Task
from eval.tasks.unit import ACCELERATOR, EXPONENTIATOR, MULTIPLIER, OnStep, translation
from eval.tasks.versions import fpga_tools
from flow.order import SUMMARY
from flow.results.fpga import FpgaRoute
from flow.results.run import read_results
from sim.errors import UserError
from sim.paths import build_dir

# Documents count the exponentiator or the multiplier, without a processor's port.
UNITS = (EXPONENTIATOR, ACCELERATOR, MULTIPLIER, CORE)


def check_fpga(point: Point, device: str, unit: str) -> None:
    """Raise UserError unless there are such a device and such a unit of the point."""
    from flow.fpga.graph import DEVICES

    if device not in DEVICES:
        raise UserError(f"--device: no device {device!r}; choose from {', '.join(DEVICES)}")
    if unit not in UNITS:
        raise UserError(f"--unit: no unit {unit!r}; choose from {', '.join(UNITS)}")
    if unit == CORE:
        point.bare()


class FpgaResult(MetricsResult):
    """Resources as metrics, the cells, and how the routing went if there was one."""

    cells: dict[str, int]
    hierarchy: str
    routed: FpgaRoute | None


@dataclass(frozen=True)
class OnFpga(Task[FpgaResult]):
    """A unit of a point on an FPGA family."""

    point: Point
    device: str
    unit: str = EXPONENTIATOR
    kind = "fpga"
    Result = FpgaResult
    text = "{0.point} {0.unit} on {0.device}"
    shell = "fpga {0.point.arguments} --device {0.device}{0.unit_option}"

    @property
    def unit_option(self) -> str:
        """The unit on a command line."""
        return "" if self.unit == EXPONENTIATOR else f" --unit {self.unit}"

    def tools(self) -> dict[str, str]:
        """Name the tools of the FPGA flow."""
        return fpga_tools()

    def stages(self) -> Iterable[str]:
        """List the stages of the steps for the device."""
        from flow.fpga.graph import DEVICES

        return ["fpga", *stages_of((*DEVICES[self.device].steps, SUMMARY))]

    def compute(self, on_step: OnStep) -> FpgaResult:
        """Run the FPGA flow, if the hardware's answers are right."""
        from flow.fpga.run import run_fpga

        check_answers(self.point, on_step)
        done = translation(self.point, self.unit)
        results = run_fpga(
            f"{done.top}-{self.device}",
            done.text,
            done.top,
            build_dir("fpga"),
            self.device,
            lambda step, event: on_step(f"{step} {event}"),
        )
        found = read_results(results)
        mapped, routed = found.steps.fpga_map, found.steps.fpga_route
        assert mapped is not None, self
        return FpgaResult(found.tools, found.metrics, mapped.cells, mapped.hierarchy, routed)
