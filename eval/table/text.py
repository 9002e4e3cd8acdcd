"""Tables as files of text, with the cells as the report shows them: LaTeX, Markdown."""

from pathlib import Path

from eval.table.grid import Grid
from eval.table.values import columns_of

_LATEX = {c: f"\\{c}" for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def write_markdown(grid: Grid, path: Path) -> None:
    """Write the table with its title and its note."""
    sides = [":--" if i in grid.words else "--:" for i in range(len(grid.headings))]
    rows = [columns_of(grid), sides, *(line.cells for line in grid.lines)]
    lines = ["| " + " | ".join(_plain(c).replace("|", r"\|") for c in row) + " |" for row in rows]
    parts = [f"## {grid.title}", "\n".join(lines), *([grid.note] if grid.note else [])]
    path.write_text("\n\n".join(parts) + "\n")


def write_latex(grid: Grid, path: Path) -> None:
    """Write the table for \\input, by booktabs, its note as the caption."""
    sides = "".join("l" if i in grid.words else "r" for i in range(len(grid.headings)))
    head, *rows = (
        " & ".join(_latex(_plain(cell)) for cell in row) + r" \\"
        for row in (columns_of(grid), *(line.cells for line in grid.lines))
    )
    caption = _latex(" ".join(filter(None, (f"{grid.title}.", grid.note))))
    lines = [
        *(r"\begin{table}", r"\centering", rf"\caption{{{caption}}}"),
        *(rf"\begin{{tabular}}{{{sides}}}", r"\toprule", head, r"\midrule", *rows),
        *(r"\bottomrule", r"\end{tabular}", r"\end{table}"),
    ]
    path.write_text("\n".join(lines) + "\n")


def _plain(text: str) -> str:
    """Put a cell into one line."""
    return " ".join(text.split())


def _latex(text: str) -> str:
    return "".join(_LATEX.get(c, c) for c in text)
