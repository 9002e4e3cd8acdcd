"""Document 000's figures 13, 14 and 24 to 29 in the report: units for a fixed modulus over n."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any

from eval.documents.d000 import units
from eval.table import Grid, Table, numbers, words
from eval.tasks.section import measured
from fl.modulus import Modulus

Rows = Mapping[units.FixedUnit, units.MultiplierResult | None]
Found = Mapping[units.FixedUnit, units.MultiplierResult]
FEWEST_WIDTHS = 2
MODULUS, PSEUDO = "modulus", "pseudo-modulus"
WAYS = {"document": "CM", "late": "CM late", units.SQUARE: "CM square", units.DIRECT: "DM"}
STEP, PRODUCT = "MM step", "MM product"


def _widths(found: Found) -> list[int]:
    """List each n at which all forms were measured."""
    return [n for n in sorted({m.n for m in found}) if all(m in found for m in units.forms_at(n))]


def by_form(rows: Rows) -> dict[str, dict[int, units.MultiplierResult]]:
    """Take the trees form by form, over n; nothing where there are not several n."""
    found = measured(rows)
    widths = _widths(found)
    if len(widths) < FEWEST_WIDTHS:
        return {}
    made: dict[str, dict[int, units.MultiplierResult]] = {}
    for n in widths:
        for m in units.forms_at(n):
            made.setdefault(m.modulus.form, {})[n] = found[m]
    order = [m.modulus.form for m in units.forms_at(max(widths))]
    return {form: made[form] for form in order}


def forms_over_n(rows: Rows) -> Grid | None:
    """Show delay and area of every form over n; None if several n were not measured."""
    forms = by_form(rows)
    widths = sorted({n for values in forms.values() for n in values})
    at = {n: {form: of[n] for form, of in forms.items() if n in of} for n in widths}
    return Table(
        "Multipliers by the form of the modulus, over n (document 000, figures 13 and 14)",
        words({"modulus": str})
        + numbers(2, {f"ns\nn = {n}": partial(_of, "delay_ns", at[n]) for n in widths})
        + numbers(0, {f"um2\nn = {n}": partial(_of, "area_um2", at[n]) for n in widths}),
        "Compression trees in the document's order. Its figures show the same in 180 nm, without "
        f"numbers. {_claims(forms, widths)}",
        commands=explored,
    ).of(list(forms))


def explored(row: Any) -> str:
    """Return the command that reproduces all of them."""
    return f"modexplorer explore {units.SWEEPS}"


def _of(what: str, results: Mapping[Any, units.MultiplierResult], row: Any) -> float | str:
    """Find a figure of the result of a row."""
    return getattr(results.get(row), what, "")


def _claims(forms: Mapping[str, Mapping[int, units.MultiplierResult]], widths: list[int]) -> str:
    """Say which of the document's statements on the forms hold, and where."""

    def holds(form: str, what: str, pick: Callable[[Iterable[Any]], Any]) -> str:
        others = [of for of in forms if of != "2^n"]
        right = [
            n
            for n in widths
            if pick((getattr(forms[of][n], what), of) for of in others if n in forms[of])[1] == form
        ]
        return _where(right)

    if not forms:
        return ""
    return (
        f"The document finds 2^n-1 the fastest besides 2^n (here {holds('2^n-1', 'delay_ns', min)})"
        f", 2^n+1 the smallest (here {holds('2^n+1', 'area_um2', min)}), and 2^n+-85 the slowest "
        f"(here 2^n+85 {holds('2^n+85', 'delay_ns', max)}, 2^n-85 "
        f"{holds('2^n-85', 'delay_ns', max)})."
    )


def _delays(found: Found, m: Modulus) -> dict[str, float]:
    """Return the delay of each multiplier of a modulus, in ns."""
    made = {}
    for how, name in WAYS.items():
        if result := found.get(units.FixedMultiplier(m.n, m.offset, how)):
            made[name] = result.delay_ns
    if result := found.get(units.FixedMultiplier(m.n, m.offset, units.MONTGOMERY)):
        made |= {STEP: result.delay_ns, PRODUCT: result.total_ns}
    return made


def _tests(found: Found) -> Iterator[tuple[int, str, Modulus]]:
    """Yield n, which of the two it is, and the modulus, of each test that was measured."""
    present = {(m.n, m.offset) for m in found}
    for n in sorted({m.n for m in found}):
        if n % 2 == 0:
            for which, modulus in zip((MODULUS, PSEUDO), units.both_at(n), strict=True):
                if (modulus.n, modulus.offset) in present:
                    yield n, which, modulus


def products_by_n(rows: Rows) -> dict[str, dict[str, dict[int, float]]]:
    """Take delays by modulus or pseudo-modulus, by way, over n; nothing without Montgomery's."""
    found = measured(rows)
    made: dict[str, dict[str, dict[int, float]]] = {MODULUS: {}, PSEUDO: {}}
    for n, which, modulus in _tests(found):
        delays = _delays(found, modulus)
        if STEP in delays:
            for way, delay in delays.items():
                made[which].setdefault(way, {})[n] = delay
    return made if all(made.values()) else {}


def products_over_n(rows: Rows) -> Grid | None:
    """Show the delays of multipliers over n; None if none of Montgomery's was measured."""
    by_n = products_by_n(rows)
    widths = sorted({n for each in by_n.values() for of in each.values() for n in of})

    def delay(way: str, row: tuple[int, str]) -> float | str:
        n, which = row
        return by_n[which].get(way, {}).get(n, "")

    ways = (*WAYS.values(), STEP, PRODUCT)
    return Table(
        "Delays of multipliers over n, ns (document 000, figures 27 to 29)",
        numbers(0, {"n": 0})
        + words({"modulo": 1})
        + numbers(2, {way.replace(" ", "\n"): partial(delay, way) for way in ways}),
        "Modulus: 2^n + k; pseudo-modulus: 2^(n+2) - 1. CM: a compression tree; late: compressed "
        "before it is folded; square: a tree for a * a; DM: product and remainder; MM: the unit "
        "of mm-000, a step per cycle, its period with its registers, and all steps of a product. "
        f"{_products_claims(by_n)}",
        commands=explored,
    ).of(product(widths, by_n))


def _products_claims(by_n: Mapping[str, Mapping[str, Mapping[int, float]]]) -> str:
    if not by_n:
        return ""
    modulus, pseudo = by_n[MODULUS], by_n[PSEUDO]
    delays = {w: (modulus.get(w, {}), pseudo.get(w, {})) for w in ("CM", "CM late", "DM", PRODUCT)}
    ratios = [
        delay / of["CM"][n]
        for of in by_n.values()
        for n, delay in of.get(WAYS[units.SQUARE], {}).items()
        if n in of.get("CM", {})
    ]
    text = _pseudo_faster(delays)
    if ratios:
        text += (
            " The document finds a squarer as slow as a multiplier; squares take "
            f"{min(ratios):.2f} to {max(ratios):.2f} of a product's delay here."
        )
    return text


def reductions_by_n(rows: Rows) -> dict[bool, dict[str, dict[int, units.MultiplierResult]]]:
    """Take reductions of 32 bits (True) and of as many as the modulus has, by way, over n."""
    found = measured(rows)
    made: dict[bool, dict[str, dict[int, units.MultiplierResult]]] = {True: {}, False: {}}
    for how in units.REDUCED:
        for n, which, modulus in _tests(found):
            for fixed, bits in ((True, units.INPUT_BITS), (False, modulus.value.bit_length())):
                task = units.FixedReduction(modulus.n, modulus.offset, how, bits)
                if task in found:
                    made[fixed].setdefault(f"{WAYS[how]}, {which}", {})[n] = found[task]
    return made


def reductions_over_n(rows: Rows) -> Iterable[Grid | None]:
    """Show delay and area of reductions over n; None if none was measured."""
    for fixed, of in reductions_by_n(rows).items():
        figures = "s 24 and 25" if fixed else " 26"
        bits = f"{units.INPUT_BITS} bits" if fixed else "as many bits as the modulus has"
        sized = [way for way in of if not way.startswith(WAYS["late"])]
        yield Table(
            f"Reductions of a number of {bits}, over n (document 000, figure{figures})",
            numbers(0, {"n": int})
            + numbers(2, {f"{_short(way)}\nns": partial(_of, "delay_ns", of[way]) for way in of})
            + numbers(
                0, {f"{_short(way)}\num2": partial(_of, "area_um2", of[way]) for way in sized}
            ),
            "Pseudo: the pseudo-modulus 2^(n+2) - 1. CM: a compression tree of the number's bits; "
            "late: compressed before it is folded; DM: a remainder, an array of conditional "
            f"subtractions. {_reduction_claims(of)}",
            commands=explored,
        ).of(sorted({n for values in of.values() for n in values}))


def _short(way: str) -> str:
    """Write a way and the modulus as a heading."""
    name, which = way.split(", ")
    return f"{name}\n{'2^n+k' if which == MODULUS else 'pseudo'}"


def _reduction_claims(of: Mapping[str, Mapping[int, units.MultiplierResult]]) -> str:
    def delays(way: str, which: str) -> dict[int, float]:
        return {n: result.delay_ns for n, result in of.get(f"{way}, {which}", {}).items()}

    ways = ("CM", "CM late", "DM")
    return _pseudo_faster({way: (delays(way, MODULUS), delays(way, PSEUDO)) for way in ways})


def _pseudo_faster(ways: Mapping[str, tuple[Mapping[int, float], Mapping[int, float]]]) -> str:
    """Say at which n each way is faster for the pseudo-modulus than for the modulus."""
    said = []
    for way, (modulus, pseudo) in ways.items():
        both = [n for n in modulus if n in pseudo]
        faster = [n for n in both if pseudo[n] < modulus[n]]
        if both:
            said.append(f"{way} {'everywhere' if faster == both else _where(faster)}")
    return f"The pseudo-modulus is faster: {'; '.join(said)}." if said else ""


def _where(widths: list[int]) -> str:
    return f"at n = {', '.join(map(str, widths))}" if widths else "at no n"
