"""Choose which cells to show in one colour: parts of the hierarchy, a dozen for a design."""

from collections import defaultdict
from dataclasses import dataclass

MOST_GROUPS = 12
# Instances of one module beside each other that are shown as one group, in shades of one colour.
ARRAY = 4
LEAST_SHARE = 0.02
# A module is not taken apart if those inside are less of it than this.
LEAST_INSIDE = 0.2
OWN = ", own cells"
OTHER = "others"


@dataclass
class Group:
    """Cells of one colour: a name for people, the area, and each cell's shade, one per instance."""

    name: str
    area: float
    shades: dict[str, int]


@dataclass(frozen=True)
class _Part:
    """What has one colour: instances of one module with all inside, or (`own`) the cells of one
    instance that are in none of the instances inside."""

    paths: tuple[str, ...]
    module: str
    own: bool = False


def plain(module: str) -> str:
    """Name a module's class, without its parameters."""
    return module.split("__")[0]


class _Tree:
    """The hierarchy that cells are in, as instance paths: the area of each, with all below it."""

    def __init__(self, cells: dict[str, tuple[str, str]], areas: dict[str, float]) -> None:
        self.module: dict[str, str] = {}
        self.own: dict[str, float] = defaultdict(float)
        self.children: dict[str, list[str]] = defaultdict(list)
        for cell, (path, module) in cells.items():
            self.module[path] = module
            self.own[path] += areas.get(cell, 0.0)
        for path in sorted(self.module):
            self._link(path)
        self.area = {path: self._area(path) for path in {"", *self.module, *self.children}}

    def _link(self, path: str) -> None:
        while path:
            above = path.rpartition(".")[0]
            if path in self.children[above]:
                return
            self.children[above].append(path)
            path = above

    def _area(self, path: str) -> float:
        return self.own[path] + sum(self._area(child) for child in self.children[path])

    def inside(self, part: _Part) -> list[_Part]:
        """Take a part of one instance apart: its own cells, and the instances inside, which are one
        part if they are ARRAY or more of one module."""
        [path] = part.paths
        alike: dict[str, list[str]] = defaultdict(list)
        for child in self.children[path]:
            alike[self.module.get(child, "")].append(child)
        parts = [_Part((path,), part.module, own=True)] if self.own[path] else []
        for module, paths in alike.items():
            if module and len(paths) >= ARRAY:
                parts.append(_Part(tuple(paths), module))
            else:
                parts += [_Part((one,), module) for one in paths]
        return parts

    def kind(self, path: str) -> object:
        """Tell what an instance is: its module, or, if it has no cells of its own and so no known
        module, the kinds of what is inside."""
        return self.module.get(path) or [self.kind(child) for child in self.children[path]]

    def alike(self, part: _Part, others: list[_Part]) -> list[_Part]:
        """Find, among parts, those that are instances of the same module as one of them."""
        kind = self.kind(part.paths[0])
        return [other for other in others if self.kind(other.paths[0]) == kind]

    def size(self, part: _Part) -> float:
        """Tell the area of a part."""
        areas = self.own if part.own else self.area
        return sum(areas[path] for path in part.paths)


def _parts(tree: _Tree) -> list[_Part]:
    """Take the largest part apart, and all alike with it, again and again, while there are not too
    many parts. What is mostly cells of its own stays whole."""
    parts = [_Part(("",), tree.module.get("", ""))]
    whole: set[_Part] = set()
    while open_parts := [p for p in parts if p not in whole and not p.own and len(p.paths) == 1]:
        taken = tree.alike(max(open_parts, key=tree.size), open_parts)
        rest = [part for part in parts if part not in taken]
        inside = [p for part in taken for p in tree.inside(part)]
        shown = [part for part in inside if tree.size(part) >= LEAST_SHARE * tree.area[""]]
        sub = sum(tree.size(part) for part in shown if not part.own)
        others = sum(tree.size(p) >= LEAST_SHARE * tree.area[""] for p in rest)
        if others + len(shown) > MOST_GROUPS or sub < LEAST_INSIDE * sum(map(tree.size, taken)):
            whole.update(taken)
            continue
        parts = rest + inside
    return sorted(parts, key=tree.size, reverse=True)


def _name(part: _Part, shown: list[_Part]) -> str:
    """Name a part: its module, after as much of the instance path as tells it from the others."""
    module, [first, *more] = plain(part.module), part.paths
    if not first:
        return f"{module}{OWN}" if part.own else module
    if more:
        above = first.rpartition(".")[0]
        twice = [p for p in shown if len(p.paths) > 1 and plain(p.module) == module]
        where = f"{_tail(above, [p.paths[0].rpartition('.')[0] for p in twice])}: "
        return f"{where if len(twice) > 1 else ''}{len(part.paths)} x {module}"
    name = _tail(first, [p.paths[0] for p in shown if len(p.paths) == 1 and p.own == part.own])
    return f"{name}{': ' if module else ''}{module}{OWN if part.own else ''}"


def _tail(path: str, all_paths: list[str]) -> str:
    """Cut an instance path to its end, as long as it takes to tell it from the others."""
    parts = path.split(".")
    for length in range(1, len(parts)):
        tail = parts[-length:]
        if sum(other.split(".")[-length:] == tail for other in all_paths) <= 1:
            return ".".join(tail)
    return path


def groups(cells: dict[str, tuple[str, str]], areas: dict[str, float]) -> list[Group]:
    """Group the cells (name to instance path and module) by parts; small parts are one group."""
    tree = _Tree(cells, areas)
    parts = _parts(tree)
    least = LEAST_SHARE * tree.area[""]
    shown = [part for part in parts if tree.size(part) >= least][:MOST_GROUPS]
    found = [Group(_name(part, shown), round(tree.size(part), 3), {}) for part in shown]
    others = Group(OTHER, 0.0, {})
    home = {path: (part, i) for part in shown if not part.own for i, path in enumerate(part.paths)}
    own = {part.paths[0]: part for part in shown if part.own}
    for cell, (path, _) in cells.items():
        part, shade = (own[path], 0) if path in own else _above(path, home)
        group = others if part is None else found[shown.index(part)]
        group.shades[cell] = shade
        if group is others:
            group.area += areas.get(cell, 0.0)
    return [*found, *([others] if others.shades else [])]


def _above(path: str, home: dict[str, tuple[_Part, int]]) -> tuple[_Part | None, int]:
    """Find the part that holds an instance path, and which of its instances does."""
    while path not in home:
        if not path:
            return None, 0
        path = path.rpartition(".")[0]
    return home[path]
