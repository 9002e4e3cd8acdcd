// What every library offers: create, reset, step, poke, peek and snapshot. sim/batch.py calls it.
#include "batch_shim.h"

EXPORTED Sim *sim_new(const char *vcd) { return new Sim(vcd); }

EXPORTED void sim_delete(Sim *sim) { delete sim; }

EXPORTED void sim_settle(Sim *sim) { sim->settle(); }

EXPORTED void sim_step(Sim *sim, uint64_t cycles) {
    for (uint64_t i = 0; i < cycles; ++i) {
        sim->settle();
        sim->edge();
    }
    sim->settle();
}

EXPORTED uint64_t sim_cycle(const Sim *sim) { return sim->cycle; }

EXPORTED int sim_snapshot(Sim *sim, const char *path) { return sim->snapshot(path); }

EXPORTED void sim_poke(Sim *sim, unsigned port, const void *value) {
    std::memcpy(port_data(sim->model, port), value, PORT_BYTES[port]);
}

EXPORTED void sim_peek(Sim *sim, unsigned port, void *value) {
    std::memcpy(value, port_data(sim->model, port), PORT_BYTES[port]);
}
