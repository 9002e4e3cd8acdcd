#include "mod_exp.h"

uint32_t mod_exp(uint32_t base, uint32_t exp, uint32_t mod) {
  if (mod == 0) return 0;
  uint32_t result = mod != 1;
  for (; exp != 0; exp >>= 1) {
    if (exp & 1) result = (uint64_t)result * base % mod;
    base = (uint64_t)base * base % mod;
  }
  return result;
}
