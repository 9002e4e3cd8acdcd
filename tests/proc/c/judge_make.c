/* The parts of rsa_make.c, which only that file sees, each asked by the manager: what is asked and
 * its numbers come in words, the answer goes back. */

#include "rsa_make.c"

enum { SHORT, INVERT, LIMITS };

static uint32_t next(void) { return CSR_READ(CSR_MNGR2PROC); }

static void get(uint32_t words, uint32_t *to) {
  for (uint32_t i = 0; i < words; i++) to[i] = next();
}

int main(void) {
  static struct rsa_made made;
  static uint32_t multiple[N_WORDS];
  for (;;) switch (next()) {
      case SHORT:
        get(N_WORDS, made.d);
        CSR_WRITE(CSR_PROC2MNGR, is_short(made.d));
        break;
      case INVERT: {
        const uint32_t e = next();
        get(PRIME_WORDS, made.p);
        get(PRIME_WORDS, made.q);
        common_multiple(&made, multiple);
        invert_e(e, multiple, made.d);
        for (uint32_t i = 0; i < N_WORDS; i++) CSR_WRITE(CSR_PROC2MNGR, multiple[i]);
        for (uint32_t i = 0; i < N_WORDS; i++) CSR_WRITE(CSR_PROC2MNGR, made.d[i]);
        break;
      }
      default:
        CSR_WRITE(CSR_PROC2MNGR, MOST_P);
        CSR_WRITE(CSR_PROC2MNGR, MOST_Q);
        CSR_WRITE(CSR_PROC2MNGR, MOST_PAIRS);
    }
}
