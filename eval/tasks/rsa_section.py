"""What a report shows of RSA on the processor."""

from eval.table import Row, Table, numbers, words
from eval.tasks.section import Section, tables

TITLES = {
    "crt": "signature by both primes",
    "private": "signature by CRT in hardware",
    "d": "signature mod n",
    "e": "verification",
}


def _outside(row: Row) -> float | None:
    return row.result.outside if row.task.design and row.task.operation == "crt" else None


RSA = Table(
    "RSA on the processor",
    words(
        {
            "powers by": lambda row: row.task.accelerator or "software",
            "operation": lambda row: TITLES[row.task.operation],
            "check": "care",
        }
    )
    + numbers(0, {"bits": "nbits", "cycles": "cycles", "outside\nthe powers": _outside}),
    "From the base in the processor's memory to the result there, simulated (level batch), "
    "each result compared with that of the `rsa` package; the key and its constants are in "
    "memory before. Software: Montgomery's products by words of 32 bits, private powers by "
    "windows of 4 bits in constant time. By both primes an accelerator has half the bits of "
    "the key. Check primes: m^e = c modulo either prime, by the accelerator; infective: the same, "
    "and a wrong result changes to one that tells nothing. By CRT in "
    "hardware: the accelerator has the key's primes and makes all of it, its check included.",
)

SECTION = Section(results=tables(RSA))
