/* RSA's private operation m = c^d mod n by the Chinese remainder theorem, n = p q: two
 * exponentiations of half the bits, on an accelerator, or with macro SOFTWARE without one.
 *
 * What needs both powers is one product. With c_p = (c/R)^dp mod p and c_q = (c f)^dq mod q, where
 * f = (1/p)^e mod q,
 *
 *   m = u q + v p mod n,    u = c_p * (R^dp / q) mod p,    v = c_q,
 *
 * since e dq = 1 mod q - 1: the factor 1/p of the theorem comes through the exponentiation. While
 * the accelerator computes mod p the processor makes c f mod q, while it computes mod q u and u q.
 *
 * fl/rsa_private.py says the same in integers, and finds the constants of a key. */

#ifndef RSA_PRIVATE_H
#define RSA_PRIVATE_H

#include <stdint.h>

#include "mont_words.h"
#include "words.h"

/* Words of a prime, 4, 8, 12 ..., and of the accelerator's operands. */
#ifndef PRIME_WORDS
#define PRIME_WORDS 32
#endif
#ifndef XCEL_WORDS
#define XCEL_WORDS PRIME_WORDS
#endif

enum {
  OPERAND_WORDS = PRIME_WORDS + WORDS_AT_ONCE, /* with a mask of 64 bits in the exponent */
  N_WORDS = 2 * PRIME_WORDS
};

/* Values that no corrupted register or memory has by chance: by any other nothing is given out. */
enum rsa_check {
  RSA_CHECK_NONE = 0x35a9c6e1,
  RSA_CHECK_PRIMES = 0x5c9635d2,
  RSA_CHECK_SOFTWARE = 0x6365ab1c,
  RSA_CHECK_INFECTIVE = 0xca5a1c27
};

/* One prime, with the constants of Montgomery's arithmetic modulo it. */
struct rsa_prime {
  struct mont_modulus modulus;
  uint32_t exponent[OPERAND_WORDS]; /* d mod prime - 1 */
  uint32_t masked, enters, leaves; /* whether there is such a mask, are such factors */
  uint32_t mask[2]; /* the exponent becomes exponent + mask * (prime - 1) */
  uint32_t enter[PRIME_WORDS]; /* R * the factor of c / R before the exponentiation */
  uint32_t leave[PRIME_WORDS]; /* R * the factor of the power */
  uint32_t check[PRIME_WORDS]; /* R^(2-e) */
};

struct rsa_key {
  struct rsa_prime p, q;
  struct mont_modulus n; /* its constants are for the check in software alone */
  uint32_t e[OPERAND_WORDS];
  enum rsa_check check;
};

/* The ends of the steps; between a go and the next result the accelerator works, too. */
enum {
  RSA_BEGIN,
  RSA_ENTER_P,  /* c / R mod p, its exponent */
  RSA_GO_P,     /* operands pushed, go */
  RSA_ENTER_Q,  /* c f mod q, its exponent */
  RSA_EXPECT_Q, /* what the check must find mod q */
  RSA_RESULT_P, /* operands mod q pushed, waited, result popped, go */
  RSA_LEAVE_P,  /* u, u q */
  RSA_EXPECT_P, /* what the check must find mod p, the operands that find it */
  RSA_RESULT_Q, /* waited, result popped; go, to check mod p */
  RSA_COMBINE,  /* u q + v p mod n */
  RSA_CHECKED,
  RSA_STEPS
};

/* m = c^d mod n for c below n; returns 1 if the check finds m right or there is none, else 0 and
 * m = 0. The infective check is that by both primes, but what it finds wrong changes m, too: a
 * decision that is passed over then gives nothing away. The steps end at the given cycles. */
uint32_t rsa_private(const struct rsa_key *key, const uint32_t *c, uint32_t *m, uint32_t *ends);

#endif
