"""Programs that test one instruction or one hazard; every level of the processor runs them.

A case reads its operands from mngr2proc and writes its results to proc2mngr: run it with
`Manager(case.inputs, words=len(case.outputs))` and compare the manager's outputs.
"""

from dataclasses import dataclass

from proc.asm.assembler import assemble
from proc.programs.image import Image
from tests.cases.instruction_values import BRANCH, IMMEDIATE, REGISTER


@dataclass(frozen=True)
class Case:
    """A program, what it is given and what it must answer."""

    name: str
    text: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]

    def __str__(self) -> str:
        return self.name

    def image(self) -> Image:
        """The program, waiting at its end for the run to be over."""
        text, data = (self.text.split(".data", 1) + [""])[:2]
        return assemble(f"{text}\n_end: j _end\n.data\n{data}", self.name)


def _register(name: str) -> Case:
    rows = REGISTER[name]
    step = f"csrr a1, mngr2proc\ncsrr a2, mngr2proc\n{name} a0, a1, a2\ncsrw proc2mngr, a0\n"
    inputs = tuple(value for a, b, _ in rows for value in (a, b))
    return Case(name, step * len(rows), inputs, tuple(row[2] for row in rows))


def _immediate(name: str) -> Case:
    rows = IMMEDIATE[name]
    steps = (
        f"csrr a1, mngr2proc\n{name} a0, a1, {imm}\ncsrw proc2mngr, a0\n" for _, imm, _ in rows
    )
    return Case(name, "".join(steps), tuple(r[0] for r in rows), tuple(r[2] for r in rows))


def _branch(name: str) -> Case:
    rows = BRANCH[name]
    step = f"""
        csrr a1, mngr2proc
        csrr a2, mngr2proc
        li a0, 1
        {name} a1, a2, 1f
        li a0, 0
    1:  csrw proc2mngr, a0
    """
    inputs = tuple(value for a, b, _ in rows for value in (a, b))
    return Case(name, step * len(rows), inputs, tuple(row[2] for row in rows))


# What the third row's first operand gives with itself.
WITH_ITSELF = {
    **{"add": 6, "sub": 0, "slt": 0, "sltu": 0, "xor": 0, "or": 3, "and": 3},
    **{"sll": 2, "srl": 0x40000000, "sra": 0xC0000000},
    **{"mul": 9, "mulh": 0, "mulhsu": 0, "mulhu": 0},
    **{"div": 1, "divu": 1, "rem": 0, "remu": 0},
}


def _same_registers(name: str) -> Case:
    """rd = rs1, rd = rs2, rs1 = rs2, all three, and x0 as destination."""
    a, b, result = REGISTER[name][2]
    text = f"""
        csrr a1, mngr2proc
        csrr a2, mngr2proc
        mv a3, a1
        {name} a3, a3, a2
        csrw proc2mngr, a3
        mv a3, a2
        {name} a3, a1, a3
        csrw proc2mngr, a3
        {name} a3, a1, a1
        csrw proc2mngr, a3
        mv a3, a1
        {name} a3, a3, a3
        csrw proc2mngr, a3
        {name} x0, a1, a2
        csrw proc2mngr, x0
    """
    itself = WITH_ITSELF[name]
    return Case(f"{name} same registers", text, (a, b), (result, result, itself, itself, 0))


UPPER = Case(
    "lui and auipc",
    """
        lui a0, 0
        csrw proc2mngr, a0
        lui a0, 0xfffff
        csrw proc2mngr, a0
        lui a0, 0x12345
        csrw proc2mngr, a0
        auipc a0, 0
        csrw proc2mngr, a0
        auipc a0, 0xfffff
        csrw proc2mngr, a0
        auipc a0, 0x7ffff
        csrw proc2mngr, a0
        lui x0, 1
        csrw proc2mngr, x0
    """,
    (),
    (0, 0xFFFFF000, 0x12345000, 0x218, 0xFFFFF220, 0x7FFFF228, 0),
)

JUMPS = Case(
    "jal and jalr",
    """
        jal ra, 1f
        csrw proc2mngr, x0
    1:  csrw proc2mngr, ra              # 0x204
        la t0, 2f
        jalr t1, 0(t0)
        csrw proc2mngr, x0
    2:  csrw proc2mngr, t1              # 0x218
        la t0, 3f
        jalr t0, -4(t0)                 # rd = rs1
        csrw proc2mngr, x0
        csrw proc2mngr, t0              # 0x22c, reached by the jump
    3:  la t0, 4f + 8
        addi t0, t0, 1                  # bit 0 of the sum is ignored
        jalr x0, -8(t0)
        csrw proc2mngr, x0
    4:  csrw proc2mngr, x0
        li a0, 0
        j 6f
    5:  addi a0, a0, 1                  # backwards
        csrw proc2mngr, a0
        j 7f
    6:  jal t2, 5b
    7:  csrw proc2mngr, t2
    """,
    (),
    (0x204, 0x218, 0x22C, 0, 1, 0x264),
)

LOADS = Case(
    "loads",
    "la a1, words + 8\n"
    + "".join(
        f"{name} a0, {offset}(a1)\ncsrw proc2mngr, a0\n"
        for name, offset in [
            *(("lw", offset) for offset in (-8, -4, 0, 4)),
            *(("lh", offset) for offset in (-8, -6, 0, 2)),
            *(("lhu", offset) for offset in (-8, -6, 0, 2)),
            *(("lb", offset) for offset in (-8, -7, -6, -5)),
            *(("lbu", offset) for offset in (-8, -7, -6, -5)),
        ]
    )
    + "lw x0, 0(a1)\ncsrw proc2mngr, x0\n"
    + ".data\nwords: .word 0x807f01ff, 0x00ff00ff, 0x7fff8000, 0xdeadbeef",
    (),
    (
        *(0x807F01FF, 0x00FF00FF, 0x7FFF8000, 0xDEADBEEF),
        *(0x000001FF, 0xFFFF807F, 0xFFFF8000, 0x00007FFF),
        *(0x000001FF, 0x0000807F, 0x00008000, 0x00007FFF),
        *(0xFFFFFFFF, 0x00000001, 0x0000007F, 0xFFFFFF80),
        *(0x000000FF, 0x00000001, 0x0000007F, 0x00000080),
        0,
    ),
)

STORES = Case(
    "stores",
    "la a1, words + 4\nli a2, 0x11223344\n"
    + "".join(
        f"li a3, 0xaabbccdd\nsw a3, 0(a1)\n{name} a2, {offset}(a1)\n"
        "lw a0, 0(a1)\ncsrw proc2mngr, a0\n"
        for name, offset in [
            ("sw", 0),
            *(("sh", i) for i in (0, 2)),
            *(("sb", i) for i in range(4)),
        ]
    )
    + "sw a2, -4(a1)\nlw a0, -4(a1)\ncsrw proc2mngr, a0\n.data\nwords: .space 16",
    (),
    (
        *(0x11223344, 0xAABB3344, 0x3344CCDD, 0xAABBCC44, 0xAABB44DD, 0xAA44CCDD, 0x44BBCCDD),
        0x11223344,
    ),
)

CSRS = Case(
    "csrs",
    """
        csrr a0, mhartid
        csrw proc2mngr, a0
        csrr a0, stats_en
        csrw proc2mngr, a0
        li a1, 1
        csrrw a0, stats_en, a1
        csrw proc2mngr, a0
        csrrc a0, stats_en, a1
        csrw proc2mngr, a0
        csrrs a0, stats_en, a1
        csrw proc2mngr, a0
        csrrci a0, stats_en, 1
        csrw proc2mngr, a0
        csrrsi a0, stats_en, 1
        csrw proc2mngr, a0
        csrrwi a0, stats_en, 0
        csrw proc2mngr, a0
        csrr a0, stats_en
        csrw proc2mngr, a0
        csrwi proc2mngr, 31
        rdcycle a0
        nop
        rdcycle a1
        sltu a0, a0, a1
        csrw proc2mngr, a0
        rdinstret a0
        nop
        nop
        rdinstret a1
        sub a0, a1, a0
        csrw proc2mngr, a0
        rdcycleh a0
        csrr a1, minstreth
        or a0, a0, a1
        csrw proc2mngr, a0
        csrr x0, mngr2proc
        csrr a0, mngr2proc
        csrw proc2mngr, a0
    """,
    (5, 6),
    (0, 0, 0, 1, 0, 1, 0, 1, 0, 31, 1, 3, 0, 6),
)

NULL_XCEL = Case(
    "null accelerator",
    """
        li a0, 0x12345678
        csrw xr0, a0
        csrr a1, xr0
        csrw proc2mngr, a1
        csrr a1, xr5
        csrw proc2mngr, a1
        csrwi xr0, 9
        csrr a1, xr0
        addi a1, a1, 1
        csrw proc2mngr, a1
    """,
    (),
    (0x12345678, 0, 10),
)

SQUASH = Case(
    "wrong path",
    """
        la s0, cell
        li a0, 1
        beq x0, x0, 1f
        csrw proc2mngr, a0
        sw a0, 0(s0)
        .word 0x00050363                # beqz a0, .+6: misaligned, but not taken
    1:  .word 0x00050363
        bne a0, x0, 1f
        .word 0                         # illegal, but never reached
    1:  j 1f
        csrw xr0, a0
        sw a0, 0(s0)
    1:  la t0, 1f
        jr t0
        sw a0, 0(s0)
        csrw proc2mngr, a0
    1:  beq a0, x0, 1f                  # not taken: what follows does happen
        addi a0, a0, 1
    1:  lw a1, 0(s0)
        csrw proc2mngr, a1
        csrw proc2mngr, a0
        csrr a1, xr0
        csrw proc2mngr, a1
        .data
        .align 4
    cell: .word 0x600d
    """,
    (),
    (0x600D, 2, 0),
)

SELF_MODIFYING = Case(
    "fence.i",
    """
        la a1, patch
        lw a2, 0(a1)
        la a3, 1f
        li a0, 1
        sw a2, 0(a3)
        fence
        fence.i
    1:  li a0, 2
        csrw proc2mngr, a0
        j 2f
    patch: li a0, 3
    2:  nop
    """,
    (),
    (3,),
)

INSTRUCTIONS: list[Case] = [
    *(_register(name) for name in REGISTER),
    *(_same_registers(name) for name in REGISTER),
    *(_immediate(name) for name in IMMEDIATE),
    *(_branch(name) for name in BRANCH),
    *(UPPER, JUMPS, LOADS, STORES, CSRS, NULL_XCEL, SQUASH, SELF_MODIFYING),
]
