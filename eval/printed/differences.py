"""What the source documents say about how they measured, to be set beside our figures."""

from dataclasses import dataclass

ALL, REGISTERS, LOGIC = "all", "registers", "logic"


@dataclass(frozen=True)
class Document:
    """How a document's figures came about."""

    tools: str
    stage: str
    clock: str
    cycles: dict[str, str]  # of designs with this multiplier, why they differ


@dataclass(frozen=True)
class Part:
    """A part of a multiplier: the modules that hold it, and what the document has there."""

    title: str
    modules: tuple[str, ...]
    cells: str  # all cells of these modules, only the registers, or only the logic
    document: str


DOCUMENTS: dict[str, Document] = {
    "001": Document(
        tools="the document's synthesis is Synopsys's with its DesignWare library; it does not "
        "name its cells, which are taken to be the NanGate 45 nm ones",
        stage="the document's areas are those of its layouts (its figure 15), with clock tree "
        "and buffers",
        clock="the document constrains the clock to 3 ns and does not say by how much it is met",
        cycles={
            "mul-rem": "the document's divider moves the divisor up and down again, 2k+1 cycles "
            "for a quotient of k+1 bits, where ours takes k+1 steps; its figures also hold the "
            "processor's instructions that move the operands",
            "mont-mul-rem": "both take 5 for a bit of the exponent, 65 of the printed cycles "
            "between the two exponents; the rest is the way into and out of the domain, and its "
            "figures also hold the processor's instructions that move the operands",
        },
    ),
}

PARTS: dict[str, tuple[Part, ...]] = {
    "mul-rem": (
        Part(
            "full-width multiplier",
            ("MulRemRTL",),
            ALL,
            "radix-8 Booth multiplier of Synopsys DesignWare; ours is made by yosys",
        ),
        Part(
            "registers of the divider",
            ("DivRemRTL",),
            REGISTERS,
            "a 2n-bit divider; ours holds the n-bit divisor and a pair of 3n bits",
        ),
        Part(
            "shifter that skips zeros, control",
            ("DivRemRTL",),
            LOGIC,
            "skips nothing: the divisor moves a place a cycle, up and down again",
        ),
        Part("counting leading zeros", ("SignificantBits", "UpperHalf"), ALL, "none"),
        Part("subtractor of a step", ("DivRemStep",), ALL, "2n bits wide; ours n + 1"),
    ),
    "mont-mul-rem": (
        Part(
            "adders and addends of the steps, enables of their registers",
            ("AddRedStage",),
            LOGIC,
            "AddRed in Koc's order (its figure 8b), N added to each X_i Y",
        ),
        Part(
            "registers between stages",
            ("AddRedStage",),
            REGISTERS,
            "after each of four stages of 8 steps, found by trial and error",
        ),
        Part(
            "sum of multiplicand and modulus",
            ("AddRedPipeline",),
            ALL,
            "none: formed in each AddRed",
        ),
        Part(
            "final subtraction",
            ("FinalSubtract", "MontMulRTL"),
            ALL,
            "comparator, subtractor, selection",
        ),
    ),
}
