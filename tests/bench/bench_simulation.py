"""Cycles per second of the three simulations, measured in one run on one design.

Run as `python -m tests.bench.bench_simulation`; --json prints the figures alone.
"""

import argparse
import json
import random
import sys
import time
from dataclasses import asdict, dataclass

from eval.catalog import find
from eval.catalog.design import Design
from sim.stream import StreamRunner

LEVELS = ("rtl", "verilog", "batch")
TITLES = {"rtl": "Python", "verilog": "import", "batch": "batch"}
ROUNDS = 3


@dataclass(frozen=True)
class Row:
    """One level at one width."""

    nbits: int
    level: str
    prepare_s: float  # elaboration, translation and build, or their cache
    cycles: int  # in the best round
    cycles_per_s: float
    ratio: float  # to Python at this width


def requests(nbits: int, count: int) -> list[int]:
    """Full-width operands with short exponents, so that few cycles can be asked for."""
    rng = random.Random(nbits)
    top = 1 << nbits - 1
    packed = []
    for _ in range(count):
        base, mod = rng.getrandbits(nbits), rng.getrandbits(nbits) | top | 1
        packed.append((base << nbits | 0b11) << nbits | mod)
    return packed


def measure(design: Design, nbits: int, level: str, seconds: float) -> tuple[float, int, float]:
    """Seconds to prepare, cycles in a round, cycles per second of the best round."""
    start = time.perf_counter()
    component = design.component("rtl", nbits)
    with StreamRunner(component, level, name=f"{design.name}-{nbits}") as runner:
        prepare = time.perf_counter() - start

        def one_round(count: int) -> tuple[int, float]:
            work = requests(nbits, count)
            begin = time.process_time()  # this process alone, whatever else is running
            cycles = runner.run(work)[-1].arrived
            return cycles, time.process_time() - begin

        count = 1
        cycles, taken = one_round(count)
        while taken < seconds / 4:
            count = min(10 * count, int(count * seconds / taken) + 1)
            cycles, taken = one_round(count)
        again = range(ROUNDS - 1 if taken < 4 * seconds else 0)  # else one round has to do
        best = min([taken, *(one_round(count)[1] for _ in again)])
    return prepare, cycles, cycles / best


def table(rows: list[Row], design: Design) -> str:
    """The rows as text, one a line."""
    lines = [
        f"{design.name}: cycles per second of CPU time, best of {ROUNDS} rounds",
        f"{'bits':>5}  {'level':<7} {'prepare s':>9} {'cycles':>11} {'cycles/s':>12} {'ratio':>8}",
    ]
    lines += [
        f"{r.nbits:>5}  {TITLES[r.level]:<7} {r.prepare_s:>9.1f} {r.cycles:>11,}"
        f" {r.cycles_per_s:>12,.0f} {r.ratio:>8.3g}"
        for r in rows
    ]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    """Measure every width and level in turn, then print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--design", default="mul-rem", help="a name of the catalog")
    parser.add_argument("--widths", type=int, nargs="+", default=[32, 512, 4096])
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a round")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    design = find(options.design)
    rows: list[Row] = []
    for nbits in options.widths:
        for level in LEVELS:
            print(f"{nbits} bits, {TITLES[level]} ...", file=sys.stderr)
            prepare, cycles, speed = measure(design, nbits, level, options.seconds)
            base = (
                speed
                if level == LEVELS[0]
                else next(r.cycles_per_s for r in rows if r.nbits == nbits)
            )
            rows.append(Row(nbits, level, prepare, cycles, speed, speed / base))
    print(json.dumps([asdict(r) for r in rows]) if options.json else table(rows, design))


if __name__ == "__main__":
    main()
