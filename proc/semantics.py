"""What the instructions compute: values of 32-bit unsigned operands, as in the RISC-V manual."""

from collections.abc import Callable

from proc.isa import signed

MASK = 0xFFFFFFFF
SIGN = 0x80000000


def div(a: int, b: int) -> int:
    """Return the signed quotient, rounded to 0; all ones for b = 0; -2^31 / -1 wraps to -2^31."""
    if b == 0:
        return MASK
    x, y = signed(a), signed(b)
    quotient = abs(x) // abs(y)
    return (quotient if (x < 0) == (y < 0) else -quotient) & MASK


def rem(a: int, b: int) -> int:
    """Return the signed remainder with the dividend's sign; the dividend for b = 0."""
    if b == 0:
        return a
    x = signed(a)
    remainder = abs(x) % abs(signed(b))
    return (-remainder if x < 0 else remainder) & MASK


# Value of (first, second) operand, by the name of the register-register instruction.
ALU: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: (a + b) & MASK,
    "sub": lambda a, b: (a - b) & MASK,
    "sll": lambda a, b: (a << (b & 31)) & MASK,
    "slt": lambda a, b: int((a ^ SIGN) < (b ^ SIGN)),
    "sltu": lambda a, b: int(a < b),
    "xor": lambda a, b: a ^ b,
    "srl": lambda a, b: a >> (b & 31),
    "sra": lambda a, b: (signed(a) >> (b & 31)) & MASK,
    "or": lambda a, b: a | b,
    "and": lambda a, b: a & b,
    "mul": lambda a, b: (a * b) & MASK,
    "mulh": lambda a, b: (signed(a) * signed(b) >> 32) & MASK,
    "mulhsu": lambda a, b: (signed(a) * b >> 32) & MASK,
    "mulhu": lambda a, b: a * b >> 32,
    "div": div,
    "divu": lambda a, b: a // b if b else MASK,
    "rem": rem,
    "remu": lambda a, b: a % b if b else a,
}

# The register-register instruction that an immediate one computes.
REGISTER_FORM = {
    name: name[:-1] for name in ("addi", "slti", "xori", "ori", "andi", "slli", "srli", "srai")
} | {"sltiu": "sltu"}

BRANCH: dict[str, Callable[[int, int], bool]] = {
    "beq": lambda a, b: a == b,
    "bne": lambda a, b: a != b,
    "blt": lambda a, b: (a ^ SIGN) < (b ^ SIGN),
    "bge": lambda a, b: (a ^ SIGN) >= (b ^ SIGN),
    "bltu": lambda a, b: a < b,
    "bgeu": lambda a, b: a >= b,
}

# Bytes accessed, and whether a load extends the sign.
MEMORY: dict[str, tuple[int, bool]] = {
    "lb": (1, True),
    "lh": (2, True),
    "lw": (4, False),
    "lbu": (1, False),
    "lhu": (2, False),
    "sb": (1, False),
    "sh": (2, False),
    "sw": (4, False),
}
