"""What units with val and rdy do with their messages: assertions for each, one table.

In each of the first cycles from a reset on, for any stalls: an answer waits, unchanged, until it is
taken; there are as many as requests at most, each in its turn with the value of its own request;
none is later than the unit may be; a unit that owes nothing takes a request. So none is lost,
doubled or changed.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

from cl.model import Model
from cl.unit import Unit
from eval.catalog import MULTIPLIERS, find
from fl.exponentiator import BAD_MODULUS, OK
from rtl.mul.delayed_response import DelayedResponse
from rtl.mul.mont_digit import EarlyMontDigit
from rtl.mul.mul_rem import MulRem
from rtl.mul.systolic_late import LateSystolic, ScaledSystolic
from rtl.mul.systolic_twin import TwinSystolic
from rtl.mul.with_constant import by_itself
from tests.golden.dividers import DivRem, DivRem001
from tests.prove import Asserted
from tests.rtl import port_messages as ports

ROOM = 6  # cycles for stalls beyond those of so many answers


def number(message: object) -> str:
    """A message as a Verilog number."""
    packed = message.to_bits()
    return f"{packed.nbits}'d{int(packed)}"


def served(
    model: Model,
    requests: Sequence[tuple[int, ...]],
    taken: str,
    right: str,
    answers: int = 2,
    eager: bool = False,
) -> Asserted:
    """A unit whose requests are all `taken`; right: that send__msg answers the message `asked`.

    Which of the requests is watched is any. So many of the slowest answers fit. eager: there is
    always a request, so that answers only are stalled.
    """
    request_bits, response_bits = (message.nbits for message in model.messages)
    latest = max(model.latency(*one) for one in requests)
    body = f"""
reg [2:0] which, sent = 0, got = 0;
reg [{request_bits - 1}:0] asked;
reg [{response_bits - 1}:0] held;
reg waits = 0;
reg [7:0] late = 0;
wire taken = recv__val & recv__rdy, left = send__val & send__rdy;
always @(posedge clk) begin
    if (t == 0) which <= recv__msg[2:0];
    if (t != 0) begin
        sent <= sent + taken;
        got <= got + left;
        if (taken && sent == which) asked <= recv__msg;
        waits <= send__val & ~send__rdy;
        held <= send__msg;
        late <= sent != got && !send__val ? late + 1 : 0;
    end
end
always @* if (t != 0) begin
    assume ({"recv__val &&" if eager else "!recv__val ||"} ({taken}));
    assert (recv__rdy || sent != got);
    assert (!waits || (send__val && send__msg == held));
    assert (!send__val || sent != got);
    assert (!send__val || got != which || ({right}));
    assert (late < {latest});
end
"""
    return Asserted(model.rtl(), body, answers * latest + ROOM)


# What is asked of a multiplier's operands, as Verilog and for Python.
TAKEN: dict[str, Callable[[int, int, int], bool]] = {
    "m != 0": lambda a, b, m: m != 0,
    "m != 0 && a <= m": lambda a, b, m: m != 0 and a <= m,
    "m[0]": lambda a, b, m: m % 2 == 1,
    "m[0] && b < m": lambda a, b, m: m % 2 == 1 and b < m,
    "m[0] && b < 2 * m": lambda a, b, m: m % 2 == 1 and b < 2 * m,
    "m == 5 && a < m && b < m": lambda a, b, m: m == 5 and a < m and b < m,
    "m == 15 && a < m && b < m": lambda a, b, m: m == 15 and a < m and b < m,
}


def one_of(model: Model, requests: Sequence[tuple[int, ...]]) -> str:
    """The arriving request is one of these few."""
    Request, _ = model.messages
    return " || ".join(f"recv__msg == {number(Request(*one))}" for one in requests)


def multiplier(name: str, nbits: int, few: bool = False) -> Asserted:
    """A multiplier of the catalog, for all operands that it takes, or a few of them."""
    return products(MULTIPLIERS[name].by_itself(nbits), few)


def products(unit: Unit, few: bool = False) -> Asserted:
    """r = a * b / 2^radix modulo m, below m, or with guard bits below 2m."""
    nbits, wide = unit.nbits, unit.nbits + unit.guard_bits
    operands = list(product(range(1 << wide), range(1 << wide), range(1 << nbits)))
    requests = [one for one in operands if unit.accepts(*one)]
    if few:
        requests = requests[1 :: len(requests) // 5]
        taken = one_of(unit, requests)
    else:
        taken = next(t for t, ask in TAKEN.items() if requests == [o for o in operands if ask(*o)])
    places = {"a": (nbits + wide, wide), "b": (nbits, wide), "m": (0, nbits)}

    def of(message: str, expression: str) -> str:
        """The expression over a, b and m, which are parts of a message."""
        return re.sub(r"\b[abm]\b", lambda name: part(message, *places[name[0]]), expression)

    size = 2 * wide  # of products: a divider of more bits keeps the solver busy

    def of_size(value: int) -> str:
        return f"{size}'d{value}"

    right = " || ".join(
        f"m == {mod} && send__msg * {of_size((1 << unit.radix) % mod)} % {of_size(mod)} == "
        f"a * b % {of_size(mod)} && send__msg < {mod << (unit.guard_bits > 0)}"
        for mod in sorted({mod for _, _, mod in requests})
    )
    return served(unit, requests, of("recv__msg", taken), of("asked", right))


def part(message: str, low: int, size: int) -> str:
    """So many bits of a message."""
    return f"{message}[{low + size - 1}:{low}]"


def divider(model: DivRem | DivRem001) -> Asserted:
    """a = quotient * b + remainder, remainder < b."""
    high, low = model.dividend_bits, model.divisor_bits
    a, b = part("asked", low, high), part("asked", 0, low)
    quotient, remainder = part("send__msg", low, high), part("send__msg", 0, low)
    right = f"{a} == (16'd0 + {quotient}) * {b} + {remainder} && {remainder} < {b}"
    requests = list(product(range(1 << high), range(1, 1 << low)))
    return served(model, requests, f"{part('recv__msg', 0, low)} != 0", right)


def exponentiator(name: str, nbits: int, answers: int = 1, eager: bool = False) -> Asserted:
    """A few requests: exponents 0, 1 and 3, another modulus, and one that is not taken."""
    model = find(name).at(nbits)
    top = 1 << nbits
    moduli = [mod for mod in range(top) if model.takes(mod)]
    bad = next(mod for mod in range(top) if not model.takes(mod))
    last, other = moduli[-1], moduli[len(moduli) // 2]
    requests = [(2, 0, last), (top - 1, 1, last), (top - 2, 3, other), (1, 1, bad)]
    Request, Response = model.messages
    right = "0"
    for base, exp, mod in requests:
        value = (0, BAD_MODULUS) if mod == bad else (pow(base, exp, mod), OK)
        asked = f"asked == {number(Request(base, exp, mod))}"
        right += f" || ({asked} && send__msg == {number(Response(*value))})"
    return served(model, requests, one_of(model, requests), right, answers, eager)


# The width at which a multiplier is proven for all operands.
PRODUCTS = {
    "mul-rem": 2,
    "mul-rem-001": 2,
    "ssmm-1": 2,
    "interleaved-1": 2,
    "tiny": 2,
    "mmm-1": 3,
    "mmred-1": 3,
    "mm-open-1": 2,
    "mont-koc-1": 3,
    "mont-koc-8": 3,
    "mont-mul-rem-8": 3,
    "scaled-low-4": 2,
    "scaled-high-4": 2,
    "mont-digit-4": 2,
    "systolic-4": 2,
    "systolic-16": 2,
    "serial-8": 2,
    "array-1": 2,
    "array-2": 2,
    "array-4": 2,
    "array-8": 2,
    "cm-minus-1": 4,
    "cm-plus-k": 4,
    "cm-late": 4,
    "dm-minus-1": 4,
    "dm-1": 4,
    "dm-2": 4,
}

# The width of an exponentiator: the least that it has, or what tells bits of 1 and 0 apart.
POWERS = {
    "mul-rem": 5,
    "mul-rem-one": 2,
    "ssmm-004": 2,
    "ssmm-small": 5,
    "ssmm-best": 5,
    "ssmm-ct": 3,
    "interleaved-1": 3,
    "tiny": 2,
    "mont-001": 5,
    "mmm-004": 5,
    "mmred-004": 5,
    "mm-000": 5,
    "mont-small": 2,
    "mont-pipe": 5,
    "mont-best": 5,
    "mont-ct": 2,
    "mont-ladder": 2,
    "near-power-4": 5,
    "scaled-low-4": 5,
    "scaled-high-4": 5,
    "mont-digit-4": 5,
    "cm-pseudo-2": 5,
    "cm-pseudo-1": 5,
    "mul-rem-001": 3,
}

MESSAGES: dict[str, Callable[[], Asserted]] = {
    **{f"product, {name}": partial(multiplier, name, nbits) for name, nbits in PRODUCTS.items()},
    "product, delayed": partial(products, DelayedResponse(2, MulRem(2), 1)),
    "product, twin": partial(products, by_itself(TwinSystolic(2, 4, 2))),
    "product, late": partial(products, by_itself(LateSystolic(2, 4, 2))),
    "product, scaled": partial(products, by_itself(ScaledSystolic(2, 4))),
    "product, early": partial(products, by_itself(EarlyMontDigit(2, 2))),
    "product, fold-4": partial(multiplier, "fold-4", 5, few=True),
    "quotient, div-rem": partial(divider, DivRem(3, 2)),
    "quotient, div-rem-001": partial(divider, DivRem001(3, 2)),
    **{f"power, {name}": partial(exponentiator, name, nbits) for name, nbits in POWERS.items()},
    "port, null": ports.null_xcel,
    "port, xcel": partial(ports.xcel, ports.Mixer),
    "port, xcel with its result shifted": partial(ports.xcel, ports.ForgetfulMixer),
    "port, tiny": ports.tiny_xcel,
    "shared unit": ports.mul_share,
    "bus bridge": ports.bus_bridge,
    "fetch": ports.fetch,
    "random bytes": ports.random_bytes,
}

# Rows of more than some seconds.
LONG = {
    *(f"product, {name}" for name in ("systolic-16", "serial-8", "array-8")),
    *(f"power, {name}" for name in ("mont-001", "mmm-004", "mmred-004", "mm-000", "mont-digit-4")),
    *(f"power, {name}" for name in ("scaled-low-4", "scaled-high-4")),
}

_LONG_POWER = "80 cycles and more, too many for the solver; its products are proven"
_PROGRAMS = "a system: its parts between two ports are proven, programs run on it"
OUT = {
    **dict.fromkeys(
        [f"power, {name}" for name in ("array-4", "array-4-ct", "array-4-window-4", "systolic-16")]
        + ["RowControl", "BlindedControl", "SplitControl", "LeftToRightAlways"],
        _LONG_POWER,
    ),
    **dict.fromkeys(
        ["power, serial-p-8", "power, serial-pz-8", "SerialControl", "SerialExponentiatorRTL"],
        "140 cycles and more, too many for the solver",
    ),
    "product, array-16": "array-8 with longer words",
    **dict.fromkeys(["ConvertAny", "Windows", "ModuloMultipleRTL"], "in variants only"),
    **dict.fromkeys(["BusSystem", "ProcessorRTL", "ProcessorSystem"], _PROGRAMS),
    **dict.fromkeys(
        ["ForeignExponentiatorRTL", "ForeignMultiplierRTL"],
        "somebody's core inside, whose text is no PyMTL3; the tests of protocols drive it",
    ),
    "FlippingXcel": "an accelerator with a bit changed on purpose",
}
