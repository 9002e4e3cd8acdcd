#include "runtime.h"
#include "xcel.h"

int main(void) {
  stats_on();
  uint32_t result = xcel_mod_exp(995313404, 65537, 2148676643u);
  stats_off();
  print_unsigned(result);
  print_char('\n');
  return 0;
}
