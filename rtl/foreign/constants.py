"""Constants of the modulus that a core asks for, in its adapter: a bit of each in a cycle.

`doubled` is 1 modulo m, doubled in each cycle. `inverse` is x with 1 + x*m = 0 modulo 2^waited, and
`sum` is 1 + x*m.
"""

from collections.abc import Mapping

Constants = Mapping[str, tuple[str, int]]
DOUBLINGS = {"r": 1, "r2": 2}  # by R = 2^k, times k
KINDS = (*DOUBLINGS, "m_inv")


def steps(constants: Constants) -> int:
    """Count the cycles until all stand."""
    return max((DOUBLINGS.get(kind, 1) * k for kind, k in constants.values()), default=0)


def wires(constants: Constants, mod: str, nbits: int) -> list[str]:
    """Declare what finds them."""
    digit = max((k for kind, k in constants.values() if kind == "m_inv"), default=1)
    return [
        f"  reg [{nbits - 1}:0] doubled;",
        f"  reg [{digit - 1}:0] inverse, sum;",
        f"  wire [{nbits}:0] twice = {{doubled, 1'b0}};",
        f"  wire [{nbits}:0] reduced = twice >= {mod} ? twice - {mod} : twice;",
        f"  wire [{digit - 1}:0] low = {mod};",
    ]


def begin(mod: str) -> list[str]:
    """Write what happens as a request is taken."""
    return [f"        doubled <= in_{mod} != 1;", "        inverse <= 0;", "        sum <= 1;"]


def case(constants: Constants, number: int) -> list[str]:
    """Write the state in which they are found, and the first step follows."""
    lines = [f"      {number}: begin", "        doubled <= reduced;"]
    if any(kind == "m_inv" for kind, _ in constants.values()):
        lines += [
            "        inverse <= inverse | (sum & (1 << waited));",
            "        if ((sum >> waited) & 1) sum <= sum + (low << waited);",
        ]
    for name, (kind, k) in constants.items():
        value = "inverse" if kind == "m_inv" else "doubled"
        at = DOUBLINGS.get(kind, 1) * k
        lines.append(f"        if (waited == {at}) {name} <= {value};")
    return [
        *lines,
        f"        if (waited == {steps(constants)}) begin",
        "          waited <= 0; step <= 1;",
        "        end else waited <= waited + 1;",
        "      end",
    ]
