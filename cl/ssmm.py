"""The time of shift-sub multiplication and of the exponentiators made of it."""


def scan_cycles(x: int, steps: int) -> int:
    """Count cycles to scan all bits of x, `steps` per cycle: none for 0."""
    return -(-x.bit_length() // steps)


def ssmm_latency(steps: int, a: int, b: int, m: int) -> int:
    """latency = 1 + the scan of b + that of a where a > m."""
    return 1 + scan_cycles(b, steps) + (scan_cycles(a, steps) if a > m else 0)


def ssmm_004_latency(base: int, exp: int, mod: int) -> int:
    """T6 = sum of L_i + 5k - 1 for base <= mod and exp >= 1, where k = bitlen(exp).

    L_i = bitlen(base^(2^i) mod mod); for base = mod, L_0 is bitlen(base). It is exact for
    L_i = 0 too. A base above mod is first reduced, in bitlen(base) + 2 cycles. An exponent or
    modulus of 0, for which the document has no answer, is answered in 1 cycle.
    """
    if mod == 0 or exp == 0:
        return 1
    cycles = 5 * exp.bit_length() - 1
    if base > mod:
        cycles += base.bit_length() + 2
        base %= mod
    for _ in range(exp.bit_length()):
        cycles += base.bit_length()
        base = base * base % mod
    return cycles


def ssmm_004_mean(nbits: int, exp_bits: float, mod: int) -> float:
    """mean T6 = exp_bits * (n + 5 - 2^n/mod) - 1, for random powers below an n-bit mod."""
    return exp_bits * (nbits + 5 - 2**nbits / mod) - 1


def shared_latency(steps: int, base: int, exp: int, mod: int) -> int:
    """latency = 1 + the passes: one per bit of exp, and one before them where base > mod.

    A pass scans the power where it squares (not at the last bit) and the result where the bit
    is 1, both at once; it takes as long as the longer scan, and 1 cycle at least.
    """
    cycles = 1
    if mod == 0 or exp == 0:
        return cycles
    if base > mod:
        cycles += scan_cycles(base, steps)
        base %= mod
    result = 1 % mod
    while exp:
        scans = [1]
        if exp & 1:
            scans.append(scan_cycles(result, steps))
            result = result * base % mod
        exp >>= 1
        if exp:
            scans.append(scan_cycles(base, steps))
            base = base * base % mod
        cycles += max(scans)
    return cycles


def constant_latency(nbits: int, steps: int) -> int:
    """latency = 1 + (n + 1) * ceil(n / steps): n + 1 passes, whatever the request."""
    return 1 + (nbits + 1) * -(-nbits // steps)
