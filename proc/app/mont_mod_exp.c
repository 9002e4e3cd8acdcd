#include "mont_mod_exp.h"

/* a * b / 2^32 mod n, below n; for a * b < 2^32 * n and inverse * n = 1 mod 2^32. */
static inline uint32_t product(uint32_t a, uint32_t b, uint32_t n, uint32_t inverse) {
  uint64_t ab = (uint64_t)a * b;
  uint32_t high = ab >> 32;
  uint32_t quotient = (uint32_t)ab * inverse;
  uint32_t less = (uint64_t)quotient * n >> 32; /* the low words are equal: they cancel */
  uint32_t difference = high - less;
  return high < less ? difference + n : difference;
}

/* The inverse of an odd n mod 2^32: 5 bits are right at first, each step doubles them. */
static inline uint32_t invert(uint32_t n) {
  uint32_t inverse = 3 * n ^ 2;
  inverse *= 2 - n * inverse;
  inverse *= 2 - n * inverse;
  inverse *= 2 - n * inverse;
  return inverse;
}

uint32_t mont_mod_exp(uint32_t base, uint32_t exp, uint32_t mod) {
  if (!(mod & 1)) return 0;
  uint32_t inverse = invert(mod);

  /* R mod n, doubled; five squarings take 2R to 2^32 R = R^2 mod n. */
  uint32_t square = (0 - mod) % mod;
  uint32_t rest = mod - square;
  square = square < rest ? square + square : square - rest;
  for (int i = 0; i < 5; i++) square = product(square, square, mod, inverse);

  /* Only the base is in the Montgomery domain; each product with it leaves the result plain. */
  uint32_t result = mod != 1;
  base = product(base, square, mod, inverse);
  while (exp != 0) {
    if (exp & 1) result = product(result, base, mod, inverse);
    exp >>= 1;
    base = product(base, base, mod, inverse);
  }
  return result;
}
