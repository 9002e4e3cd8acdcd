#include "xcel.h"

#include "runtime.h"

#define GO (CSR_XCEL + 0) /* write */
#define STATUS (CSR_XCEL + 0) /* read */
#define BASE (CSR_XCEL + 1)
#define EXPONENT (CSR_XCEL + 2)
#define MODULUS (CSR_XCEL + 3)
#define RESULT (CSR_XCEL + 4)

uint32_t xcel_mod_exp(uint32_t base, uint32_t exp, uint32_t mod) {
  CSR_WRITE(BASE, base);
  CSR_WRITE(EXPONENT, exp);
  CSR_WRITE(MODULUS, mod);
  CSR_WRITE(GO, 0);
  return CSR_READ(RESULT);
}

void xcel_push(uint32_t words, const uint32_t *base, const uint32_t *exp, const uint32_t *mod) {
  for (uint32_t i = 0; i < words; i++) {
    const uint32_t base_word = base[i], exp_word = exp[i], mod_word = mod[i];
    CSR_WRITE(BASE, base_word);
    CSR_WRITE(EXPONENT, exp_word);
    CSR_WRITE(MODULUS, mod_word);
  }
}

void xcel_go(void) { CSR_WRITE(GO, 0); }

uint32_t xcel_pop(uint32_t words, uint32_t *result) {
  for (uint32_t i = 0; i < words; i++) result[i] = CSR_READ(RESULT);
  return CSR_READ(STATUS) & XCEL_BAD_MODULUS;
}

uint32_t xcel_mod_exp_words(uint32_t words, const uint32_t *base, const uint32_t *exp,
                            const uint32_t *mod, uint32_t *result) {
  xcel_push(words, base, exp, mod);
  xcel_go();
  return xcel_pop(words, result);
}

uint32_t xcel_mod_exp_again(uint32_t words, const uint32_t *base, const uint32_t *exp,
                            uint32_t *result) {
  for (uint32_t i = 0; i < words; i++) {
    const uint32_t base_word = base[i], exp_word = exp[i];
    CSR_WRITE(BASE, base_word);
    CSR_WRITE(EXPONENT, exp_word);
  }
  xcel_go();
  return xcel_pop(words, result);
}

uint32_t xcel_kept(void) { return CSR_READ(STATUS) & XCEL_KEPT; }
