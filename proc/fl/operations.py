"""Instructions as functions: bound once to a state, they do their work and return the next pc."""

from collections.abc import Callable
from typing import Protocol

from proc import csr
from proc.fl.csr import CsrFile
from proc.isa import Instruction
from proc.retire import Cause, Stopped, Trap
from proc.semantics import ALU, BRANCH, MASK, MEMORY, REGISTER_FORM

Operation = Callable[[], int]
DISCARD = 32  # where writes to x0 go


class State(Protocol):
    """Says what operations work on: registers, memory by access size, CSRs, and what is bound."""

    regs: list[int]
    views: dict[int, memoryview]
    csrs: CsrFile
    bound: dict[int, Operation]
    retired: int

    def load_outside(self, pc: int, word: int, address: int, size: int) -> int:
        """Load what the memory does not have, or Trap."""
        ...

    def store_outside(self, pc: int, word: int, address: int, size: int, value: int) -> None:
        """Store there, or Trap."""
        ...


def bind(state: State, pc: int, ins: Instruction) -> Operation:
    """Return the operation of an instruction at pc, kept in state.bound; Trap if it has none."""
    operation = state.bound[pc] = _BINDERS[ins.spec.kind](state, pc, ins)
    return operation


def _alu(state: State, pc: int, ins: Instruction) -> Operation:
    regs, rd, rs1, rs2 = state.regs, ins.rd or DISCARD, ins.rs1, ins.rs2
    following = (pc + 4) & MASK
    if ins.spec.format == "R":
        compute = ALU[ins.name]

        def operation() -> int:
            regs[rd] = compute(regs[rs1], regs[rs2])
            return following

    elif ins.spec.format == "U":
        value = (ins.imm << 12) + (pc if ins.name == "auipc" else 0) & MASK

        def operation() -> int:
            regs[rd] = value
            return following

    else:
        compute, value = ALU[REGISTER_FORM[ins.name]], ins.imm & MASK

        def operation() -> int:
            regs[rd] = compute(regs[rs1], value)
            return following

    return operation


def _branch(state: State, pc: int, ins: Instruction) -> Operation:
    regs, rs1, rs2, taken = state.regs, ins.rs1, ins.rs2, BRANCH[ins.name]
    following, target = (pc + 4) & MASK, (pc + ins.imm) & MASK

    def operation() -> int:
        if not taken(regs[rs1], regs[rs2]):
            return following
        if target & 3:
            raise Trap(Cause.MISALIGNED_TARGET, pc, ins.word, target)
        return target

    return operation


def _jump(state: State, pc: int, ins: Instruction) -> Operation:
    regs, rd, rs1, imm = state.regs, ins.rd or DISCARD, ins.rs1, ins.imm
    following, fixed = (pc + 4) & MASK, (pc + imm) & MASK
    indirect = ins.name == "jalr"

    def operation() -> int:
        target = regs[rs1] + imm & 0xFFFFFFFE if indirect else fixed
        if target & 3:
            raise Trap(Cause.MISALIGNED_TARGET, pc, ins.word, target)
        regs[rd] = following
        return target

    return operation


def _load(state: State, pc: int, ins: Instruction) -> Operation:
    regs, rd, rs1, imm = state.regs, ins.rd or DISCARD, ins.rs1, ins.imm
    size, extend = MEMORY[ins.name]
    view, shift, odd = state.views[size], size.bit_length() - 1, size - 1
    top, high = 1 << 8 * size - 1, MASK & ~((1 << 8 * size) - 1)
    following = (pc + 4) & MASK

    def operation() -> int:
        address = (regs[rs1] + imm) & MASK
        if address & odd:
            raise Trap(Cause.MISALIGNED_LOAD, pc, ins.word, address)
        try:
            value = view[address >> shift]
        except IndexError:
            value = state.load_outside(pc, ins.word, address, size)
        regs[rd] = value | high if extend and value & top else value
        return following

    return operation


def _store(state: State, pc: int, ins: Instruction) -> Operation:
    regs, rs1, rs2, imm = state.regs, ins.rs1, ins.rs2, ins.imm
    size, _ = MEMORY[ins.name]
    view, shift, odd = state.views[size], size.bit_length() - 1, size - 1
    mask = (1 << 8 * size) - 1
    unbind, following = state.bound.pop, (pc + 4) & MASK

    def operation() -> int:
        address = (regs[rs1] + imm) & MASK
        if address & odd:
            raise Trap(Cause.MISALIGNED_STORE, pc, ins.word, address)
        try:
            view[address >> shift] = regs[rs2] & mask
        except IndexError:
            state.store_outside(pc, ins.word, address, size, regs[rs2] & mask)
        unbind(address & ~3, None)
        return following

    return operation


def _fence(state: State, pc: int, ins: Instruction) -> Operation:
    following = (pc + 4) & MASK
    return lambda: following


def _trap(state: State, pc: int, ins: Instruction) -> Operation:
    raise Trap(Cause.ECALL if ins.name == "ecall" else Cause.EBREAK, pc, ins.word)


def _csr(state: State, pc: int, ins: Instruction) -> Operation:
    regs, rd, rs1, number = state.regs, ins.rd or DISCARD, ins.rs1, ins.imm
    funct3 = ins.word >> 12 & 7
    reads, writes = csr.access(funct3, ins.rd, rs1)
    if not state.csrs.takes(number, reads, writes):
        raise Trap(Cause.ILLEGAL, pc, ins.word)
    combine, immediate = _COMBINE[funct3 & 3], funct3 & 4
    csrs, following = state.csrs, (pc + 4) & MASK

    def operation() -> int:
        operand = rs1 if immediate else regs[rs1]
        old = csrs.read(number, state.retired) if reads else 0
        if writes:
            csrs.write(number, combine(old, operand), state.retired)
        regs[rd] = old
        return following

    return operation


def _interrupt(state: State, pc: int, ins: Instruction) -> Operation:
    interrupts, following = state.csrs.interrupts, (pc + 4) & MASK
    if interrupts is None:
        raise Trap(Cause.ILLEGAL, pc, ins.word)

    def wait() -> int:
        if not interrupts.wakes:
            raise Stopped(f"the program waits for an interrupt that never comes; pc {pc:#010x}")
        return following

    return interrupts.leave if ins.name == "mret" else wait


_COMBINE: dict[int, Callable[[int, int], int]] = {
    1: lambda old, operand: operand,
    2: lambda old, operand: old | operand,
    3: lambda old, operand: old & ~operand & MASK,
}

_BINDERS: dict[str, Callable[[State, int, Instruction], Operation]] = {
    **{"alu": _alu, "mul": _alu, "div": _alu, "branch": _branch, "jump": _jump},
    **{"load": _load, "store": _store, "csr": _csr, "fence": _fence, "trap": _trap},
    "interrupt": _interrupt,
}
