"""A private operation of RSA by the Chinese remainder theorem, with what hardware gets of a key."""

from dataclasses import dataclass

from fl.exponentiator import FAULT, OK
from fl.rsa_keys import RsaKey

E_BITS = 32  # of a public exponent


@dataclass(frozen=True)
class CrtKey:
    """An RSA key by its primes: d mod p - 1 and q - 1, 1/q mod p; and the public exponent."""

    p: int
    q: int
    dp: int
    dq: int
    q_inverse: int
    e: int

    @classmethod
    def of(cls, key: RsaKey) -> "CrtKey":
        """Return the key in this form."""
        p, q = key.p, key.q
        return cls(p, q, key.d % (p - 1), key.d % (q - 1), pow(q, -1, p), key.e)

    def turned(self) -> "CrtKey":
        """Return the key with p and q in each other's place."""
        return CrtKey(self.q, self.p, self.dq, self.dp, pow(self.p, -1, self.q), self.e)


def private(c: int, n: int, key: CrtKey, checks: bool = True) -> tuple[int, int]:
    """Return (c^d mod n, OK) by Garner's formula; (0, FAULT) if it checks, and c is not its power.

    The check is by e alone, as in hardware: what passes it is right, whatever the key. So 0 is the
    power of 0 by any parts; by parts that do not go with n no other power is right unless by
    chance. Without the check the result of a wrong key is undefined.
    """
    fits = key.p * key.q == n and key.q * key.q_inverse % key.p == 1 % key.p
    if checks and (not key.e or (c and not fits)):
        return 0, FAULT
    if not (key.p and key.q):
        return 0, OK
    low = pow(c, key.dq, key.q)
    t = (pow(c, key.dp, key.p) - low) * key.q_inverse % key.p
    result = (low + key.q * t) % n
    if checks and pow(result, key.e, n) != c % n:
        return 0, FAULT
    return result, OK
