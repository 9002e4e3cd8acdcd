"""`modexplorer pseudo`: whether a modulus has a pseudo-modulus 2^N - 1 or 2^N + 1 of use."""

from typing import Any

import click

from eval.cli.options import Number, cli_command, option, tell

DEFAULT_BOUND = 1 << 36  # half a million products
LARGEST_BOUND = 1 << 44
SHOWN_BITS = 4096  # a longer c is only described


@cli_command("pseudo 5726623061", "pseudo 2148676643")
@click.argument("m", type=Number(1))
@option(
    "--bound N",
    f"Search up to this N; {DEFAULT_BOUND} if not given. The work grows with its root.",
    Number(1, LARGEST_BOUND),
    usual=DEFAULT_BOUND,
)
def command(m: int, bound: int, as_json: bool) -> None:
    """Find the least N for which M divides 2^N - 1 or 2^N + 1, and c = (2^N -+ 1) / M.

    Modulo such a pseudo-modulus c * M, document 000 reduces by wiring. N is the order of 2 modulo
    M, or half of it; it is searched by baby steps and giant steps, nothing is factored. M has at
    most 4096 bits: up to the default bound such a search takes some ten seconds.
    """
    from eval.catalog.inputs import shorten
    from eval.cli.progress import Reporter
    from fl.pseudo_modulus import least_pseudo_modulus

    found = None
    if m % 2:
        with Reporter(f"pseudo-modulus of {shorten(m)}") as progress:
            found = least_pseudo_modulus(
                m, bound, lambda reached: progress.now(f"no N up to {reached}, of {bound}")
            )
    answer = describe(m, bound, found)
    lines = (
        f"{key.replace('_', ' '):14}{shorten(value) if key in ('m', 'c') else value}"
        for key, value in answer.items()
        if value is not None
    )
    tell(answer, lines, as_json)


def describe(m: int, bound: int, found: Any) -> dict[str, Any]:
    """Say all that is known of m; `found` is its PseudoModulus, if there is one in reach."""
    nbits = m.bit_length()
    answer: dict[str, Any] = {"m": m, "bits": nbits}
    answer |= dict.fromkeys(("N", "form", "c_bits", "c"))
    if found:
        sign = "-" if found.sign == 1 else "+"
        answer |= {"N": found.exponent, "form": f"c * m = 2^N {sign} 1", "c_bits": found.c_bits}
        if found.c_bits <= SHOWN_BITS:
            answer["c"] = found.c
        longer = found.exponent / nbits
        return answer | {
            "cost": f"products modulo c * m are of {found.exponent} bits, {longer:.3g} times m's"
        }
    if m % 2 == 0:
        return answer | {"why": "there is none: m is even, 2^N - 1 and 2^N + 1 are odd"}
    from fl.pseudo_modulus import expected_bits

    return answer | {
        "why": f"not within reach: N is above {bound}",
        "expected": f"N of about 2^{expected_bits(nbits)}, the median of random RSA moduli",
    }
