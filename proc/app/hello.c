/* A first program: it computes, measures, prints and passes. */

#include "mod_exp.h"
#include "runtime.h"

int main(void) {
  stats_on();
  uint32_t start = cycles();
  uint32_t result = mod_exp(3, 23, 29);
  uint32_t taken = cycles() - start;
  stats_off();
  print_string("3^23 mod 29 = ");
  print_unsigned(result);
  print_string(", in ");
  print_unsigned(taken);
  print_string(" cycles\n");
  if (result != 8) fail(__LINE__);
  pass();
}
