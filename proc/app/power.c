/* One modular exponentiation of long numbers, by the accelerator or in software: the modulus with
 * its constants, base and exponent come from the manager in words; the result and the cycles that
 * the call took go back, those of each call if there are several.
 *
 * Macro METHOD chooses the function: xcel, public (the exponent may be told by the time) or
 * secret; CALLS says how many there are, for xcel the first one alone with the modulus. */

#include "mont_words.h"
#include "runtime.h"
#include "xcel.h"

#ifndef WORDS
#define WORDS 32
#endif
#ifndef XCEL_WORDS
#define XCEL_WORDS WORDS
#endif
#ifndef METHOD
#define METHOD secret
#endif
#ifndef CALLS
#define CALLS 1
#endif

static uint32_t m[WORDS], square[WORDS], base[WORDS], exponent[WORDS], result[WORDS];
static struct mont_modulus modulus = {WORDS, 0, m, square};

static void get(uint32_t words, uint32_t *to) {
  for (uint32_t i = 0; i < words; i++) to[i] = CSR_READ(CSR_MNGR2PROC);
}

static inline void xcel(uint32_t exp_words, int again) {
  (void)exp_words;
  if (again)
    xcel_mod_exp_again(XCEL_WORDS, base, exponent, result);
  else
    xcel_mod_exp_words(XCEL_WORDS, base, exponent, m, result);
}

static inline void public(uint32_t exp_words, int again) {
  (void)again;
  mont_power_public(&modulus, base, exp_words, exponent, result);
}

static inline void secret(uint32_t exp_words, int again) {
  (void)again;
  mont_power_secret(&modulus, base, exp_words, exponent, result);
}

int main(void) {
  uint32_t inverse[2];
  get(2, inverse);
  modulus.inverse = (uint64_t)inverse[1] << 32 | inverse[0];
  get(WORDS, m);
  get(WORDS, square);
  get(WORDS, base);
  const uint32_t exp_words = CSR_READ(CSR_MNGR2PROC);
  get(WORDS, exponent);
  for (int call = 0; call < CALLS; call++) {
    const uint32_t begin = cycles();
    METHOD(exp_words, call > 0);
    const uint32_t taken = cycles() - begin;
    for (uint32_t i = 0; i < WORDS; i++) CSR_WRITE(CSR_PROC2MNGR, result[i]);
    CSR_WRITE(CSR_PROC2MNGR, taken);
  }
  return 0;
}
