"""Speed of the processor at each level: cycles and instructions a second of CPU time.

Run as `python -m tests.bench.bench_processor`.
"""

from dataclasses import dataclass
from functools import partial
from time import process_time

from eval.catalog import find
from proc.asm.assembler import assemble
from proc.manager import Manager
from proc.run.levels import make_system
from proc.run.timing import FAST, Timing
from rtl.port.xcel import NullXcelRTL
from sim.paths import build_dir

LOOP = """
    li a1, {rounds}
1:  mul a2, a0, a0
    lw a3, 0(x0)
    addi a0, a0, 1
    bne a0, a1, 1b
    li a7, 0x20000
    csrw proc2mngr, a7
"""
LATE = Timing(latency=4, seed=1)


@dataclass(frozen=True)
class Measured:
    """A processor, and how often it runs the loop."""

    level: str
    rounds: int
    timing: Timing = FAST
    beside: str = ""  # the level of an accelerator

    @property
    def name(self) -> str:
        """The level, with what makes it slower."""
        late = ", random delays" * (self.timing is LATE)
        return f"{self.level}{late}{f', mul-rem at {self.beside}' * bool(self.beside)}"


MEASURED = (
    Measured("fl", 60_000),
    Measured("cl", 60_000),
    Measured("cl", 30_000, LATE),
    *(Measured("cl", 2_000, beside=level) for level in ("cl", "rtl")),
    Measured("rtl", 200),
    Measured("batch", 600_000),
    Measured("batch", 600_000, LATE),
)


def main() -> None:
    """Measure each in turn, then print."""
    build_dir()
    print(f"{'level':<22} {'instructions/s':>15} {'cycles/s':>12}")
    for one in MEASURED:
        image = assemble(LOOP.format(rounds=one.rounds))
        make = partial(find("mul-rem").xcel, one.beside, 32) if one.beside else NullXcelRTL
        system = make_system(one.level, make)
        start = process_time()
        run = system.run(image, Manager(), one.timing, limit=10**9)
        seconds = process_time() - start
        cycles = f"{run.cycles / seconds:,.0f}" if run.cycles else "-"
        print(f"{one.name:<22} {run.instructions / seconds:>15,.0f} {cycles:>12}")


if __name__ == "__main__":
    main()
