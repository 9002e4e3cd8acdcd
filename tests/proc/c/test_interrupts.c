/* Waiting for an alarm, whenever it comes: none is lost between a look and the sleep. */

#include "interrupts.h"

enum { LONGEST = 120, TURNS = 20 }; /* the turns end amid the cycles of the alarms */

static volatile uint32_t *const alarm = (volatile uint32_t *)0x40000000;
static volatile uint32_t rung;

__attribute__((interrupt("machine"))) static void handle(void) {
  alarm[0] = 0;
  rung++;
}

int main(void) {
  interrupts_enable(handle);
  for (uint32_t after = 1; after < LONGEST; after++) {
    rung = 0;
    alarm[0] = after;
    for (uint32_t turn = 0; turn < TURNS; turn++) __asm__ volatile("nop");
    while (!rung) interrupts_wait();
    if (rung != 1) fail(__LINE__);
  }
  pass();
}
