// A Verilated model with a clock, a cycle count and, if built with it, a VCD.
// model.h is generated: the model's class, its ports by name and by number.
#pragma once

#include <cstdint>
#include <cstring>

#include "model.h"
#if MODEL_TRACE
#include "verilated_vcd_c.h"
#endif

#define EXPORTED extern "C" __attribute__((visibility("default")))

struct Context : VerilatedContext {
    Context() { traceEverOn(MODEL_TRACE); }  // must precede the model
};

struct Sim {
    Context context;
    Model model{&context};
    uint64_t cycle = 0;
#if MODEL_TRACE
    VerilatedVcdC wave;
    uint64_t snapshots = 0;
#endif

    explicit Sim(const char *vcd) {
        model.clk = 0;
#if MODEL_TRACE
        model.trace(&wave, 99);
        if (*vcd) wave.open(vcd);
#else
        (void)vcd;
#endif
        model.eval();  // the first one also initialises
    }

    ~Sim() {
        model.final();
#if MODEL_TRACE
        wave.close();
#endif
    }

    // Combinational outputs follow the inputs.
    void settle() { evaluate(); }

    // The rising clock edge; only after settle().
    void edge() {
        dump(0);
        model.clk = 1;
        evaluate();
        dump(5);
        model.clk = 0;
        ++cycle;
    }

    // All signals as they are now, as a VCD of this moment; only without a VCD of the whole run.
    bool snapshot(const char *path) {
#if MODEL_TRACE
        if (wave.isOpen()) return false;
        wave.open(path);
        if (!wave.isOpen()) return false;
        wave.dump(++snapshots);  // no moment is dumped twice
        wave.close();
        return true;
#else
        (void)path;
        return false;
#endif
    }

    // All ports, in order, into the buffer.
    void record(uint8_t *to) {
        for (unsigned i = 0; i < PORTS; ++i) {
            std::memcpy(to, port_data(model, i), PORT_BYTES[i]);
            to += PORT_BYTES[i];
        }
    }

   private:
    // Of a small design, model.eval() takes half the time to lock what a design without
    // threads, classes and messages does not use; a VCD needs what else it does.
    void evaluate() {
#if MODEL_TRACE
        model.eval();
#else
        model_eval(model.rootp);
#endif
    }

    void dump(unsigned phase) {
#if MODEL_TRACE
        if (wave.isOpen()) wave.dump(10 * cycle + phase);
#else
        (void)phase;
#endif
    }
};
