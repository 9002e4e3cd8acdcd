// A loop of a test's own: answers the unit itself and adds up what it sent.
#include "batch_shim.h"

EXPORTED uint64_t count_responses(Sim *sim, uint64_t cycles, uint8_t first, uint8_t *last) {
    Model &model = sim->model;
    uint64_t seen = 0;
    in_msg(model) = first;
    in_val(model) = 1;
    out_rdy(model) = 1;
    for (uint64_t i = 0; i < cycles; ++i) {
        sim->settle();
        if (out_val(model)) {
            *last = out_msg(model);
            ++seen;
        }
        sim->edge();
    }
    return seen;
}
