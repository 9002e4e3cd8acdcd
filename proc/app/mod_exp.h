/* Modular exponentiation with the language's own remainder. */

#ifndef MOD_EXP_H
#define MOD_EXP_H

#include <stdint.h>

/* base^exp mod mod, for every base, exponent and modulus >= 1; 0 for modulus 0. */
uint32_t mod_exp(uint32_t base, uint32_t exp, uint32_t mod);

#endif
