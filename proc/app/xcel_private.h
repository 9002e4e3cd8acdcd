/* The accelerator's private operation, of designs that make it by the Chinese remainder theorem:
 * the key's parts are pushed once, then each message alone.
 *
 * Operands are pushed word by word, least significant first; a part has half of n's words. The
 * accelerator checks each result by e, and gives none that is wrong. */

#ifndef XCEL_PRIVATE_H
#define XCEL_PRIVATE_H

#include <stdint.h>

#include "runtime.h"
#include "xcel.h"

enum { XCEL_FAULT = 8 }; /* a bit of the status */

struct xcel_key {
  const uint32_t *n, *p, *q;
  const uint32_t *dp, *dq; /* d mod p - 1, d mod q - 1 */
  const uint32_t *q_inverse; /* 1/q mod p */
  uint32_t e;
};

/* Push dp and dq, which stand where an exponent does: after each power by xcel.h. */
static inline void xcel_push_exponents(uint32_t words, const struct xcel_key *key) {
  for (uint32_t i = 0; i < (words + 1) / 2; i++) {
    const uint32_t dp = key->dp[i], dq = key->dq[i];
    CSR_WRITE(CSR_XCEL + 7, dp);
    CSR_WRITE(CSR_XCEL + 8, dq);
  }
}

/* Push a key for an accelerator of so many words, and n. A reset wipes it. */
static inline void xcel_push_key(uint32_t words, const struct xcel_key *key) {
  for (uint32_t i = 0; i < (words + 1) / 2; i++) {
    const uint32_t p = key->p[i], q = key->q[i], q_inverse = key->q_inverse[i];
    CSR_WRITE(CSR_XCEL + 5, p);
    CSR_WRITE(CSR_XCEL + 6, q);
    CSR_WRITE(CSR_XCEL + 9, q_inverse);
  }
  xcel_push_exponents(words, key);
  CSR_WRITE(CSR_XCEL + 10, key->e);
  for (uint32_t i = 0; i < words; i++) {
    const uint32_t n = key->n[i];
    CSR_WRITE(CSR_XCEL + 3, n);
  }
}

/* m = c^d mod n by the key that was pushed; returns 0, or XCEL_FAULT or XCEL_BAD_MODULUS and a
 * result of 0. */
static inline uint32_t xcel_private(uint32_t words, const uint32_t *c, uint32_t *m) {
  for (uint32_t i = 0; i < words; i++) {
    const uint32_t c_word = c[i];
    CSR_WRITE(CSR_XCEL + 1, c_word);
  }
  CSR_WRITE(CSR_XCEL + 0, 1);
  for (uint32_t i = 0; i < words; i++) m[i] = CSR_READ(CSR_XCEL + 4);
  return CSR_READ(CSR_XCEL + 0) & (XCEL_BAD_MODULUS | XCEL_FAULT);
}

#endif
