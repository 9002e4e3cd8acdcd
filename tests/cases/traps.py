"""Programs that must end with an error, and what the error must say."""

from dataclasses import dataclass

from proc.asm.assembler import assemble
from proc.programs.image import DEFAULT_MEMORY, Image
from proc.retire import Cause


@dataclass(frozen=True)
class TrapCase:
    """`text` traps at its label `bad`, for this cause and with this address."""

    name: str
    text: str
    cause: Cause
    address: int | None = None

    def __str__(self) -> str:
        return self.name

    def image(self) -> Image:
        """The program; what follows the trap would pass the test of a wrong processor."""
        return assemble(f"{self.text}\n_pass: li a7, 0x20000\ncsrw proc2mngr, a7\nj _pass")


def _illegal(name: str, text: str) -> TrapCase:
    return TrapCase(name, f"li a1, 1\nbad: {text}", Cause.ILLEGAL)


def _data(name: str, access: str, base: int, cause: Cause) -> TrapCase:
    return TrapCase(name, f"li a1, {base}\nbad: {access}", cause, base)


LOAD, STORE = Cause.MISALIGNED_LOAD, Cause.MISALIGNED_STORE
NO_LOAD, NO_STORE = Cause.OUTSIDE_LOAD, Cause.OUTSIDE_STORE

TRAPS: list[TrapCase] = [
    *(
        _illegal(f"word {word:#010x}", f".word {word:#x}")
        for word in (
            0x00000000,
            0xFFFFFFFF,
            0x00004501,  # compressed
            0x00003003,  # load, funct3 3: ld
            0x00006003,  # load, funct3 6: lwu
            0x00003023,  # store, funct3 3: sd
            0x00002063,  # branch, funct3 2
            0x00001067,  # jalr, funct3 1
            0x02001013,  # slli by 32
            0x40001013,  # slli with the bit of srai
            0x40001033,  # sll with the bit of sra
            0x04000033,  # add, funct7 2
            0x0000200F,  # fence, funct3 2
            0x00004073,  # system, funct3 4
            0x30200073,  # mret
            0x10500073,  # wfi
            0x0000101B,  # slliw, 64 bits
            0x00002007,  # flw
            0x0000202F,  # amoadd.w
        )
    ),
    _illegal("unknown csr", "csrr a0, 0x300"),
    _illegal("csr next to proc2mngr", "csrw 0x7bf, a1"),
    _illegal("csr next to stats_en", "csrw 0x7c2, a1"),
    _illegal("csr before xr0", "csrw 0x7df, a1"),
    _illegal("csr next to mcycle", "csrr a0, 0xb01"),
    _illegal("write mhartid", "csrw mhartid, a1"),
    _illegal("write mngr2proc", "csrw mngr2proc, a1"),
    _illegal("set bits of cycle", "csrs cycle, a1"),
    _illegal("write mcycle", "csrwi mcycle, 0"),
    _illegal("read proc2mngr", "csrr a0, proc2mngr"),
    _illegal("swap proc2mngr", "csrrw a0, proc2mngr, a1"),
    _illegal("swap xr1", "csrrw a0, xr1, a1"),
    _illegal("set bits of xr1", "csrs xr1, a1"),
    TrapCase("ecall", "bad: ecall", Cause.ECALL),
    TrapCase("ebreak", "bad: ebreak", Cause.EBREAK),
    _data("lw +1", "lw a0, 0(a1)", 0x401, LOAD),
    _data("lw +2", "lw a0, 0(a1)", 0x402, LOAD),
    _data("lw +3", "lw x0, 0(a1)", 0x403, LOAD),
    _data("lh +1", "lh a0, 0(a1)", 0x401, LOAD),
    _data("lhu +3", "lhu a0, 0(a1)", 0x403, LOAD),
    _data("sw +1", "sw a0, 0(a1)", 0x401, STORE),
    _data("sw +2", "sw a0, 0(a1)", 0x402, STORE),
    _data("sh +1", "sh a0, 0(a1)", 0x401, STORE),
    _data("lw at the end", "lw a0, 0(a1)", DEFAULT_MEMORY, NO_LOAD),
    _data("lbu at the end", "lbu a0, 0(a1)", DEFAULT_MEMORY, NO_LOAD),
    _data("lb at the top", "lb a0, 0(a1)", 0xFFFFFFFF, NO_LOAD),
    _data("sw at the end", "sw a0, 0(a1)", DEFAULT_MEMORY, NO_STORE),
    _data("sh far away", "sh a0, 0(a1)", 0x80000000, NO_STORE),
    _data("sb at the top", "sb a0, 0(a1)", 0xFFFFFFFF, NO_STORE),
    TrapCase("jalr +2", "li a1, 0x202\nbad: jr a1", Cause.MISALIGNED_TARGET, 0x202),
    TrapCase("jalr +3", "li a1, 0x207\nbad: jalr ra, 0(a1)", Cause.MISALIGNED_TARGET, 0x206),
    TrapCase("jal +6", "bad: .word 0x006000ef", Cause.MISALIGNED_TARGET, 0x206),
    TrapCase("jal -0x402", "bad: .word 0xbffff0ef", Cause.MISALIGNED_TARGET, 0xFFFFFDFE),
    TrapCase("beq +6", "bad: .word 0x00000363", Cause.MISALIGNED_TARGET, 0x206),
    TrapCase("behind a branch", "beqz x0, 1f\n.word 0\n1: nop\nbad: .word 0", Cause.ILLEGAL),
    TrapCase("behind a store", "li a0, 0x20000\nsw a0, 0(x0)\nbad: .word 0", Cause.ILLEGAL),
]
