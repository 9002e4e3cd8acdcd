// Traces of power: sends the messages of one operation after another, and counts in each cycle how
// many bits of the registers change. The ports are reached as recv_* and send_* (model.h).
#include <vector>

#include "batch_shim.h"

namespace {

// Mirrored by ToggleRun in sim/toggles.py. A trace is the first `cycles` of an operation of `each`
// messages, offered without a wait; it may go on after them, up to `limit`.
struct ToggleRun {
    const uint8_t *requests;
    const uint8_t *group;  // of each trace: 0 or 1
    uint64_t traces, each, cycles, limit;
    uint8_t *responses;
    uint32_t *totals;             // [trace][cycle]
    uint64_t *sums, *squares;     // [group][cycle][register]
    uint64_t longest;             // operation, in cycles
};

struct Watch {
    Place place;
    std::vector<uint64_t> before;

    // Bits that differ from what they were in the cycle before.
    unsigned toggles() {
        unsigned count = 0;
        const uint8_t *data = static_cast<const uint8_t *>(place.data);
        for (size_t i = 0; i < before.size(); ++i) {
            uint64_t now = 0;
            const size_t left = place.bytes - 8 * i;
            switch (left) {
                case 1: now = *data; break;
                case 2: { uint16_t v; std::memcpy(&v, data, 2); now = v; } break;
                case 4: { uint32_t v; std::memcpy(&v, data, 4); now = v; } break;
                default: std::memcpy(&now, data, left < 8 ? left : 8);
            }
            count += __builtin_popcountll(now ^ before[i]);
            before[i] = now;
            data += 8;
        }
        return count;
    }
};

}  // namespace

EXPORTED unsigned toggle_registers() { return REGISTERS; }

// Returns how many operations were done: fewer than all if one took more cycles than the limit.
EXPORTED uint64_t toggle_run(Sim *sim, ToggleRun *run) {
    Model &model = sim->model;
    auto &message = recv_msg(model);
    auto &response = send_msg(model);
    const size_t request_bytes = sizeof(message), response_bytes = sizeof(response);
    Place places[REGISTERS];
    find_registers(model, places);
    std::vector<Watch> watches;
    for (const Place &place : places)
        watches.push_back({place, std::vector<uint64_t>((place.bytes + 7) / 8)});
    for (Watch &watch : watches) watch.toggles();

    for (uint64_t trace = 0; trace < run->traces; ++trace) {
        uint64_t sent = 0, received = 0;
        uint32_t *total = run->totals + trace * run->cycles;
        const uint64_t start = run->group[trace] * run->cycles * REGISTERS;
        uint64_t *sum = run->sums + start, *square = run->squares + start;
        for (uint64_t cycle = 0; cycle < run->cycles || received < run->each; ++cycle) {
            if (cycle >= run->limit) return trace;
            const bool valid = sent < run->each;
            if (valid) {
                const uint64_t number = trace * run->each + sent;
                std::memcpy(&message, run->requests + number * request_bytes, request_bytes);
            } else {
                std::memset(&message, 0, request_bytes);
            }
            recv_val(model) = valid;
            send_rdy(model) = 1;
            sim->settle();
            if (valid && recv_rdy(model)) ++sent;
            if (send_val(model) && received < run->each) {
                uint8_t *to = run->responses + (trace * run->each + received) * response_bytes;
                std::memcpy(to, &response, response_bytes);
                if (++received == run->each && cycle + 1 > run->longest) run->longest = cycle + 1;
            }
            sim->edge();
            uint32_t all = 0;
            const bool counted = cycle < run->cycles;
            for (unsigned i = 0; i < REGISTERS; ++i) {
                const uint64_t toggles = watches[i].toggles();
                all += toggles;
                if (counted && run->sums) {
                    *sum++ += toggles;
                    *square++ += toggles * toggles;
                }
            }
            if (counted) *total++ = all;
        }
    }
    return run->traces;
}
