"""Lab 7: long keys, a row of elements, and what grows with the width."""

from math import log, log2
from random import Random

from eval.labs.lab import Lab, Question

ROW, ADDER = "array-4", "mont-small"
NARROW, WIDE = 16, 64  # bits that are mapped
CLOCK = 0.4  # ns, which no netlist meets: synthesis makes the fastest that it can
WIDTHS = (512, 768, 1024)
DIGITS = (4, 8)
SQUARES = 1 << 16, 1 << 15  # exponents, of which the first asks for a square more


def period(design: str, nbits: int) -> float:
    """Return the minimum period of the fastest netlist: of the row's accelerator, or of the other
    design's multiplier."""
    from eval.catalog.point import Point
    from eval.tasks.flow_run.task import FlowRun
    from eval.tasks.task import measure
    from eval.tasks.unit import ACCELERATOR, MULTIPLIER

    unit = ACCELERATOR if design == ROW else MULTIPLIER
    row = measure(FlowRun(Point(design, nbits), unit, CLOCK))
    return float(row.result.metrics["period_ns"])


def cycles(design: str, nbits: int, workload: str) -> int:
    """Count the cycles of a workload by the formula."""
    from eval.catalog.point import Point
    from eval.catalog.workloads import WORKLOADS

    return Point(design, nbits).entry.cycles(nbits, **vars(WORKLOADS[workload].request(nbits)))


def exponent(design: str) -> float:
    """Return g of period = c * n^g, by the two widths."""
    return log(period(design, WIDE) / period(design, NARROW)) / log(WIDE / NARROW)


def ask(rng: Random) -> list[Question]:
    """Draw a width and a digit."""
    n, w = rng.choice(WIDTHS), rng.choice(DIGITS)
    k = {4: 16, 8: 32}[w]  # bits of an element
    design = f"array-{w}"
    digits = -(-(n + w + 2) // w)

    def squares() -> list[int]:
        from eval.catalog.point import Point

        entry = Point(design, n).entry
        return [entry.cycles(n, 3, exp, (1 << n) - 1) for exp in SQUARES]

    def growth(name: str = design, workload: str = "d") -> float:
        return log2(cycles(name, 2 * n, workload) / cycles(name, n, workload))

    return [
        Question(
            "steps",
            f"{design}, n = {n}: how many steps does a product take?",
            2,
            lambda: digits + 1,
            (
                ("the digits of n bits: R has w + 2 bits more", lambda: -(-n // w)),
                ("without the last step, of a digit of 0", lambda: digits),
                ("a bit per step; it takes a digit", lambda: n),
            ),
        ),
        Question(
            "elements",
            f"{design}, n = {n}: how many elements of {k} bits hold a value of a multiplier?",
            2,
            lambda: -(-(n + w + 1) // k),
            (
                ("without the bits by which values pass n", lambda: n // k),
                ("an element per digit; its words are longer", lambda: -(-(n + w + 1) // w)),
            ),
        ),
        Question(
            "square",
            f"{design} at {n} bits, base 3, modulus 2^{n} - 1: by how many cycles does exponent "
            f"{SQUARES[0]} take longer than {SQUARES[1]}?",
            2,
            lambda: squares()[0] - squares()[1],
            (
                ("the steps alone: the next product needs some cycles more", lambda: digits + 1),
                (f"all cycles of exponent {SQUARES[0]}", lambda: squares()[0]),
                (f"all cycles of exponent {SQUARES[1]}", lambda: squares()[1]),
            ),
        ),
        Question(
            "cycles",
            f"{design} at {n} bits: how many cycles does workload d take?",
            2,
            lambda: cycles(design, n, "d"),
            (
                ("of workload e", lambda: cycles(design, n, "e")),
                ("of 2n bits", lambda: cycles(design, 2 * n, "d")),
            ),
        ),
        Question(
            "growth",
            f"{design}, workload d: cycles grow as n^g from {n} to {2 * n} bits. What is g?",
            2,
            growth,
            (
                (
                    "the ratio of the cycles; its logarithm to base 2 is asked",
                    lambda: 2 ** growth(),
                ),
                ("of workload e", lambda: growth(workload="e")),
            ),
            0.003,
        ),
        Question(
            "adder_period",
            f"The multiplier of {ADDER}, mapped for {CLOCK:g} ns: its minimum period grows as n^g "
            f"from {NARROW} to {WIDE} bits. What is g?",
            2,
            lambda: exponent(ADDER),
            (
                ("the ratio", lambda: period(ADDER, WIDE) / period(ADDER, NARROW)),
                ("that of the row", lambda: exponent(ROW)),
                (
                    "the difference in ns",
                    lambda: period(ADDER, WIDE) - period(ADDER, NARROW),
                ),
            ),
            0.03,
        ),
        Question(
            "row_period",
            f"The accelerator of {ROW}, mapped for {CLOCK:g} ns: the same. What is g?",
            2,
            lambda: exponent(ROW),
            (
                ("the ratio", lambda: period(ROW, WIDE) / period(ROW, NARROW)),
                (f"that of {ADDER}", lambda: exponent(ADDER)),
            ),
            0.03,
        ),
        Question(
            "time",
            f"{ROW} at {WIDE} bits, the netlist of question row_period, at its minimum period: how "
            "many ns does workload d take, without the port?",
            2,
            lambda: cycles(ROW, WIDE, "d") * period(ROW, WIDE),
            (
                ("at a clock that this netlist misses", lambda: cycles(ROW, WIDE, "d") * CLOCK),
                ("of workload e", lambda: cycles(ROW, WIDE, "e") * period(ROW, WIDE)),
                (f"at {NARROW} bits", lambda: cycles(ROW, NARROW, "d") * period(ROW, NARROW)),
            ),
            0.002,
        ),
    ]


LAB = Lab("7", "long keys: a row of elements, and what grows with the width", "1", ask)
