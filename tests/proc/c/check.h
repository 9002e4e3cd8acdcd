/* Checks that work on the host and on the processor: the first that fails ends the test. */

#ifndef CHECK_H
#define CHECK_H

#ifdef __riscv
#include "runtime.h"
#define CHECK_FAILED(line) fail(line)
#else
#include <stdio.h>
#include <stdlib.h>
#define CHECK_FAILED(line) (fprintf(stderr, "failed at line %d\n", line), exit(1))
#endif

#define CHECK(condition) \
  do {                   \
    if (!(condition)) CHECK_FAILED(__LINE__); \
  } while (0)

#endif
