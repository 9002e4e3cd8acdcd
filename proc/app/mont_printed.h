/* Modular exponentiation by document 001's algorithm 3: Montgomery's reduction of 64 bits. */

#ifndef MONT_PRINTED_H
#define MONT_PRINTED_H

#include <stdint.h>

/* base^exp mod mod, for every base, exponent and odd modulus; 0 for an even modulus. */
uint32_t mont_printed(uint32_t base, uint32_t exp, uint32_t mod);

#endif
