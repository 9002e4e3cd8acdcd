#include "peripheral.h"
#include "runtime.h"

static const uint32_t n[] = {2148676643u}, e[] = {65537}, d[] = {977851481};

int main(void) {
  uint32_t message[] = {995313404}, ciphertext[1];
  peripheral_load_key(n, e, d);
  peripheral_use_interrupt();
  const struct peripheral_outcome outcome = peripheral_encrypt(4, message, ciphertext);
  if (outcome.failed) fail(__LINE__);
  print_unsigned(ciphertext[0]);
  print_char('\n');
  pass();
}
