"""What the host makes of a message before a power and after it: the encodings of RFC 8017.

They need a hash, which is hardware of its own, so the design makes the power alone. A block is a
whole number; k is the length of the modulus in bytes, `bits` that of the block of PSS in bits.
"""

import hashlib

from fl.pkcs1 import ENCRYPTION, OVERHEAD, SIGNATURE, pad, unpad

# The last byte of an object identifier below NIST's, 2.16.840.1.101.3.4.2.
_NIST = {
    name: number
    for number, name in enumerate(
        (
            *("sha256", "sha384", "sha512", "sha224", "sha512_224", "sha512_256"),
            *("sha3_224", "sha3_256", "sha3_384", "sha3_512"),
        ),
        1,
    )
}
HASHES = ("sha1", *_NIST)


def _der(tag: int, content: bytes) -> bytes:
    return bytes([tag, len(content)]) + content


def hashed(name: str, content: bytes) -> bytes:
    """Return the hash of the content."""
    return hashlib.new(name, content).digest()


def mask(name: str, seed: bytes, size: int) -> bytes:
    """MGF1: so many bytes of the hashes of the seed and a count."""
    blocks = -(-size // len(hashed(name, b"")))
    return b"".join(hashed(name, seed + i.to_bytes(4)) for i in range(blocks))[:size]


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def digest_info(name: str, message: bytes) -> bytes:
    """Return DigestInfo in DER: which hash it is, and the hash of the message."""
    oid = bytes.fromhex("2b0e03021a" if name == "sha1" else f"6086480165030402{_NIST[name]:02x}")
    return _der(0x30, _der(0x30, _der(6, oid) + _der(5, b"")) + _der(4, hashed(name, message)))


def signed_block(name: str, message: bytes, k: int) -> int:
    """EMSA-PKCS1-v1_5; ValueError if the block has no room for the hash."""
    info = digest_info(name, message)
    if len(info) > k - OVERHEAD:
        raise ValueError(f"{k} bytes have no room for {name}: {len(info) + OVERHEAD} are needed")
    return pad(SIGNATURE, int.from_bytes(info), len(info), k)


def decrypted(block: int, k: int) -> bytes | None:
    """RSAES-PKCS1-v1_5: the message in a block, None if it is no such block."""
    length = unpad(ENCRYPTION, block, k)
    return None if length is None else (block & (1 << 8 * length) - 1).to_bytes(length)


def pss_block(name: str, message: bytes, salt: bytes, bits: int, mgf: str | None = None) -> int:
    """EMSA-PSS; ValueError if the block has no room for hash and salt."""
    size, own = -(-bits // 8), len(hashed(name, b""))
    room = size - own - len(salt) - 2
    if room < 0:
        raise ValueError(f"{bits} bits have no room for {name} and a salt of {len(salt)} bytes")
    digest = hashed(name, bytes(8) + hashed(name, message) + salt)
    content = bytes(room) + b"\x01" + salt
    masked = _xor(content, mask(mgf or name, digest, len(content)))
    return int.from_bytes(masked + digest + b"\xbc") & (1 << bits) - 1


def pss_fits(
    name: str, message: bytes, block: int, salt_bytes: int, bits: int, mgf: str | None = None
) -> bool:
    """Whether a block is EMSA-PSS of the message, with any salt of so many bytes."""
    size, own = -(-bits // 8), len(hashed(name, b""))
    if block >> bits or size < own + salt_bytes + 2 or block & 0xFF != 0xBC:
        return False
    content = block.to_bytes(size)
    masked, digest = content[: -own - 1], content[-own - 1 : -1]
    plain = _xor(masked, mask(mgf or name, digest, len(masked)))
    salt = plain[len(plain) - salt_bytes :]
    return pss_block(name, message, salt, bits, mgf) == block


def oaep_message(block: int, k: int, name: str, mgf: str, label: bytes = b"") -> bytes | None:
    """EME-OAEP: the message in a block of k bytes, None if it is no such block."""
    content, own = block.to_bytes(k), len(hashed(name, b""))
    if k < 2 * own + 2 or content[0]:
        return None
    seed, masked = content[1 : 1 + own], content[1 + own :]
    seed = _xor(seed, mask(mgf, masked, own))
    plain = _xor(masked, mask(mgf, seed, len(masked)))
    padding, one, message = plain[own:].partition(b"\x01")
    fits = plain[:own] == hashed(name, label) and one and not any(padding)
    return message if fits else None
