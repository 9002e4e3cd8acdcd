"""What wrong responses have in common: a form of the result, or operands that are all right."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

CHANCE = 1e-4  # with which a hint may hold by accident
LEAST = 8  # cases that a form must explain
FURTHER = 40  # bits beyond n by which a result may be divided


def hint(model: Any, cases: Sequence[Any], answers: Sequence[int], products: bool) -> str | None:
    """Say what the wrong answers of a run have in common; None if nothing that is known.

    answers: packed responses. products: whether the cases are products, not powers.
    """
    if products:
        results = list(answers)
        right = [model.value(*case.operands) for case in cases]
    else:
        results = [answer >> 1 for answer in answers]
        right = [model.value(*case.operands)[0] for case in cases]
    correct = [one == other for one, other in zip(results, right, strict=True)]
    if all(correct):
        return None
    return (
        _form(model, cases, results, right, products)
        or _previous(results, right)
        or (_where_right(model.nbits, cases, correct, products))
    )


def _form(
    model: Any, cases: Sequence[Any], results: list[int], right: list[int], products: bool
) -> str | None:
    """Recognise results that are multiplied or divided by a power of two, modulo odd m."""
    nbits = model.nbits
    odd = []
    for case, result, good in zip(cases, results, right, strict=True):
        *_, m = case.operands
        if m % 2 and m >= 8 and good:
            odd.append((m, result, good))
    if len(odd) < LEAST:
        return None
    product = "a*b" if products else "base^exp"
    for bits in range(1, nbits + FURTHER):
        if all((result << bits) % m == good for m, result, good in odd):
            total = bits + (model.radix if products else 0)
            remedy = "converted out of Montgomery form once too often, or never into it"
            if products:
                radix = _sum("nbits", total, nbits)
                remedy = f"Montgomery's product; declare radix=lambda nbits: {radix}"
            return f"the responses are {product}/2^{_sum('n', total, nbits)} mod m: {remedy}"
        if all(result % m == (good << bits) % m for m, result, good in odd):
            power = _sum("n", bits, nbits)
            return f"the responses are {product} * 2^{power} mod m: still in Montgomery form"
    return None


def _sum(name: str, bits: int, nbits: int) -> str:
    """Write a number of bits as that of the width and some more."""
    return name if bits == nbits else f"({name}{bits - nbits:+})"


def _previous(results: list[int], right: list[int]) -> str | None:
    """Recognise results of the request before."""
    late = [(results[i], right[i], right[i - 1]) for i in range(1, len(right))]
    wrong = [(result, before) for result, good, before in late if result != good]
    if len(wrong) < LEAST or any(result != before for result, before in wrong):
        return None
    return (
        "the wrong responses are those of the request before: the result is read too early. Of a "
        "third-party core increase `settle`"
    )


def _where_right(
    nbits: int, cases: Sequence[Any], correct: list[bool], products: bool
) -> str | None:
    """Find the operands for which all responses are right: the least special condition that is no
    accident."""
    conditions = _conditions(nbits, products)
    wrong = [case.operands for case, good in zip(cases, correct, strict=True) if not good]
    # Only a condition that no wrong case meets explains them; alone or two together.
    best: tuple[int, int, str] | None = None
    for size in (1, 2):
        for chosen in combinations(conditions.items(), size):
            tests = [test for _, test in chosen]
            if any(all(test(*one) for test in tests) for one in wrong):
                continue
            met = sum(all(test(*case.operands) for test in tests) for case in cases)
            if met < LEAST or (1 - met / len(cases)) ** len(wrong) > CHANCE:
                continue
            if best is None or (-size, met) > best[:2]:
                best = -size, met, " and ".join(name for name, _ in chosen)
    if best is None:
        return None
    return f"right for {best[2]} only ({best[1]} of {len(cases)} cases, all of them right)"


def _conditions(nbits: int, products: bool) -> dict[str, Callable[[int, int, int], bool]]:
    """Name conditions on the operands."""
    found: dict[str, Callable[[int, int, int], bool]] = {}
    if products:
        found["a < m and b < m"] = lambda a, b, m: a < m and b < m
        found["a < m"] = lambda a, b, m: a < m
        found["b < m"] = lambda a, b, m: b < m
    else:
        found["base < mod"] = lambda base, exp, mod: base < mod
        found["exponents above 0"] = lambda base, exp, mod: exp > 0
    for spare in (1, 2, 3, 4):
        found[f"moduli of at most n-{spare} bits"] = _shorter(nbits - spare)
    found["odd moduli"] = lambda a, b, m: m % 2 == 1
    found["moduli whose highest bit is set"] = lambda a, b, m: m >> nbits - 1 == 1
    return found


def _shorter(bits: int) -> Callable[[int, int, int], bool]:
    """Return the condition that a modulus has at most so many bits."""
    return lambda a, b, m: m >> bits == 0
