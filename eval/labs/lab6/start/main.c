/* Read base, exponent and modulus of WORDS words each, the least significant first, from the manager;
 * print the words of the result and the status. `modexplorer run --input` gives the words. */

#include "driver.h"
#include "runtime.h"

#ifndef WORDS
#define WORDS 1
#endif

static void read_words(uint32_t *number) {
  for (uint32_t i = 0; i < WORDS; i++) number[i] = CSR_READ(CSR_MNGR2PROC);
}

static void show(const char *name, uint32_t value) {
  print_string(name);
  print_unsigned(value);
  print_char('\n');
}

int main(void) {
  uint32_t base[WORDS], exp[WORDS], mod[WORDS], result[WORDS];
  for (uint32_t left = CSR_READ(CSR_MNGR2PROC); left != 0; left--) {
    read_words(base);
    read_words(exp);
    read_words(mod);
    stats_on();
    const uint32_t status = power(WORDS, base, exp, mod, result);
    stats_off();
    for (uint32_t i = 0; i < WORDS; i++) show("result ", result[i]);
    show("status ", status);
  }
  pass();
}
