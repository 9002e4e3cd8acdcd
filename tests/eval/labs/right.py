"""Right answers to the labs' gaps, made here, and nowhere else."""

LAB2 = {
    """            s.recv.rdy @= 0
            s.send.val @= 0
            s.send.msg.r @= 0
""": """            s.recv.rdy @= ~s.busy
            s.send.val @= s.busy & (s.a == 0)
            s.send.msg.r @= s.result
""",
    """            s.total @= zext(s.result, wide)
            s.doubled @= zext(s.b, wide)
""": """            s.total @= zext(s.result, wide)
            if s.a[0]:
                s.total @= zext(s.result, wide) + zext(s.b, wide)
            s.doubled @= zext(s.b, wide) << 1
""",
    """                s.busy <<= 0

        @update_ff
        def datapath""": """                s.busy <<= 0
            elif ~s.busy:
                s.busy <<= s.recv.val
            elif s.send.val & s.send.rdy:
                s.busy <<= 0

        @update_ff
        def datapath""",
    """            s.a <<= s.a
            s.b <<= s.b
            s.m <<= s.m
            s.result <<= s.result
""": """            if ~s.busy:
                s.a <<= s.recv.msg.a
                s.b <<= s.recv.msg.b
                s.m <<= s.recv.msg.m
                s.result <<= 0
            elif s.a != 0:
                s.a <<= s.a >> 1
                if s.doubled >= zext(s.m, wide):
                    s.b <<= s.doubled[0:nbits] - s.m
                else:
                    s.b <<= s.doubled[0:nbits]
                if s.total >= zext(s.m, wide):
                    s.result <<= s.total[0:nbits] - s.m
                else:
                    s.result <<= s.total[0:nbits]
""",
}
# Cases that a student adds: edges, and a product that needs every subtraction.
CASES2 = "".join(
    f"\n[[case]]\na = {a}\nb = {b}\nm = {m}\nr = {a * b % m}\ncycles = {a.bit_length() + 1}\n"
    for a, b, m in ((255, 254, 255), (128, 3, 5), (1, 7, 7), (201, 200, 211))
)

LAB3 = {
    """            s.added @= zext(s.total, wide)
            s.reduced @= s.added
            s.next @= s.total
""": """            s.added @= zext(s.total, wide)
            if s.x:
                s.added @= zext(s.total, wide) + zext(s.y, wide)
            s.reduced @= s.added
            if s.added[0]:
                s.reduced @= s.added + zext(s.m, wide)
            s.next @= s.reduced[1:wide]
""",
    """            s.send.val @= 0
            s.recv.rdy @= 0
""": """            s.send.val @= s.full
            s.recv.rdy @= ~s.full | s.send.rdy
""",
    """                s.full <<= 0

        @update_ff
        def datapath""": """                s.full <<= 0
            elif s.recv.rdy:
                s.full <<= s.recv.val

        @update_ff
        def datapath""",
    """            s.held <<= s.after
""": """            if s.recv.val & s.recv.rdy:
                s.held <<= s.after
""",
}
# Numbers by AddRed on paper: a * b / 256 mod m, by Python's inverse.
CASES3 = "".join(
    f"\n[[case]]\na = {a}\nb = {b}\nm = {m}\nr = {a * b * pow(256, -1, m) % m}\ncycles = 4\n"
    for a, b, m in ((255, 254, 255), (128, 0, 1), (1, 6, 7), (201, 200, 211))
)
LAB6 = {
    "  (void)base, (void)exp, (void)mod;\n": """  for (uint32_t i = 0; i < words; i++) {
    CSR_WRITE(BASE, base[i]);
    CSR_WRITE(EXPONENT, exp[i]);
    CSR_WRITE(MODULUS, mod[i]);
  }
""",
    "  for (uint32_t i = 0; i < words; i++) result[i] = 0;\n": """  CSR_WRITE(GO, 0);
  for (uint32_t i = 0; i < words; i++) result[i] = CSR_READ(RESULT);
""",
    "  return 0;\n": "  return CSR_READ(STATUS) & BAD_MODULUS;\n",
}


def filled(text: str, gaps: dict[str, str]) -> str:
    """Fill gaps in, each of which a text has once."""
    for gap, filling in gaps.items():
        assert text.count(gap) == 1, gap
        text = text.replace(gap, filling)
    return text


LAB5 = {
    "    return False\n": """    no_worse = one.area <= other.area and one.time <= other.time
    return no_worse and (one.area < other.area or one.time < other.time)
""",
    "    return [point.name for point in points]\n": """
    best = [p for p in points if not any(beats(other, p) for other in points)]
    return [p.name for p in sorted(best, key=lambda p: p.area)]
""",
    '    return ""\n': """    met = [p for p in points if p.time <= limit]
    return min(met, key=lambda p: (p.area, p.time)).name if met else ""
""",
    "    return []\n": """    found = []
    for name in front(points):
        own = next(p for p in points if p.name == name)
        worse = Point("", own.area * (1 + area_band), own.time * (1 + time_band))
        for p in points:
            rival = Point("", p.area * (1 - area_band), p.time * (1 - time_band))
            if p is not own and beats(rival, worse):
                found.append(name)
                break
    return found
""",
}
# Two points that are equal, and three of which the middle one is uncertain by its area.
CASES5 = """
[[case]]
points = [["one", 5, 5.0], ["two", 5, 5.0]]
front = ["one", "two"]
limit = 5.0
smallest = "one"
area_band = 0.1
time_band = 0.1
uncertain = ["one", "two"]

[[case]]
points = [["far", 100, 9.0], ["near", 200, 5.0], ["nearer", 210, 4.0]]
front = ["far", "near", "nearer"]
limit = 4.5
smallest = "nearer"
area_band = 0.03
time_band = 0.0
uncertain = ["near"]
"""
LAB8_ATTACK = {
    "    return [0.0] * rounds\n": """    starts = [begin + i * cycles for i in range(rounds)]
    return [sum(trace[start : start + cycles]) for start in starts]
""",
    "    return 0.0, 0.0\n": """    ordered = sorted(values)
    mean = sum(values) / len(values)
    whole = sum((v - mean) ** 2 for v in values)
    best = 0.0, ordered[-1]
    for low, high in zip(ordered, ordered[1:]):
        middle = (low + high) / 2
        ones = [v for v in values if v > middle]
        zeros = [v for v in values if v <= middle]
        if ones and zeros:
            apart = sum(ones) / len(ones) - sum(zeros) / len(zeros)
            share = len(ones) * len(zeros) * apart**2 / len(values) / whole
            best = max(best, (share, middle))
    return best
""",
    "    return 0\n": """    begin = len(trace) - after - rounds * cycles
    values = sums(trace, begin, cycles, rounds)
    threshold = split(values)[1]
    exponent = 1 << rounds - 1
    for i, value in enumerate(values):
        if value > threshold:
            exponent |= 1 << i
    return exponent
""",
}
LAB8_CLOSED = {
    "    for i in reversed(range(exp.bit_length())):\n": "    for i in reversed(range(nbits)):\n",
    """        if exp >> i & 1:
            result = multiply(result, base)
""": """        product = multiply(result, base)
        if exp >> i & 1:
            result = product
""",
    "    return base, exp, 1\n": """    r = 0
    while pow(r, key.p - 1, key.p) != 1 or pow(r, key.q - 1, key.q) != 1:
        r = rng.randrange(2, key.n)
    k = rng.getrandbits(16)
    exp += k * (key.p - 1) * (key.q - 1)
    return base * pow(r, key.e, key.n) % key.n, exp, pow(r, -1, key.n)
""",
}
# A design for the project: shift and subtract, a step per cycle, by one unit.
PROJECT_ENTRY = '''"""A design that is none of the catalog."""

from cl.organisation import Organisation
from eval.catalog.design import Design, Multiplier
from fl.schedule import LEFT_TO_RIGHT
from rtl.exp.organised import organised
from rtl.mul.ssmm import Ssmm

UNIT = Multiplier("project", "a step per cycle", Ssmm)
ONE = Organisation(LEFT_TO_RIGHT, units=1, entry="reduced")
DESIGNS = (
    Design(
        name="project",
        title="one unit, left to right",
        source="ours",
        family="ours",
        multiplier=UNIT,
        make=lambda nbits: organised(UNIT.at(nbits), ONE),
    ),
)
'''
