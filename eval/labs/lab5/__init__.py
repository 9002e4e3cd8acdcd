"""Lab 5: exploration: the front of designs, the design for a need, and their error bars."""

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from statistics import pstdev, stdev
from typing import TYPE_CHECKING

from eval.labs.lab import FUNCTIONS, OWN_CASES, Lab, Mark, Question

if TYPE_CHECKING:
    from eval.labs.front_code import Case

NBITS, CLOCK = 8, 3.0  # ns, which all of these meet
SMALLEST = "ssmm-small"
ALWAYS = (SMALLEST, "ssmm-ct", "mont-best")
OTHERS = ("ssmm-best", "mont-small", "mont-digit-4", "mul-rem", "mont-pipe", "mm-000")
DRAWN = 3  # of the others
BANDS = (8, 12, 16, 20)  # per cent of an area


def area(design: str) -> float:
    """Return the area of a design's accelerator, measured if the store has none."""
    from eval.labs.lab4 import flow

    return float(flow(design, CLOCK, "timing").metrics["area_um2"])


def areas_of_noise(design: str) -> tuple[float, list[float]]:
    """Return the area as designed, and under each seed of the noise."""
    from eval.catalog.point import Point
    from eval.tasks.noise import Noise
    from eval.tasks.task import measure

    found = measure(Noise(Point(design, NBITS), CLOCK)).result
    return found.own.area_um2, [run.area_um2 for run in found.runs]


def time(design: str) -> float:
    """Return the time of workload d through the port, in us: cycles x clock."""
    from eval.labs.lab4 import port_cycles

    return port_cycles(design, "d") * CLOCK / 1000


def ask(rng: Random) -> list[Question]:
    """Draw designs, a limit between their times, and a band."""
    from eval.labs import front_code

    designs = sorted((*ALWAYS, *rng.sample(OTHERS, DRAWN)))
    times = {design: time(design) for design in designs}
    fast = sorted(t for t in times.values() if t <= times[SMALLEST])  # two or more, and its own
    met = rng.randrange(2, len(fast))
    limit = round((fast[met - 1] + fast[met]) / 2, 4)
    band = rng.choice(BANDS)

    def case(noise: float = band / 100) -> "Case":
        spots = (front_code.Spot(d, area(d), times[d]) for d in designs)
        return front_code.Case(tuple(spots), limit, noise, 0.0)

    def front() -> str:
        return _listed(front_code.front(case()))

    def unsure(others: int = -1) -> str:
        return _listed(front_code.uncertain(case(), others=others)) or "none"

    def choice() -> str:
        return front_code.smallest(case())

    def runner_up() -> str:
        left = tuple(spot for spot in case().points if spot.name != choice())
        return front_code.smallest(case()._replace(points=left))

    def moved(design: str) -> float:
        own, others = areas_of_noise(design)
        return 100 * max(abs(other / own - 1) for other in others)

    def apart() -> float:
        return 100 * (area(runner_up()) / area(choice()) - 1)

    def later() -> float:
        smaller = [times[d] for d in designs if area(d) < area(choice())]
        return min(smaller, default=limit) - limit

    def all_areas() -> list[float]:
        own, others = areas_of_noise(choice())
        return [own, *others]

    asked = f"{', '.join(designs)} at {NBITS} bits and {CLOCK:g} ns, workload d"
    need = f"the need of at most {limit:g} us"
    return [
        Question(
            "front",
            f"{asked}: which designs are on the front of area and time? (names, with commas)",
            4,
            front,
            (
                (
                    "those that another one beats",
                    lambda: _listed({*designs} - {*front_code.front(case())}),
                ),
                (
                    "the smallest and the fastest alone; between them are others",
                    lambda: _listed({min(designs, key=area), min(designs, key=times.__getitem__)}),
                ),
                ("all of them", lambda: _listed(designs)),
            ),
        ),
        Question(
            "choice",
            f"The same designs: which is the smallest for {need}?",
            2,
            choice,
            (
                ("the fastest", lambda: min(designs, key=times.__getitem__)),
                ("the smallest of all, which takes longer", lambda: min(designs, key=area)),
                ("the smallest but one", runner_up),
            ),
        ),
        Question(
            "runner_up",
            f"By how many per cent of your choice is the next larger design larger that meets "
            f"{need}, too?",
            2,
            apart,
            (
                (
                    "a part of the larger area, not of your choice's",
                    lambda: 100 * (1 - area(choice()) / area(runner_up())),
                ),
                ("in um2", lambda: area(runner_up()) - area(choice())),
                ("the ratio of the areas", lambda: area(runner_up()) / area(choice())),
            ),
            0.01,
        ),
        Question(
            "binds",
            f"By how many us must the limit of {limit:g} us rise until a smaller design than your "
            "choice meets it? (0 if there is no smaller one)",
            2,
            later,
            (("the time of that design", lambda: later() + limit),),
            0.02,
        ),
        Question(
            "band",
            "Your choice in `modexplorer noise`: by how many per cent of its own area does a seed "
            "move it at most?",
            2,
            lambda: moved(choice()),
            (
                ("a part, not per cents", lambda: moved(choice()) / 100),
                ("from the least to the greatest of all", lambda: _spread(all_areas())),
                ("that of the next larger design", lambda: moved(runner_up())),
            ),
            0.02,
        ),
        Question(
            "deviation",
            "The same six areas, as designed and under five seeds: their sample standard deviation "
            "in um2?",
            2,
            lambda: stdev(all_areas()),
            (
                ("divided by six: by five, as the mean is of the same six", _of_all(all_areas)),
                ("of the seeds alone", lambda: stdev(all_areas()[1:])),
                ("its square, the variance", lambda: stdev(all_areas()) ** 2),
            ),
            0.01,
        ),
        Question(
            "sure",
            "Is your choice smaller than the next larger design by more than the bands of both, "
            "each moved against your claim? (yes or no)",
            2,
            lambda: _sure(areas_of_noise(choice()), areas_of_noise(runner_up())),
        ),
        Question(
            "unsure",
            f"If noise moved each area by {band} %, and no time: which designs of the front could "
            "another one beat? (names, with commas, or none)",
            4,
            unsure,
            (
                ("where noise moves one alone: all others move, too", lambda: unsure(others=0)),
                ("the whole front", front),
            ),
        ),
    ]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _spread(values: list[float]) -> float:
    return 100 * (max(values) - min(values)) / values[0]


def _of_all(values: Callable[[], list[float]]) -> Callable[[], float]:
    return lambda: pstdev(values())


def _sure(one: tuple[float, list[float]], other: tuple[float, list[float]]) -> str:
    """Compare the largest area of one with the least of the other."""
    largest, least = (
        own * (1 + side * _band(own, runs)) for side, (own, runs) in ((1, one), (-1, other))
    )
    return "yes" if largest < least else "no"


def _band(own: float, runs: list[float]) -> float:
    return max(abs(run / own - 1) for run in runs)


def check_code(folder: Path, teacher: str) -> list[Mark]:
    """Check front.py."""
    from eval.labs.front_code import check_front

    return check_front(folder, LAB.items(teacher), teacher)


LAB = Lab(
    "5",
    "exploration: the front for a need, with error bars",
    "1",
    ask,
    check_code,
    ((OWN_CASES, 4), ("fronts", 8), ("needs", 4), ("bands", 6)),
    teacher_points=6,
    runs=FUNCTIONS,
)
