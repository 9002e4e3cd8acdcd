"""Quantities with the prefix that fits: 186 us, 0.206 mm2, 91.4 uJ."""

from math import floor, log10

# By unit: from which value on it is written how, and the value of one of that in it.
STEPS: dict[str, tuple[tuple[float, float, str], ...]] = {
    "um2": ((0, 1, "um2"), (1e4, 1e6, "mm2")),
    "us": ((0, 1e-3, "ns"), (1, 1, "us"), (1e3, 1e3, "ms"), (1e6, 1e6, "s")),
    "nJ": ((0, 1e-3, "pJ"), (1, 1, "nJ"), (1e3, 1e3, "uJ"), (1e6, 1e6, "mJ")),
    "mW": ((0, 1e-3, "uW"), (1, 1, "mW"), (1e3, 1e3, "W")),
    "um2 us": ((0, 1, "um2 us"), (1e4, 1e6, "mm2 us"), (1e9, 1e9, "mm2 ms"), (1e12, 1e12, "mm2 s")),
    "nJ us": ((0, 1, "nJ us"), (1e3, 1e3, "uJ us"), (1e6, 1e6, "uJ ms"), (1e9, 1e9, "mJ ms")),
}
DIGITS = 3


def engineering(value: float, unit: str) -> str:
    """Write a quantity in a unit by three digits, or all of those before the point."""
    rounded = float(f"{value:.{DIGITS}g}")
    steps = STEPS.get(unit, ((0, 1, unit),))
    factor, shown = next((f, name) for least, f, name in reversed(steps) if rounded >= least)
    return f"{significant(value / factor)} {shown}".strip()


def significant(value: float) -> str:
    """Write a number by three digits, or all of those before the point; without an exponent."""
    rounded = float(f"{value:.{DIGITS}g}")
    before = floor(log10(abs(rounded))) + 1 if rounded else 1
    return f"{value:,.0f}" if before > DIGITS else f"{rounded:,.{DIGITS - before}f}"


def label_expression(unit: str) -> str:
    """Write the same as a Vega expression of a number along an axis."""
    text = "''"
    for least, factor, name in STEPS.get(unit, ((0, 1, unit),)):
        number = f"format(datum.value / {factor:g}, ',.5~r')"
        shown = f"{number} + {f' {name}'!r}" if name else number
        text = f"(datum.value >= {least:g} ? {shown} : {text})" if least else shown
    return text
