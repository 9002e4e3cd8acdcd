"""Document 002's algorithms, figures and tables, and what it claims of them."""

from eval.printed.document_002 import (
    AVAILABLE,
    CYCLES_BEFORE,
    DSP_AT_4096,
    EXPONENTIATION_CYCLES,
    FIGURES,
    OWN,
    PRODUCT_CYCLES,
    PRODUCTS,
    SAME_DEVICE,
    SLICES,
    TABLE_4,
    WANG,
    Compared,
)
from eval.printed.items.item import (
    ARITHMETIC,
    BUILT,
    OPEN,
    OTHER,
    OTHERWISE,
    OUR_DESIGN,
    REFUTED,
    REPRODUCED,
    SAME,
    THEIR_DESIGN,
    THEIR_FIGURES,
    Basis,
    Item,
)
from eval.printed.items.quoted import Ours, printed

PRODUCT = "simulate systolic-16 --nbits 512 --workload e --level batch"
PROCESSING = "flow systolic-16 --nbits 64 --unit multiplier"
PRINTED = "simulate systolic-printed --nbits 1024 --workload d --level batch"
GIVEN = "simulate systolic-given --nbits 1024 --workload d --level batch"
EXPONENTIATOR = "fpga systolic-given --nbits 1024 --device artix7"
BY_FIGURES, BY_ARITHMETIC = Basis(THEIR_FIGURES), Basis(ARITHMETIC)
AS_BUILT = Basis(THEIR_DESIGN, SAME)
OTHER_ELEMENT = Basis(OUR_DESIGN, OTHER)
RESOURCES = {"luts": "tables", "ffs": "registers", "dsp": "DSP"}
# By unit and bits: tables, registers and DSP blocks as printed.
TAKEN = {
    (unit, nbits): {f.what: int(f.value) for f in FIGURES if (f.of, f.nbits) == (unit, nbits)}
    for unit, nbits in {(f.of, f.nbits): None for f in FIGURES}
}
MULTIPLIER, WHOLE = TAKEN["multiplier", 1024], TAKEN["exponentiator", 1024]
SAVED_CYCLES = CYCLES_BEFORE - EXPONENTIATION_CYCLES[1024]
TABLES_PER_SLICE = MULTIPLIER["luts"] / SLICES[2]
FASTER = [work for work in TABLE_4 if work.time_us < OWN.time_us]
SLOWER = [work for work in TABLE_4 if work.time_us > OWN.time_us]


def timed(work: Compared) -> str:
    """Say how long a work of table 4 takes for a product, in us."""
    return f"{named(work)} {printed(work.time_us, '.2f')}"


def named(work: Compared) -> str:
    """Name a work of table 4 with its device."""
    by, device = work.of.split(", ")
    return f"{by} ({device})"


def array(nbits: int) -> str:
    """Write the command that maps the array of n/16 words."""
    return f"fpga systolic-printed --nbits {nbits} --device artix7 --unit multiplier"


def taken(command: str, counts: dict[str, int]) -> str:
    """Say what a unit of ours takes, and how many times what is printed that is."""
    return ", ".join(
        f"{Ours(command, path)()} {what} ({ratio} times the printed)"
        for resource, what in RESOURCES.items()
        for path in [f"metrics.{resource}"]
        for ratio in [Ours(command, path).times(counts[resource])]
    )


def table(number: int, nbits: int) -> Item:
    """State tables 1 to 3, the array at a width."""
    counts = TAKEN["multiplier", nbits]
    said = ", ".join(f"{counts[resource]} {what}" for resource, what in RESOURCES.items())
    return Item(
        f"table {number}",
        f"the product of {nbits} bits on an Artix-7: {PRODUCT_CYCLES[nbits]} cycles, {said}",
        REPRODUCED,
        f"3s + 2 = {printed(PRODUCT_CYCLES[nbits])} cycles for its s = {nbits // 16} words, three "
        f"more with the word that a modulus of {nbits} bits needs. The array of s words, with "
        f"elements of ours, mapped by yosys and not placed: {taken(array(nbits), counts)}",
        array(nbits),
        Basis(OUR_DESIGN, SAME, SAME),
    )


def element(number: int, which: str, found: str = "as figure 2") -> Item:
    """State figures 2 to 4, the elements."""
    return Item(
        f"figure {number}",
        f"the {which} element: a multiplier, three states of a cycle each for every word of x, a "
        "memory for the result",
        OTHERWISE,
        found,
        PROCESSING,
        OTHER_ELEMENT,
    )


ITEMS = (
    Item(
        "algorithm 1",
        "a Montgomery product by words, with a subtraction at the end",
        OTHERWISE,
        "in words of a bit with the subtraction, as mont-001's product; in words of 16 bits "
        "without it, for R > 4m, as mont-digit-16's",
        "simulate mont-001 --nbits 32 --workload e",
        OTHER_ELEMENT,
    ),
    Item(
        "algorithm 2",
        "the same without the subtraction, for x, y < 2m and 2m < R",
        REFUTED,
        "2m < R is too little: by two words of 4 bits, R = 256, the product of 137 and 139 under "
        "m = 71 is 144, which is no input of a next one as it is above 2m; that of 199 and 202 "
        "under m = 103 is 256, which two words do not hold. R > 4m is enough, and ours ask for it. "
        "Nor do the words of tables 1 to 3 keep 2m < R for a modulus of all bits",
        "simulate systolic-16 --nbits 64 --workload e",
        BY_ARITHMETIC,
    ),
    Item(
        "algorithm 3",
        "the product for elements in a line",
        REFUTED,
        "as printed u_i multiplies all of m, c is never 0 and the last carry is lost; put right, "
        "it is systolic-16's product",
        PRODUCT,
        BY_ARITHMETIC,
    ),
    Item(
        "algorithm 4",
        "the multiplier's controller",
        REFUTED,
        "it compares after counting, and makes n - 1 steps of n; ours makes all",
        PRODUCT,
        BY_ARITHMETIC,
    ),
    Item(
        "algorithm 5",
        "square and multiply at every bit, from the left",
        BUILT,
        "systolic-16's loop; R and R^2 mod m are inputs of the document's, given to "
        "systolic-given with its modulus, and found by the other designs",
        "simulate systolic-16 --nbits 32 --workload d",
        AS_BUILT,
    ),
    Item(
        "equation 3",
        "an exponent of t + 1 bits takes 2(t + 1) + 2 products",
        REPRODUCED,
        f"the loop makes them whatever the bits are: {printed(PRODUCTS[1023])} for 1024 bits, two "
        f"of them to convert base and result. {Ours(GIVEN, 'cycles')()} cycles, with a word more, "
        "are one and as many products of 3 * 65 + 2. Designs that find R^2 make some more",
        GIVEN,
        Basis(OUR_DESIGN, SAME),
    ),
    Item(
        "figure 1",
        "a first, middle and a last element in a line behind a controller and the block CU",
        BUILT,
        "the same blocks between the same neighbours; figures 2 to 5 say what is otherwise inside",
        PROCESSING,
        AS_BUILT,
    ),
    element(
        2,
        "first",
        "another element in the time of the printed cycles: it adds x * y before u * m, where the "
        "document adds u * m first; it has no memory, as neighbours read its accumulator in the "
        "one cycle before the next word's product takes its place; and its third cycle is the next "
        "word's first. Three states for every word, as described, would take the line 4s - 1 "
        "cycles at least, not 3s + 2",
    ),
    element(3, "middle"),
    element(4, "last"),
    Item(
        "figure 5",
        "the block CU: the quotient digit by two multipliers",
        OTHERWISE,
        "one multiplier, as x_i * y_0 is the first element's product: s + 1 multipliers in all, "
        "where the document has s + 2. systolic-late-16 forms the digit a cycle ahead, "
        "systolic-scaled-16 without a product",
        PROCESSING,
        OTHER_ELEMENT,
    ),
    Item(
        "figure 6",
        "the exponentiator: a control, the multiplier, S[0], S[1] and the converted base in "
        "registers",
        OTHERWISE,
        "the same loop around one array, without S[1]: a product at a 0 bit is dropped as it "
        "comes. Beside it ours keeps the request, answers for any base and refuses moduli",
        PRINTED,
        Basis(OUR_DESIGN, SAME),
    ),
    table(1, 512),
    table(2, 1024),
    table(3, 2048),
    Item(
        "table 4",
        "beside others at 1024 bits: it speeds the product up",
        REFUTED,
        f"in cycles against some: by the printed clocks it takes {printed(OWN.time_us, '.2f')} us, "
        f"{', '.join(map(timed, FASTER))}; slower are only {', '.join(map(timed, SLOWER))}",
        "report document-002",
        Basis(THEIR_FIGURES, OTHER, OTHER),
    ),
    Item(
        "table 5",
        "the exponentiator of 1024 bits on an Artix-7: "
        + ", ".join(f"{WHOLE[resource]} {what}" for resource, what in RESOURCES.items()),
        OTHERWISE,
        f"systolic-given, which has R and R^2 of one modulus: {taken(EXPONENTIATOR, WHOLE)}, "
        "mapped by yosys and not placed. Beyond the document's it has a word more, registers for "
        "base, exponent and modulus, selectors of the multiplier's operands, a comparison of the "
        "modulus and a last subtraction",
        EXPONENTIATOR,
        Basis(OUR_DESIGN, SAME, SAME),
    ),
    Item(
        "claim 1",
        f"section 5: {EXPONENTIATION_CYCLES[1024]} cycles for an exponent of 1024 bits, "
        f"{SAVED_CYCLES} fewer than works of 199 cycles a product",
        REPRODUCED,
        f"{Ours(PRINTED, 'cycles')()} with the printed words, some of them to find R and R^2; "
        f"{Ours(GIVEN, 'cycles')()} where these are given, with the word that moduli of all bits "
        f"need. The difference is {printed(PRODUCTS[1023])} products of five cycles",
        PRINTED,
        Basis(OUR_DESIGN, SAME),
    ),
    Item(
        "claim 2",
        "abstract and conclusions: compared with other works the array reduces the resources",
        REFUTED,
        f"on the same device {named(SAME_DEVICE)} takes fewer tables "
        f"({printed(SAME_DEVICE.luts)} to {printed(OWN.luts)}), registers "
        f"({printed(SAME_DEVICE.ffs)} to {printed(OWN.ffs)}) and slices "
        f"({printed(SAME_DEVICE.slices)} to {printed(OWN.slices)}), but more DSP blocks "
        f"({printed(SAME_DEVICE.dsp)} to {printed(OWN.dsp)}). It is so of the works on other "
        f"families: {named(WANG)} has {printed(WANG.luts)} tables, {printed(WANG.ffs)} registers "
        "and "
        "as many DSP blocks",
        "report document-002",
        Basis(THEIR_FIGURES, OTHER, SAME),
    ),
    Item(
        "claim 3",
        "conclusions: most resources of the exponentiator are the multiplier's",
        REPRODUCED,
        f"by tables 2 and 5 {printed(100 * MULTIPLIER['luts'] / WHOLE['luts'], '.0f')} % of the "
        f"tables, {printed(100 * MULTIPLIER['ffs'] / WHOLE['ffs'], '.0f')} % of the registers and "
        f"all DSP blocks; here {Ours(array(1024), 'metrics.luts')()} of "
        f"{Ours(EXPONENTIATOR, 'metrics.luts')()} tables and {Ours(array(1024), 'metrics.ffs')()} "
        "of "
        f"{Ours(EXPONENTIATOR, 'metrics.ffs')()} registers",
        EXPONENTIATOR,
        Basis(OUR_DESIGN, SAME, SAME),
    ),
    Item(
        "claim 4",
        "tables 1 to 3 and 5: " + ", ".join(str(slices) for slices in SLICES.values()) + " slices",
        OPEN,
        "yosys maps to tables and registers, and packs no slices; a vendor's tool would. Of the "
        f"four tables of a slice the array of 1024 bits uses {printed(TABLES_PER_SLICE, '.1f')}, "
        "so "
        "that a count from ours would say little",
    ),
    Item(
        "claim 5",
        f"conclusions: 4096 bits with {DSP_AT_4096} DSP blocks, on a device that has more",
        REPRODUCED,
        f"256 elements and the two of CU, where the device of table 1 has {printed(AVAILABLE[3])}; "
        f"ours takes {Ours(array(4096), 'metrics.dsp')()}, as its CU has one",
        array(4096),
        Basis(OUR_DESIGN, SAME, SAME),
    ),
)
