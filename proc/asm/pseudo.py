"""Pseudo-instructions: what each stands for, by its name and number of operands.

{0}, {1}, ... are the operands. `li` depends on its value: see `expand_li`.
"""

from proc.asm.expressions import high, low
from proc.isa import signed

PSEUDO: dict[tuple[str, int], tuple[str, ...]] = {
    ("nop", 0): ("addi x0, x0, 0",),
    ("mv", 2): ("addi {0}, {1}, 0",),
    ("not", 2): ("xori {0}, {1}, -1",),
    ("neg", 2): ("sub {0}, x0, {1}",),
    ("seqz", 2): ("sltiu {0}, {1}, 1",),
    ("snez", 2): ("sltu {0}, x0, {1}",),
    ("sltz", 2): ("slt {0}, {1}, x0",),
    ("sgtz", 2): ("slt {0}, x0, {1}",),
    ("zext.b", 2): ("andi {0}, {1}, 255",),
    ("la", 2): ("lui {0}, %hi({1})", "addi {0}, {0}, %lo({1})"),
    ("beqz", 2): ("beq {0}, x0, {1}",),
    ("bnez", 2): ("bne {0}, x0, {1}",),
    ("blez", 2): ("bge x0, {0}, {1}",),
    ("bgez", 2): ("bge {0}, x0, {1}",),
    ("bltz", 2): ("blt {0}, x0, {1}",),
    ("bgtz", 2): ("blt x0, {0}, {1}",),
    ("bgt", 3): ("blt {1}, {0}, {2}",),
    ("ble", 3): ("bge {1}, {0}, {2}",),
    ("bgtu", 3): ("bltu {1}, {0}, {2}",),
    ("bleu", 3): ("bgeu {1}, {0}, {2}",),
    ("j", 1): ("jal x0, {0}",),
    ("jal", 1): ("jal ra, {0}",),
    ("jr", 1): ("jalr x0, 0({0})",),
    ("jalr", 1): ("jalr ra, 0({0})",),
    ("jalr", 3): ("jalr {0}, {2}({1})",),
    ("ret", 0): ("jalr x0, 0(ra)",),
    ("call", 1): ("jal ra, {0}",),
    ("tail", 1): ("jal x0, {0}",),
    ("csrr", 2): ("csrrs {0}, {1}, x0",),
    ("csrw", 2): ("csrrw x0, {0}, {1}",),
    ("csrs", 2): ("csrrs x0, {0}, {1}",),
    ("csrc", 2): ("csrrc x0, {0}, {1}",),
    ("csrwi", 2): ("csrrwi x0, {0}, {1}",),
    ("csrsi", 2): ("csrrsi x0, {0}, {1}",),
    ("csrci", 2): ("csrrci x0, {0}, {1}",),
    ("rdcycle", 1): ("csrrs {0}, cycle, x0",),
    ("rdcycleh", 1): ("csrrs {0}, cycleh, x0",),
    ("rdinstret", 1): ("csrrs {0}, instret, x0",),
    ("rdinstreth", 1): ("csrrs {0}, instreth, x0",),
}

PSEUDO_NAMES = {name for name, _ in PSEUDO} | {"li"}


def expand_li(rd: str, value: int | None, text: str) -> tuple[str, ...]:
    """Return `li`: one instruction if its value is known now and allows it, otherwise two."""
    if value is None:
        return f"lui {rd}, %hi({text})", f"addi {rd}, {rd}, %lo({text})"
    if not -(1 << 31) <= value < 1 << 32:
        raise ValueError(f"{value} does not fit in 32 bits")
    if -2048 <= signed(value) <= 2047:
        return (f"addi {rd}, x0, {signed(value)}",)
    upper = f"lui {rd}, {high(value)}"
    return (upper, f"addi {rd}, {rd}, {low(value)}") if low(value) else (upper,)
