/* The peripheral on the bus: RSA with PKCS#1 v1.5's padding (registers: fl/peripheral_map.py).
 *
 * Numbers and messages are words, least significant first: the last byte of a message is the
 * lowest. What does not fit a block is left out, see there. */

#ifndef PERIPHERAL_H
#define PERIPHERAL_H

#include <stdint.h>

/* What an operation leaves: 1 if it failed, else 0 and the bytes of its output. */
struct peripheral_outcome {
  uint32_t failed, bytes;
};

/* Words of the peripheral's numbers: as many are loaded of a key, and stored of an output. */
uint32_t peripheral_words(void);

/* Load the modulus, e and d. */
void peripheral_load_key(const uint32_t *modulus, const uint32_t *e, const uint32_t *d);

/* The key in its parts, of peripherals of a design that makes private operations by the Chinese
 * remainder theorem (fl/peripheral_crt.py): p, q, d mod p - 1, d mod q - 1, 1/q mod p. */
struct peripheral_parts {
  const uint32_t *p, *q, *dp, *dq, *q_inverse;
};

/* Words of a part; 0 if the peripheral takes none. */
uint32_t peripheral_part_words(void);

/* Load them beside the modulus and e. From then on they do what d does, until a key is loaded; a
 * result that e does not confirm fails. */
void peripheral_load_parts(const struct peripheral_parts *parts);

/* Wait by interrupt from now on, asleep. Before that, the end of an operation is polled for. */
void peripheral_use_interrupt(void);

/* By e, around a message; by d, from a ciphertext. */
struct peripheral_outcome peripheral_encrypt(uint32_t bytes, const uint32_t *message,
                                             uint32_t *ciphertext);
struct peripheral_outcome peripheral_decrypt(uint32_t bytes, const uint32_t *ciphertext,
                                             uint32_t *message);

/* By d, around what is signed (the hash of a message, and which hash it is); by e, from that. */
struct peripheral_outcome peripheral_sign(uint32_t bytes, const uint32_t *info,
                                          uint32_t *signature);
struct peripheral_outcome peripheral_verify(uint32_t bytes, const uint32_t *signature,
                                            uint32_t *info);

#endif
