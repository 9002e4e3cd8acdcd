"""Speed of the processor at each level: cycles and instructions a second of CPU time.

Run as `python -m tests.bench.bench_processor`.
"""

from time import process_time

from proc.asm.assembler import assemble
from proc.manager import Manager
from proc.run.systems import make_system
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
ROUNDS = {"fl": 60_000, "rtl": 200, "batch": 600_000}


def main() -> None:
    """Measure every level in turn, then print."""
    build_dir()
    print(f"{'level':<6} {'instructions/s':>15} {'cycles/s':>12}")
    for level, rounds in ROUNDS.items():
        image = assemble(LOOP.format(rounds=rounds))
        system = make_system(level)
        start = process_time()
        run = system.run(image, Manager(), limit=10**9)
        seconds = process_time() - start
        cycles = f"{run.cycles / seconds:,.0f}" if run.cycles else "-"
        print(f"{level:<6} {run.instructions / seconds:>15,.0f} {cycles:>12}")


if __name__ == "__main__":
    main()
