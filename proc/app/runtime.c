/* The runtime's functions, and the ones that the compiler may call without being asked. */

#include "runtime.h"

#include <stddef.h>

enum { PASS = 0x20000, PRINT_INT = 0x30000, PRINT_CHAR = 0x30001, PRINT_STRING = 0x30002 };

static _Noreturn void end(uint32_t word) {
  CSR_WRITE(CSR_PROC2MNGR, word);
  for (;;) {
  }
}

void pass(void) { end(PASS); }

void fail(uint32_t line) { end(PASS | (line & 0xffff ? line & 0xffff : 1)); }

void print_int(int32_t value) {
  CSR_WRITE(CSR_PROC2MNGR, PRINT_INT);
  CSR_WRITE(CSR_PROC2MNGR, value);
}

void print_unsigned(uint32_t value) {
  if (value >= 10) print_unsigned(value / 10);
  print_char((char)('0' + value % 10));
}

void print_char(char character) {
  CSR_WRITE(CSR_PROC2MNGR, PRINT_CHAR);
  CSR_WRITE(CSR_PROC2MNGR, (uint8_t)character);
}

void print_string(const char *text) {
  CSR_WRITE(CSR_PROC2MNGR, PRINT_STRING);
  while (*text) CSR_WRITE(CSR_PROC2MNGR, (uint8_t)*text++);
  CSR_WRITE(CSR_PROC2MNGR, 0);
}

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  char *out = to;
  const char *in = from;
  while (size--) *out++ = *in++;
  return to;
}

void *memset(void *to, int value, size_t size) {
  char *out = to;
  while (size--) *out++ = (char)value;
  return to;
}

void *memmove(void *to, const void *from, size_t size) {
  char *out = to;
  const char *in = from;
  if (out < in) return memcpy(to, from, size);
  while (size--) out[size] = in[size];
  return to;
}

int memcmp(const void *one, const void *other, size_t size) {
  const uint8_t *a = one, *b = other;
  for (; size--; a++, b++)
    if (*a != *b) return *a - *b;
  return 0;
}
