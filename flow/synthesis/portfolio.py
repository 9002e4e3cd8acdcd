"""Choose which recipes are tried, in which order, and which netlist wins.

A row is what is known of a recipe: its netlist's area, cells and timing, or why there is none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from flow.results.netlist import Attempt, Candidate, Rtl
from flow.synthesis.recipes import Recipe, applicable, parse, too_long

Row = Candidate | Attempt
Portfolio = Sequence[Sequence[Recipe]]  # groups of recipes, from small to fast
THEN = "then"
# From small to fast: what follows "then" is tried only if nothing before meets the clock. If the
# first of a group is far too slow, the others are left out. Booth multipliers pay where operands
# are wide: the first recipe is tried with and without, which decides for the rest of them.
RECIPES = (
    *("area+booth+fa", "area+fa"),  # of designs with carry-save logic
    *("area+booth", "area", "area+booth+flat", "area+flat"),
    "area+generic",  # of small designs, where flat saves little
    *(THEN, "sized+fa"),  # of designs with carry-save logic
    *("fast+booth", "fast", "fast+booth+fa", "fast+fa", "fast+booth+ripple", "fast+ripple"),
    *("fast+booth+ripple+flat", "fast+ripple+flat"),
    # Flat at last but for slower ones, which were never seen smaller where this meets it.
    *(THEN, "fast+booth+flat", "fast+flat"),
    *(THEN, "tight+booth", "tight"),
    *(THEN, "restructured+booth", "restructured"),
)
NEARLY = 1.02
HOPELESS = 1.2  # times the clock period
# The same of a flat netlist's like with hierarchy: flat ones were seen to be up to 31 % faster.
HOPELESS_FLAT = 1.5
# Of the area of one with hierarchy. Generic ones were seen to save up to 6 % of it, and no more
# than flat ones where those saved 3 %.
FLAT_SAVES = 0.05
LARGE, HUGE = 6000, 65_000  # cells


def groups(names: Iterable[str]) -> list[list[Recipe]]:
    """Read the recipes of these names, divided where one is "then"."""
    divided = (group for is_then, group in groupby(names, THEN.__eq__) if not is_then)
    return [[parse(name) for name in group] for group in divided]


def portfolio(
    names: Sequence[str], rtl: Rtl, carry_save: bool, period: float, pace: float = 1.0
) -> list[list[Recipe]]:
    """List those of the named recipes, or of all, that a design has a use for, in groups."""
    return [
        [
            recipe
            for recipe in applicable(
                group, rtl.operators, len(rtl.modules), carry_save, rtl.factor_bits
            )
            if not too_long(recipe, rtl.widest_adder, period, pace)
        ]
        for group in groups(names or RECIPES)
    ]


def divided(tried: Sequence[Row]) -> tuple[list[Candidate], list[Candidate]]:
    """List the netlists there are: those with hierarchy, and those without. A recipe that failed,
    or was beaten before it was through, has made none."""
    netlists = [row for row in tried if isinstance(row, Candidate)]
    flats = [row for row in netlists if parse(row.recipe).flat]
    return [row for row in netlists if row not in flats], flats


def best(front: Sequence[Candidate]) -> Candidate:
    """Choose the smallest that meets the clock, or else of those nearly as fast as any."""
    fastest = min(row.period_ns or 0.0 for row in front)
    meeting = [row for row in front if row.clock_met] or [
        row for row in front if (row.period_ns or 0.0) <= NEARLY * fastest
    ]
    return min(meeting, key=lambda row: row.area_um2)


def to_speed_up(front: Sequence[Candidate], period: float) -> Candidate:
    """Choose the netlist that is sped up module by module: the smallest that is not far too slow,
    if there is one."""
    near = [row for row in front if not far_too_slow([row], period)]
    return min(near, key=lambda row: row.area_um2) if near else best(front)


def already(recipe: Recipe, tried: Sequence[Row]) -> bool:
    """Tell whether a recipe was tried in an earlier group."""
    return any(row.recipe == recipe.name for row in tried)


def far_too_slow(tried: Sequence[Row], period: float) -> bool:
    """Tell whether all of the netlists are so slow that their like need not be tried."""
    periods = [row.period_ns or 0.0 for row in tried]
    return bool(periods) and min(periods) > HOPELESS * period


def large(tried: Sequence[Row]) -> bool:
    """Tell whether the netlists are so large that a generic recipe would take minutes, or hours
    where trees are. It was never seen to pay for them."""
    return any(row.cells > LARGE for row in tried)


def huge(tried: Sequence[Row]) -> bool:
    """Tell whether even the smallest netlist is so large that a flat one takes as long as all
    others together, and that faster recipes are for the few modules only that make it too slow."""
    cells = [row.cells for row in tried if row.cells]
    return bool(cells) and min(cells) > HUGE


def too_slow_flat(recipe: Recipe, tried: Sequence[Row], period: float) -> bool:
    """Tell whether a flat recipe with rippling adders can't meet the clock, going by the same with
    hierarchy. The faster adders of others come close to it in the end if nothing meets it."""
    like = replace(recipe, flat=False).name
    reached = [row.period_ns or 0.0 for row in tried if row.recipe == like]
    slow = any(time > HOPELESS_FLAT * period for time in reached)
    return recipe.flat and recipe.adder == "ripple" and slow


def saved_flat(tried: Sequence[Row]) -> bool:
    """Tell whether a flat netlist meets the clock with so much less area than those with hierarchy
    that a generic one is not tried."""
    front, flats = divided(tried)
    least = min((row.area_um2 for row in flats if row.clock_met), default=float("inf"))
    others = [row.area_um2 for row in front]
    return bool(others) and least < (1 - FLAT_SAVES) * min(others)


def stages(recipes: list[Recipe]) -> list[list[Recipe]]:
    """Divide recipes by what is known before: those with hierarchy tell of flat ones, and these of
    generic ones."""
    return [
        [recipe for recipe in recipes if not (recipe.flat or recipe.generic)],
        [recipe for recipe in recipes if recipe.flat],
        [recipe for recipe in recipes if recipe.generic and not recipe.flat],
    ]


def worth_trying(recipe: Recipe, tried: Sequence[Row], period: float) -> bool:
    """Tell whether a recipe may pay for a design as large and slow as the netlists that there are.
    Where they are huge, the one without full adders was never seen to pay beside that with them."""
    if too_slow_flat(recipe, tried, period):
        return False
    with_adders = replace(recipe, full_adders=True)
    if huge(tried) and (recipe.flat or recipe != with_adders and already(with_adders, tried)):
        return False
    return not (recipe.generic and (large(tried) or saved_flat(tried)))


def ahead_of_others(recipes: list[Recipe]) -> int:
    """Tell how many of the recipes are tried first: one, or two if they differ in Booth only."""
    return 2 if len({replace(r, booth=False) for r in recipes[:2]}) == 1 < len(recipes) else 1


def suited(recipes: list[Recipe], tried: Sequence[Row], metric: str) -> list[Recipe]:
    """Keep one of each two recipes that differ in Booth only, once a pair of such was tried: those
    with Booth or those without, as came out less by the metric."""
    by_name = {row.recipe: row for row in tried if isinstance(row, Candidate)}
    for name, row in by_name.items():
        other = by_name.get(replace(parse(name), booth=True).name)
        if other and other is not row:
            booth = (getattr(other, metric) or 0.0) < (getattr(row, metric) or 0.0)
            return [
                recipe
                for recipe in recipes
                if recipe.booth == booth or replace(recipe, booth=booth) not in recipes
            ]
    return recipes


def for_modules(faster: Portfolio, tried: Sequence[Row]) -> list[list[Recipe]]:
    """List the recipes for single modules that are too slow, group by group."""
    groups = ([recipe for recipe in group if not recipe.flat] for group in faster)
    return [suited(group, tried, "period_ns") for group in groups if group]
