/* Random words from a key of 256 bits: the key stream of ChaCha20 (RFC 8439), block after block from
 * counter 0, with a nonce of 0. Whoever knows the key knows all words. */

#ifndef CHACHA_H
#define CHACHA_H

#include <stdint.h>

enum { CHACHA_KEY_WORDS = 8, CHACHA_BLOCK_WORDS = 16 };

struct chacha {
  uint32_t key[CHACHA_KEY_WORDS];
  uint32_t counter; /* of the next block */
  uint32_t block[CHACHA_BLOCK_WORDS];
  uint32_t left; /* words of the block that nobody has got */
};

/* The next word of the key stream. At first counter and left are 0. */
uint32_t chacha_word(struct chacha *chacha);

#endif
