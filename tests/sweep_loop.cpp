// Many operands through a combinational design: ports by number, values packed one after another.
#include "batch_shim.h"

EXPORTED void sweep(Sim *sim, const unsigned *inputs, unsigned input_count,
                    const unsigned *outputs, unsigned output_count, const uint8_t *operands,
                    uint8_t *results, uint64_t cases) {
    for (uint64_t i = 0; i < cases; ++i) {
        for (unsigned k = 0; k < input_count; ++k) {
            std::memcpy(port_data(sim->model, inputs[k]), operands, PORT_BYTES[inputs[k]]);
            operands += PORT_BYTES[inputs[k]];
        }
        sim->settle();
        for (unsigned k = 0; k < output_count; ++k) {
            std::memcpy(results, port_data(sim->model, outputs[k]), PORT_BYTES[outputs[k]]);
            results += PORT_BYTES[outputs[k]];
        }
    }
}
