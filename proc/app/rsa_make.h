/* RSA keys of 2 HALF_BITS bits by FIPS 186-5, A.1.3: two random primes of at least
 * sqrt(2) * 2^(HALF_BITS - 1), d = 1/e modulo the least common multiple of p - 1 and q - 1. */

#ifndef RSA_MAKE_H
#define RSA_MAKE_H

#include <stdint.h>

#include "primes.h"

enum { N_WORDS = 2 * PRIME_WORDS };

struct rsa_made {
  uint32_t p[PRIME_WORDS], q[PRIME_WORDS], n[N_WORDS], d[N_WORDS];
  uint32_t pairs; /* of primes, of which all but the last have a d of at most HALF_BITS bits */
  uint32_t d_cycles;
};

/* Make a key for source->e. */
enum prime_status rsa_make(struct prime_source *source, struct rsa_made *made);

#endif
