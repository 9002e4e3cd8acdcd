#include "mont_words.h"

#include "words.h"

enum { WINDOW = 4, POWERS = 1 << WINDOW };

void mont_reduce(const struct mont_modulus *modulus, uint32_t *t, uint32_t *result) {
  const uint32_t words = modulus->words;
  uint32_t carry = 0;
  for (uint32_t i = 0; i < words; i += 2) {
    const uint64_t quotient = ((uint64_t)t[i + 1] << 32 | t[i]) * modulus->inverse;
    carry = words_add_row(words, t + i, modulus->m, quotient, carry);
  }
  words_subtract_once(words, t + words, carry, modulus->m, result);
}

void mont_product(const struct mont_modulus *modulus, const uint32_t *a, const uint32_t *b,
                  uint32_t *result) {
  const uint32_t words = modulus->words;
  uint32_t t[2 * words];
  words_clear(2 * words, t);
  words_add_product(words, t, a, b);
  mont_reduce(modulus, t, result);
}

/* result = a / R mod m, for a below R: 1 out of R mod m, a value out of the Montgomery domain. */
static void leave(const struct mont_modulus *modulus, const uint32_t *a, uint32_t *result) {
  const uint32_t words = modulus->words;
  uint32_t t[2 * words];
  words_copy(words, a, t);
  words_clear(words, t + words);
  mont_reduce(modulus, t, result);
}

void mont_power_public(const struct mont_modulus *modulus, const uint32_t *base,
                       uint32_t exp_words, const uint32_t *exp, uint32_t *result) {
  uint32_t entered[modulus->words], power[modulus->words];
  mont_product(modulus, base, modulus->square, entered);
  leave(modulus, modulus->square, power);
  uint32_t begun = 0;
  for (uint32_t i = 32 * exp_words; i-- > 0;) {
    const uint32_t bit = exp[i / 32] >> i % 32 & 1;
    if (begun) mont_product(modulus, power, power, power);
    if (bit) mont_product(modulus, power, entered, power);
    begun |= bit;
  }
  leave(modulus, power, result);
}

void mont_power_secret(const struct mont_modulus *modulus, const uint32_t *base,
                       uint32_t exp_words, const uint32_t *exp, uint32_t *result) {
  uint32_t table[POWERS][modulus->words], power[modulus->words];
  leave(modulus, modulus->square, table[0]);
  mont_product(modulus, base, modulus->square, table[1]);
  for (uint32_t i = 2; i < POWERS; i++) mont_product(modulus, table[i - 1], table[1], table[i]);
  leave(modulus, modulus->square, power);
  for (uint32_t i = 32 * exp_words; i > 0;) {
    for (uint32_t squares = 0; squares < WINDOW; squares++) mont_product(modulus, power, power, power);
    i -= WINDOW;
    mont_product(modulus, power, table[exp[i / 32] >> i % 32 & (POWERS - 1)], power);
  }
  leave(modulus, power, result);
}
