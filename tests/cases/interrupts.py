"""Programs that are interrupted, by tests/proc/alarm.py's device, and what they must answer."""

from proc.retire import Cause
from tests.cases.instructions import Case
from tests.cases.traps import TrapCase

# s0: the device; s1: a bit of mie and mip; the line is set when `rung` is reached.
SETUP = """
    li s0, 0x40000000
    li s1, 0x800
    la t0, handler
    csrw mtvec, t0
    j 1f
handler:
    csrr s2, mepc
    csrw proc2mngr, s2
    csrr s2, mstatus
    csrw proc2mngr, s2
    sw x0, 0(s0)
    mret
1:
"""
RING = """
    li s3, 1
    sw s3, 0(s0)
2:  csrr s4, mip
    beqz s4, 2b
"""


def _rung(name: str, text: str, *outputs: int) -> Case:
    return Case(name, SETUP + RING + text, (), outputs)


# By name: (written, read back), each after the one above, as csrrw, csrrs, csrrc.
REGISTERS = {
    "mstatus": ((0xFFFFFFF7, 0x1880), (0, 0x1880), (0x80, 0x1800)),
    "mie": ((0xFFFFFFFF, 0x800), (0, 0x800), (0x7FF, 0x800)),
    "mip": ((0xFFFFFFFF, 0), (0xFFFFFFFF, 0), (0, 0)),
    "mtvec": ((0xFFFFFFFF, 0xFFFFFFFC), (0, 0xFFFFFFFC), (0xFFFF0000, 0xFFFC)),
    "mepc": ((0x12345677, 0x12345674), (0x8, 0x1234567C), (0xFF, 0x12345600)),
    "mcause": ((0xFFFFFFFF, 0x8000000F), (0, 0x8000000F), (0x80000004, 11)),
    "mscratch": ((0x12345678, 0x12345678), (0x80000001, 0x92345679), (0x5, 0x92345678)),
}


def _register(name: str) -> Case:
    text, outputs, old = "", [], {"mstatus": 0x1800}.get(name, 0)
    for access, (value, new) in zip(("csrrw", "csrrs", "csrrc"), REGISTERS[name], strict=True):
        text += f"li a0, {value}\n{access} a1, {name}, a0\ncsrw proc2mngr, a1\n"
        outputs.append(old)
        old = new
    for access in ("csrrsi", "csrrci", "csrrwi"):
        text += f"{access} a1, {name}, 0\ncsrw proc2mngr, a1\n"
    outputs += [old] * 3
    return Case(f"register {name}", text, (), tuple(outputs))


# Where it is interrupted is left to the level, so the handler tells nothing.
ONCE = Case(
    "a store, a load, a division and a message are done once",
    SETUP.replace("csrw proc2mngr, s2", "nop")
    + """
        csrs mie, s1
        li a0, 7
        li a2, 100
        csrsi mstatus, 8
        sw a0, 0(s0)
        sw a0, 4(s0)
        divu a1, a2, a0
        remu a3, a2, a0
        lw a4, 4(s0)
        csrw xr0, a2
        lw a5, 0(s0)
        csrr a6, xr0
        csrci mstatus, 8
        csrw proc2mngr, a1
        csrw proc2mngr, a3
        csrw proc2mngr, a4
        csrw proc2mngr, a5
        csrw proc2mngr, a6
    """,
    (),
    (14, 2, 7, 1, 100),
)

INTERRUPTED: list[Case] = [
    ONCE,
    *(_register(name) for name in REGISTERS),
    _rung("switched off", "csrs mie, s1\ncsrw proc2mngr, x0\ncsrw proc2mngr, s4", 0, 0x800),
    _rung("not enabled", "csrsi mstatus, 8\ncsrw proc2mngr, x0\ncsrw proc2mngr, s4", 0, 0x800),
    _rung(
        "right behind the switch",
        """
        csrs mie, s1
        csrsi mstatus, 8
    3:  csrr a0, mstatus
        csrw proc2mngr, a0
        la a0, 3b
        csrw proc2mngr, a0
        csrr a0, mcause
        csrw proc2mngr, a0
        csrr a0, mip
        csrw proc2mngr, a0
        """,
        *(0x24C, 0x1880, 0x1888, 0x24C, 0x8000000B, 0),
    ),
    _rung(
        "right behind what enables it",
        "csrsi mstatus, 8\ncsrs mie, s1\nli a0, 5\ncsrw proc2mngr, a0",
        *(0x24C, 0x1880, 5),
    ),
    _rung(
        "a division that was to begin",
        "li a0, 7\nli a2, 100\ncsrs mie, s1\ncsrsi mstatus, 8\ndivu a1, a2, a0\ncsrw proc2mngr, a1",
        *(0x254, 0x1880, 14),
    ),
    _rung(
        "instructions alone are counted",
        "csrs mie, s1\nrdinstret a0\ncsrsi mstatus, 8\nrdinstret a1\nsub a0, a1, a0\n"
        "csrw proc2mngr, a0",
        *(0x250, 0x1880, 8),
    ),
    _rung(
        "back from a handler to another one",
        """
        csrs mie, s1
        li a0, 0
        la t0, 4f
        csrw mtvec, t0
        csrsi mstatus, 8
    3:  csrw proc2mngr, a0
        j 5f
    4:  addi a0, a0, 1
        slti a1, a0, 3
        bnez a1, 6f
        sw x0, 0(s0)
    6:  csrr a1, mepc
        csrw proc2mngr, a1
        mret
    5:  nop
        """,
        *(0x25C, 0x25C, 0x25C, 3),
    ),
    _rung(
        "mret to where it is off",
        """
        la t0, 3f
        csrw mepc, t0
        csrwi mstatus, 8
        csrs mie, x0
        mret
        csrw proc2mngr, x0
    3:  csrr a0, mstatus
        csrw proc2mngr, a0
        csrs mie, s1
        csrr a0, mip
        csrw proc2mngr, a0
        """,
        *(0x1880, 0x800),
    ),
    _rung(
        "wfi passes what is off",
        "csrs mie, s1\nwfi\ncsrr a0, mepc\ncsrw proc2mngr, a0\nwfi\ncsrw proc2mngr, s4",
        *(0, 0x800),
    ),
    Case(
        "wfi waits",
        SETUP
        + """
        csrs mie, s1
        csrsi mstatus, 8
        li a0, 60
        sw a0, 0(s0)
        wfi
    3:  csrw proc2mngr, a0
        """,
        (),
        (0x248, 0x1880, 60),
    ),
]


def _refused(name: str, access: str, cause: Cause, address: int) -> TrapCase:
    return TrapCase(name, f"li a1, {address}\nbad: {access}", cause, address)


WINDOW = 0x40000000
REFUSED: list[TrapCase] = [
    _refused("load of no register", "lw a0, 0(a1)", Cause.REFUSED_LOAD, WINDOW + 8),
    _refused("byte of no register", "lbu a0, 0(a1)", Cause.REFUSED_LOAD, WINDOW + 63),
    _refused("store to no register", "sw a0, 0(a1)", Cause.REFUSED_STORE, WINDOW + 60),
    _refused("half of a register", "sh a0, 0(a1)", Cause.REFUSED_STORE, WINDOW + 6),
    _refused("byte of a register", "sb a0, 0(a1)", Cause.REFUSED_STORE, WINDOW + 1),
    _refused("misaligned load", "lw a0, 0(a1)", Cause.MISALIGNED_LOAD, WINDOW + 2),
    _refused("misaligned store", "sh a0, 0(a1)", Cause.MISALIGNED_STORE, WINDOW + 1),
    _refused("behind the window", "lw a0, 0(a1)", Cause.OUTSIDE_LOAD, WINDOW + 64),
    _refused("far behind the window", "sw a0, 0(a1)", Cause.OUTSIDE_STORE, 0xC0000000),
    TrapCase("ecall", "bad: ecall", Cause.ECALL),
    TrapCase("a misa of none", "bad: csrr a0, 0x301", Cause.ILLEGAL),
    TrapCase("sret", "bad: .word 0x10200073", Cause.ILLEGAL),
]
