"""What a report shows of leakage: the tests, what was read off a mean trace, t over time."""

from collections.abc import Iterator, Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from eval.table import Row, Table, numbers, rows_of, words
from eval.tasks.columns import DESIGN, NBITS
from eval.tasks.drawing import as_svg
from eval.tasks.leakage.task import Leakage, LeakageResult
from eval.tasks.leakage.welch import THRESHOLD
from eval.tasks.section import Chart, Section, measured, tables

Rows = Mapping[Leakage, LeakageResult | None]

WIDTH, PANEL_HEIGHT = 9.0, 1.9  # inches
SHADES = {"base": "0.6", "exponent": "k"}
CAPTION = (
    "Welch's t of every cycle, grey: fixed against random base, black: against random exponent; "
    f"dashed: the threshold of {THRESHOLD}. From the dotted line on the operands are in the "
    "accelerator. The axis is linear up to the threshold and logarithmic beyond."
)
MEAN_CAPTION = (
    "The mean of what changes in a cycle, one exponent, random bases. Where "
    "squarings and products go side by side a 1 of the exponent stands out, if nothing is done "
    "about it; the exponent's bits are read off by a threshold."
)


def _tests(rows: Rows) -> Iterator[Row]:
    """Go through the t-tests: against what, and what came out."""
    for row in rows_of(rows):
        for against, test in row.result.tests.items():
            yield Row(row.task, test, against=against, work=row.result.work)


LEVEL = words({"level": "level", "blinded": "blinding"})
RANDOM = DESIGN + NBITS + LEVEL + words({"random": "against"})
TESTS = Table(
    "What power tells",
    RANDOM
    + numbers(0, {"traces": "traces"})
    + numbers(1, {"|t|": lambda row: row.result.most(row.work)})
    + numbers(0, {"cycles\nthat leak": lambda row: row.result.leaking[0]})
    + words({"seen\nafter": lambda row: row.result.seen[0]})
    + numbers(1, {"hiding\nnoise": "hiding", "2nd\n|t|": lambda row: row.result.most(row.work, 2)}),
    "Welch's t of fixed against random operands, by what changes in each cycle of the "
    "accelerator, without noise: the register bits at RTL, the nets of the mapped cells at "
    "gates, weighted by capacitance (no glitches). |t|: the largest |t| once the operands are "
    f"there. A cycle leaks if |t| > {THRESHOLD} in both halves of the traces, with one sign; "
    "seen after so many traces. Hiding noise: its standard deviation in bits or fJ, through "
    "which as many traces see nothing. 2nd: the same of the variances. Blinded: the exponent "
    "by so many bits. The bases are random where the "
    "exponent is compared; random exponents are as long as the fixed one. A base that is not "
    "blinded always tells: what is fixed computes the same each time.",
    rows=_tests,
)


def _parts(rows: Rows) -> list[Row]:
    """List the registers and nets that leak in each test."""
    return [
        Row(row.task, part, against=row.against)
        for row in _tests(rows)
        for part in row.result.parts
        if part.t > THRESHOLD
    ]


PARTS = Table(
    "Registers and nets that leak most",
    RANDOM + words({"by": "name"}) + numbers(1, {"|t|": "t"}) + numbers(0, {"in cycle": "cycle"}),
    "|t| of the toggles of this alone, in the cycle in which it is largest.",
    rows=_parts,
)
READ = Table(
    "Exponents read off a mean trace",
    DESIGN + NBITS + LEVEL + numbers(0, {"right bits": "read.right", "of": "read.bits"}),
    "Designs that square and multiply side by side: each round's toggles, parted into two "
    "classes by a threshold. Half of the bits is chance.",
    rows=lambda rows: [row for row in rows_of(rows) if row.result.read],
)


def t_chart(rows: Rows) -> Chart | None:
    """Draw t over time, a panel per task; None if nothing was measured."""
    found = measured(rows)
    if not found:
        return None
    figure, panels = _figure(len(found))
    for axes, (task, result) in zip(panels, found.items(), strict=True):
        for against, test in result.tests.items():
            axes.plot(test.t[0], color=SHADES[against], linewidth=0.8, label=against)
        for level in (-THRESHOLD, THRESHOLD):
            axes.axhline(level, color="k", linestyle="--", linewidth=0.6)
        axes.axvline(result.work, color="k", linestyle=":", linewidth=0.8)
        axes.set_yscale("symlog", linthresh=THRESHOLD)
        axes.set_yticks([-100, -10, 0, 10, 100])
        blinded = "" if task.blinding == "-" else f", blinded: {task.blinding}"
        _title(axes, f"{task.point} at {task.level}{blinded}, {task.traces} traces", "t")
    panels[0].legend(fontsize="small", frameon=False, ncols=2, loc="upper right")
    panels[-1].set_xlabel("cycle")
    return Chart("What power tells over time", as_svg(figure, "t over time"), CAPTION)


def mean_chart(rows: Rows) -> Chart | None:
    """Draw the mean traces that exponents are read off; None if there are none."""
    found = {task: r.read for task, r in measured(rows).items() if r.read and not task.blind_base}
    if not found:
        return None
    figure, panels = _figure(len(found))
    for axes, (task, read) in zip(panels, found.items(), strict=True):
        axes.plot(read.mean, color="k", linewidth=0.8)
        _title(
            axes,
            f"{task.point} at {task.level}: {read.right} of {read.bits} bits read right",
            "bits or fJ",
        )
    panels[-1].set_xlabel("cycle")
    return Chart("Mean traces", as_svg(figure, "mean traces"), MEAN_CAPTION)


def _figure(count: int) -> tuple[Figure, Sequence[Axes]]:
    figure = Figure(figsize=(WIDTH, 0.5 + PANEL_HEIGHT * count), layout="constrained")
    return figure, list(figure.subplots(count, squeeze=False)[:, 0])


def _title(axes: Axes, text: str, up: str) -> None:
    axes.set_title(text, loc="left", fontsize=10)
    axes.set_ylabel(up)
    axes.margins(x=0.01)
    axes.grid(True, color="0.92", linewidth=0.6)
    axes.set_axisbelow(True)


SECTION = Section(
    results=tables(TESTS, READ),
    charts=lambda rows: [t_chart(rows), mean_chart(rows)],
    details=tables(PARTS),
    alone=tables(TESTS, READ, PARTS),
)
