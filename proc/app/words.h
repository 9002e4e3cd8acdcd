/* Long numbers: words of 32 bits, least significant first, 4, 8, 12 ... of them.
 *
 * The time of every function depends on the number of words alone. */

#ifndef WORDS_H
#define WORDS_H

#include <stdint.h>

enum { WORDS_AT_ONCE = 4 };

/* t += a * b + carry * 2^(32 words), with words + 2 words of t; returns the carry, 0 or 1.
 *
 * Two rows of products at once: each word of a and t is loaded once for two words of b. */
static inline __attribute__((always_inline)) uint32_t words_add_row(
    uint32_t words, uint32_t *t, const uint32_t *a, uint64_t b, uint32_t carry) {
  const uint32_t low = (uint32_t)b, high = b >> 32;
  uint32_t low_carry = 0, high_carry = 0, before = 0;
  for (const uint32_t *const end = a + words; a != end; a += WORDS_AT_ONCE, t += WORDS_AT_ONCE) {
#pragma GCC unroll 4
    for (uint32_t i = 0; i < WORDS_AT_ONCE; i++) {
      const uint32_t word = a[i];
      const uint64_t one = (uint64_t)word * low + t[i] + low_carry;
      const uint64_t two = (uint64_t)before * high + (uint32_t)one + high_carry;
      t[i] = (uint32_t)two;
      low_carry = one >> 32;
      high_carry = two >> 32;
      before = word;
    }
  }
  const uint64_t rest = (uint64_t)before * high + low_carry + high_carry;
  const uint64_t first = (uint64_t)t[0] + (uint32_t)rest + carry;
  const uint64_t second = (uint64_t)t[1] + (uint32_t)(rest >> 32) + (uint32_t)(first >> 32);
  t[0] = (uint32_t)first;
  t[1] = (uint32_t)second;
  return second >> 32;
}

/* t += a * b, with 2 words of t for each of a and b; returns the carry, 0 or 1. */
uint32_t words_add_product(uint32_t words, uint32_t *t, const uint32_t *a, const uint32_t *b);

/* result = t + carry * 2^(32 words), less m if that is not below m; for sums below 2 m. */
void words_subtract_once(uint32_t words, const uint32_t *t, uint32_t carry, const uint32_t *m,
                         uint32_t *result);

void words_clear(uint32_t words, uint32_t *to);
void words_copy(uint32_t words, const uint32_t *from, uint32_t *to);

/* 1 if a = b, 0 if not. */
uint32_t words_equal(uint32_t words, const uint32_t *a, const uint32_t *b);

#endif
