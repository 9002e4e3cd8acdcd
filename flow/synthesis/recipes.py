"""The synthesis recipes, from the smallest netlist to the fastest.

No recipe wins for every design, so the step tries several and keeps the smallest that meets the
clock. Arithmetic decides most: yosys' generic optimisation before mapping destroys the structure of
adders and multipliers, but pays where a design is control; Booth multipliers and prefix adders cost
area for speed. A flat recipe maps the whole design as one module: paths through several modules are
optimised, area by module is lost. Carry-save logic is smaller of the kit's full adders, which ABC
does not map to: they are found and set before it; chains of adders are slower so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

# Delays are in ps. "target" leaves room in the clock period for what ABC does not see:
# clock-to-output delay, setup time and wires.
MAPPING = {
    "area": ["strash", "dch", "amap -m"],
    "balanced": ["strash", "ifraig", "scorr", "dc2", "dch", "map -B 0.9 -D {relaxed}"],
    "fast": ["strash", "ifraig", "scorr", "dch", "map -B 0.9 -D {period}"],
    "tight": ["strash", "ifraig", "scorr", "dch", "map -B 0.9 -D {target}"],
    "restructured": [
        *("strash", "ifraig", "&get -n", "&st", "&if -g -K 6", "&put"),
        *("dch", "map -B 0.9 -D {period}"),
    ],
}
# Of modules on a path that goes through several: their gates are made as strong as if they had a
# third of the period, where the others leave buffers to a thousand registers weak. Such registers
# may be in other modules: "driving" takes each output to have so many times the usual load. Where
# outputs are many that costs a lot.
HURRIED, DRIVING, DRIVING_LOAD = "hurried", "driving", 100
MAPPING |= dict.fromkeys((HURRIED, DRIVING), MAPPING["restructured"])
# Of carry-save logic, whose full adders ABC takes for black boxes: sizing.py sizes it once more.
SIZED = "sized"
MAPPING[SIZED] = MAPPING["fast"]
# Unless the design is mapped flat, modules with more gates than this are spared what takes longer
# than in proportion: of one with 163701, `dch` took seven minutes of eight.
MOST_GATES = 20_000
SLOW = {"ifraig", "scorr", "dc2", "dch"}
SIZING = [
    *("topo", "buffer -c -N 16", "topo"),
    *("upsize -c -D {target}", "dnsize -c -D {target}", "stime -p"),
]
MARGIN_PS = dict.fromkeys(MAPPING, 250) | {"tight": 500}  # tight: that of other modules, too
RIPPLE_NS = 0.025  # of a bit at least: 0.032 were seen
# With a factor of six bits Booth's coding costs more than the partial products that it saves,
# and yosys makes it of 2048 bits by four in 12 GB and many minutes.
LEAST_BOOTH_BITS = 8
# Files of the step's folder, or, with "+/", of yosys.
ADDER = {"ripple": "ripple.v", "sklansky": "+/choices/sklansky.v"}


@dataclass(frozen=True)
class Recipe:
    """One way from Verilog to gates."""

    mapping: str
    booth: bool = False
    adder: str | None = None
    full_adders: bool = False
    generic: bool = False
    flat: bool = False

    @property
    def name(self) -> str:
        """Its parts joined by "+": "area+booth+ripple"."""
        extra = [("booth", self.booth), (self.adder, self.adder), ("fa", self.full_adders)]
        extra += [("generic", self.generic), ("flat", self.flat)]
        return "+".join([self.mapping, *(str(part) for part, used in extra if used)])

    def that_matters(self, multiplies: bool, adds: bool) -> "Recipe":
        """Leave out what makes no difference to a design or module: Booth where nothing is
        multiplied, the choice of an adder where nothing is added, compared or divided."""
        return replace(self, booth=self.booth and multiplies, adder=self.adder if adds else None)

    def synth_options(self) -> str:
        """Write the options of the part "fine" of yosys' synth that differ between recipes."""
        options = [] if self.generic else ["-noabc"]
        if self.adder:
            options.append(f"-extra-map {ADDER[self.adder]}")
        return " ".join(options)

    @property
    def load(self) -> int:
        """By how many times the usual load each output is taken to be loaded."""
        return DRIVING_LOAD if self.mapping == DRIVING else 1

    def abc_script(
        self, period_ns: float, large: bool = False, pace: float = 1.0, sized: bool = True
    ) -> str:
        """Write the ABC script for a clock period, one command per line; that for modules with more
        than MOST_GATES. The pace is that of the technology, beside the one that margins are for;
        gates are `sized` where the library has a buffer, without which abc does not."""
        period = round(period_ns * 1000)
        times = {"period": period, "relaxed": period * 4 // 3}
        times["target"] = max(period - round(MARGIN_PS[self.mapping] * pace), period // 2)
        if self.mapping in (HURRIED, DRIVING):
            times["target"] = period // 3
        commands = MAPPING[self.mapping] + (SIZING if sized else ["topo"])
        commands = [c for c in commands if not (large and c in SLOW)]
        return "".join(f"{command.format(**times)}\n" for command in commands)


def parse(name: str) -> Recipe:
    """Read the name of a recipe, such as "area+booth"; ValueError if a part is unknown."""
    mapping, *extra = name.split("+")
    adders = [part for part in extra if part in ADDER]
    known = {"booth", "fa", "generic", "flat", *ADDER}
    if mapping not in MAPPING or len(adders) > 1 or not known.issuperset(extra):
        parts = f"{'|'.join(MAPPING)}[+booth][+{'|'.join(ADDER)}][+fa][+generic][+flat]"
        raise ValueError(f"recipe {name}: expected {parts}")
    adder = adders[0] if adders else None
    return Recipe(
        mapping, "booth" in extra, adder, *(p in extra for p in ("fa", "generic", "flat"))
    )


def too_long(recipe: Recipe, adder_bits: int, period: float, pace: float = 1.0) -> bool:
    """Tell whether a carry that ripples through so many bits takes more than the clock period."""
    return recipe.adder == "ripple" and adder_bits * RIPPLE_NS * pace > period


def applicable(
    recipes: list[Recipe],
    operators: Mapping[str, int],
    modules: int,
    carry_save: bool = False,
    factor_bits: int | None = None,
) -> list[Recipe]:
    """Drop from recipes what a design has no use for: Booth without a multiplier, or where one
    factor of each product has few bits, at most `factor_bits`; the choice of an adder without one,
    full adders without carry-save logic and what sizes around them, flat with a single module.
    Those that become equal are kept once, in order."""
    multiplies = any(kind in operators for kind in ("mul", "macc", "macc_v2"))
    adds = multiplies or any(
        kind in operators
        for kind in ("add", "sub", "neg", "alu", "lt", "le", "gt", "ge", "div", "mod")
    )
    booth = multiplies and (factor_bits is None or factor_bits >= LEAST_BOOTH_BITS)
    kept = (
        replace(
            recipe.that_matters(booth, adds),
            full_adders=recipe.full_adders and carry_save,
            flat=recipe.flat and modules > 1,
        )
        for recipe in recipes
        if carry_save or recipe.mapping != SIZED
    )
    return list(dict.fromkeys(kept))
