"""Random programs that are interrupted again and again, by tests/proc/alarm.py's device.

As in instruction_streams, with accesses of the device, messages to the accelerator, wfi, and
interrupts switched off and on between. The handler counts interrupts at COUNT, and rings
again after 1 to 128 cycles.
"""

from proc.asm.assembler import assemble
from proc.programs.image import Image
from tests.cases.instruction_streams import FREE, SCRATCH, Writer

COUNT, SPARE, DEVICE = 0x104, 0x100, 0x40000000
HANDLER = f"""
    j begin
handler:
    csrw mscratch, t0
    sw t1, {SPARE}(x0)
    sw t2, {SPARE + 8}(x0)
    lw t0, {COUNT}(x0)
    addi t0, t0, 1
    sw t0, {COUNT}(x0)
    li t1, 0x9e3779b1
    mul t1, t0, t1
    srli t1, t1, 25
    addi t1, t1, 1
    xor t2, t2, t1
    lui t0, {DEVICE >> 12}
    sw t1, 0(t0)
    lw t1, {SPARE}(x0)
    lw t2, {SPARE + 8}(x0)
    csrr t0, mscratch
    mret
begin:
"""
START = f"""
    la t0, handler
    csrw mtvec, t0
    li t0, 0x800
    csrw mie, t0
    lui t0, {DEVICE >> 12}
    li t1, 5
    sw t1, 0(t0)
    csrsi mstatus, 8
"""


class _Interrupted(Writer):
    """Writes what interrupts may disturb, too."""

    def simple(self) -> None:
        if self.random.random() < 0.85:
            super().simple()
            return
        a, b = self.random.sample(FREE[1:], 2)
        self.lines += self.random.choice(
            (
                (f"lui {a}, {DEVICE >> 12}", f"sw {b}, 4({a})"),
                (f"lui {a}, {DEVICE >> 12}", f"lw {b}, 4({a})"),
                (f"lui {a}, {DEVICE >> 12}", f"lhu {a}, 2({a})", f"add {b}, {b}, {a}"),
                (f"csrw xr0, {a}",),
                (f"csrr {a}, xr0",),
                (f"divu {a}, {a}, {b}",),
                (f"divu x31, {a}, {b}", f"remu {a}, {a}, {b}"),
                ("wfi",),
                (f"csrrci {a}, mstatus, 8",),
                (f"csrrsi {a}, mstatus, 8",),
                (f"csrrsi {a}, mstatus, 8",),
                (f"csrr {a}, {self.random.choice(('mepc', 'mcause', 'mtvec', 'mie'))}",),
            )
        )


def interrupted_stream(seed: int, instructions: int) -> Image:
    """A program of about so many instructions in memory, up to its label `end`; then it passes."""
    writer = _Interrupted(seed)
    r = writer.random
    writer.lines += [f"li {reg}, {r.getrandbits(32)}" for reg in FREE[1:]]
    writer.lines.append(f"li s0, {SCRATCH}")
    writer.lines.append(START)
    writer.fill(instructions)
    text = [HANDLER, *writer.lines, "end: csrci mstatus, 8", "li a0, 0x20000"]
    return assemble("\n".join([*text, "csrw proc2mngr, a0", "1: j 1b"]), f"interrupted {seed}")
