"""Random programs that always end: for lock-step runs of two models of the processor.

Loads and stores stay in a scratch area, branches go forward a little, loops are counted, and
every few instructions an operand is set to a value at the edge of a range. No CSR is used: an
independent simulator can run everything up to the label `end`, where the program passes.
"""

from random import Random

from proc.asm.assembler import assemble
from proc.isa import TABLE
from proc.programs.image import Image

SCRATCH = 0x80000  # s0 points into the middle of its 4 KiB, s1 counts loops
EDGES = (0, 1, 2, 3, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x10000, 0xFFFF)
FREE = [f"x{i}" for i in range(32) if i not in (8, 9)]  # registers that anything may change
NAMES = {
    kind: [s.name for s in TABLE if s.kind == kind]
    for kind in ("mul", "div", "load", "store", "branch")
}
REGISTER_OPS = [s.name for s in TABLE if s.kind == "alu" and s.format == "R"]
IMMEDIATE_OPS = [s.name for s in TABLE if s.kind == "alu" and s.format == "I"]


class Writer:
    """Writes one program, a group of instructions at a time."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.lines: list[str] = []
        self.labels = 0

    def register(self) -> str:
        """A register, often one of a few so that values are used soon after they are made."""
        return self.random.choice(FREE[:6] if self.random.random() < 0.4 else FREE)

    def label(self) -> str:
        self.labels += 1
        return f"l{self.labels}"

    def simple(self) -> None:
        """One instruction without control flow."""
        r, reg = self.random, self.register
        kind = r.choices(
            ("register", "immediate", "mul", "div", "load", "store", "upper", "edge", "fence"),
            (26, 22, 10, 8, 12, 10, 4, 7, 1),
        )[0]
        match kind:
            case "register":
                line = f"{r.choice(REGISTER_OPS)} {reg()}, {reg()}, {reg()}"
            case "mul" | "div":
                line = f"{r.choice(NAMES[kind])} {reg()}, {reg()}, {reg()}"
            case "immediate":
                name = r.choice(IMMEDIATE_OPS)
                value = (
                    r.randrange(32) if name in ("slli", "srli", "srai") else r.randint(-2048, 2047)
                )
                line = f"{name} {reg()}, {reg()}, {value}"
            case "load" | "store":
                name = r.choice(NAMES[kind])
                step = {"b": 1, "h": 2, "w": 4}[name[1]]
                line = f"{name} {reg()}, {r.randrange(-2048, 2048, step)}(s0)"
            case "upper":
                line = f"{r.choice(('lui', 'auipc'))} {reg()}, {r.getrandbits(20)}"
            case "edge":
                line = f"li {reg()}, {r.choice(EDGES)}"
            case _:
                line = r.choice(("fence", "fence.i"))
        self.lines.append(line)

    def some(self, most: int) -> None:
        for _ in range(self.random.randint(0, most)):
            self.simple()

    def branch(self) -> None:
        """Forward over up to four instructions, or not."""
        label, r = self.label(), self.random
        self.lines.append(
            f"{r.choice(NAMES['branch'])} {self.register()}, {self.register()}, {label}"
        )
        self.some(4)
        self.lines.append(f"{label}:")

    def jump(self) -> None:
        """Forward, direct or through a register, with or without a link."""
        label, r = self.label(), self.random
        link = r.choice(("x0", self.register()))
        if r.random() < 0.5:
            self.lines.append(f"jal {link}, {label}")
        else:
            base, offset = r.choice(FREE[1:]), r.choice((-64, -1, 0, 4))
            self.lines.append(f"la {base}, {label} - {offset}")
            self.lines.append(f"jalr {link}, {offset}({base})")
        self.some(4)
        self.lines.append(f"{label}:")

    def loop(self) -> None:
        """A counted loop of a few turns."""
        label, r = self.label(), self.random
        self.lines += [f"li s1, {r.randint(1, 4)}", f"{label}:"]
        for _ in range(r.randint(1, 6)):
            self.branch() if r.random() < 0.2 else self.simple()
        self.lines += ["addi s1, s1, -1", f"bnez s1, {label}"]

    def fill(self, instructions: int) -> None:
        """Go on until there are about so many."""
        while len(self.lines) < instructions:
            make = (self.simple, self.branch, self.jump, self.loop)
            self.random.choices(make, (80, 12, 4, 4))[0]()


def random_stream(seed: int, instructions: int) -> Image:
    """A program of about so many instructions in memory; it executes about 1.3 times as many,
    up to its label `end`, and then passes."""
    writer = Writer(seed)
    r = writer.random
    writer.lines += [f"li {reg}, {r.getrandbits(32)}" for reg in FREE[1:]]
    writer.lines.append(f"li s0, {SCRATCH}")
    writer.fill(instructions)
    writer.lines += ["end: li a0, 0x20000", "csrw proc2mngr, a0", "1: j 1b"]
    return assemble("\n".join(writer.lines), f"random stream {seed}")
