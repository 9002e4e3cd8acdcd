"""A design on an FPGA: what it takes of the device, and on ECP5 the frequency after routing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from eval.catalog.point import Point
from eval.tasks.harden import translation
from eval.tasks.store import Key, as_text
from eval.tasks.versions import fpga_tools
from sim.errors import UserError
from sim.paths import build_dir

# Documents count the exponentiator or the multiplier, without a processor's port.
UNITS = ("exponentiator", "accelerator", "multiplier")


def check_fpga(device: str, unit: str) -> None:
    """UserError unless there are such a device and such a unit."""
    from flow.fpga_graph import DEVICES

    if device not in DEVICES:
        raise UserError(f"--device: no device {device!r}; choose from {', '.join(DEVICES)}")
    if unit not in UNITS:
        raise UserError(f"--unit: no unit {unit!r}; choose from {', '.join(UNITS)}")


@dataclass(frozen=True, order=True)
class OnFpga:
    """A unit of a point on an FPGA family."""

    point: Point
    device: str
    unit: str = "exponentiator"

    def __str__(self) -> str:
        return f"{self.point} {self.unit} on {self.device}"

    @property
    def command(self) -> str:
        """The command that reproduces the row."""
        unit = "" if self.unit == UNITS[0] else f" --unit {self.unit}"
        return f"modexplorer fpga {self.point.arguments} --device {self.device}{unit}"

    @property
    def key(self) -> Key:
        """The row's key."""
        return Key(
            kind="fpga",
            design=self.point.design,
            nbits=self.point.nbits,
            parameters=as_text({"device": self.device, "unit": self.unit}),
            workload="",
            verilog=translation(self.point, self.unit).digest,
            tools=as_text(fpga_tools()),
        )

    def compute(self, on_step: Callable[[str], None]) -> dict[str, Any]:
        """Run the FPGA flow."""
        from flow.fpga import run_fpga

        done = translation(self.point, self.unit)
        results = run_fpga(
            f"{done.top}-{self.device}",
            done.text,
            done.top,
            build_dir("fpga"),
            self.device,
            lambda step, event: on_step(f"{step} {event}"),
        )
        mapped, routed = results["steps"]["fpga_map"], results["steps"].get("fpga_route")
        return {
            "metrics": results["metrics"],
            "cells": mapped["cells"],
            "hierarchy": mapped["hierarchy"],
            "routed": routed,
            "tools": results["tools"] | {"FPGA flow code": fpga_tools()["FPGA flow code"]},
        }
