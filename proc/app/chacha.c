#include "chacha.h"

enum { DOUBLE_ROUNDS = 10 };

static inline uint32_t rotate(uint32_t word, uint32_t by) { return word << by | word >> (32 - by); }

/* Into registers: the numbers of a quarter round are constants. */
static inline __attribute__((always_inline)) void quarter(uint32_t *x, uint32_t a, uint32_t b,
                                                          uint32_t c, uint32_t d) {
  x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 16);
  x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 12);
  x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 8);
  x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 7);
}

static void make_block(struct chacha *chacha) {
  const uint32_t begin[CHACHA_BLOCK_WORDS] = {
      0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, /* "expand 32-byte k" */
      chacha->key[0], chacha->key[1], chacha->key[2], chacha->key[3],
      chacha->key[4], chacha->key[5], chacha->key[6], chacha->key[7],
      chacha->counter++, 0, 0, 0,
  };
  uint32_t x[CHACHA_BLOCK_WORDS];
#pragma GCC unroll 16
  for (uint32_t i = 0; i < CHACHA_BLOCK_WORDS; i++) x[i] = begin[i];
  for (uint32_t round = 0; round < DOUBLE_ROUNDS; round++) {
#pragma GCC unroll 4
    for (uint32_t i = 0; i < 4; i++) quarter(x, i, 4 + i, 8 + i, 12 + i);
#pragma GCC unroll 4
    for (uint32_t i = 0; i < 4; i++)
      quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  }
#pragma GCC unroll 16
  for (uint32_t i = 0; i < CHACHA_BLOCK_WORDS; i++) chacha->block[i] = x[i] + begin[i];
  chacha->left = CHACHA_BLOCK_WORDS;
}

uint32_t chacha_word(struct chacha *chacha) {
  if (chacha->left == 0) make_block(chacha);
  return chacha->block[CHACHA_BLOCK_WORDS - chacha->left--];
}
