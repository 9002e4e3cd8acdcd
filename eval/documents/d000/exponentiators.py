"""Document 000's tables 7 to 18 in the report: exponentiators by modulus or pseudo-modulus."""

from collections.abc import Iterator

from eval.documents.d000.figures import BY_UNITS, KEY_BITS
from eval.study.results import PointResult, StudyResult, accelerator_run
from eval.tasks.grid import Grid, Line, grid, line, numbers, words

SHOWN = ("cycles_e", "cycles_d", "area_um2", "setup_slack_ns", "period_reached_ns", "time_d_us")
WAYS = ("cm", "cm-late", "dm", "mm")
FORMS = ("modulus", "pseudo")
MM_MODULUS = "mm-000"  # takes any modulus


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
        tuple(dict.fromkeys(lines)),
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
