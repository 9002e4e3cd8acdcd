"""Rows of elements for RSA sizes: a digit of w bits per cycle, modulo c*m, whatever the width.

Each exponentiator is one row, whose elements hold all numbers; its products follow each other in
as many cycles as there are digits, and four more.
"""

from functools import partial

from cl.organisation import Organisation
from eval.catalog.design import ODD_MODULUS, Design, Multiplier
from eval.catalog.family import Family, Parameter, flag
from fl.array import WORD_BITS, delayed_by
from fl.schedule import LEFT_TO_RIGHT, RIGHT_TO_LEFT, RIGHT_TO_LEFT_ALWAYS, SCHEDULES
from rtl.exp.array import ArrayExponentiator
from rtl.exp.array_split import SplitExponentiator
from rtl.exp.organised import organised
from rtl.mul.array import Array

SOURCE = "this project, after documents 000 (c*m) and 002 (elements in a line)"
DIGIT = 4  # bits of a digit of the designs in the catalog
WINDOW = 4  # bits
CRT_WINDOW = 2  # bits
COMPILED_TO = 1024  # bits; wider ones are for the long tests


def odd_modulus(mod: int) -> bool:
    """Return whether mod is odd."""
    return mod % 2 == 1


def row(digit: int) -> Multiplier:
    """Describe a row that takes digits of so many bits."""
    word = WORD_BITS[digit]
    return Multiplier(
        f"array-{digit}",
        f"row of elements of {word} bits, digits of {digit} bits, modulo c*m = -1 mod 2^{digit}",
        partial(Array, digit_bits=digit, word_bits=word),
        tested_to=COMPILED_TO,
    )


def array(digit: int, loop: str, keeps: bool, stages: int) -> Design:
    """Describe a row that exponentiates by itself, in constant time if by windows."""
    order = SCHEDULES[loop]
    name, how = f"array-{digit}", "left to right"
    if order.window_bits == 1:
        name, how = f"{name}-ct", "by R or the base at every bit, constant time"
    elif order.window_bits:
        name = f"{name}-window-{order.window_bits}"
        how = f"windows of {order.window_bits} bits, constant time"
    if keeps:
        but = " but for whether the modulus is new" if order.constant else ""
        name, how = f"{name}-kept", f"{how}{but}, R^2 kept while the modulus stays"
    if stages > 1:
        name, how = f"{name}-stages-{stages}", f"{how}, elements in two stages"
    low_bits = digit * (delayed_by(stages) + 1)
    return Design(
        name=name,
        title=f"one row of elements, {digit} bits per cycle, {how}",
        source=SOURCE,
        family="Montgomery",
        multiplier=row(digit),
        make=partial(
            ArrayExponentiator,
            takes=odd_modulus,
            digit_bits=digit,
            word_bits=WORD_BITS[digit],
            order=order,
            keeps=keeps,
            stages=stages,
        ),
        domain=f"Montgomery modulo c*m = -1 mod 2^{low_bits}, values below 2^(n+{low_bits + 1})",
        moduli=ODD_MODULUS,
        tested_to=COMPILED_TO,
    )


def rows(digit: int, units: int, loop: str) -> Design:
    """Describe rows that answer request by request, two for squares and products side by side."""
    multiplier = row(digit)
    organisation = Organisation(SCHEDULES[loop], units)
    count = "two rows" if units > 1 else "one row"
    always = ", at every bit, constant time" * organisation.schedule.constant
    return Design(
        name=f"array-{digit}-pair",
        title=f"{count} of elements, {digit} bits per cycle, right to left{always}",
        source=SOURCE,
        family="Montgomery",
        multiplier=multiplier,
        make=lambda nbits: organised(multiplier.at(nbits), organisation),
        domain=f"base only, Montgomery modulo c*m = -1 mod 2^{digit}",
        moduli=ODD_MODULUS,
        tested_to=COMPILED_TO,
    )


def array_crt(digit: int, window: int, checks: bool) -> Design:
    """Describe a row that splits for private operations by CRT."""
    word = WORD_BITS[digit]
    unchecked = "" if checks else "-unchecked"
    wider = f"-window-{window}" * (window != CRT_WINDOW)
    how = "checked" if checks else "not checked"
    return Design(
        name=f"array-crt-{digit}{wider}{unchecked}",
        title=f"one row of elements or two, {digit} bits per cycle, left to right; private by CRT, "
        f"windows of {window} bits, {how}",
        source=SOURCE,
        family="Montgomery",
        multiplier=row(digit),
        make=partial(
            SplitExponentiator,
            takes=odd_modulus,
            digit_bits=digit,
            word_bits=word,
            window_bits=window,
            checks=checks,
        ),
        domain=f"Montgomery modulo c*m = -1 mod 2^{digit}, values below 2^(n+{digit + 1})",
        moduli=ODD_MODULUS,
        tested_to=COMPILED_TO,
    )


LOOPS = (LEFT_TO_RIGHT.name, *(name for name, order in SCHEDULES.items() if order.window_bits))
ARRAY = Family(
    "array",
    "one row of elements that exponentiates by itself",
    (
        Parameter(
            "digit", DIGIT, tuple(WORD_BITS), "bits of an operand per cycle", within_width=True
        ),
        Parameter("loop", LOOPS[0], LOOPS, "order of the products"),
        flag("keeps", "R^2 is kept while the modulus stays"),
        Parameter("stages", 1, (1, 2), "2 where elements add products a cycle after these stand"),
    ),
    array,
)
CRT = Family(
    "array-crt",
    "one row of elements that splits for private operations by CRT",
    (
        Parameter(
            "digit", 16, tuple(w for w in WORD_BITS if w > 1), "bits of an operand per cycle", True
        ),
        Parameter("window", CRT_WINDOW, range(2, 5), "bits of an exponent per product"),
        flag("checks", "no result leaves that the public exponent does not confirm", True),
    ),
    array_crt,
)
RIGHT_TO_LEFTS = (RIGHT_TO_LEFT.name, RIGHT_TO_LEFT_ALWAYS.name)
ROWS = Family(
    "array-rows",
    "rows of elements around a loop of the exponent's bits",
    (
        Parameter("digit", DIGIT, tuple(WORD_BITS), "bits of an operand per cycle", True),
        Parameter("units", 2, (1, 2), "1 for all products in turn"),
        Parameter("loop", RIGHT_TO_LEFTS[0], RIGHT_TO_LEFTS, "order of the products"),
    ),
    rows,
)
FAMILIES = (ARRAY, CRT, ROWS)
BY_WINDOWS = f"windows-{WINDOW}"
ALL = tuple(
    ARRAY.line(digit=digit, loop=loop)
    for digit in WORD_BITS
    for loop in (LEFT_TO_RIGHT.name, "windows-1", BY_WINDOWS)
)
DESIGNS = tuple(d for d in ALL if d.name in ("array-4", "array-4-ct", "array-4-window-4"))
FAST = (4, 8, 16)  # bits of a digit
PAIRS = tuple(ROWS.line(digit=digit) for digit in FAST)
KEEPING = tuple(
    ARRAY.line(digit=digit, loop=loop, keeps=True)
    for digit in FAST
    for loop in (LEFT_TO_RIGHT.name, BY_WINDOWS)
)
STAGED = tuple(
    ARRAY.line(digit=FAST[-1], loop=loop, stages=2) for loop in (LEFT_TO_RIGHT.name, BY_WINDOWS)
)
SPLITTING = (CRT.line(),)
VARIANTS = (
    *(design for design in ALL if design not in DESIGNS),
    *PAIRS,
    *KEEPING,
    *STAGED,
    *SPLITTING,
)
MULTIPLIERS = tuple(row(digit) for digit in WORD_BITS)
