/* RSA by an accelerator that makes private operations itself: the key in its parts and what is asked
 * come from the manager in words; status, result and cycles of each call go back. */

#include "xcel.h"
#include "xcel_private.h"

#ifndef WORDS
#define WORDS 32
#endif

enum { HALF_WORDS = (WORDS + 1) / 2, PRIVATE = 0 };

static uint32_t p[HALF_WORDS], q[HALF_WORDS], dp[HALF_WORDS], dq[HALF_WORDS];
static uint32_t q_inverse[HALF_WORDS], n[WORDS], e[WORDS], input[WORDS], output[WORDS];

static uint32_t next(void) { return CSR_READ(CSR_MNGR2PROC); }

static void get(uint32_t words, uint32_t *to) {
  for (uint32_t i = 0; i < words; i++) to[i] = next();
}

static void put(uint32_t word) { CSR_WRITE(CSR_PROC2MNGR, word); }

int main(void) {
  uint32_t *const parts[] = {p, q, dp, dq, q_inverse};
  for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++) get(HALF_WORDS, parts[i]);
  e[0] = next();
  get(WORDS, n);
  const struct xcel_key key = {n, p, q, dp, dq, q_inverse, e[0]};
  const uint32_t before = cycles();
  xcel_push_key(WORDS, &key);
  put(cycles() - before);
  for (;;) {
    const uint32_t asked = next();
    get(WORDS, input);
    const uint32_t begin = cycles();
    uint32_t status;
    if (asked == PRIVATE) {
      status = xcel_private(WORDS, input, output);
    } else {
      status = xcel_mod_exp_again(WORDS, input, e, output);
      xcel_push_exponents(WORDS, &key);
    }
    const uint32_t taken = cycles() - begin;
    put(status);
    for (uint32_t i = 0; i < WORDS; i++) put(output[i]);
    put(taken);
  }
}
