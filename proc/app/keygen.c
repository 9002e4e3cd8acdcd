/* An RSA key from a seed: the seed, e, the least prime and the rounds of each test come from the
 * manager in words; whether a key was made, the key, and what its making took go back. */

#include "rsa_make.h"
#include "runtime.h"

#define CSR_CYCLEH 0xc80

static struct prime_source source;
static struct rsa_made made;

static uint32_t next(void) { return CSR_READ(CSR_MNGR2PROC); }

static void get(uint32_t words, uint32_t *to) {
  for (uint32_t i = 0; i < words; i++) to[i] = next();
}

static void put(uint32_t words, const uint32_t *from) {
  for (uint32_t i = 0; i < words; i++) CSR_WRITE(CSR_PROC2MNGR, from[i]);
}

static void put_double(uint64_t value) {
  CSR_WRITE(CSR_PROC2MNGR, value);
  CSR_WRITE(CSR_PROC2MNGR, value >> 32);
}

/* The counter's high word may change while the low one is read. */
static uint64_t all_cycles(void) {
  for (;;) {
    const uint32_t high = CSR_READ(CSR_CYCLEH), low = cycles();
    if (CSR_READ(CSR_CYCLEH) == high) return (uint64_t)high << 32 | low;
  }
}

int main(void) {
  get(CHACHA_KEY_WORDS, source.random.key);
  source.e = next();
  source.rounds = next();
  get(XCEL_WORDS, source.least);
  const uint64_t begin = all_cycles();
  const uint32_t status = rsa_make(&source, &made);
  const uint64_t taken = all_cycles() - begin;
  const struct search *const did = &source.did;
  const uint32_t counts[] = {
      did->drawn,     did->below,  did->near,   did->divided, did->shared,
      did->composite, did->rounds, did->powers, made.pairs,
  };
  put(1, &status);
  put(PRIME_WORDS, made.p);
  put(PRIME_WORDS, made.q);
  put(N_WORDS, made.n);
  put(N_WORDS, made.d);
  put(sizeof counts / sizeof *counts, counts);
  put_double(taken);
  put_double(did->round_cycles);
  put_double(did->power_cycles);
  put_double(made.d_cycles);
  return 0;
}
