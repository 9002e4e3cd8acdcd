/* As in document 001's algorithm 3 and listing 4: base and 1 are converted into the Montgomery
 * domain, every product is followed by a reduction (algorithm 2), and the result is converted out;
 * the constants are kept with the modulus, in numbers of 64 bits. The document does not print how it
 * finds them; for N' it names the extended Euclidean algorithm, R^2 is a remainder of 64 bits here.
 * T + m * N passes 64 bits where N is large, which the document does not say: the carry is kept. */

#include "mont_printed.h"

struct multiplier {
  uint64_t modulus;
  uint64_t r_mask;    /* R - 1, for R = 2^32 */
  uint64_t factor;    /* N' with N * N' = -1 mod R */
  uint64_t r_squared; /* R^2 mod N */
};

/* N' = -1/N mod R, for an odd N below R: Euclid's remainders, but the first, have 32 bits, and are
 * multiples of N mod R. */
static uint32_t find_factor(uint32_t modulus, uint64_t r) {
  if (modulus == 1) return (uint32_t)-1;
  uint32_t high = modulus, low = (uint32_t)(r % modulus);
  uint32_t of_high = 1, of_low = 0 - (uint32_t)(r / modulus); /* high = of_high * N mod R, and low */
  while (low > 1) {
    uint32_t quotient = high / low, rest = high % low;
    uint32_t of_rest = of_high - quotient * of_low;
    high = low, low = rest;
    of_high = of_low, of_low = of_rest;
  }
  return 0 - of_low;
}

static void construct(struct multiplier *made, uint64_t modulus, uint64_t r) {
  made->modulus = modulus;
  made->r_mask = r - 1;
  made->factor = find_factor((uint32_t)modulus, r);
  uint64_t rest = r % modulus;
  made->r_squared = rest * rest % modulus;
}

/* total / R mod N, for total < R * N. */
static uint32_t reduce(const struct multiplier *by, uint64_t total) {
  uint64_t m = (total & by->r_mask) * by->factor & by->r_mask;
  uint64_t sum = total + m * by->modulus;
  uint64_t carry = sum < total;
  uint64_t t = sum >> 32 | carry << 32;
  if (t >= by->modulus) t -= by->modulus;
  return (uint32_t)t;
}

static uint32_t multiply(const struct multiplier *by, uint32_t a, uint32_t b) {
  return reduce(by, (uint64_t)a * b);
}

static uint32_t convert_in(const struct multiplier *by, uint32_t value) {
  return reduce(by, value * by->r_squared);
}

static uint32_t convert_out(const struct multiplier *by, uint32_t value) {
  return reduce(by, value);
}

uint32_t mont_printed(uint32_t base, uint32_t exp, uint32_t mod) {
  if (!(mod & 1)) return 0;
  struct multiplier by;
  construct(&by, mod, 1ull << 32);

  uint32_t power = convert_in(&by, base % mod);
  uint32_t result = convert_in(&by, 1);
  while (exp > 0) {
    if ((exp & 1) == 1) result = multiply(&by, result, power);
    exp = exp >> 1;
    power = multiply(&by, power, power);
  }
  return convert_out(&by, result);
}
