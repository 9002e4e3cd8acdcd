/* What a program can ask of the processor's surroundings: printing, ending, counters, statistics.
 *
 * The CSR instructions are assembled with the extension switched on for themselves only: -march
 * with _zicsr selects the 64-bit libgcc. */

#ifndef RUNTIME_H
#define RUNTIME_H

#include <stdint.h>

#define CSR_PROC2MNGR 0x7c0
#define CSR_STATS_EN 0x7c1
#define CSR_XCEL 0x7e0 /* accelerator register xr0; xr31 is 0x7ff */
#define CSR_CYCLE 0xc00
#define CSR_INSTRET 0xc02
#define CSR_COREID 0xf14
#define CSR_MNGR2PROC 0xfc0

#define CSR_ASM(text) ".option push\n.option arch, +zicsr\n" text "\n.option pop"

#define CSR_WRITE(csr, value) \
  __asm__ volatile(CSR_ASM("csrw %0, %1") : : "i"(csr), "r"((uint32_t)(value)) : "memory")

#define CSR_READ(csr)                                                               \
  ({                                                                                \
    uint32_t csr_value;                                                             \
    __asm__ volatile(CSR_ASM("csrr %0, %1") : "=r"(csr_value) : "i"(csr) : "memory"); \
    csr_value;                                                                      \
  })

/* The run ends, passed. */
_Noreturn void pass(void);

/* The run ends, failed at a line. */
_Noreturn void fail(uint32_t line);

/* Print in decimal, as a character, as text. */
void print_int(int32_t value);
void print_unsigned(uint32_t value);
void print_char(char character);
void print_string(const char *text);

/* Statistics count between these two. */
static inline void stats_on(void) { CSR_WRITE(CSR_STATS_EN, 1); }
static inline void stats_off(void) { CSR_WRITE(CSR_STATS_EN, 0); }

/* The low words of the counters. */
static inline uint32_t cycles(void) { return CSR_READ(CSR_CYCLE); }
static inline uint32_t instructions(void) { return CSR_READ(CSR_INSTRET); }

#endif
