"""Document 000's tables 7 to 18 in the report: exponentiators by modulus or pseudo-modulus."""

from collections.abc import Iterator

from eval.printed.derived_000 import (
    LONGEST,
    PART_ALMS,
    by_clock,
    full_adders,
    most_by_clock,
    most_by_time,
)
from eval.printed.document_000 import BY_UNITS, KEY_BITS, ONE, TWO
from eval.report.overview import accelerator_run
from eval.study.results import PointResult, StudyResult
from eval.tasks.grid import Grid, Line, grid, line, numbers, words
from fl.fixed_exp import family

SHOWN = ("cycles_e", "cycles_d", "area_um2", "setup_slack_ns", "period_reached_ns", "time_d_us")
WAYS = ("cm", "cm-late", "dm", "mm")
FORMS = ("modulus", "pseudo")
MM_MODULUS = "mm-000"  # takes any modulus
PART = "5CGXFC5C6F27C7N"


def name_of(way: str, form: str, units: int) -> str:
    """Name the design of a column of the document's tables; way cm-late is ours."""
    if way == "mm" and form == "modulus":
        return MM_MODULUS
    if way == "cm-late":
        return f"cm-{'late' if form == 'modulus' else form}-{units}"
    return f"{way}-{form}-{units}"


def exponentiator_grid(found: StudyResult) -> Grid | None:
    """Show each way with the modulus and the pseudo-modulus; None if the study has no such pair."""
    measured = {(p.point.design, p.point.nbits): p for p in found.points}
    lines = [
        line
        for nbits in sorted({nbits for _, nbits in measured})
        for units in (2, 1)
        for way in WAYS
        for pair in [[measured.get((name_of(way, f, units), nbits)) for f in FORMS]]
        if all(pair)
        for line in _lines(found, way, units, *pair)
    ]
    return grid(
        "Exponentiators with a modulus and with its pseudo-modulus (document 000, tables 7 to 18)",
        (
            words("design")
            + numbers(0, "bits", "cycles\ne", "cycles\nd")
            + numbers(1, "area\num2")
            + numbers(3, "slack\nns", "period\nns", "time d\nus")
            + numbers(2, "ratio", "000")
        ),
        dict.fromkeys(lines),
        "A name begins with the way of multiplying and ends in the number of multipliers. "
        "m = (2^N - 1)/3, worked with as it is or modulo 2^N - 1; the second line of a pair also "
        "says pseudo-modulus / modulus: area x period of ours, and logic elements x delay of the "
        "document's at the same key length, or at 32 bits below that. Cycles: of the exponentiator "
        "alone; area, slack and period: of the accelerator around it. MM with the modulus is "
        "mm-000, which takes any modulus, under the workloads' own key.",
    )


def _lines(
    found: StudyResult, way: str, units: int, modulus: PointResult, pseudo: PointResult
) -> Iterator[Line]:
    products, nbits = [_product(p) for p in (modulus, pseudo)], modulus.point.nbits
    ours = products[1] / products[0] if all(products) else ""
    printed, bits = BY_UNITS[units], max(nbits, KEY_BITS[0])
    of_000: float | str = ""
    if bits in KEY_BITS and way != "cm-late":
        of_000 = printed.ratio("elements", way, bits) * printed.ratio("delay_ns", way, bits)
    for p, ratios in ((modulus, ("", "")), (pseudo, (ours, of_000))):
        cells = (p.marked(), nbits, *(p.get(metric) for metric in SHOWN), *ratios)
        yield line(*cells, commands=(accelerator_run(found, p).command,))


def _product(p: PointResult) -> float:
    return (p.get("area_um2") or 0.0) * (p.get("period_reached_ns") or 0.0)


def reasons_000(found: StudyResult) -> list[str]:
    """Say what is unsound in document 000's comparison, in studies that have such pairs."""
    if not exponentiator_grid(found):
        return []
    two, one = (by_clock(printed) for printed in (TWO, ONE))
    fives = [nbits for nbits in KEY_BITS if family(nbits).m % 5 == 0]
    return [
        f"Document 000 calls its compression trees 10^7 times faster than Montgomery's multiplier. "
        f"None of its tables says so: the largest ratio of times in table 11 is "
        f"{most_by_time():.0f}, and by the frequencies of its table 12 it is "
        f"{most_by_clock():.0f}: a product takes one cycle of the one, {LONGEST + 3} of the other.",
        f"Document 000's tables 8 and 14 give delays of an iteration, its tables 12 and 18 the "
        f"highest frequencies. For its compression trees the two contradict each other: by the "
        f"frequencies the periods are up to {two:.0f} times longer with two multipliers, {one:.0f} "
        "times with one.",
        f"Two combinational multipliers of {LONGEST} bits have about {full_adders()} full adders; "
        f"the part that document 000 names, {PART}, has {PART_ALMS} logic modules. Its figures for "
        "long keys cannot be those of circuits that were made.",
        "Document 000's moduli (2^N - 1)/3 are no RSA moduli at the key lengths of its tables: at "
        f"N = {', '.join(map(str, fives))} they are divisible by 5. At 32 bits, e = 65537 even "
        "leaves every message as it is. `modexplorer keygen --form pseudo` makes the keys that "
        "exist, at N = 34, 62 and 122 for instance; they are no secret.",
    ]
