#include "peripheral.h"

#include "interrupts.h"

/* Numbers of the registers, a word each. */
enum {
  STATUS,
  INPUT_LENGTH,
  OUTPUT_LENGTH,
  WRITE_ADDRESS,
  READ_ADDRESS,
  INPUT_FIFO,
  OUTPUT_FIFO,
  MODULUS,
  EXPONENT_E,
  EXPONENT_D,
  CAPABILITIES,
  DESIGN,
  INTERRUPT_ENABLE,
  PADDING
};

enum { DECRYPT = 1, BUSY = 2, START = 4, ERROR = 8 }; /* bits of STATUS */
enum { SIGNATURE = 1, ENCRYPTION = 2 };                /* kinds of padding */

static volatile uint32_t *const registers = (volatile uint32_t *)0x40000000;
static volatile uint32_t finished;
static uint32_t by_interrupt;

__attribute__((interrupt("machine"))) static void handle(void) {
  registers[STATUS] = 0; /* the line falls */
  finished = 1;
}

uint32_t peripheral_words(void) { return ((registers[CAPABILITIES] & 0xffff) + 31) / 32; }

static void put(uint32_t to, uint32_t words, const uint32_t *from) {
  for (uint32_t place = 0; place < words; place++) {
    registers[INPUT_FIFO] = from[place];
    registers[to] = place;
  }
}

void peripheral_load_key(const uint32_t *modulus, const uint32_t *e, const uint32_t *d) {
  const uint32_t words = peripheral_words();
  put(MODULUS, words, modulus);
  put(EXPONENT_E, words, e);
  put(EXPONENT_D, words, d);
}

void peripheral_use_interrupt(void) {
  interrupts_enable(handle);
  registers[INTERRUPT_ENABLE] = 1;
  by_interrupt = 1;
}

static void wait(void) {
  if (by_interrupt)
    while (!finished) interrupts_wait();
  else
    while (registers[STATUS] & BUSY) {
    }
}

static struct peripheral_outcome operate(uint32_t padding, uint32_t decrypt, uint32_t bytes,
                                         const uint32_t *input, uint32_t *output) {
  const uint32_t most = peripheral_words(), words = (bytes + 3) / 4;
  registers[PADDING] = padding;
  put(WRITE_ADDRESS, words < most ? words : most, input);
  registers[INPUT_LENGTH] = bytes;
  finished = 0;
  registers[STATUS] = decrypt | START;
  wait();
  const struct peripheral_outcome outcome = {(registers[STATUS] & ERROR) != 0,
                                             registers[OUTPUT_LENGTH]};
  for (uint32_t place = 0; place < most; place++) {
    registers[READ_ADDRESS] = place;
    output[place] = registers[OUTPUT_FIFO];
  }
  return outcome;
}

struct peripheral_outcome peripheral_encrypt(uint32_t bytes, const uint32_t *message,
                                             uint32_t *ciphertext) {
  return operate(ENCRYPTION, 0, bytes, message, ciphertext);
}

struct peripheral_outcome peripheral_decrypt(uint32_t bytes, const uint32_t *ciphertext,
                                             uint32_t *message) {
  return operate(ENCRYPTION, DECRYPT, bytes, ciphertext, message);
}

struct peripheral_outcome peripheral_sign(uint32_t bytes, const uint32_t *info,
                                          uint32_t *signature) {
  return operate(SIGNATURE, DECRYPT, bytes, info, signature);
}

struct peripheral_outcome peripheral_verify(uint32_t bytes, const uint32_t *signature,
                                            uint32_t *info) {
  return operate(SIGNATURE, 0, bytes, signature, info);
}
