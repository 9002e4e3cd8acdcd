/* Montgomery's arithmetic with long numbers, R = 2^(32 words), for odd moduli m.
 *
 * The inverse is -1/m mod 2^64, the square R^2 mod m: constants of the modulus. */

#ifndef MONT_WORDS_H
#define MONT_WORDS_H

#include <stdint.h>

struct mont_modulus {
  uint32_t words;
  uint64_t inverse;
  const uint32_t *m, *square;
};

/* result = t / R mod m, below m, for t below m * R; t, of 2 words for each of m, is overwritten. */
void mont_reduce(const struct mont_modulus *modulus, uint32_t *t, uint32_t *result);

/* result = a * b / R mod m, below m, for a * b below m * R. */
void mont_product(const struct mont_modulus *modulus, const uint32_t *a, const uint32_t *b,
                  uint32_t *result);

/* base^exp mod m for base below R; squares alone for zeros of the exponent, nothing for those that
 * it begins with: its time tells the exponent. */
void mont_power_public(const struct mont_modulus *modulus, const uint32_t *base,
                       uint32_t exp_words, const uint32_t *exp, uint32_t *result);

/* The same by windows of 4 bits: its time depends on the numbers of words alone,
 * where memory has no cache. */
void mont_power_secret(const struct mont_modulus *modulus, const uint32_t *base,
                       uint32_t exp_words, const uint32_t *exp, uint32_t *result);

#endif
