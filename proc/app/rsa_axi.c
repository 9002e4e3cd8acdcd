/* RSA by the peripheral: the key and what is asked come from the manager in words, the outcomes
 * go back: whether it failed, bytes and words of the output, cycles of the call.
 *
 * With macro PARTS the key comes in its parts, too, and private operations are by them. With macro
 * POLLING the end of an operation is polled for; it comes by interrupt without. */

#include "peripheral.h"
#include "runtime.h"

#ifndef WORDS
#define WORDS 32
#endif

typedef struct peripheral_outcome operation(uint32_t, const uint32_t *, uint32_t *);

static operation *const operations[] = {peripheral_encrypt, peripheral_decrypt, peripheral_sign,
                                        peripheral_verify};
static uint32_t modulus[WORDS], e[WORDS], d[WORDS], input[WORDS], output[WORDS];

static uint32_t next(void) { return CSR_READ(CSR_MNGR2PROC); }

static void get(uint32_t *to) {
  for (uint32_t i = 0; i < WORDS; i++) to[i] = next();
}

static void put(uint32_t word) { CSR_WRITE(CSR_PROC2MNGR, word); }

#ifdef PARTS
enum { PART_WORDS = (WORDS + 1) / 2 };

static uint32_t p[PART_WORDS], q[PART_WORDS], dp[PART_WORDS], dq[PART_WORDS];
static uint32_t q_inverse[PART_WORDS];
static const struct peripheral_parts parts = {p, q, dp, dq, q_inverse};

static void get_parts(void) {
  uint32_t *const order[] = {p, q, dp, dq, q_inverse};
  for (uint32_t i = 0; i < sizeof order / sizeof *order; i++)
    for (uint32_t word = 0; word < PART_WORDS; word++) order[i][word] = next();
}

static void load(void) {
  peripheral_load_key(modulus, e, d);
  peripheral_load_parts(&parts);
}
#else
static void get_parts(void) {}

static void load(void) { peripheral_load_key(modulus, e, d); }
#endif

int main(void) {
  get(modulus);
  get(e);
  get(d);
  get_parts();
  const uint32_t before = cycles();
  load();
  put(cycles() - before);
#ifndef POLLING
  peripheral_use_interrupt();
#endif
  for (;;) {
    operation *const asked = operations[next()];
    const uint32_t bytes = next();
    get(input);
    const uint32_t begin = cycles();
    const struct peripheral_outcome outcome = asked(bytes, input, output);
    const uint32_t taken = cycles() - begin;
    put(outcome.failed);
    put(outcome.bytes);
    for (uint32_t i = 0; i < WORDS; i++) put(output[i]);
    put(taken);
  }
}
