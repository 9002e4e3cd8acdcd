// Flips a bit of a register once, in one cycle of an operation, or holds it from that cycle on, and
// looks what comes of it: again and again, each time from the same state. The ports are reached as recv_* and send_* (model.h); the
// model's top module is `faulted`.
#include <vector>

#include "batch_shim.h"

void Vfaulted___024root___eval_settle(Vfaulted___024root *);

namespace {

// Mirrored by FaultRun in sim/faults.py. An operation is `each` messages, each offered as soon as the
// one before is taken. Where `echo` is not negative, the low 32 bits of a message are those of that
// response, for which it waits.
struct FaultRun {
    const uint8_t *requests;
    const int32_t *echo;
    uint64_t each, limit, faults;
    const uint32_t *cycle, *place, *bit;  // of each fault; a place beyond all is none
    const uint8_t *held;                  // the bit that is held, 0 or 1; flipped once if neither
    uint8_t *responses;                   // [fault][message]
    uint64_t *taken;                      // cycles to the last response, 0 if there was none
    uint64_t lost;                        // bits that were not changed for good
};

struct State {
    Place places[REGISTERS];
    std::vector<std::vector<uint8_t>> kept;

    explicit State(Model &model) {
        find_registers(model, places);
        for (const Place &place : places) {
            const uint8_t *data = static_cast<const uint8_t *>(place.data);
            kept.emplace_back(data, data + place.bytes);
        }
    }

    static uint8_t *bytes(const Place &place) {
        return static_cast<uint8_t *>(const_cast<void *>(place.data));
    }

    void restore(Model &model) const {
        for (unsigned i = 0; i < REGISTERS; ++i)
            std::memcpy(bytes(places[i]), kept[i].data(), kept[i].size());
        Vfaulted___024root___eval_settle(model.rootp);
    }

    // Flip a bit, or give it the value that is held, and return whether it stays so. What depends on
    // registers follows them at clock edges alone, so all of it is computed anew.
    bool change(Model &model, uint32_t place, uint32_t bit, uint8_t held) const {
        if (place >= REGISTERS) return true;
        uint8_t &byte = bytes(places[place])[bit / 8];
        const uint8_t one = 1 << bit % 8;
        const uint8_t changed = held == 0 ? byte & ~one : held == 1 ? byte | one : byte ^ one;
        if (byte == changed) return true;
        byte = changed;
        Vfaulted___024root___eval_settle(model.rootp);
        return byte == changed;
    }
};

uint64_t operate(Sim *sim, FaultRun &run, const State &state, uint64_t fault) {
    Model &model = sim->model;
    auto &message = recv_msg(model);
    auto &response = send_msg(model);
    const size_t request_bytes = sizeof(message), response_bytes = sizeof(response);
    uint8_t *responses = run.responses + fault * run.each * response_bytes;
    uint64_t sent = 0, received = 0;
    for (uint64_t cycle = 0; cycle < run.limit; ++cycle) {
        const uint8_t held = run.held[fault];
        if (cycle == run.cycle[fault] || (held <= 1 && cycle > run.cycle[fault]))
            run.lost += !state.change(model, run.place[fault], run.bit[fault], held);
        const int32_t echo = sent < run.each ? run.echo[sent] : -1;
        const bool valid = sent < run.each && echo < static_cast<int64_t>(received);
        std::memset(&message, 0, request_bytes);
        if (valid) {
            std::memcpy(&message, run.requests + sent * request_bytes, request_bytes);
            if (echo >= 0) std::memcpy(&message, responses + echo * response_bytes, 4);
        }
        recv_val(model) = valid;
        send_rdy(model) = 1;
        sim->settle();
        if (valid && recv_rdy(model)) ++sent;
        if (send_val(model)) {
            std::memcpy(responses + received * response_bytes, &response, response_bytes);
            ++received;
        }
        sim->edge();
        if (received == run.each) return cycle + 1;
    }
    return 0;
}

}  // namespace

EXPORTED void fault_places(Sim *sim, uint64_t *bytes) {
    Place places[REGISTERS];
    find_registers(sim->model, places);
    for (unsigned i = 0; i < REGISTERS; ++i) bytes[i] = places[i].bytes;
}

// The registers as they are now.
EXPORTED State *fault_state(Sim *sim) { return new State(sim->model); }

EXPORTED void fault_forget(State *state) { delete state; }

EXPORTED void fault_run(Sim *sim, const State *begin, FaultRun *run) {
    for (uint64_t fault = 0; fault < run->faults; ++fault) {
        begin->restore(sim->model);
        run->taken[fault] = operate(sim, *run, *begin, fault);
    }
}
