"""The producers and consumers of hazards.py in one program, with anything between, interrupted.

What each consumer sends is known, whatever comes between: the handler counts, rings again after a
few cycles, and leaves all registers as they were.
"""

from collections.abc import Iterable
from random import Random

from tests.cases.hazards import CELL, CONSUMERS, DATA, PRODUCERS, SETUP
from tests.cases.instructions import Case
from tests.cases.interrupted_streams import HANDLER, START

Use = tuple[str, str, tuple[str, ...]]  # producer, consumer, what stands between

MOST_BETWEEN = 3
# Each holds up the stages in its own way; t3 is nobody's.
BETWEEN = (
    *("nop", "mul t3, s4, s5", "divu t3, s6, s5", "lw t3, 0(s7)", "sw s3, 12(s9)"),
    *("csrr t3, xr0", "j 8f\n8: nop"),
    "beqz x0, 8f\nj 8f\njr t3\n8: nop",  # jumps that are overtaken, one in D or on its way
    "beqz x0, 8f\njr t3\n8: nop",
    "jal t3, 8f\n8: jalr t3, 8(t3)\nnop",  # to what comes behind the last one
)


# A consumer that waits in D while its operand goes by, and ones that wait in X for a load's answer.
HELD_UP: tuple[Use, ...] = (
    ("alu", "rs1", ("divu t3, s6, s5",)),
    ("alu", "rs2", ("remu t3, s11, s4",)),  # no answer of before
    *(("alu", "jump", ("lw t3, 0(s7)",) * count) for count in (1, 2)),
)


def shuffled(seed: int) -> list[Use]:
    """Every producer with every consumer in any order, and between them up to so many others."""
    rng = Random(f"interrupted hazards {seed}")
    pairs = [(producer, consumer) for producer in PRODUCERS for consumer in CONSUMERS]
    return [
        (*pair, tuple(rng.choices(BETWEEN, k=rng.randint(0, MOST_BETWEEN))))
        for pair in rng.sample(pairs, len(pairs))
    ]


def by_distance() -> list[Use]:
    """Every producer with every consumer, each of both at every distance of 0 to 2."""
    return [
        (producer, consumer, ("nop",) * ((i + j) % 3))
        for i, producer in enumerate(PRODUCERS)
        for j, consumer in enumerate(CONSUMERS)
    ]


def hazards(name: str, uses: Iterable[Use], interrupted: bool) -> Case:
    """A program of these, one after the other."""
    text = (HANDLER + START if interrupted else "") + SETUP
    inputs, outputs = [], []
    for producer, consumer, between in uses:
        use, answer = CONSUMERS[consumer]
        text += "csrw xr0, s9\nli a2, 0x55\nli a0, 0xbad\n"
        text += "\n".join([PRODUCERS[producer], *between, use]) + "\n"
        inputs += [CELL] if producer == "csr" else []
        outputs.append(answer)
    return Case(name, text + DATA, tuple(inputs), tuple(outputs))
