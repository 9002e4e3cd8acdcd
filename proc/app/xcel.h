/* The accelerator's registers.
 *
 * Operands are pushed word by word, least significant first; after `go` the result is popped in
 * the same order, and popping waits until it is there. */

#ifndef XCEL_H
#define XCEL_H

#include <stdint.h>

enum { XCEL_BUSY = 1, XCEL_BAD_MODULUS = 2, XCEL_KEPT = 4 }; /* bits of the status */

/* base^exp mod mod with an accelerator of one word; 0 when it does not take the modulus. */
uint32_t xcel_mod_exp(uint32_t base, uint32_t exp, uint32_t mod);

/* The same for `words` words, least significant first, on an accelerator of this width; returns
 * 0, or XCEL_BAD_MODULUS and a result of 0 when it does not take the modulus. */
uint32_t xcel_mod_exp_words(uint32_t words, const uint32_t *base, const uint32_t *exp,
                            const uint32_t *mod, uint32_t *result);

/* The same modulo the modulus of the call before, which the accelerator still has. A design that
 * keeps what it has found of that takes less; XCEL_KEPT, or 0, says whether it does so now. */
uint32_t xcel_mod_exp_again(uint32_t words, const uint32_t *base, const uint32_t *exp,
                            uint32_t *result);
uint32_t xcel_kept(void);

/* The same in three steps, for programs that work while the accelerator does. Pushing waits, as
 * popping does, while it computes; what is pushed then leaves the result, which may be popped until
 * the next go. */
void xcel_push(uint32_t words, const uint32_t *base, const uint32_t *exp, const uint32_t *mod);
void xcel_go(void);
uint32_t xcel_pop(uint32_t words, uint32_t *result);

#endif
