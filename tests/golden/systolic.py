"""Document 002's Algorithm 3, corrected: Montgomery's product word by word, in integers."""

from fl.mont_mul import minus_inverse


def words_of(value: int, digit_bits: int, words: int) -> list[int]:
    """Split a value into words, the lowest first."""
    mask = (1 << digit_bits) - 1
    return [value >> j * digit_bits & mask for j in range(words)]


def product_by_words(x: int, y: int, m: int, digit_bits: int, words: int) -> int:
    """Return x*y/R mod m, not reduced, for R = 2^(ks): a digit of the quotient for each word of
    x."""
    inverse, mask = minus_inverse(m, digit_bits), (1 << digit_bits) - 1
    y_words, m_words = words_of(y, digit_bits, words), words_of(m, digit_bits, words)
    a = [0] * words
    for x_i in words_of(x, digit_bits, words):
        u_i = (a[0] + x_i * y_words[0]) * inverse & mask
        carry = 0
        for j in range(words):
            total = a[j] + carry + x_i * y_words[j] + u_i * m_words[j]
            carry = total >> digit_bits
            if j:
                a[j - 1] = total & mask
        a[words - 1] = carry
    return sum(word << j * digit_bits for j, word in enumerate(a))
