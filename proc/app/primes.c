#include "primes.h"

#include "odd.h"
#include "runtime.h"
#include "xcel.h"

enum { NEAR_BITS = 100, MOST_GROUPS = 16 };

static const uint8_t SMALL[] = {
    3,   5,   7,   11,  13,  17,  19,  23,  29,  31,  37,  41,  43,  47,  53,  59,  61,  67,
    71,  73,  79,  83,  89,  97,  101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157,
    163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239, 241, 251,
};
enum { SMALL_COUNT = sizeof SMALL / sizeof *SMALL };

/* Small primes whose product is a word: the numbers are reduced by that. */
struct group {
  uint32_t product, inverse, end;
};

/* (number - less) * u mod m, from 0 to m, for an odd m and a unit u: 0 or m if m divides. Word by
 * word what is subtracted makes the number a multiple of 2^32, without a division. */
static uint32_t odd_residue(const uint32_t *number, uint32_t less, uint32_t m, uint32_t inverse) {
  uint32_t borrow = less;
  for (uint32_t i = 0; i < PRIME_WORDS; i++) {
    const uint32_t word = number[i], low = word - borrow;
    borrow = ((uint64_t)(low * inverse) * m >> 32) + (word < borrow);
  }
  return borrow;
}

/* Multiply the small primes to groups. */
static const struct group *make_groups(uint32_t *count) {
  static struct group groups[MOST_GROUPS];
  uint32_t made = 0;
  for (uint32_t next = 0; next < SMALL_COUNT; made++) {
    uint64_t product = SMALL[next++];
    while (next < SMALL_COUNT && product * SMALL[next] >> 32 == 0) product *= SMALL[next++];
    groups[made] = (struct group){product, odd_inverse(product), next};
  }
  *count = made;
  return groups;
}

/* Whether a number is a given word. */
static uint32_t is_word(const uint32_t *number, uint32_t word) {
  uint32_t rest = number[0] ^ word;
  for (uint32_t i = 1; i < PRIME_WORDS; i++) rest |= number[i];
  return rest == 0;
}

uint32_t primes_divide(const uint32_t *number) {
  static const struct group *groups;
  static uint32_t count;
  if (groups == 0) groups = make_groups(&count);
  uint32_t next = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t residue = odd_residue(number, 0, groups[i].product, groups[i].inverse);
    for (; next < groups[i].end; next++)
      if (residue % SMALL[next] == 0 && !is_word(number, SMALL[next])) return 1;
  }
  return 0;
}

uint32_t primes_share(const uint32_t *number, uint32_t e) {
  uint32_t a = e, b = odd_residue(number, 1, e, odd_inverse(e));
  while (b != 0) {
    const uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a != 1;
}

/* result = a - b; returns the borrow, 1 if a < b. */
static uint32_t subtract(const uint32_t *a, const uint32_t *b, uint32_t *result) {
  uint32_t borrow = 0;
  for (uint32_t i = 0; i < PRIME_WORDS; i++) {
    const uint64_t difference = (uint64_t)a[i] - b[i] - borrow;
    result[i] = (uint32_t)difference;
    borrow = difference >> 63;
  }
  return borrow;
}

uint32_t primes_near(const uint32_t *p, const uint32_t *q) {
  uint32_t bound[PRIME_WORDS], distance[PRIME_WORDS];
  words_clear(PRIME_WORDS, bound);
  if (HALF_BITS >= NEAR_BITS) {
    /* The remainder changes nothing: it tells the compiler that the word is there. */
    const uint32_t bit = (uint32_t)(HALF_BITS - NEAR_BITS) % (32 * PRIME_WORDS);
    bound[bit / 32] = 1u << bit % 32;
  }
  if (subtract(p, q, distance)) subtract(q, p, distance);
  return !subtract(bound, distance, distance);
}

/* result = a power of base modulo the number, by the accelerator; 1 if it does not take the number. */
static uint32_t power(const uint32_t *number, const uint32_t *base, const uint32_t *exponent,
                      uint32_t first, uint32_t *result, struct search *did) {
  const uint32_t begin = cycles();
  uint32_t refused;
  if (first)
    refused = xcel_mod_exp_words(XCEL_WORDS, base, exponent, number, result);
  else
    refused = xcel_mod_exp_again(XCEL_WORDS, base, exponent, result);
  did->power_cycles += cycles() - begin;
  did->powers++;
  return refused;
}

enum round_outcome primes_round(const uint32_t *number, const uint32_t *base, uint32_t first,
                                struct search *did) {
  uint32_t less_one[PRIME_WORDS], exponent[PRIME_WORDS], z[PRIME_WORDS];
  words_copy(PRIME_WORDS, number, less_one);
  less_one[0] -= 1;
  words_copy(PRIME_WORDS, less_one, exponent);
  uint32_t halves = make_odd(PRIME_WORDS, exponent); /* number - 1 = exponent * 2^halves */
  words_clear(PRIME_WORDS, z);
  if (power(number, base, exponent, first, z, did)) return ROUND_REFUSED;
  if (is_word(z, 1) || words_equal(PRIME_WORDS, z, less_one)) return ROUND_PASSED;
  words_clear(PRIME_WORDS, exponent);
  exponent[0] = 2;
  while (--halves > 0) {
    if (power(number, z, exponent, 0, z, did)) return ROUND_REFUSED;
    if (words_equal(PRIME_WORDS, z, less_one)) return ROUND_PASSED;
    if (is_word(z, 1)) return ROUND_COMPOSITE;
  }
  return ROUND_COMPOSITE;
}

/* A random number of HALF_BITS bits, its highest word first: 0 if that word alone says that it is
 * below the least, and then there is no more of it. */
static uint32_t draw(struct chacha *random, const uint32_t *least, uint32_t *number) {
  words_clear(PRIME_WORDS, number);
  const uint32_t top = XCEL_WORDS - 1;
  number[top] = chacha_word(random) >> (32 * XCEL_WORDS - HALF_BITS);
  if (number[top] < least[top]) return 0;
  for (uint32_t i = top; i-- > 0;) number[i] = chacha_word(random);
  return 1;
}

/* A random base, from 2 to number - 2. */
static void draw_base(struct chacha *random, const uint32_t *number, uint32_t *base) {
  static const uint32_t none[PRIME_WORDS];
  uint32_t less_one[PRIME_WORDS], difference[PRIME_WORDS];
  words_copy(PRIME_WORDS, number, less_one);
  less_one[0] -= 1;
  do draw(random, none, base);
  while (is_word(base, 0) || is_word(base, 1) || !subtract(base, less_one, difference));
}

enum round_outcome primes_test(struct prime_source *source, const uint32_t *number) {
  struct search *const did = &source->did;
  uint32_t base[PRIME_WORDS];
  for (uint32_t round = 0; round < source->rounds; round++) {
    const uint32_t begin = cycles();
    draw_base(&source->random, number, base);
    const enum round_outcome outcome = primes_round(number, base, round == 0, did);
    did->round_cycles += cycles() - begin;
    did->rounds++;
    if (outcome != ROUND_PASSED) return outcome;
  }
  return ROUND_PASSED;
}

enum prime_status primes_find(struct prime_source *source, const uint32_t *other, uint32_t most,
                              uint32_t *prime) {
  struct search *const did = &source->did;
  uint32_t difference[PRIME_WORDS];
  for (uint32_t tried = 0; tried < most;) {
    const uint32_t whole = draw(&source->random, source->least, prime);
    prime[0] |= 1;
    did->drawn++;
    if (!whole || subtract(prime, source->least, difference)) {
      did->below++;
      continue;
    }
    if (other && primes_near(prime, other)) {
      did->near++;
      continue;
    }
    tried++;
    if (primes_divide(prime)) {
      did->divided++;
      continue;
    }
    if (primes_share(prime, source->e)) {
      did->shared++;
      continue;
    }
    const enum round_outcome outcome = primes_test(source, prime);
    if (outcome == ROUND_REFUSED) return PRIME_REFUSED;
    if (outcome == ROUND_PASSED) return PRIME_FOUND;
    did->composite++;
  }
  return PRIME_NONE;
}
