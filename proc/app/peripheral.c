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
  PADDING,
  KEY_PARTS
};

enum { DECRYPT = 1, BUSY = 2, START = 4, ERROR = 8, BY_PARTS = 32 }; /* bits of STATUS */
enum { HAS_PARTS = 1 << 26 };                                        /* of CAPABILITIES */
enum { SIGNATURE = 1, ENCRYPTION = 2 };                /* kinds of padding */

static volatile uint32_t *const registers = (volatile uint32_t *)0x40000000;
static volatile uint32_t finished;
static uint32_t by_interrupt;
static uint32_t by_parts; /* BY_PARTS as long as they do what d does */

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
  by_parts = 0;
}

uint32_t peripheral_part_words(void) {
  const uint32_t capabilities = registers[CAPABILITIES], half = (capabilities & 0xffff) + 1;
  return capabilities & HAS_PARTS ? (half / 2 + 31) / 32 : 0;
}

void peripheral_load_parts(const struct peripheral_parts *parts) {
  const uint32_t *const order[] = {parts->p, parts->q, parts->dp, parts->dq, parts->q_inverse};
  const uint32_t words = peripheral_part_words();
  for (uint32_t i = 0; i < sizeof order / sizeof *order; i++) {
    for (uint32_t word = 0; word < words; word++) {
      registers[INPUT_FIFO] = order[i][word];
      registers[KEY_PARTS] = i * words + word;
    }
  }
  by_parts = BY_PARTS;
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
  registers[STATUS] = decrypt | by_parts | START;
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
