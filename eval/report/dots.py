"""Dot diagrams of a compression tree: every matrix of it, as text and as SVG."""

from collections.abc import Iterator, Sequence
from typing import Any

from fl.compression import Stage
from fl.folded_matrix import CARRY, CARRY_2, PRODUCT, STAY, Matrix, Segment
from fl.modular_sum import AROUND, DROP, INVERTED, SELECT
from fl.tree_mul import Tree
from sim.errors import UserError

MARKS = {PRODUCT: "o", STAY: "o", CARRY: "c", CARRY_2: "d"}
INVERTED_MARKS = {PRODUCT: "x", STAY: "x", CARRY: "i", CARRY_2: "j"}
LEGEND = (
    "o: product, sum or dot that stays; c: carry; d: carry of a 5:3 compressor, two columns up;\n"
    "x, i, j: the same inverted. Compressors on a stage: 5:3, full adders, half adders."
)
TEXT_COLUMNS = 100
STEP, RADIUS, MARGIN = 12, 4, 30  # of the drawing, in its units


def stages_shown(tree: Tree, stage: int | None) -> range:
    """The numbers of the stages to show: one, or all."""
    last = len(tree.stages)
    if stage is None:
        return range(last + 1)
    if stage > last:
        raise UserError(f"--stage: {stage} is beyond the last one, {last}")
    return range(stage, stage + 1)


def mark(run: Segment) -> str:
    """The letter of a run's dots."""
    return (INVERTED_MARKS if run.inverted else MARKS)[run.output]


def counting_line(tree: Tree, number: int) -> str:
    """Say what stage `number` has and what is put on it."""
    matrix = tree.matrices[number]
    where = f"stage {number}: {matrix.dots} dots, height {matrix.height}"
    if matrix.constant:
        where += f", constant {matrix.constant}"
    if number == len(tree.stages):
        return f"{where}; {final_line(tree)}"
    stage = tree.stages[number]
    return f"{where}; {compressors(stage)}{'' if stage.folds else ', nothing folded'}"


def compressors(stage: Stage) -> str:
    """Say how many of each compressor a stage has."""
    kinds = (("five_three", "5:3"), ("full", "full"), ("half", "half"))
    counts = [(stage.total(kind), name) for kind, name in kinds]
    return ", ".join(f"{count} {name}" for count, name in counts if count) or "folded"


def final_line(tree: Tree) -> str:
    """Say which adder the last matrix has."""
    how = {
        DROP: "carry dropped",
        AROUND: "end-around carry",
        INVERTED: "inverted end-around carry",
        SELECT: f"the best of {tree.sum.adders} sums",
    }
    return f"{tree.adder} adder, {how[tree.sum.kind]}"


def stage_json(tree: Tree, number: int) -> dict[str, Any]:
    """Count what stands on a stage and what is put on it, for --json."""
    matrix = tree.matrices[number]
    counts: dict[str, Any] = {"stage": number, "dots": matrix.dots, "constant": matrix.constant}
    counts["heights"] = list(matrix.heights)
    if number < len(tree.stages):
        stage = tree.stages[number]
        counts |= {kind: stage.total(kind) for kind in ("five_three", "full", "half")}
    return counts


def text(tree: Tree, numbers: Sequence[int]) -> Iterator[str]:
    """Write the diagrams of these stages, the least significant column on the right."""
    widest = max(len(tree.matrices[number].columns) for number in numbers)
    if widest > TEXT_COLUMNS:
        raise UserError(
            f"--nbits: {widest} columns do not fit a terminal of {TEXT_COLUMNS}; use --svg FILE"
        )
    gap = " " if 2 * widest <= TEXT_COLUMNS else ""
    for number in numbers:
        yield counting_line(tree, number)
        matrix = tree.matrices[number]
        columns = ["".join(mark(run) * run.count for run in column) for column in matrix.columns]
        blank = " " * (1 + len(gap)) * (widest - len(columns))
        for row in range(matrix.height):
            dots = [column[row] if row < len(column) else " " for column in reversed(columns)]
            yield (blank + gap.join(dots)).rstrip()
        yield ""


def svg(tree: Tree, numbers: Sequence[int], title: str) -> str:
    """Draw these stages: full dots, rings where inverted, carries in another colour."""
    widest = max(len(tree.matrices[number].columns) for number in numbers)
    lines = [counting_line(tree, number) for number in numbers]
    width = 2 * MARGIN + max(STEP * widest, 7 * max(map(len, [title, *lines])))
    shapes, y = [f'<text x="{MARGIN}" y="{MARGIN}" font-weight="bold">{title}</text>'], 2 * MARGIN
    for number, line in zip(numbers, lines, strict=True):
        shapes.append(f'<text x="{MARGIN}" y="{y}">{line}</text>')
        y += STEP + RADIUS
        matrix = tree.matrices[number]
        shapes += _circles(matrix, y, MARGIN + STEP * (widest - 1))
        y += STEP * matrix.height + MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" '
            f'viewBox="0 0 {width} {y}" font-family="monospace" font-size="11">',
            '<rect width="100%" height="100%" fill="white"/>',
            *shapes,
            "</svg>\n",
        ]
    )


COLOURS = {PRODUCT: "black", STAY: "black", CARRY: "#0072b2", CARRY_2: "#d55e00"}


def _circles(matrix: Matrix, y: int, right: int) -> Iterator[str]:
    for j, column in enumerate(matrix.columns):
        row = 0
        for run in column:
            colour = COLOURS[run.output]
            fill = "white" if run.inverted else colour
            for _ in range(run.count):
                yield (
                    f'<circle cx="{right - STEP * j}" cy="{y + STEP * row}" r="{RADIUS}" '
                    f'fill="{fill}" stroke="{colour}"/>'
                )
                row += 1
