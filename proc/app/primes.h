/* Random primes of HALF_BITS bits: drawn as FIPS 186-5 does in A.1.3, divided by small primes, then
 * tested by Miller and Rabin with powers of the accelerator.
 *
 * The time of a search tells how many candidates there were, and what refused each. */

#ifndef PRIMES_H
#define PRIMES_H

#include <stdint.h>

#include "chacha.h"
#include "words.h"

/* Bits of a prime, which are those of the accelerator. */
#ifndef HALF_BITS
#define HALF_BITS 512
#endif

enum {
  XCEL_WORDS = (HALF_BITS + 31) / 32,
  /* Words of a number in memory, 4, 8, 12 ... */
  PRIME_WORDS = (XCEL_WORDS + WORDS_AT_ONCE - 1) / WORDS_AT_ONCE * WORDS_AT_ONCE
};

/* What a search does: its draws by what became of them, and its cycles. */
struct search {
  uint32_t drawn;
  uint32_t below;    /* the least that is asked for */
  uint32_t near;     /* the prime that there is */
  uint32_t divided;  /* by a small prime */
  uint32_t shared;   /* a divisor of e in the candidate less one */
  uint32_t composite; /* by Miller and Rabin */
  uint32_t rounds, powers;
  uint64_t round_cycles, power_cycles;
};

struct prime_source {
  struct chacha random;
  uint32_t least[PRIME_WORDS]; /* even: a prime is above */
  uint32_t e;                  /* has no divisor in common with a prime less one; odd */
  uint32_t rounds;             /* of Miller and Rabin, from 1 on */
  struct search did;
};

enum prime_status {
  PRIME_FOUND,
  PRIME_NONE,   /* too many candidates without one */
  PRIME_REFUSED /* the accelerator does not take a modulus */
};

/* Whether a small prime divides an odd number, which is not that prime. */
uint32_t primes_divide(const uint32_t *number);

/* Whether e and an odd number less one have a divisor in common; e is odd. */
uint32_t primes_share(const uint32_t *number, uint32_t e);

/* Whether p and q are so near to each other that they must not be of one key:
 * |p - q| <= 2^(HALF_BITS - 100), and p = q below 100 bits. */
uint32_t primes_near(const uint32_t *p, const uint32_t *q);

enum round_outcome { ROUND_PASSED, ROUND_COMPOSITE, ROUND_REFUSED };

/* A round of Miller and Rabin: whether an odd number from 5 on is a strong probable prime to a base
 * from 2 to number - 2. `first`: the accelerator does not have the number yet. */
enum round_outcome primes_round(const uint32_t *number, const uint32_t *base, uint32_t first,
                                struct search *did);

/* All rounds with random bases, until one finds the number, of HALF_BITS bits, composite. */
enum round_outcome primes_test(struct prime_source *source, const uint32_t *number);

/* Find a prime, not near to `other` if there is one, among at most `most` candidates that are
 * neither below the least nor near. */
enum prime_status primes_find(struct prime_source *source, const uint32_t *other, uint32_t most,
                              uint32_t *prime);

#endif
