/* The instructions that functions of words.h take, by what the manager asks for and its numbers. */

#include "runtime.h"
#include "words.h"

#ifndef WORDS
#define WORDS 8
#endif

enum { PRODUCT, SUBTRACT, EQUAL, COPY, CLEAR };

static uint32_t a[WORDS], b[WORDS], t[2 * WORDS];

static void get(uint32_t *to) {
  for (uint32_t i = 0; i < WORDS; i++) to[i] = CSR_READ(CSR_MNGR2PROC);
}

static uint32_t perform(uint32_t asked, uint32_t carry) {
  switch (asked) {
    case PRODUCT: return words_add_product(WORDS, t, a, b);
    case SUBTRACT: words_subtract_once(WORDS, a, carry, b, t); return 0;
    case EQUAL: return words_equal(WORDS, a, b);
    case COPY: words_copy(WORDS, a, t); return 0;
    default: words_clear(WORDS, t); return 0;
  }
}

int main(void) {
  for (;;) {
    const uint32_t asked = CSR_READ(CSR_MNGR2PROC), carry = CSR_READ(CSR_MNGR2PROC);
    get(a);
    get(b);
    for (uint32_t i = 0; i < 2 * WORDS; i++) t[i] = i < WORDS ? a[i] : b[i - WORDS];
    const uint32_t begin = instructions();
    const uint32_t answer = perform(asked, carry);
    const uint32_t taken = instructions() - begin;
    CSR_WRITE(CSR_PROC2MNGR, taken);
    CSR_WRITE(CSR_PROC2MNGR, answer);
    for (uint32_t i = 0; i < 2 * WORDS; i++) CSR_WRITE(CSR_PROC2MNGR, t[i]);
  }
}
