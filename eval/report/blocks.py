"""The blocks of a design as nested boxes: its modules as the flow found them, each with the share
of the area that is in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from eval.tasks.flow_run.grids import class_name
from flow.results.netlist import Module

LEAST_SHARE = 0.01  # of the area that a block is drawn for
DEPTH = 4
LETTER, LINE, PAD, BAR = 6.4, 16, 8, 4  # in units of the drawing
ROOM = 620  # across, in which blocks stand beside each other


@dataclass
class Block:
    """A module inside another, how often, with the area of all of these and all inside them; and
    the place of its box."""

    name: str
    count: int
    area_um2: float
    inside: list["Block"] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0

    @property
    def title(self) -> str:
        """Name it, with its number."""
        return f"{self.count} x {self.name}" if self.count > 1 else self.name


def tree(modules: Sequence[Module]) -> Block | None:
    """Make the tree of blocks of a netlist; None if nothing is known of its modules."""
    rows = {row.module: row for row in modules}
    inner = {name for row in modules for name in row.submodules}
    tops = [row for row in modules if row.module not in inner]
    if len(tops) != 1:
        return None
    return _block(tops[0], 1, rows, tops[0].area_each_with_submodules_um2, 0)


def _block(row: Module, count: int, rows: Mapping[str, Module], whole: float, depth: int) -> Block:
    """Make a block of `count` modules, without what is small inside it."""
    block = Block(class_name(row.module), count, count * row.area_each_with_submodules_um2)
    if depth == DEPTH:
        return block
    parts = [
        _block(rows[name], count * times, rows, whole, depth + 1)
        for name, times in row.submodules.items()
        if name in rows
    ]
    block.inside = [part for part in _sorted(parts) if part.area_um2 >= LEAST_SHARE * whole]
    return block


def _sorted(blocks: Sequence[Block]) -> list[Block]:
    """Put the largest first; those of one class that hold nothing are one."""
    found: list[Block] = []
    leaves: dict[str, Block] = {}
    for block in blocks:
        same = None if block.inside else leaves.get(block.name)
        if same:
            same.count += block.count
            same.area_um2 += block.area_um2
            continue
        found.append(block)
        if not block.inside:
            leaves[block.name] = block
    return sorted(found, key=lambda block: -block.area_um2)


def svg(modules: Sequence[Module], label: str) -> str:
    """Draw the blocks; nothing if there are none."""
    top = tree(modules)
    if top is None or not top.area_um2:
        return ""
    _place(top, ROOM)
    shapes: list[str] = []
    _draw(top, top.area_um2, 0, shapes)
    width, height = top.width + 2, top.height + 2
    return "\n".join(
        [
            f'<svg class="blocks" role="img" aria-label="{escape(label)}" width="{width:.0f}" '
            f'height="{height:.0f}" viewBox="-1 -1 {width:.0f} {height:.0f}">',
            *shapes,
            "</svg>",
        ]
    )


def _place(block: Block, room: float) -> None:
    """Choose sizes, and places within the box around: side by side, in as many lines as needed."""
    across = down = line = 0.0
    widest = LETTER * (len(block.title) + len(" 100 %")) + 2 * PAD
    for part in block.inside:
        _place(part, room - 2 * PAD)
        if across and across + part.width > room - 2 * PAD:
            across, down, line = 0.0, down + line + PAD, 0.0
        part.x, part.y = PAD + across, LINE + PAD + BAR + down
        across, line = across + part.width + PAD, max(line, part.height)
        widest = max(widest, across + PAD)
    block.width = widest
    block.height = LINE + PAD + BAR + (down + line + PAD if block.inside else 0)


def _draw(block: Block, whole: float, depth: int, shapes: list[str]) -> None:
    """Draw a box, its name, and its share as a bar below the name."""
    share = block.area_um2 / whole
    shapes.append(f'<g transform="translate({block.x:.1f} {block.y:.1f})">')
    if block.count > 1:
        shapes.append(f'<rect x="3" y="3" {_size(block)} class="behind"/>')
    shapes.append(f'<rect {_size(block)} class="depth{depth % 2}"/>')
    shapes.append(
        f'<text x="{PAD}" y="{LINE - 2}">{escape(block.title)} <tspan>{share:.0%}</tspan></text>'
    )
    bar = (block.width - 2 * PAD) * share
    shapes.append(
        f'<rect x="{PAD}" y="{LINE + 2}" width="{bar:.1f}" height="{BAR}" class="share"/>'
    )
    for part in block.inside:
        _draw(part, whole, depth + 1, shapes)
    shapes.append("</g>")


def _size(block: Block) -> str:
    return f'width="{block.width:.1f}" height="{block.height:.1f}"'
