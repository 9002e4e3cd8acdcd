"""Area and delay of units for a fixed modulus: tables 3 and 5, figures 13, 14 and 24 to 29 of
document 000.

Every unit but Montgomery's is one combinational module, mapped as a whole by the same recipes for
the same clock, too short to be met: the delay is from an input (driven by a cell at time 0) to an
output (7 fF). Without registers there is no clock-to-output delay and no setup time in it.
Montgomery's multiplier, the unit of mm-000, works step by step: its delay is the shortest period of
a step. Of each unit's netlists the one with the least area x delay counts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pymtl3 import Component

from eval.tasks.keyed import steps_to
from eval.tasks.task import Result, Task
from eval.tasks.unit import OnStep, digest_of
from fl.modulus import Modulus, third
from fl.tree_mul import Tree
from fl.tree_reduce import ReductionTree
from flow.results.record import Kit
from flow.results.run import read_results
from rtl.mul.mont_mul import MontMul
from rtl.mul.product_remainder import DirectMul, DirectRemainder
from rtl.mul.tree_mul import TreeMul, TreeSquare
from rtl.mul.tree_reduce import TreeReduce
from sim.paths import build_dir
from sim.translate import Translation, translate

CLOCK_NS = 1.0
RECIPES = ("area+booth+flat", "fast+booth+flat")
# By study: the n of table 5 that it has, and those of which it has trees alone.
TABLES = {
    "pseudo-tables": ((4, 6, 8, 10), ()),
    "pseudo-tables-long": ((4, 6, 8, 10, 16), (32,)),
}
# How a unit is built; else by the order of a compression tree.
DIRECT, SQUARE, MONTGOMERY = "direct", "square", "montgomery"
SWEEPS = "document-000"  # the study of units over n


class MultiplierResult(Result):
    """The netlist of the least area x delay; stages, compressors and adders of a tree, cycles of
    Montgomery's product."""

    area_um2: float
    delay_ns: float
    recipe: str
    structure: dict[str, int]
    kit: Kit
    seconds: float = 0.0

    @property
    def product(self) -> float:
        """Area x delay in um2*ns."""
        return self.area_um2 * self.delay_ns

    @property
    def total_ns(self) -> float:
        """The delay of the whole: that of all steps."""
        return self.delay_ns * self.structure.get("cycles", 1)


@dataclass(frozen=True)
class FixedUnit(Task[MultiplierResult]):
    """A unit modulo 2^n + offset, built in some way."""

    n: int
    offset: int
    how: str
    Result = MultiplierResult
    text = "{0.modulus.text} {0.how}"
    shell = "explore {0.study}"

    @property
    def study(self) -> str:
        """The study that has it."""
        return SWEEPS

    @property
    def modulus(self) -> Modulus:
        """Its modulus."""
        return Modulus(self.n, self.offset)

    @property
    def top(self) -> str:
        """The name of its Verilog top module."""
        raise NotImplementedError

    def component(self) -> Component:
        """Make a new component."""
        raise NotImplementedError

    @property
    def tree(self) -> Tree | None:
        """The compression tree that it is, if it is one."""
        raise NotImplementedError

    def subject(self) -> tuple[str, int]:
        """Name the unit, and the bits of a residue."""
        return str(self), self.modulus.width

    def parameters(self) -> dict[str, Any]:
        """Say how it is built and mapped, and what is told of it besides."""
        mapped = {"clock_ns": CLOCK_NS, "recipes": RECIPES}
        return super().parameters() | mapped | {"structure": self.structure()}

    def stages(self) -> Iterable[str]:
        """List the stages of the steps up to synthesis."""
        return steps_to("synthesis", energy=False)

    def verilog(self) -> str:
        """Hash the unit's Verilog."""
        return digest_of(_translation(self))

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
        front = [row for row in found.steps.synthesis.front if row.area_um2 is not None]
        best = min(front, key=lambda row: row.area_um2 * row.period_ns)
        return MultiplierResult(
            area_um2=best.area_um2,
            delay_ns=best.period_ns,
            recipe=best.recipe,
            seconds=sum(row.seconds for row in front),
            structure=self.structure(),
            tools=found.tools,
            kit=found.kit,
        )

    def structure(self) -> dict[str, int]:
        """Count stages, compressors and adders of a tree; empty for others."""
        tree = self.tree
        if tree is None:
            return {}
        kinds = ("five_three", "full", "half")
        return {"stages": len(tree.stages), "adders": tree.sum.adders} | {
            kind: sum(stage.total(kind) for stage in tree.stages) for kind in kinds
        }


@lru_cache(None)
def _translation(unit: FixedUnit) -> Translation:
    return translate(unit.component(), unit.top)


@dataclass(frozen=True)
class FixedMultiplier(FixedUnit):
    """A multiplier: a compression tree of some order, perhaps a squarer, the direct one, or
    Montgomery's of that width."""

    kind = "fixed-multiplier"

    @property
    def study(self) -> str:
        """The study that has it."""
        for name, widths in TABLES.items():
            if self in of_tables(*widths):
                return name
        return SWEEPS

    @property
    def top(self) -> str:
        """The name of its Verilog top module."""
        return f"mul_{self.modulus.name}_{self.how}"

    @property
    def montgomery(self) -> MontMul:
        """Montgomery's unit of that width, a step per cycle, without a last subtraction."""
        return MontMul(self.modulus.width, 1, final_subtract=False)

    def component(self) -> Component:
        """Make a new component."""
        if self.how == DIRECT:
            return DirectMul(self.modulus.value)
        if self.how == MONTGOMERY:
            return self.montgomery.rtl()
        return TreeSquare(self.modulus) if self.how == SQUARE else TreeMul(self.modulus, self.how)

    @property
    def tree(self) -> Tree | None:
        """The compression tree that it is, if it is one."""
        if self.how in (DIRECT, MONTGOMERY):
            return None
        if self.how == SQUARE:
            return Tree(self.modulus, square=True)
        return Tree(self.modulus, self.how)

    def structure(self) -> dict[str, int]:
        """Count what a tree has, or the cycles of Montgomery's product."""
        if self.how == MONTGOMERY:
            return {"cycles": self.montgomery.latency(0, 0, 1)}
        return super().structure()


@dataclass(frozen=True)
class FixedReduction(FixedUnit):
    """A reduction of one number of so many bits: a compression tree of some order, or direct."""

    value_bits: int = 32
    kind = "fixed-reduction"
    text = "{0.value_bits} bits mod {0.modulus.text} {0.how}"

    @property
    def top(self) -> str:
        """The name of its Verilog top module."""
        return f"reduce_{self.value_bits}_{self.modulus.name}_{self.how}"

    def component(self) -> Component:
        """Make a new component."""
        if self.how == DIRECT:
            return DirectRemainder(self.modulus.value, self.value_bits)
        return TreeReduce(self.modulus, self.value_bits, self.how)

    @property
    def tree(self) -> Tree | None:
        """The compression tree that it is, if it is one."""
        if self.how == DIRECT:
            return None
        return ReductionTree(self.modulus, self.how, value_bits=self.value_bits)


FORM_BITS = 8
FORM_OFFSETS = (0, -1, 1, -3, 3, -5, 5, -21, 21, -85, 85)


def forms_at(n: int) -> tuple[FixedMultiplier, ...]:
    """Name the trees of the forms of table 3 that there are at n: k of 2^n-k is below 2^(n-1)."""
    offsets = (k for k in FORM_OFFSETS if -(1 << n - 1) < k < 1 << n)
    return tuple(FixedMultiplier(n, offset, "document") for offset in offsets)


# Table 3 names the forms, figures 13 and 14 show them without numbers.
FORMS = forms_at(FORM_BITS)


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


@lru_cache(None)
def of_tables(widths: tuple[int, ...], trees: tuple[int, ...] = ()) -> tuple[FixedMultiplier, ...]:
    """Name what fills tables 3 and 5: the forms of the modulus, and at each width a modulus and its
    pseudo-modulus; at those of `trees` as trees only."""
    pairs = (m for n in widths for m in (*pair_at(n), *direct_at(n)))
    return tuple(dict.fromkeys((*FORMS, *pairs, *(m for n in trees for m in pair_at(n)))))


def both_at(n: int) -> tuple[Modulus, Modulus]:
    """Return the modulus and the pseudo-modulus of one of the document's tests."""
    return Modulus(n, third(n)), Modulus(n + 2, -1)


# Of figures 24 to 29: a test of the document's is a modulus 2^n + k and its pseudo-modulus.
MULTIPLIED = ("document", SQUARE, "late", DIRECT, MONTGOMERY)
REDUCED = ("document", "late", DIRECT)
INPUT_BITS = 32  # of figures 24 and 25


def multipliers_at(n: int) -> tuple[FixedMultiplier, ...]:
    """Name the multipliers of figures 27 to 29 at n."""
    return tuple(FixedMultiplier(m.n, m.offset, how) for how in MULTIPLIED for m in both_at(n))


def reductions_at(n: int) -> tuple[FixedReduction, ...]:
    """Name the reductions of figures 24 to 26 at n: of 32 bits, and of as many as the modulus
    has."""
    return tuple(
        FixedReduction(m.n, m.offset, how, bits)
        for how in REDUCED
        for m in both_at(n)
        for bits in (INPUT_BITS, m.value.bit_length())
    )
