/* The runtime on the processor: start-up state, printing, counters, library functions. */

#include <stddef.h>

#include "runtime.h"

#define CHECK(condition) \
  do {                   \
    if (!(condition)) fail(__LINE__); \
  } while (0)

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int value, size_t size);
void *memmove(void *to, const void *from, size_t size);
int memcmp(const void *one, const void *other, size_t size);

static volatile uint32_t zeroed[40];
static volatile uint32_t preset[3] = {1, 0x80000000, 0xffffffff};
static volatile uint32_t small = 7;
static const char text[] = "abcdef";

int main(void) {
  for (int i = 0; i < 40; i++) CHECK(zeroed[i] == 0);
  CHECK(preset[0] == 1 && preset[1] == 0x80000000 && preset[2] == 0xffffffff && small == 7);
  uint32_t stack = (uint32_t)(uintptr_t)__builtin_frame_address(0);
  CHECK(stack > 0x80000 && stack <= 0x100000 && stack % 16 == 0);

  char copy[8] = {0};
  memcpy(copy, text, 6);
  CHECK(memcmp(copy, "abcdef", 7) == 0);
  memmove(copy + 1, copy, 5);
  CHECK(memcmp(copy, "aabcde", 7) == 0);
  memmove(copy, copy + 1, 5);
  CHECK(memcmp(copy, "abcdee", 7) == 0);
  memset(copy + 1, 'x', 2);
  CHECK(memcmp(copy, "axxdee", 7) == 0);
  memset(copy + 3, 0x1fe, 1); /* its lowest byte */
  CHECK(memcmp(copy, "axx\xfe" "ee", 7) == 0);
  CHECK(memcmp("b", "a", 1) > 0 && memcmp("a", "\xff", 1) < 0);

  CHECK(CSR_READ(CSR_COREID) == 0);
  CHECK(CSR_READ(CSR_MNGR2PROC) == 42);
  uint32_t start = instructions();
  uint32_t between = instructions() - start;
  CHECK(between >= 1 && between < 8);

  print_string("numbers ");
  print_int(-2147483647 - 1);
  print_char(' ');
  print_unsigned(4294967295u);
  print_char(' ');
  print_unsigned(0);
  print_char('\n');
  return 3;
}
