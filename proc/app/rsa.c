/* RSA's private operation: the key, its constants and c come from the manager in words, in the
 * order of fl/rsa_private.py; whether m is right, m and the cycles of the steps go back. */

#include "rsa_private.h"
#include "runtime.h"

static uint32_t p[OPERAND_WORDS], q[OPERAND_WORDS], square_p[PRIME_WORDS], square_q[PRIME_WORDS];
static uint32_t n[N_WORDS], square_n[N_WORDS], c[N_WORDS], m[N_WORDS];

static struct rsa_key key = {
    .p.modulus = {PRIME_WORDS, 0, p, square_p},
    .q.modulus = {PRIME_WORDS, 0, q, square_q},
    .n = {N_WORDS, 0, n, square_n},
};

static void get(uint32_t words, uint32_t *to) {
  for (uint32_t i = 0; i < words; i++) to[i] = CSR_READ(CSR_MNGR2PROC);
}

static uint64_t get_double(void) {
  uint32_t words[2];
  get(2, words);
  return (uint64_t)words[1] << 32 | words[0];
}

static void get_prime(struct rsa_prime *prime, uint32_t *m, uint32_t *square) {
  prime->modulus.inverse = get_double();
  get(PRIME_WORDS, m);
  get(PRIME_WORDS, square);
  get(OPERAND_WORDS, prime->exponent);
  get(1, &prime->masked);
  get(2, prime->mask);
  get(1, &prime->enters);
  get(PRIME_WORDS, prime->enter);
  get(1, &prime->leaves);
  get(PRIME_WORDS, prime->leave);
  get(PRIME_WORDS, prime->check);
}

static void put(uint32_t words, const uint32_t *from) {
  for (uint32_t i = 0; i < words; i++) CSR_WRITE(CSR_PROC2MNGR, from[i]);
}

int main(void) {
  uint32_t ends[RSA_STEPS];
  get_prime(&key.p, p, square_p);
  get_prime(&key.q, q, square_q);
  key.n.inverse = get_double();
  get(N_WORDS, n);
  get(N_WORDS, square_n);
  get(OPERAND_WORDS, key.e);
  key.check = CSR_READ(CSR_MNGR2PROC);
  get(N_WORDS, c);
  const uint32_t right = rsa_private(&key, c, m, ends);
  put(1, &right);
  put(N_WORDS, m);
  put(RSA_STEPS, ends);
  return 0;
}
