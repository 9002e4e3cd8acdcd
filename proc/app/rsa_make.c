#include "rsa_make.h"

#include "odd.h"
#include "runtime.h"

enum {
  MOST_P = 5 * 2 * HALF_BITS, /* candidates, as in A.1.3 */
  MOST_Q = 10 * 2 * HALF_BITS,
  MOST_PAIRS = 100
};

static uint32_t is_zero(uint32_t words, const uint32_t *a) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < words; i++) all |= a[i];
  return all == 0;
}

/* a -= b if that is not below 0, else a = b - a, b = the a before. */
static void subtract_less(uint32_t words, uint32_t *a, uint32_t *b) {
  uint32_t i = words;
  while (i > 0 && a[i - 1] == b[i - 1]) i--;
  const uint32_t swap = i > 0 && a[i - 1] < b[i - 1];
  uint32_t borrow = 0;
  for (i = 0; i < words; i++) {
    const uint32_t more = swap ? b[i] : a[i], less = swap ? a[i] : b[i];
    const uint64_t difference = (uint64_t)more - less - borrow;
    a[i] = (uint32_t)difference;
    b[i] = less;
    borrow = difference >> 63;
  }
}

/* g = the greatest odd common divisor of a and b, neither 0; both are overwritten. */
static void odd_divisor(uint32_t *a, uint32_t *b, uint32_t *g) {
  uint32_t words = PRIME_WORDS;
  make_odd(words, a);
  make_odd(words, b);
  for (;;) {
    while (words > 1 && (a[words - 1] | b[words - 1]) == 0) words--;
    subtract_less(words, a, b);
    if (is_zero(words, a)) break;
    make_odd(words, a);
  }
  words_clear(PRIME_WORDS, g);
  for (uint32_t i = 0; i < words; i++) g[i] = b[i];
}

/* a /= an odd g that divides it: from the lowest word on, each quotient makes a word of a zero. */
static void divide_exactly(uint32_t *a, const uint32_t *g) {
  const uint32_t inverse = odd_inverse(g[0]);
  for (uint32_t i = 0; i < PRIME_WORDS; i++) {
    const uint32_t quotient = a[i] * inverse;
    uint32_t borrow = 0;
    for (uint32_t j = i; j < PRIME_WORDS; j++) {
      const uint64_t product = (uint64_t)quotient * g[j - i] + borrow;
      borrow = (product >> 32) + (a[j] < (uint32_t)product);
      a[j] -= (uint32_t)product;
    }
    a[i] = quotient;
  }
}

/* The least common multiple of p - 1 and q - 1. */
static void common_multiple(const struct rsa_made *made, uint32_t *multiple) {
  uint32_t p[PRIME_WORDS], q[PRIME_WORDS], a[PRIME_WORDS], b[PRIME_WORDS], g[PRIME_WORDS];
  words_copy(PRIME_WORDS, made->p, p);
  words_copy(PRIME_WORDS, made->q, q);
  p[0] -= 1;
  q[0] -= 1;
  words_copy(PRIME_WORDS, p, a);
  words_copy(PRIME_WORDS, q, b);
  odd_divisor(a, b, g);
  words_copy(PRIME_WORDS, p, a);
  words_copy(PRIME_WORDS, q, b);
  /* Of the powers of 2 in both the lower one is common. */
  const uint32_t p_halves = make_odd(PRIME_WORDS, a), q_halves = make_odd(PRIME_WORDS, b);
  words_clear(N_WORDS, multiple);
  if (p_halves <= q_halves) {
    divide_exactly(a, g);
    words_add_product(PRIME_WORDS, multiple, q, a);
  } else {
    divide_exactly(b, g);
    words_add_product(PRIME_WORDS, multiple, p, b);
  }
}

/* 1/a mod m for 0 < a < m without a common divisor, by the extended Euclid. */
static uint32_t inverse_mod(uint32_t a, uint32_t m) {
  uint32_t before = m, rest = a, factor_before = 0, factor = 1; /* +-factor * a = rest mod m */
  uint32_t negative = 0;
  while (rest > 1) {
    const uint32_t quotient = before / rest, next = before - quotient * rest;
    const uint32_t next_factor = factor_before + quotient * factor;
    before = rest, rest = next;
    factor_before = factor, factor = next_factor;
    negative ^= 1;
  }
  return negative ? m - factor : factor;
}

/* d = 1/e mod m = (k m + 1) / e with k = -1/m mod e: the first step of Euclid's makes words of the
 * long numbers. */
static void invert_e(uint32_t e, const uint32_t *m, uint32_t *d) {
  uint32_t rest = 0;
  for (uint32_t i = N_WORDS; i-- > 0;) rest = ((uint64_t)rest << 32 | m[i]) % e;
  const uint32_t k = e - inverse_mod(rest, e);
  uint32_t product[N_WORDS], carry = 1;
  for (uint32_t i = 0; i < N_WORDS; i++) {
    const uint64_t sum = (uint64_t)k * m[i] + carry;
    product[i] = (uint32_t)sum;
    carry = sum >> 32;
  }
  rest = carry;
  for (uint32_t i = N_WORDS; i-- > 0;) {
    const uint64_t part = (uint64_t)rest << 32 | product[i];
    d[i] = part / e;
    rest = part % e;
  }
}

/* Whether d has so few bits that A.1.1 forbids it: d <= 2^HALF_BITS. */
static uint32_t is_short(const uint32_t *d) {
  enum { WORD = HALF_BITS / 32, BIT = HALF_BITS % 32 };
  if (!is_zero(N_WORDS - WORD - 1, d + WORD + 1)) return 0;
  if (d[WORD] >> BIT == 0) return 1;
  return d[WORD] == 1u << BIT && is_zero(WORD, d);
}

enum prime_status rsa_make(struct prime_source *source, struct rsa_made *made) {
  uint32_t multiple[N_WORDS];
  made->d_cycles = 0;
  for (made->pairs = 0; made->pairs < MOST_PAIRS;) {
    enum prime_status status = primes_find(source, 0, MOST_P, made->p);
    if (status == PRIME_FOUND) status = primes_find(source, made->p, MOST_Q, made->q);
    if (status != PRIME_FOUND) return status;
    made->pairs++;
    const uint32_t begin = cycles();
    common_multiple(made, multiple);
    invert_e(source->e, multiple, made->d);
    made->d_cycles += cycles() - begin;
    if (!is_short(made->d)) {
      words_clear(N_WORDS, made->n);
      words_add_product(PRIME_WORDS, made->n, made->p, made->q);
      return PRIME_FOUND;
    }
  }
  return PRIME_NONE;
}
