/* The accelerator's driver. Its registers are CSRs of the processor:
 *
 *   GO        written: begin; read: the status (bit 0 busy, bit 1 bad modulus)
 *   BASE, EXPONENT, MODULUS   written: push a word of the operand, the least significant first
 *   RESULT    read: pop a word of the result, the least significant first; waits until it is there
 *
 * CSR_WRITE(BASE, word) writes one, CSR_READ(RESULT) reads one. Three gaps are marked. */

#ifndef DRIVER_H
#define DRIVER_H

#include "runtime.h"

#define GO (CSR_XCEL + 0)
#define STATUS (CSR_XCEL + 0)
#define BASE (CSR_XCEL + 1)
#define EXPONENT (CSR_XCEL + 2)
#define MODULUS (CSR_XCEL + 3)
#define RESULT (CSR_XCEL + 4)
#define BAD_MODULUS 2u

/* result = base^exp mod mod, numbers of `words` words; returns 0, or BAD_MODULUS where the accelerator
 * does not take the modulus. */
static inline uint32_t power(uint32_t words, const uint32_t *base, const uint32_t *exp,
                             const uint32_t *mod, uint32_t *result) {
  /* GAP 1: push the words of the three operands. */
  (void)base, (void)exp, (void)mod;

  /* GAP 2: begin, and pop the words of the result. */
  for (uint32_t i = 0; i < words; i++) result[i] = 0;

  /* GAP 3: the status, of which only the bit for a bad modulus is returned. */
  return 0;
}

#endif
