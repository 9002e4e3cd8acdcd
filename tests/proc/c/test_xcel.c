/* The accelerator's driver, one word and several. */

#include "check.h"
#include "xcel.h"

int main(void) {
#if WORDS == 1
  CHECK(xcel_mod_exp(995313404u, 65537u, 2148676643u) == 2050940851u);
  CHECK(xcel_mod_exp(2050940851u, 977851481u, 2148676643u) == 995313404u);
  CHECK(xcel_mod_exp(5u, 3u, 0u) == 0u);
#else
  const uint32_t base[WORDS] = {0x89abcdefu, 0x01234567u}, exponent[WORDS] = {3, 1};
  const uint32_t modulus[WORDS] = {0xffffffc5u, 0xffffffffu}, none[WORDS] = {0};
  uint32_t result[WORDS];
  CHECK(xcel_mod_exp_words(WORDS, base, exponent, modulus, result) == 0);
  CHECK(result[0] == RESULT_0 && result[1] == RESULT_1);
  CHECK(xcel_kept() == KEPT);
  CHECK(xcel_mod_exp_again(WORDS, exponent, base, result) == 0);
  CHECK(result[0] == AGAIN_0 && result[1] == AGAIN_1);
  CHECK(xcel_mod_exp_words(WORDS, base, exponent, none, result) == XCEL_BAD_MODULUS);
  CHECK(result[0] == 0 && result[1] == 0);
  CHECK(xcel_kept() == 0);
  CHECK(xcel_mod_exp_again(WORDS, base, exponent, result) == XCEL_BAD_MODULUS);
  CHECK(xcel_mod_exp_words(WORDS, base, exponent, modulus, result) == 0);
  CHECK(result[0] == RESULT_0 && result[1] == RESULT_1);
#endif
  return 0;
}
