"""Writes the measured tables of the README and the pages beside it anew, from what commands print
and what a study found.

A table in a block of code is known by its title: that of the `$ modexplorer` above it, else one of
the study's report. A table of designs in Markdown is known by its headings. A comment in the README
says of which code the tables are.
"""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

BLOCK = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^\$ modexplorer (?P<args>[^\n]*)\n", re.M)
# A title, the rows and borders of its table, and the lines of its note, if it has one.
PRINTED = re.compile(
    r"^(?P<title>[^\n+|$]+)\n(?P<table>\+-[^\n]*\n(?:[|+][^\n]*\n)+)"
    r"(?P<note>(?:(?!Reproduce with:|\$ |```)[^\n+|]+\n(?![+]))*)",
    re.M,
)
MARKDOWN = re.compile(r"^(?P<head>\|[^\n]*\|)\n\|[-|]+\|\n(?P<rows>(?:\|[^\n]*\|\n)+)", re.M)

STATE = re.compile(r"(?P<head><!-- measured tables: code )[^>]*(?P<tail> -->)")

# The measured columns of the tables in Markdown, by their headings.
COLUMNS = {
    "cycles e / d": "{xcel_cycles_e:.0f} / {xcel_cycles_d:.0f}",
    "area um2": "{area_um2:.0f}",
    "one multiplier um2": "{multiplier_area_um2:.0f}",
    "slack ns": "{setup_slack_ns:+.2f}",
    "reached at 3 ns, ns": "{period_reached_ns:.3f}",
    "shortest, ns": "{shortest_period_ns:.3f}",
    "at the shortest um2": "{fastest_area_um2:.0f}",
    "least time d us": "{least_time_d_us:.3f}",
}
TABLES = (
    ("design", "what it is", "cycles e / d", "area um2", "slack ns"),
    ("bits", "cycles e / d", "area um2", "one multiplier um2", "slack ns"),
    (
        *("design", "reached at 3 ns, ns", "shortest, ns"),
        *("area um2", "at the shortest um2", "least time d us"),
    ),
)
BITS, DESIGN = 32, "mul-rem"  # of a row that names no width, or no design

Metrics = Mapping[tuple[str, int], Mapping[str, float]]


def cells(row: str) -> list[str]:
    """The cells of a row in Markdown."""
    return [cell.strip() for cell in row.strip("|").split(" | ")]


def with_printed(text: str, prints: Callable[[str], str]) -> str:
    """Put what commands print now for the tables in blocks of code; `prints` is told what stands
    behind `$ modexplorer`, or nothing where no command stands above."""

    def block(found: re.Match[str]) -> str:
        if found["language"]:
            return found[0]
        head, *examples = COMMAND.split(found["body"])
        parts = [with_tables(head, "", prints)]
        for args, output in zip(examples[::2], examples[1::2], strict=True):
            parts += [f"$ modexplorer {args}\n", with_tables(output, args, prints)]
        return f"```\n{''.join(parts)}```"

    return BLOCK.sub(block, text)


def with_tables(output: str, args: str, prints: Callable[[str], str]) -> str:
    """Put a command's tables of now for those in what it printed, with notes where they had one."""
    if not PRINTED.search(output):
        return output
    now = {found["title"]: found for found in PRINTED.finditer(prints(args))}

    def table(was: re.Match[str]) -> str:
        new = now.get(was["title"], was)
        return f"{new['title']}\n{new['table']}{new['note'] if was['note'] else ''}"

    return PRINTED.sub(table, output)


def with_metrics(text: str, metrics: Metrics) -> str:
    """Put measured metrics into the tables of designs in Markdown; a row that some are missing of
    stays as it is."""

    def table(found: re.Match[str]) -> str:
        head = cells(found["head"])
        if tuple(head) not in TABLES:
            return found[0]
        rows = "".join(f"{row(line, head)}\n" for line in found["rows"].splitlines())
        return found[0].removesuffix(found["rows"]) + rows

    def row(line: str, head: list[str]) -> str:
        was = cells(line)
        first = was[0].strip("`")
        values = metrics.get((DESIGN, int(first)) if head[0] == "bits" else (first, BITS), {})
        try:
            now = [
                COLUMNS[name].format_map(values) if name in COLUMNS else cell
                for name, cell in zip(head, was, strict=True)
            ]
        except KeyError:
            return line
        return f"| {' | '.join(now)} |"

    return MARKDOWN.sub(table, text)


def state() -> str:
    """A short name of the code that decides the figures: a later one may give others."""
    from eval.tasks.versions import code_hash
    from flow.digest import flow_hash

    designs = (*(f"rtl/{folder}/*.py" for folder in ("leaf", "mul", "exp")), "rtl/port/xcel.py")
    return f"{code_hash(*designs)[:8]} {flow_hash()[:8]}"


def with_state(text: str) -> str:
    """Say of which code the measured tables are."""
    return STATE.sub(lambda found: f"{found['head']}{state()}{found['tail']}", text)


def is_stale(text: str) -> bool:
    """Whether the tables are of other code than this."""
    return text != with_state(text)


def metrics_of(report: Mapping[str, Any]) -> Metrics:
    """The metrics of the points of a report's JSON."""
    return {(p["design"], p["nbits"]): p["metrics"] for p in report["points"]}


def changes(before: str, after: str) -> Iterator[str]:
    """Lines that are new."""
    old = set(before.splitlines())
    return (line for line in after.splitlines() if line not in old)


def files(root: Path) -> list[Path]:
    """List the README and the pages beside it, but for the flow's, whose example takes minutes."""
    return [root / "README.md", *sorted(root.glob("docs/*.md")), root / "proc/README.md"]


def main(study: str, root: Path) -> None:
    """Measure what is missing, write the files, and print the lines that changed."""
    program = Path(sys.executable).parent / "modexplorer"

    @cache
    def prints(args: str) -> str:
        words = shlex.split(args) or ["report", study]
        return subprocess.run([program, *words], check=True, stdout=-1, text=True).stdout

    metrics = metrics_of(json.loads(prints(f"report {study} --json")))
    for file in files(root):
        text = file.read_text()
        written = with_state(with_printed(with_metrics(text, metrics), prints))
        file.write_text(written)
        for line in changes(text, written):
            print(f"{file.relative_to(root)}: {line}")


if __name__ == "__main__":
    main(sys.argv[1], Path())
