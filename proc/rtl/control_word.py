"""The control word: what the decoder says about an instruction, carried from D to X."""

from pymtl3 import Bits1, Bits2, Bits3, mk_bitstruct

# Formats of the immediate; IMM_Z is the 5-bit immediate of a CSR instruction.
IMM_I, IMM_S, IMM_B, IMM_U, IMM_J, IMM_Z = range(6)

# What the third operand register holds: pc (or 0) + immediate, the next pc, or rs2 (stores).
AUX_SUM, AUX_LINK, AUX_RS2 = range(3)

# Where X's result comes from.
UNIT_ALU, UNIT_MUL, UNIT_DIV, UNIT_AUX, UNIT_CSR = range(5)

# What a CSR instruction reads.
READ_ZERO, READ_MNGR, READ_STATS = 0, 1, 2
READ_CYCLE, READ_CYCLEH, READ_INSTRET, READ_INSTRETH = 4, 5, 6, 7

ControlWord = mk_bitstruct(
    "ControlWord",
    {
        "imm": Bits3,
        "reads_rs1": Bits1,
        "reads_rs2": Bits1,
        "use_imm": Bits1,  # second operand: the immediate, not rs2
        "from_pc": Bits1,  # AUX_SUM adds the pc
        "aux": Bits2,
        "unit": Bits3,
        "fn": Bits3,  # funct3, or the addition for addresses
        "alt": Bits1,  # subtract; arithmetic right shift
        "wen": Bits1,
        "load": Bits1,
        "store": Bits1,
        "branch": Bits1,
        "jal": Bits1,
        "jalr": Bits1,
        "fence_i": Bits1,
        "csr": Bits3,
        "mngr_get": Bits1,
        "mngr_put": Bits1,
        "stats_put": Bits1,
        "xcel": Bits1,
        "xcel_write": Bits1,
        "trap": Bits1,  # illegal, ecall, ebreak
    },
)
