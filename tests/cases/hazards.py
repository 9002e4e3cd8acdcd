"""Every way in which a value reaches the instruction that needs it: producers x consumers x
distances, and the order in which two sources are written."""

from tests.cases.instructions import Case

CELL = 0x2000  # a data address, which every producer makes
DISTANCES = range(6)

# Registers that the snippets use; the snippets change a0, a2, a3 and ra only.
SETUP = f"""
    li s2, {CELL - 4}
    li s3, 4
    li s4, {CELL // 0x20}
    li s5, 0x20
    li s6, {CELL * 0x20}
    la s7, pointer
    la s8, spare
    li s9, {CELL}
    li s11, 7
    li s1, 1
"""
DATA = f"""
    j _stop
    .org {CELL}
cell: .word 0x600d, 0, 0, 0
stub: li a2, 0x77
    jr ra
_stop: nop
    .data
pointer: .word {CELL}, 7
spare: .word 0
"""

# a0 becomes the address of the cell; the csr one reads an input, xr0 was written before.
PRODUCERS = {
    "alu": "add a0, s2, s3",
    "immediate": "addi a0, s2, 4",
    "lui": "lui a0, 2",
    "mul": "mul a0, s4, s5",
    "div": "divu a0, s6, s5",
    "load": "lw a0, 0(s7)",
    "csr": "csrr a0, mngr2proc",
    "xcel": "csrr a0, xr0",
}

# What is done with a0, and the word that this sends to proc2mngr.
CONSUMERS = {
    "rs1": ("add a2, a0, s3\ncsrw proc2mngr, a2", CELL + 4),
    "rs2": ("sub a2, s2, a0\ncsrw proc2mngr, a2", 0xFFFFFFFC),
    "both": ("add a2, a0, a0\ncsrw proc2mngr, a2", 2 * CELL),
    "immediate": ("srai a2, a0, 4\ncsrw proc2mngr, a2", CELL >> 4),
    "multiplicand": ("mul a2, a0, s3\ncsrw proc2mngr, a2", 4 * CELL),
    "multiplier": ("mulhu a2, s6, a0\ncsrw proc2mngr, a2", CELL * CELL * 0x20 >> 32),
    "dividend": ("divu a2, a0, s5\ncsrw proc2mngr, a2", CELL // 0x20),
    "divisor": ("remu a2, s3, a0\ncsrw proc2mngr, a2", 4),
    "load address": ("lw a2, 0(a0)\ncsrw proc2mngr, a2", 0x600D),
    "store address": ("sw s3, 8(a0)\nlw a2, 8(s9)\nsw x0, 8(s9)\ncsrw proc2mngr, a2", 4),
    "store data": ("sw a0, 0(s8)\nlw a2, 0(s8)\nsw x0, 0(s8)\ncsrw proc2mngr, a2", CELL),
    "branch rs1": ("beq a0, s9, 1f\nli a2, 0\n1: csrw proc2mngr, a2", 0x55),
    "branch rs2": ("bne s9, a0, 1f\nli a2, 0\n1: csrw proc2mngr, a2", 0),
    "jump": ("jalr ra, 16(a0)\ncsrw proc2mngr, a2", 0x77),
    "csr": ("csrw proc2mngr, a0", CELL),
    "xcel": ("csrw xr0, a0\ncsrr a2, xr0\ncsrw proc2mngr, a2", CELL),
}


def _bypass(consumer: str) -> Case:
    """Every producer, every distance, then this consumer; a0 is wrong until it is produced."""
    use, answer = CONSUMERS[consumer]
    text = SETUP
    inputs = []
    for producer, make in PRODUCERS.items():
        for distance in DISTANCES:
            text += "csrw xr0, s9\nli a2, 0x55\nli a0, 0xbad\n" + "nop\n" * 5
            text += f"{make}\n" + "nop\n" * distance + f"{use}\n"
            inputs += [CELL] if producer == "csr" else []
    count = len(PRODUCERS) * len(DISTANCES)
    return Case(f"bypass to {consumer}", text + DATA, tuple(inputs), (answer,) * count)


def _source_order(first: str, second: str) -> Case:
    """Two sources made one after the other, both orders, nops between and after."""
    text, outputs = SETUP, []
    for between in range(3):
        for after in range(4):
            for use, answer in (("sub a2, a0, a3", CELL - 7), ("sub a2, a3, a0", 7 - CELL)):
                text += "li a0, 0xbad\nli a3, 0xbad\n" + "nop\n" * 5
                text += first + "\n" + "nop\n" * between + second + "\n" + "nop\n" * after
                text += f"{use}\ncsrw proc2mngr, a2\n"
                outputs.append(answer & 0xFFFFFFFF)
    name = f"source order {first.split()[0]} {second.split()[0]}"
    return Case(name, text + DATA, (), tuple(outputs))


def _newest() -> Case:
    """Of several writes to one register, the last one counts, at every distance."""
    text = SETUP
    for distance in DISTANCES:
        for makers in ("li a0, 1\nli a0, 2", "lw a0, 0(s7)\nli a0, 2", "li a0, 1\ndivu a0, s3, s9"):
            text += f"li a0, 0xbad\n{makers}\n" + "nop\n" * distance
            text += "add a2, a0, a0\ncsrw proc2mngr, a2\n"
    return Case("newest value", text + DATA, (), (4, 4, 0) * len(DISTANCES))


def _x0() -> Case:
    """A write to x0 is forwarded to nobody."""
    text = SETUP
    for make in PRODUCERS.values():
        for distance in range(4):
            text += make.replace(" a0,", " x0,") + "\n" + "nop\n" * distance
            text += "add a2, x0, s3\ncsrw proc2mngr, a2\n"
    count = 4 * len(PRODUCERS)
    return Case("x0 is not forwarded", text + DATA, (CELL,) * 4, (4,) * count)


def _link() -> Case:
    """The link register right after the jump that writes it."""
    text = SETUP
    for distance in DISTANCES:
        text += "jal t0, 1f\n1:" + "nop\n" * distance + "la t1, 1b\nsub a2, t0, t1\n"
        text += "csrw proc2mngr, a2\n"
    return Case("link register", text + DATA, (), (0,) * len(DISTANCES))


HAZARDS: list[Case] = [
    *(_bypass(consumer) for consumer in CONSUMERS),
    *(
        _source_order(a0, a3)
        for a0 in ("add a0, s2, s3", "lw a0, 0(s7)", "divu a0, s6, s5")
        for a3 in ("li a3, 7", "mul a3, s11, s1", "lw a3, 4(s7)")
    ),
    *(_newest(), _x0(), _link()),
]
