#include "words.h"

uint32_t words_add_product(uint32_t words, uint32_t *t, const uint32_t *a, const uint32_t *b) {
  uint32_t carry = 0;
  for (uint32_t i = 0; i < words; i += 2)
    carry = words_add_row(words, t + i, a, (uint64_t)b[i + 1] << 32 | b[i], carry);
  return carry;
}

/* The body for each i below `words`, four at a time. */
#define FOR_EACH_WORD(words)                                  \
  for (uint32_t first = 0; first < (words); first += WORDS_AT_ONCE) \
    _Pragma("GCC unroll 4") for (uint32_t i = first; i < first + WORDS_AT_ONCE; i++)

/* 1 if t < m. */
static uint32_t below(uint32_t words, const uint32_t *t, const uint32_t *m) {
  uint32_t borrow = 0;
  FOR_EACH_WORD(words) borrow = ((uint64_t)t[i] - m[i] - borrow) >> 63;
  return borrow;
}

void words_subtract_once(uint32_t words, const uint32_t *t, uint32_t carry, const uint32_t *m,
                         uint32_t *result) {
  const uint32_t mask = (below(words, t, m) & ~carry) - 1;
  uint32_t borrow = 0;
  FOR_EACH_WORD(words) {
    const uint64_t difference = (uint64_t)t[i] - (m[i] & mask) - borrow;
    result[i] = (uint32_t)difference;
    borrow = difference >> 63;
  }
}

void words_clear(uint32_t words, uint32_t *to) {
  FOR_EACH_WORD(words) to[i] = 0;
}

void words_copy(uint32_t words, const uint32_t *from, uint32_t *to) {
  FOR_EACH_WORD(words) to[i] = from[i];
}

uint32_t words_equal(uint32_t words, const uint32_t *a, const uint32_t *b) {
  uint32_t differences = 0;
  FOR_EACH_WORD(words) differences |= a[i] ^ b[i];
  return differences == 0;
}
