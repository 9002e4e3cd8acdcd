#include "rsa_private.h"

#include "runtime.h"
#include "words.h"
#include "xcel.h"

/* The modulus whose operands are pushed, and these; the accelerator has them in its registers. */
struct operands {
  const struct mont_modulus *modulus;
  uint32_t base[OPERAND_WORDS], exponent[OPERAND_WORDS];
};

#ifdef SOFTWARE
static const struct operands *pushed, *running;

static void push(const struct operands *operands) { pushed = operands; }

static void go(void) { running = pushed; }

static uint32_t pop(uint32_t *result) {
  words_clear(OPERAND_WORDS, result);
  mont_power_secret(running->modulus, running->base, XCEL_WORDS, running->exponent, result);
  return 0;
}
#else
static void push(const struct operands *operands) {
  xcel_push(XCEL_WORDS, operands->base, operands->exponent, operands->modulus->m);
}

static void go(void) { xcel_go(); }

/* Returns whether the accelerator refused the modulus. */
static uint32_t pop(uint32_t *result) {
  words_clear(OPERAND_WORDS, result);
  return xcel_pop(XCEL_WORDS, result);
}
#endif

/* result = number / R mod a prime, for numbers of n's width. */
static void reduce(const struct rsa_prime *prime, const uint32_t *number, uint32_t *result) {
  uint32_t t[N_WORDS];
  words_copy(N_WORDS, number, t);
  mont_reduce(&prime->modulus, t, result);
}

/* The operands of c's exponentiation modulo a prime. */
static void enter(const struct rsa_prime *prime, const uint32_t *c, struct operands *operands) {
  const struct mont_modulus *const modulus = &prime->modulus;
  operands->modulus = modulus;
  words_clear(OPERAND_WORDS, operands->base);
  reduce(prime, c, operands->base);
  if (prime->enters) mont_product(modulus, operands->base, prime->enter, operands->base);
  words_copy(OPERAND_WORDS, prime->exponent, operands->exponent);
  if (!prime->masked) return;
  const uint64_t mask = (uint64_t)prime->mask[1] << 32 | prime->mask[0];
  uint32_t less_one[PRIME_WORDS];
  words_copy(PRIME_WORDS, modulus->m, less_one);
  less_one[0] -= 1;
  words_add_row(PRIME_WORDS, operands->exponent, less_one, mask, 0);
}

static void leave(const struct rsa_prime *prime, uint32_t *power) {
  if (prime->leaves) mont_product(&prime->modulus, power, prime->leave, power);
}

/* What m / R to the power e is modulo a prime if m is right: c / R^e. Before it is there, it is what
 * no power is, so that nothing passes the check if it is not made. */
static void expect(const struct rsa_prime *prime, const uint32_t *c, uint32_t *result) {
  for (uint32_t i = 0; i < PRIME_WORDS; i++) result[i] = UINT32_MAX;
  reduce(prime, c, result);
  mont_product(&prime->modulus, result, prime->check, result);
}

/* The operands of (number / R)^e modulo a prime. */
static void enter_check(const struct rsa_key *key, const struct rsa_prime *prime,
                        const uint32_t *number, struct operands *operands) {
  operands->modulus = &prime->modulus;
  words_clear(OPERAND_WORDS, operands->base);
  reduce(prime, number, operands->base);
  words_copy(OPERAND_WORDS, key->e, operands->exponent);
}

/* Both halves of m change by what a power of the check differs from what it must be. There is no
 * decision here, and no part in common with the comparison. */
static __attribute__((noinline)) void infect(const uint32_t *power, const uint32_t *expected,
                                             uint32_t *m) {
  for (uint32_t i = 0; i < PRIME_WORDS; i++) {
    const uint32_t difference = power[i] ^ expected[i];
    m[i] ^= difference;
    m[PRIME_WORDS + i] ^= difference;
  }
}

static uint32_t right_in_software(const struct rsa_key *key, const uint32_t *c, const uint32_t *m) {
  uint32_t power[N_WORDS];
  mont_power_public(&key->n, m, OPERAND_WORDS, key->e, power);
  return words_equal(N_WORDS, power, c);
}

uint32_t rsa_private(const struct rsa_key *key, const uint32_t *c, uint32_t *m, uint32_t *ends) {
  const int infective = key->check == RSA_CHECK_INFECTIVE;
  const int by_primes = key->check == RSA_CHECK_PRIMES || infective;
  struct operands p, q;
  uint32_t expected_p[PRIME_WORDS], expected_q[PRIME_WORDS];
  uint32_t u[OPERAND_WORDS], v[OPERAND_WORDS], power[OPERAND_WORDS], sum[N_WORDS];
  uint32_t found[N_WORDS]; /* nothing is in m before all is decided */

  ends[RSA_BEGIN] = cycles();
  enter(&key->p, c, &p);
  ends[RSA_ENTER_P] = cycles();
  push(&p);
  go();
  ends[RSA_GO_P] = cycles();
  enter(&key->q, c, &q);
  ends[RSA_ENTER_Q] = cycles();
  if (by_primes) expect(&key->q, c, expected_q);
  ends[RSA_EXPECT_Q] = cycles();
  uint32_t refused = pop(u);
  push(&q);
  go();
  ends[RSA_RESULT_P] = cycles();
  leave(&key->p, u);
  words_clear(N_WORDS, sum);
  words_add_product(PRIME_WORDS, sum, u, key->q.modulus.m);
  ends[RSA_LEAVE_P] = cycles();
  if (by_primes) {
    expect(&key->p, c, expected_p);
    enter_check(key, &key->p, sum, &p);
  }
  ends[RSA_EXPECT_P] = cycles();
  refused |= pop(v);
  if (by_primes) {
    push(&p);
    go();
  }
  ends[RSA_RESULT_Q] = cycles();
  leave(&key->q, v);
  const uint32_t carry = words_add_product(PRIME_WORDS, sum, v, key->p.modulus.m);
  words_subtract_once(N_WORDS, sum, carry, key->n.m, found);
  ends[RSA_COMBINE] = cycles();
  uint32_t right = 0; /* only what has been checked is, whatever became of by_primes */
  if (by_primes) {
    enter_check(key, &key->q, found, &q);
    refused |= pop(power);
    push(&q);
    go();
    const uint32_t right_p = words_equal(PRIME_WORDS, power, expected_p);
    if (infective) infect(power, expected_p, found);
    refused |= pop(power);
    right = right_p & words_equal(PRIME_WORDS, power, expected_q);
    if (infective) infect(power, expected_q, found);
  }
  if (key->check == RSA_CHECK_SOFTWARE) right = right_in_software(key, c, found);
  if (key->check == RSA_CHECK_NONE) right = 1;
  right &= !refused;
  if (right)
    words_copy(N_WORDS, found, m);
  else
    words_clear(N_WORDS, m);
  ends[RSA_CHECKED] = cycles();
  return right;
}
