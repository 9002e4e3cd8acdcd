"""What a report shows of RSA on the processor."""

from collections.abc import Mapping

from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.rsa import Rsa, RsaResult
from eval.tasks.section import Section, measured

TITLES = {
    "crt": "signature by both primes",
    "d": "signature mod n",
    "e": "verification",
}


def rsa_grid(rows: Mapping[Rsa, RsaResult | None]) -> Grid | None:
    """Show the cycles of every operation; None if none was measured."""
    return grid(
        "RSA on the processor",
        (
            words("powers by", "operation", "check")
            + numbers(0, "bits", "cycles", "outside\nthe powers")
        ),
        (
            line(
                *(str(task.accelerator or "software"), TITLES[task.operation], task.care),
                *(task.nbits, result.cycles),
                result.outside if task.design and task.operation == "crt" else None,
                commands=(task.command,),
            )
            for task, result in measured(rows).items()
        ),
        "From the base in the processor's memory to the result there, simulated (level batch), "
        "each result compared with that of the `rsa` package; the key and its constants are in "
        "memory before. Software: Montgomery's products by words of 32 bits, private powers by "
        "windows of 4 bits in constant time. By both primes an accelerator has half the bits of "
        "the key. Check primes: m^e = c modulo either prime, by the accelerator.",
    )


SECTION = Section(results=lambda rows: [rsa_grid(rows)])
