"""Tables on a page: a template that pages import, and one table by itself."""

from collections.abc import Iterable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from eval.table.grid import Grid

HERE = Path(__file__).parent
LONG = 20  # letters of a word that may be broken anywhere


def environment(folders: Iterable[Path] = ()) -> Environment:
    """Make an environment whose templates, of these folders, can import that of tables."""
    made = Environment(
        loader=FileSystemLoader([*folders, HERE]),
        autoescape=select_autoescape(["j2", "html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["is_long"] = lambda text: max(map(len, text.split()), default=0) > LONG
    return made


def html(grid: Grid) -> str:
    """Write one table."""
    return str(vars(environment().get_template("table.html.j2").module)["table"](grid))
