"""The record of one run of the flow, on cells or on an FPGA."""

from typing import Any

import msgspec

from flow.results.energy import Energy, Simulation
from flow.results.fpga import FpgaMap, FpgaRoute
from flow.results.layout import Layout, LayoutEnergy, Placement, Routing
from flow.results.netlist import Equivalence, Synthesis, Timing
from flow.results.record import Kit, Metrics, Record


class Steps(Record):
    """What the steps say, each None if it was not run."""

    synthesis: Synthesis | None = None
    timing: Timing | None = None
    simulation: Simulation | None = None
    power: Energy | None = None
    equivalence: Equivalence | None = None
    place: Placement | None = None
    route: Routing | None = None
    layout: Layout | None = None
    layout_energy: LayoutEnergy | None = None
    fpga_map: FpgaMap | None = None
    fpga_route: FpgaRoute | None = None


class StepRun(Record):
    """How long a step took, and where it did."""

    step: str
    seconds: float
    folder: str


class Results(Record):
    """All that one run says."""

    metrics: Metrics
    tools: dict[str, str]
    steps: Steps
    run: list[StepRun]
    kit: Kit | None = None


def read_results(results: dict[str, Any]) -> Results:
    """The record of what run_flow or run_fpga returns."""
    return msgspec.convert(results, Results)
