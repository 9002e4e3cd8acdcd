/* Encryption and decryption of one message, each measured between stats_on and stats_off.
 *
 * The function under test is the naive one, with macro MONT Montgomery's, with MONT_PRINTED that of
 * document 001, with macro XCEL the accelerator's driver. Three measurements, in this order: a call that returns
 * the expected answer at once (what calling and measuring cost), encryption, decryption. Printed
 * are the cycles of the last two without those of the first. */

#include "mod_exp.h"
#include "mont_mod_exp.h"
#include "mont_printed.h"
#include "runtime.h"
#include "xcel.h"

#if defined(XCEL)
#define MOD_EXP xcel_mod_exp
#elif defined(MONT)
#define MOD_EXP mont_mod_exp
#elif defined(MONT_PRINTED)
#define MOD_EXP mont_printed
#else
#define MOD_EXP mod_exp
#endif

enum { E = 65537, D = 977851481, MESSAGE = 995313404 };
static const uint32_t N = 2148676643u, CIPHER = 2050940851u;

typedef uint32_t power_function(uint32_t base, uint32_t exp, uint32_t mod);

__attribute__((noipa)) static uint32_t expected(uint32_t base, uint32_t exp, uint32_t mod) {
  (void)base, (void)exp, (void)mod;
  return CIPHER;
}

/* Cycles of one call; the same code measures every function, so that its cost cancels. */
__attribute__((noipa)) static uint32_t measure(power_function *power, uint32_t base, uint32_t exp,
                                               uint32_t answer) {
  stats_on();
  uint32_t start = cycles();
  uint32_t value = power(base, exp, N);
  uint32_t taken = cycles() - start;
  stats_off();
  if (value != answer) fail(__LINE__);
  return taken;
}

static void report(const char *name, uint32_t count) {
  print_string(name);
  print_unsigned(count);
  print_char('\n');
}

int main(void) {
  uint32_t call = measure(expected, MESSAGE, E, CIPHER);
  uint32_t encryption = measure(MOD_EXP, MESSAGE, E, CIPHER);
  uint32_t decryption = measure(MOD_EXP, CIPHER, D, MESSAGE);
  report("encryption ", encryption - call);
  report("decryption ", decryption - call);
  pass();
}
