/* Odd numbers: inverses mod 2^32, and what is left of a number without its factors 2. */

#ifndef ODD_H
#define ODD_H

#include <stdint.h>

/* The inverse of an odd number mod 2^32: 5 bits are right at first, each step doubles them. */
static inline uint32_t odd_inverse(uint32_t odd) {
  uint32_t inverse = 3 * odd ^ 2;
  for (uint32_t i = 0; i < 3; i++) inverse *= 2 - odd * inverse;
  return inverse;
}

/* a /= 2 until it is odd; a is not 0. Returns how often. */
static inline uint32_t make_odd(uint32_t words, uint32_t *a) {
  uint32_t halves = 0;
  while (!(a[0] & 1)) {
    uint32_t by = a[0] ? __builtin_ctz(a[0]) : 31;
    for (uint32_t i = 0; i < words - 1; i++) a[i] = a[i] >> by | a[i + 1] << (32 - by);
    a[words - 1] >>= by;
    halves += by;
  }
  return halves;
}

#endif
