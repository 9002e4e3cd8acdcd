"""Choose the modules of a large design that are mapped once, wherever they stand.

Only they lose by it what a mapper does across a boundary, such as a register that goes into the
multiplier's block; all else is flattened.
"""

from collections.abc import Collection, Mapping

Modules = Mapping[str, Mapping[str, int]]  # the cells in each module by type, modules among them


def repeated(modules: Modules, top: str, most_operators: int) -> list[str] | None:
    """List the fewest modules to keep so that at most so many operators are mapped; None if all
    that can be kept leave more.

    An operator in a kept module is mapped once. The module that saves most comes first.
    """
    kept: list[str] = []
    while (left := mapped(modules, top, kept)) > most_operators:
        sizes = {name: mapped(modules, top, [*kept, name]) for name in modules if name != top}
        best = min(sizes, key=lambda name: (sizes[name], name), default=top)
        if best == top or sizes[best] == left:
            return None
        kept.append(best)
    return kept


def mapped(modules: Modules, top: str, kept: Collection[str]) -> int:
    """Count the operators that are mapped if all but the kept modules are flattened."""
    reached, waiting = {top}, [top]
    total = 0
    while waiting:
        counts, inner = _flattened(modules, waiting.pop(), kept)
        total += counts
        waiting += inner - reached
        reached |= inner
    return total


def _flattened(modules: Modules, name: str, kept: Collection[str]) -> tuple[int, set[str]]:
    """Count a module's operators outside kept ones, and name the kept ones in it."""
    operators, inner = 0, set()
    for kind, count in modules[name].items():
        if kind in kept:
            inner.add(kind)
        elif kind in modules:
            below, names = _flattened(modules, kind, kept)
            operators += count * below
            inner |= names
        else:
            operators += count
    return operators, inner
