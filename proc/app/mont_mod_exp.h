/* Modular exponentiation with Montgomery's reduction, R = 2^32. */

#ifndef MONT_MOD_EXP_H
#define MONT_MOD_EXP_H

#include <stdint.h>

/* base^exp mod mod, for every base, exponent and odd modulus; 0 for an even modulus. */
uint32_t mont_mod_exp(uint32_t base, uint32_t exp, uint32_t mod);

#endif
