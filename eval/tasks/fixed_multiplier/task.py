"""Tables 3 and 5 of document 000 measured: area and delay of fixed-modulus multipliers by form.

Every multiplier is one combinational module, mapped as a whole by the same recipes for the same
clock, too short to be met: the delay is from an input (driven by INV_X2 at time 0) to an output
(7 fF). Without registers there is no clock-to-output delay and no setup time in it. Of each
multiplier's netlists the one with the least area x delay counts.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pymtl3 import Component

from eval.tasks.task import OnStep, Result, Task
from eval.tasks.versions import flow_tools
from fl.modulus import Modulus, third
from fl.tree_mul import Tree
from flow.results.record import Kit
from flow.results.run import read_results
from rtl.mul.product_remainder import DirectMul
from rtl.mul.tree_mul import TreeMul
from sim.paths import build_dir
from sim.translate import Translation, translate

CLOCK_NS = 1.0
RECIPES = ("area+booth+flat", "fast+booth+flat")
MOST_IN_STUDY = 12  # n of what study pseudo-tables maps; longer ones are pseudo-tables-long's
DIRECT = "direct"  # else the order of a compression tree


class MultiplierResult(Result):
    """The netlist of the least area x delay; stages, compressors and adders of a tree."""

    area_um2: float
    delay_ns: float
    recipe: str
    seconds: float
    structure: dict[str, int]
    kit: Kit

    @property
    def product(self) -> float:
        """Area x delay in um2*ns."""
        return self.area_um2 * self.delay_ns


@dataclass(frozen=True)
class FixedMultiplier(Task[MultiplierResult]):
    """A multiplier modulo 2^n + offset: a compression tree of some order, or the direct one."""

    n: int
    offset: int
    how: str
    kind = "fixed-multiplier"
    Result = MultiplierResult
    text = "{0.modulus.text} {0.how}"
    shell = "explore pseudo-tables{0.study}"

    @property
    def study(self) -> str:
        """The end of the name of the study that has it."""
        return "-long" if self.n > MOST_IN_STUDY else ""

    @property
    def modulus(self) -> Modulus:
        """Its modulus."""
        return Modulus(self.n, self.offset)

    @property
    def top(self) -> str:
        """The name of its Verilog top module."""
        return f"mul_{self.modulus.name}_{self.how}"

    def component(self) -> Component:
        """Make a new component."""
        if self.how == DIRECT:
            return DirectMul(self.modulus.value)
        return TreeMul(self.modulus, self.how)

    def subject(self) -> tuple[str, int]:
        """Name the multiplier, and the bits of its operands."""
        return str(self), self.modulus.width

    def parameters(self) -> dict[str, Any]:
        """Say how it is built and mapped."""
        return super().parameters() | {"clock_ns": CLOCK_NS, "recipes": RECIPES}

    def verilog(self) -> str:
        """Hash the multiplier's Verilog."""
        return _translation(self).digest

    def compute(self, on_step: OnStep) -> MultiplierResult:
        """Map it, and keep the netlist of the least area x delay."""
        from flow.run import run_flow

        done = _translation(self)
        results = run_flow(
            f"{self.top}-{CLOCK_NS:g}ns",
            done.text,
            done.top,
            build_dir("flow"),
            clock_period=CLOCK_NS,
            to="synthesis",
            recipes=RECIPES,
            on_step=lambda step, event: on_step(f"{step} {event}"),
        )
        found = read_results(results)
        front = [row for row in found.steps.synthesis.front if row.error is None]
        best = min(front, key=lambda row: row.area_um2 * row.period_reached_ns)
        return MultiplierResult(
            area_um2=best.area_um2,
            delay_ns=best.period_reached_ns,
            recipe=best.recipe,
            seconds=sum(row.seconds for row in front),
            structure=self.structure(),
            tools=found.tools | {"flow code": flow_tools()["flow code"]},
            kit=found.kit,
        )

    def structure(self) -> dict[str, int]:
        """Count stages, compressors and adders of a tree; empty for the direct multiplier."""
        if self.how == DIRECT:
            return {}
        tree = Tree(self.modulus, self.how)
        kinds = ("five_three", "full", "half")
        return {"stages": len(tree.stages), "adders": tree.sum.adders} | {
            kind: sum(stage.total(kind) for stage in tree.stages) for kind in kinds
        }


@lru_cache(None)
def _translation(multiplier: FixedMultiplier) -> Translation:
    return translate(multiplier.component(), multiplier.top)


FORM_BITS = 8
FORM_OFFSETS = (0, -1, 1, -3, 3, -5, 5, -21, 21, -85, 85)

# Table 3 names the forms, figures 13 and 14 show them without numbers.
FORMS = tuple(FixedMultiplier(FORM_BITS, offset, "document") for offset in FORM_OFFSETS)


def pair_at(n: int) -> tuple[FixedMultiplier, ...]:
    """Name the trees of table 5 at n: 2^n+k folded as in the document and late, and 2^(n+2)-1."""
    return (
        FixedMultiplier(n, third(n), "document"),
        FixedMultiplier(n, third(n), "late"),
        FixedMultiplier(n + 2, -1, "document"),
    )


def direct_at(n: int) -> tuple[FixedMultiplier, ...]:
    """Name the direct multipliers of the same moduli."""
    return (FixedMultiplier(n, third(n), DIRECT), FixedMultiplier(n + 2, -1, DIRECT))
