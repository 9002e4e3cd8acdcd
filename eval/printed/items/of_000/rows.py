"""The rows that the items of document 000 quote, and its own figures in words."""

from eval.printed.document_000 import KEY_BITS, ONE, TABLE_5, TWO
from eval.printed.items.quoted import Ours
from fl.modulus import third

WHOLE = "report document-000"  # the study of what the document measures
E, D = "e", "d"


def mapped(design: str, what: str, nbits: int = 16) -> Ours:
    """Quote area_um2 or period_reached_ns of an accelerator, as fast as it becomes."""
    return Ours(f"flow {design} --nbits {nbits} --clock 0.5", f"metrics.{what}")


def period(design: str, nbits: int = 16) -> Ours:
    """Quote the shortest period of an accelerator in ns."""
    return mapped(design, "period_reached_ns", nbits)


def modules(design: str, nbits: int) -> Ours:
    """Quote adaptive logic modules of a Cyclone V."""
    return Ours(f"fpga {design} --nbits {nbits} --device cyclonev", "metrics.alms")


def cycles(design: str, workload: str, nbits: int) -> Ours:
    """Quote the cycles of an exponentiation."""
    return Ours(f"simulate {design} --nbits {nbits} --workload {workload}", "cycles")


def of_unit(name: str, what: str = "delay_ns") -> Ours:
    """Quote delay or area of a unit for a fixed modulus, by its name in the study."""
    return Ours(WHOLE, f"others[task={name}].{what}")


def multiplier(n: int, how: str = "document", pseudo: bool = False) -> Ours:
    """Quote the delay of a multiplier modulo 2^n + k, or modulo its pseudo-modulus 2^(n+2) - 1."""
    return of_unit(f"2^{n + 2}-1 {how}" if pseudo else f"2^{n}+{third(n)} {how}")


def reduction(n: int, how: str, bits: int | None = None, pseudo: bool = False) -> Ours:
    """Quote the delay of a reduction of so many bits, or of the bits of the modulus."""
    modulus, own = (f"2^{n + 2}-1", n + 2) if pseudo else (f"2^{n}+{third(n)}", n + 1)
    return of_unit(f"{bits or own} bits mod {modulus} {how}")


def both(name: str, n: int, form: str = ".2f") -> str:
    """Quote the delays of a way of multiplying, with the modulus and with the pseudo-modulus."""
    return f"{multiplier(n, name)(form)} and {multiplier(n, name, pseudo=True)(form)}"


def product(design: str, nbits: int = 16) -> str:
    """Write area x period of an accelerator as an expression."""
    parts = (mapped(design, "area_um2", nbits), period(design, nbits))
    return " * ".join(part.value for part in parts)


def gain(way: str, units: int, nbits: int = 16) -> str:
    """Quote area x period with the pseudo-modulus by that with the modulus."""
    over, under = (product(f"{way}-{form}-{units}", nbits) for form in ("pseudo", "modulus"))
    return f"{{{{ ratio({over}, {under}, '.2f') }}}}"


def slower_montgomery(nbits: int) -> str:
    """Quote how many times the decryption of Montgomery's pseudo-modulus takes that of trees."""
    slow, fast = (
        f"{cycles(design, D, nbits).value} * {period(design, nbits).value}"
        for design in ("mm-printed-pseudo-2", "cm-pseudo-2")
    )
    return f"{{{{ ratio({slow}, {fast}, '.0f') }}}}"


def gain_of_table_5(n: int) -> str:
    """Quote area x delay of the pseudo-modulus' multiplier by that of the modulus'."""
    over, under = (
        " * ".join(of_unit(name, what).value for what in ("area_um2", "delay_ns"))
        for name in (f"2^{n + 2}-1 document", f"2^{n}+{third(n)} document")
    )
    return f"{{{{ ratio({over}, {under}, '.2f') }}}}"


def printed_gain(n: int) -> str:
    """Return the same of table 5."""
    return f"{next(pair.ratio for pair in TABLE_5 if pair.n == n):.2f}"


def printed_gain_of_trees(units: int, nbits: int = 32) -> str:
    """Return elements x delay of the pseudo-modulus by that of the modulus, of tables 7 and 8 or
    13 and 14."""
    printed = {1: ONE, 2: TWO}[units]
    both = [printed.ratio(what, "cm", nbits) for what in ("elements", "delay_ns")]
    return f"{both[0] * both[1]:.2f}"


def printed_slower(what: str, nbits: int = 32) -> str:
    """Return how many times a figure of Montgomery's pseudo-modulus is that of trees."""
    i, table = KEY_BITS.index(nbits), getattr(TWO, what)
    return f"{table['mm-pseudo'][i] / table['cm-pseudo'][i]:.0f}"


def product_of_steps(n: int) -> str:
    """Quote the delay of all steps of Montgomery's product modulo the pseudo-modulus."""
    name = f"2^{n + 2}-1 montgomery"
    steps = (of_unit(name).value, of_unit(name, "structure.cycles").value)
    return f"{{{{ ({steps[0]} * {steps[1]}) | num('.1f') }}}}"


def gain_late(units: int) -> str:
    """Quote area x period with the pseudo-modulus by that of trees that fold once, at 16 bits."""
    over, under = product(f"cm-pseudo-{units}"), product(f"cm-late-{units}")
    return f"{{{{ ratio({over}, {under}, '.2f') }}}}"
