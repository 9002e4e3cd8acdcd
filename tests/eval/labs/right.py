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
