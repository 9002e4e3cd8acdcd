/* All exponentiations against known values, and against each other for many operands. */

#include "check.h"
#include "mod_exp.h"
#include "mont_mod_exp.h"
#include "mont_printed.h"

static uint32_t state = 2463534242u;

static uint32_t random_word(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

static void known_values(uint32_t (*power)(uint32_t, uint32_t, uint32_t)) {
  CHECK(power(995313404u, 65537u, 2148676643u) == 2050940851u);
  CHECK(power(2050940851u, 977851481u, 2148676643u) == 995313404u);
  CHECK(power(5745u, 65537u, 2603398711u) == 1460365373u);
  CHECK(power(1460365373u, 254738681u, 2603398711u) == 5745u);
  CHECK(power(17111998u, 5u, 3381691693u) == 407188056u);
  CHECK(power(407188056u, 2028945041u, 3381691693u) == 17111998u);
  CHECK(power(3u, 23u, 29u) == 8u);
  CHECK(power(3u, 4u, 101u) == 81u);
  CHECK(power(5u, 8u, 3u) == 1u); /* the base is above the modulus */
  CHECK(power(0xffffffffu, 0xffffffffu, 0xfffffffbu) == 1024u);
  CHECK(power(0xffffffffu, 0xfffffffeu, 0xffffffffu) == 0u);
  CHECK(power(2u, 32u, 0xffffffffu) == 1u);
  CHECK(power(7u, 0u, 9u) == 1u); /* exponent 0: 1 mod m */
  CHECK(power(0u, 0u, 9u) == 1u);
  CHECK(power(7u, 0u, 1u) == 0u);
  CHECK(power(7u, 5u, 1u) == 0u);
  CHECK(power(0u, 5u, 9u) == 0u);
  CHECK(power(7u, 5u, 0u) == 0u); /* no such modulus */
}

int main(void) {
  known_values(mod_exp);
  known_values(mont_mod_exp);
  known_values(mont_printed);

  CHECK(mod_exp(3u, 5u, 100u) == 43u);
  CHECK(mod_exp(0xffffffffu, 3u, 0x80000000u) == 0x7fffffffu);
  CHECK(mont_mod_exp(3u, 5u, 100u) == 0u); /* even: not taken */
  CHECK(mont_printed(3u, 5u, 100u) == 0u);

  for (int i = 0; i < 60; i++) {
    uint32_t modulus = random_word() >> (i & 31) | 1;
    uint32_t base = random_word();
    uint32_t exponent = random_word() >> (i * 7 & 31);
    uint32_t power = mod_exp(base, exponent, modulus);
    CHECK(power == mont_mod_exp(base, exponent, modulus));
    CHECK(power == mont_printed(base, exponent, modulus));
  }
  return 0;
}
