/* Machine mode's external interrupt, of a processor that has it.
 *
 * A handler is a function with __attribute__((interrupt("machine"))), which ends with mret. It is
 * called while the device's line is set and interrupts are on; it has to quiet the device. */

#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include "runtime.h"

#define CSR_MSTATUS 0x300
#define CSR_MIE 0x304
#define CSR_MTVEC 0x305
#define CSR_MEPC 0x341
#define CSR_MCAUSE 0x342
#define CSR_MIP 0x344

enum { MSTATUS_MIE = 1 << 3, EXTERNAL_INTERRUPT = 1 << 11 };

/* Interrupts call the handler from now on, where they are on. */
static inline void interrupts_enable(void (*handler)(void)) {
  CSR_WRITE(CSR_MTVEC, (uintptr_t)handler);
  CSR_WRITE(CSR_MIE, EXTERNAL_INTERRUPT);
}

/* They are off after reset. */
static inline void interrupts_on(void) {
  __asm__ volatile(CSR_ASM("csrsi mstatus, 8") : : : "memory");
}

static inline void interrupts_off(void) {
  __asm__ volatile(CSR_ASM("csrci mstatus, 8") : : : "memory");
}

/* Wait until the device's line is set, with interrupts off: none gets lost between a look at what
 * a handler has done and the waiting. Then let the handler do its work. */
static inline void interrupts_wait(void) {
  __asm__ volatile("wfi" : : : "memory");
  interrupts_on();
  interrupts_off();
}

#endif
