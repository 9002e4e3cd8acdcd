/* The parts of primes.h, each asked by the manager: what is asked and its numbers come in words,
 * the answer goes back. The answer to a test has the powers that it took, too. */

#include "primes.h"
#include "runtime.h"

enum { DIVIDE, SHARE, NEAR, ROUND, TEST };

static struct prime_source source;
static uint32_t number[PRIME_WORDS], other[PRIME_WORDS];

static uint32_t next(void) { return CSR_READ(CSR_MNGR2PROC); }

static void get(uint32_t words, uint32_t *to) {
  for (uint32_t i = 0; i < words; i++) to[i] = next();
}

static uint32_t answer(uint32_t asked) {
  switch (asked) {
    case DIVIDE: return primes_divide(number);
    case SHARE: return primes_share(number, other[0]);
    case NEAR: return primes_near(number, other);
    case ROUND: return primes_round(number, other, 1, &source.did);
    default: return primes_test(&source, number);
  }
}

int main(void) {
  get(CHACHA_KEY_WORDS, source.random.key);
  source.rounds = next();
  for (;;) {
    const uint32_t asked = next();
    get(XCEL_WORDS, number);
    get(XCEL_WORDS, other);
    source.did.powers = 0;
    CSR_WRITE(CSR_PROC2MNGR, answer(asked));
    CSR_WRITE(CSR_PROC2MNGR, source.did.powers);
  }
}
