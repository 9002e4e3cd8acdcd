/* Messages encrypted and decrypted with keys of documents 000 and 001 and others, by POWER. */

#include "check.h"
#include "mod_exp.h"
#include "mont_mod_exp.h"
#include "mont_printed.h"
#include "xcel.h"

#ifndef POWER
#define POWER mod_exp
#endif

struct key {
  uint32_t n, e, d;
};

static const struct key KEYS[] = {
    {2148676643u, 65537u, 977851481u},
    {2860022089u, 65537u, 977851481u},
    {2603398711u, 65537u, 254738681u},
    {3381691693u, 5u, 2028945041u},
    {57599u, 257u, 40673u},
    {11589803u, 65537u, 2789633u},
    {734959403u, 65537u, 320551457u},
    {2577766717u, 65537u, 205189409u},
    {3262553893u, 65537u, 1518235073u},
    {2899489283u, 65537u, 191073209u},
    {2722559867u, 65537u, 64138625u},
};

int main(void) {
  for (unsigned i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
    const struct key *key = &KEYS[i];
    const uint32_t messages[] = {0, 1, 2, 5745 % key->n, key->n / 3, key->n - 1};
    for (unsigned j = 0; j < sizeof messages / sizeof *messages; j++) {
      uint32_t cipher = POWER(messages[j], key->e, key->n);
      CHECK(cipher < key->n);
      CHECK(POWER(cipher, key->d, key->n) == messages[j]);
      /* What another function has encrypted is decrypted, too. */
      CHECK(mod_exp(messages[j], key->e, key->n) == cipher);
    }
  }
  return 0;
}
