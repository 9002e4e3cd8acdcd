"""RV32IM + Zicsr: one table of instructions, from which decoder, assembler and tests are made.

Everything that knows an encoding takes it from here: the constants (RTL decoder), `TABLE`
(tests, assembler), `decode` (interpreter, disassembler) and `encode` (assembler, generators).
"""

from dataclasses import dataclass
from functools import lru_cache

# Major opcodes, bits 6:0.
OP_LOAD, OP_FENCE, OP_IMM, OP_AUIPC = 0x03, 0x0F, 0x13, 0x17
OP_STORE, OP_REG, OP_LUI = 0x23, 0x33, 0x37
OP_BRANCH, OP_JALR, OP_JAL, OP_SYSTEM = 0x63, 0x67, 0x6F, 0x73

# funct3, bits 14:12, of each major opcode.
F3_ADD, F3_SLL, F3_SLT, F3_SLTU, F3_XOR, F3_SR, F3_OR, F3_AND = range(8)
F3_MUL, F3_MULH, F3_MULHSU, F3_MULHU, F3_DIV, F3_DIVU, F3_REM, F3_REMU = range(8)
F3_BEQ, F3_BNE, F3_BLT, F3_BGE, F3_BLTU, F3_BGEU = 0, 1, 4, 5, 6, 7
F3_B, F3_H, F3_W, F3_BU, F3_HU = 0, 1, 2, 4, 5
F3_FENCE, F3_FENCE_I = 0, 1
F3_PRIV, F3_CSRRW, F3_CSRRS, F3_CSRRC = 0, 1, 2, 3
F3_CSRRWI, F3_CSRRSI, F3_CSRRCI = 5, 6, 7

# funct7, bits 31:25, of OP_REG and of the shifts of OP_IMM.
F7_BASE, F7_ALT, F7_MULDIV = 0x00, 0x20, 0x01

MASK_OP, MASK_F3, MASK_F7, MASK_ALL = 0x0000007F, 0x0000707F, 0xFE00707F, 0xFFFFFFFF

FENCE_WORD = 0x0FF0000F  # what `fence` assembles to: iorw, iorw
NOP = 0x00000013
MRET, WFI = 0x30200073, 0x10500073  # of processors with interrupts; illegal in the others

# The ABI name of each register; `fp` is a second name of x8.
ABI_NAMES = (
    *("zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1"),
    *(f"a{i}" for i in range(8)),
    *(f"s{i}" for i in range(2, 12)),
    *(f"t{i}" for i in range(3, 7)),
)


@dataclass(frozen=True)
class Spec:
    """Describes an instruction, a row of the table: a word is one when `word & mask == match`.

    `syntax` names the operands in written order and so also the fields the instruction has:
    rd rs1 rs2, imm (signed 12), shamt (5), upper (20), target (pc-relative), csr (12), zimm (5).
    """

    name: str
    format: str  # R I S B U J, or N: no operands
    mask: int
    match: int
    syntax: str
    kind: str  # alu mul div load store branch jump csr fence trap interrupt

    @property
    def reads_rs1(self) -> bool:
        """Return whether the instruction's value depends on register rs1."""
        return "rs1" in self.syntax

    @property
    def reads_rs2(self) -> bool:
        """Return whether the instruction's value depends on register rs2."""
        return "rs2" in self.syntax

    @property
    def writes_rd(self) -> bool:
        """Return whether the instruction writes register rd (x0 stays 0)."""
        return "rd" in self.syntax


def _op(name: str, fmt: str, syntax: str, kind: str, op: int, f3: int = -1, f7: int = -1) -> Spec:
    mask, match = MASK_OP, op
    if f3 >= 0:
        mask, match = MASK_F3, match | f3 << 12
    if f7 >= 0:
        mask, match = MASK_F7, match | f7 << 25
    return Spec(name, fmt, mask, match, syntax, kind)


def _reg(name: str, f3: int, f7: int, kind: str = "alu") -> Spec:
    return _op(name, "R", "rd, rs1, rs2", kind, OP_REG, f3, f7)


def _imm(name: str, f3: int) -> Spec:
    return _op(name, "I", "rd, rs1, imm", "alu", OP_IMM, f3)


def _shift(name: str, f3: int, f7: int) -> Spec:
    return _op(name, "I", "rd, rs1, shamt", "alu", OP_IMM, f3, f7)


def _load(name: str, f3: int) -> Spec:
    return _op(name, "I", "rd, imm(rs1)", "load", OP_LOAD, f3)


def _store(name: str, f3: int) -> Spec:
    return _op(name, "S", "rs2, imm(rs1)", "store", OP_STORE, f3)


def _branch(name: str, f3: int) -> Spec:
    return _op(name, "B", "rs1, rs2, target", "branch", OP_BRANCH, f3)


def _csr(name: str, f3: int, source: str) -> Spec:
    return _op(name, "I", f"rd, csr, {source}", "csr", OP_SYSTEM, f3)


TABLE: tuple[Spec, ...] = (
    _op("lui", "U", "rd, upper", "alu", OP_LUI),
    _op("auipc", "U", "rd, upper", "alu", OP_AUIPC),
    _op("jal", "J", "rd, target", "jump", OP_JAL),
    _op("jalr", "I", "rd, imm(rs1)", "jump", OP_JALR, 0),
    _branch("beq", F3_BEQ),
    _branch("bne", F3_BNE),
    _branch("blt", F3_BLT),
    _branch("bge", F3_BGE),
    _branch("bltu", F3_BLTU),
    _branch("bgeu", F3_BGEU),
    _load("lb", F3_B),
    _load("lh", F3_H),
    _load("lw", F3_W),
    _load("lbu", F3_BU),
    _load("lhu", F3_HU),
    _store("sb", F3_B),
    _store("sh", F3_H),
    _store("sw", F3_W),
    _imm("addi", F3_ADD),
    _imm("slti", F3_SLT),
    _imm("sltiu", F3_SLTU),
    _imm("xori", F3_XOR),
    _imm("ori", F3_OR),
    _imm("andi", F3_AND),
    _shift("slli", F3_SLL, F7_BASE),
    _shift("srli", F3_SR, F7_BASE),
    _shift("srai", F3_SR, F7_ALT),
    _reg("add", F3_ADD, F7_BASE),
    _reg("sub", F3_ADD, F7_ALT),
    _reg("sll", F3_SLL, F7_BASE),
    _reg("slt", F3_SLT, F7_BASE),
    _reg("sltu", F3_SLTU, F7_BASE),
    _reg("xor", F3_XOR, F7_BASE),
    _reg("srl", F3_SR, F7_BASE),
    _reg("sra", F3_SR, F7_ALT),
    _reg("or", F3_OR, F7_BASE),
    _reg("and", F3_AND, F7_BASE),
    _reg("mul", F3_MUL, F7_MULDIV, "mul"),
    _reg("mulh", F3_MULH, F7_MULDIV, "mul"),
    _reg("mulhsu", F3_MULHSU, F7_MULDIV, "mul"),
    _reg("mulhu", F3_MULHU, F7_MULDIV, "mul"),
    _reg("div", F3_DIV, F7_MULDIV, "div"),
    _reg("divu", F3_DIVU, F7_MULDIV, "div"),
    _reg("rem", F3_REM, F7_MULDIV, "div"),
    _reg("remu", F3_REMU, F7_MULDIV, "div"),
    _csr("csrrw", F3_CSRRW, "rs1"),
    _csr("csrrs", F3_CSRRS, "rs1"),
    _csr("csrrc", F3_CSRRC, "rs1"),
    _csr("csrrwi", F3_CSRRWI, "zimm"),
    _csr("csrrsi", F3_CSRRSI, "zimm"),
    _csr("csrrci", F3_CSRRCI, "zimm"),
    _op("fence", "N", "", "fence", OP_FENCE, F3_FENCE),
    _op("fence.i", "N", "", "fence", OP_FENCE, F3_FENCE_I),
    Spec("ecall", "N", MASK_ALL, 0x00000073, "", "trap"),
    Spec("ebreak", "N", MASK_ALL, 0x00100073, "", "trap"),
    Spec("mret", "N", MASK_ALL, MRET, "", "interrupt"),
    Spec("wfi", "N", MASK_ALL, WFI, "", "interrupt"),
)

SPECS: dict[str, Spec] = {spec.name: spec for spec in TABLE}

_BY_OPCODE: dict[int, list[Spec]] = {}
for _spec in TABLE:
    _BY_OPCODE.setdefault(_spec.match & MASK_OP, []).append(_spec)


@dataclass(frozen=True, slots=True)
class Instruction:
    """Holds a decoded word.

    `imm` is the immediate as written: signed, `upper` and `csr` unsigned, `target` the byte
    offset from the instruction's own address. `rs1` holds a zimm.
    """

    spec: Spec
    word: int
    rd: int
    rs1: int
    rs2: int
    imm: int

    @property
    def name(self) -> str:
        """Return the mnemonic."""
        return self.spec.name


def signed(value: int, bits: int = 32) -> int:
    """Return the low `bits` bits of value as a two's complement number."""
    value &= (1 << bits) - 1
    return value - (value >> (bits - 1) << bits)


def immediate(spec: Spec, word: int) -> int:
    """Return the immediate that `word` holds in the format of `spec` (0 when it has none)."""
    match spec.format:
        case "I" if "shamt" in spec.syntax:
            return word >> 20 & 0x1F
        case "I" if "csr" in spec.syntax:
            return word >> 20
        case "I":
            return signed(word >> 20, 12)
        case "S":
            return signed(word >> 25 << 5 | word >> 7 & 0x1F, 12)
        case "B":
            high = (word >> 31) << 12 | (word >> 7 & 1) << 11
            return signed(high | (word >> 25 & 0x3F) << 5 | (word >> 8 & 0xF) << 1, 13)
        case "U":
            return word >> 12
        case "J":
            high = (word >> 31) << 20 | (word >> 12 & 0xFF) << 12
            return signed(high | (word >> 20 & 1) << 11 | (word >> 21 & 0x3FF) << 1, 21)
    return 0


@lru_cache(maxsize=1 << 16)
def decode(word: int) -> Instruction | None:
    """Return the instruction that a 32-bit word encodes, None when it is illegal."""
    for spec in _BY_OPCODE.get(word & MASK_OP, ()):
        if word & spec.mask == spec.match:
            imm = immediate(spec, word)
            return Instruction(spec, word, word >> 7 & 31, word >> 15 & 31, word >> 20 & 31, imm)
    return None


# How an immediate of each kind is limited: (lowest, highest, multiple of, what it is called).
_LIMITS = {
    "imm": (-2048, 2047, 1, "immediate"),
    "shamt": (0, 31, 1, "shift amount"),
    "upper": (0, 0xFFFFF, 1, "upper immediate"),
    "csr": (0, 0xFFF, 1, "CSR number"),
    "B": (-4096, 4094, 2, "branch offset"),
    "J": (-(1 << 20), (1 << 20) - 2, 2, "jump offset"),
}


def _checked(spec: Spec, imm: int) -> int:
    kind = next((k for k in ("shamt", "upper", "csr", "imm") if k in spec.syntax), spec.format)
    low, high, step, called = _LIMITS[kind]
    if not low <= imm <= high:
        raise ValueError(f"{called} {imm} of {spec.name} is outside {low}..{high}")
    if imm % step:
        raise ValueError(f"{called} {imm} of {spec.name} is odd")
    return imm


def encode(name: str, rd: int = 0, rs1: int = 0, rs2: int = 0, imm: int = 0) -> int:
    """Return the word of an instruction; ValueError when the immediate does not fit its field."""
    spec = SPECS[name]
    if name == "fence":
        return FENCE_WORD
    if spec.format == "N":
        return spec.match
    regs = rd << 7 | rs1 << 15 | rs2 << 20
    if spec.format == "R":
        return spec.match | regs
    imm = _checked(spec, imm)
    match spec.format:
        case "I":
            return spec.match | rd << 7 | rs1 << 15 | (imm & 0xFFF) << 20
        case "S":
            low = (imm & 0x1F) << 7 | (imm >> 5 & 0x7F) << 25
            return spec.match | rs1 << 15 | rs2 << 20 | low
        case "B":
            low = (imm >> 1 & 0xF) << 8 | (imm >> 5 & 0x3F) << 25
            high = (imm >> 11 & 1) << 7 | (imm >> 12 & 1) << 31
            return spec.match | rs1 << 15 | rs2 << 20 | low | high
        case "U":
            return spec.match | rd << 7 | imm << 12
    low = (imm >> 1 & 0x3FF) << 21 | (imm >> 11 & 1) << 20
    return spec.match | rd << 7 | low | (imm >> 12 & 0xFF) << 12 | (imm >> 20 & 1) << 31
