"""The charts of leakage: t over time, and the mean traces that exponents are read off."""

from collections.abc import Mapping, Sequence

from eval.chart.panel import BLACK, DASHED, DOTTED, GREY, Axis, Line, Marker, Panel
from eval.tasks.leakage.task import Leakage, LeakageResult
from eval.tasks.leakage.welch import THRESHOLD
from eval.tasks.section import Chart, measured

Rows = Mapping[Leakage, LeakageResult | None]

HEIGHT = 140
SHADES = {"base": GREY, "exponent": BLACK}
TICKS = (-100, -10, 0, 10, 100)
CAPTION = (
    "Welch's t of every cycle, grey: fixed against random base, black: against random exponent; "
    f"dashed: the threshold of {THRESHOLD}. From the dotted line on the operands are in the "
    "accelerator. The axis is nearly linear up to the threshold and logarithmic beyond."
)
MEAN_CAPTION = (
    "The mean of what changes in a cycle, one exponent, random bases. Where "
    "squarings and products go side by side a 1 of the exponent stands out, if nothing is done "
    "about it; the exponent's bits are read off by a threshold."
)


def t_chart(rows: Rows) -> Chart | None:
    """Draw t over time, a panel per task; None if nothing was measured."""
    panels = []
    for task, result in measured(rows).items():
        tests = {against: test.t[0] for against, test in result.tests.items()}
        last = max(map(len, tests.values())) - 1
        most = 1.2 * max(100, *(abs(t) for values in tests.values() for t in values))
        lines = [_over_time(values, SHADES[against]) for against, values in tests.items()]
        lines += [Line([(0, t), (last, t)], dash=DASHED) for t in (-THRESHOLD, THRESHOLD)]
        lines.append(Line([(result.work, -most), (result.work, most)], dash=DOTTED))
        blinded = "" if task.blinding == "-" else f", blinded: {task.blinding}"
        panels.append(
            Panel(
                Axis("cycle", ends=(0, last)),
                Axis("t", "symlog", TICKS, ends=(-most, most), constant=THRESHOLD),
                lines=lines,
                title=f"{task.point} at {task.level}{blinded}, {task.traces} traces",
                keys={against: Marker("stroke", SHADES[against]) for against in tests},
                height=HEIGHT,
            )
        )
    return Chart("Power leakage over time", panels, CAPTION) if panels else None


def mean_chart(rows: Rows) -> Chart | None:
    """Draw the mean traces that exponents are read off; None if there are none."""
    panels = [
        Panel(
            Axis("cycle", ends=(0, len(read.mean) - 1)),
            Axis("bits or fJ", "linear"),
            lines=[_over_time(read.mean, BLACK)],
            title=f"{task.point} at {task.level}: {read.right} of {read.bits} bits read right",
            height=HEIGHT,
        )
        for task, result in measured(rows).items()
        if not task.blind_base and (read := result.read)
    ]
    return Chart("Mean traces", panels, MEAN_CAPTION) if panels else None


def _over_time(values: Sequence[float], colour: str) -> Line:
    return Line([*enumerate(map(float, values))], colour)
