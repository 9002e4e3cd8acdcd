"""Lab 1: one exponentiation at five levels, and a waveform."""

from random import Random

from eval.labs.lab import Lab, Question

NBITS = 16
DESIGNS = ("mul-rem", "ssmm-small", "ssmm-004")
PARTS = (5, 9, 12, 24)  # cycles of the multiplier that is not there yet
MONTGOMERY = "mont-small"


def ask(rng: Random) -> list[Question]:
    """Draw a design, a request, and the cycles of a multiplier that is only a number."""
    design = rng.choice(DESIGNS)
    base, exp = rng.sample(range(1 << 10, 1 << 14), 2)
    mod = rng.randrange(1 << 15, 1 << 16) | 1
    part = rng.choice(PARTS)

    def cycles(base: int, exp: int, parts: tuple[str, ...] = (), name: str = design) -> int:
        from eval.catalog.mixed import mixed

        found: int = mixed(name, NBITS, parts).entry.at(NBITS).latency(base, exp, mod)
        return found

    def through_port(count: int) -> int:
        from cl.xcel import xcel_cycles

        return xcel_cycles(NBITS, count)

    def product_cycles() -> int:
        from eval.catalog.point import Point

        return Point(MONTGOMERY, NBITS).entry.multiplier.at(NBITS).latency(1, 1, mod)

    ones, highest = (1 << NBITS) - 1, 1 << NBITS - 1
    asked = f"{design} at {NBITS} bits, base {base}, exponent {exp}, modulus {mod}"
    with_part = (f"unit=fl:{part}",)
    return [
        Question(
            "result",
            f"{asked}: what is the result?",
            2,
            lambda: pow(base, exp, mod),
            (
                ("exp^base: base and exponent are exchanged", lambda: pow(exp, base, mod)),
                ("base * exp mod mod: a product, no power", lambda: base * exp % mod),
                ("0, which has no level", lambda: 0),
            ),
        ),
        Question(
            "cycles",
            f"{asked}: how many cycles does the exponentiator take at level cl?",
            2,
            lambda: cycles(base, exp),
            (
                ("through the port: leave --xcel out", lambda: through_port(cycles(base, exp))),
                ("of exp^base: base and exponent are exchanged", lambda: cycles(exp, base)),
            ),
        ),
        Question(
            "port_cycles",
            f"{asked}: how many cycles does it take through the accelerator port?",
            2,
            lambda: through_port(cycles(base, exp)),
            (
                ("without the port: add --xcel", lambda: cycles(base, exp)),
                (
                    "of exp^base: base and exponent are exchanged",
                    lambda: through_port(cycles(exp, base)),
                ),
            ),
        ),
        Question(
            "exponent_cost",
            f"{MONTGOMERY} at {NBITS} bits, base {base}, modulus {mod}: how many cycles more does "
            f"exponent {ones} take than exponent {highest}?",
            2,
            lambda: cycles(base, ones, name=MONTGOMERY) - cycles(base, highest, name=MONTGOMERY),
            (
                ("of exponent 65535 alone", lambda: cycles(base, ones, name=MONTGOMERY)),
                ("of exponent 32768 alone", lambda: cycles(base, highest, name=MONTGOMERY)),
                ("the number of products, not their cycles", lambda: NBITS - 1),
            ),
        ),
        Question(
            "assumed_cycles",
            f"{MONTGOMERY} at {NBITS} bits, base {base}, exponent {exp}, modulus {mod}, level rtl: "
            f"how many cycles does it take with --part unit=fl:{part}?",
            2,
            lambda: cycles(base, exp, with_part, MONTGOMERY),
            (
                ("with the real multiplier", lambda: cycles(base, exp, (), MONTGOMERY)),
                (
                    "with --part unit=fl, a multiplier of one cycle",
                    lambda: cycles(base, exp, ("unit=fl",), MONTGOMERY),
                ),
            ),
        ),
        Question(
            "waveform",
            f"In the waveform of {MONTGOMERY} at {NBITS} bits: how many cycles pass from the one "
            "in which a multiplier takes a request (recv.val and recv.rdy) to the one in which it "
            "answers (send.val and send.rdy)?",
            2,
            product_cycles,
            (
                ("a cycle too few: the request is loaded first", lambda: product_cycles() - 1),
                ("a cycle too many: count edges, not both ends", lambda: product_cycles() + 1),
                (
                    "the whole exponentiation: look at the unit's ports, not the top's",
                    lambda: cycles(base, exp, name=MONTGOMERY),
                ),
            ),
        ),
    ]


LAB = Lab("1", "one exponentiation at five levels, and a waveform", "1", ask)
