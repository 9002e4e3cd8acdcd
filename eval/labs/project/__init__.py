"""The project: a design of one's own that beats one of the catalog in area and time."""

from pathlib import Path
from random import Random

from eval.labs.lab import DESIGN, Lab, Mark, Question

POINTS = 24
# What may be beaten, and the points for it.
RIVALS = {"mont-small": 16, "mul-rem": 20, "ssmm-small": POINTS}


def made(rng: Random) -> dict[str, str]:
    """Begin with the design that `modexplorer new` writes."""
    from eval.skeleton.copying import skeleton

    return skeleton("project")


def ask(rng: Random) -> list[Question]:
    """Draw a rival's figures, and ask what is beyond the noise."""
    from eval.tasks.noise_section import USUAL

    area, period, cycles = rng.randrange(900, 3000), rng.uniform(0.7, 2.5), rng.randrange(40, 200)
    period = round(period, 3)
    time = period * cycles

    def beyond(value: float, band: float) -> float:
        return value * (1 - band) / (1 + band)

    bands = f"{100 * USUAL.area:g} % of area and {100 * USUAL.period:g} % of period"
    rival = f"A rival has {area} um2 and takes {cycles} cycles of {period} ns; noise: {bands}"
    return [
        Question(
            "area",
            f"{rival}. Below how many um2 is a design smaller beyond the noise of both?",
            2,
            lambda: beyond(area, USUAL.area),
            (
                ("the rival's noise alone; yours moves, too", lambda: area * (1 - USUAL.area)),
                ("the rival's own area: noise may part equal designs", lambda: area),
            ),
            0.002,
        ),
        Question(
            "cycles",
            "Your netlist works at the rival's period. At how many cycles at most is it faster "
            "beyond the noise of both?",
            2,
            lambda: -int(-beyond(cycles, USUAL.period) // 1) - 1,
            (
                ("as if cycles had no noise: time does, by the period", lambda: cycles - 1),
                (
                    "a cycle too many: it is not beyond the noise",
                    lambda: -int(-beyond(cycles, USUAL.period) // 1),
                ),
                ("a time in ns, no cycles", lambda: round(beyond(time, USUAL.period), 1)),
            ),
        ),
    ]


def check_code(folder: Path, teacher: str) -> list[Mark]:
    """Check claim and contract."""
    from eval.labs.design_code import check_design, drawn_widths

    return check_design(folder, LAB.items(teacher), drawn_widths(teacher), RIVALS)


def measure(folder: Path) -> list[Mark]:
    """Compare the figures."""
    from eval.labs.design_code import measure_design

    return measure_design(folder, POINTS, RIVALS)


LAB = Lab(
    "project",
    "a design of your own that beats one of the catalog",
    "6",
    ask,
    check_code,
    (("claim", 2), ("contract", 12)),
    teacher_points=6,
    made=made,
    measure=measure,
    measured=(("beats", POINTS),),
    runs=DESIGN,
)
