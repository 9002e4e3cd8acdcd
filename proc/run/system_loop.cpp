// A processor system with its memory and its manager: the cycles of proc/run/python_system.py,
// one for one. The loop returns to Python for what is rare: words to the manager, and the end.
#include "batch_shim.h"

namespace {

constexpr unsigned DEPTH = 2;  // requests that a memory port holds

// When a port may transfer, and after how many cycles it answers: proc/run/timing.py's Draws.
struct Draws {
    uint32_t state;
    uint32_t longest;
    uint32_t latency;

    bool next() {
        if (!state) {
            latency = longest;
            return true;
        }
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        latency = 1 + (state >> 8) % longest;
        return state & 3;
    }
};

struct Answer {
    uint64_t due;
    uint32_t data;
    uint32_t padding;
};

// The rest is mirrored in proc/run/batch_system.py, field by field.
struct Port {
    Draws draws;
    uint32_t waiting;
    Answer answers[DEPTH];
};

struct Retired {
    uint32_t pc, word, value, addr, data;
    uint8_t rd, mem, write, padding;
};

struct Window {
    uint64_t cycles, instructions;
};

// What the processor offered in the cycle before, if it was not taken: as sim/handshake.py's Offers.
struct Offered {
    uint32_t waits;
    uint32_t msg[3];
};

struct Run {
    uint8_t *memory;
    uint64_t memory_size;
    const uint32_t *inputs;
    uint64_t inputs_left;
    Retired *retired;  // null: not recorded
    uint64_t retired_count, retired_space;
    Window *windows;
    uint64_t window_count, window_space;
    Window window;
    uint64_t cycle, until, instructions;
    Port imem, dmem;
    Draws get, put;
    uint32_t stats;
    uint32_t ending;  // nothing transfers any more
    uint32_t output;
    // Of the instruction in X if it ends the loop, else pc and word of the last one completed.
    uint32_t pc, word, address;
    uint32_t padding;
    Offered dmem_offered, put_offered;  // imem's not: a jump redirects a fetch that waits
    uint8_t *ports;  // null: not recorded; else all ports, once a cycle
};

enum Outcome { MORE, OUTPUT, ERROR, STARVED, OUTSIDE, DMEM_CHANGED, PUT_CHANGED };

template <class Message>
bool stays(Offered &before, bool valid, bool ready, const Message &msg) {
    static_assert(sizeof msg <= sizeof before.msg);
    if (before.waits && (!valid || std::memcmp(before.msg, &msg, sizeof msg))) return false;
    before.waits = valid && !ready;
    if (before.waits) std::memcpy(before.msg, &msg, sizeof msg);
    return true;
}

template <class Ready, class Valid, class Data>
void drive(Port &port, uint64_t cycle, Ready &ready, Valid &valid, Data &data) {
    ready = port.draws.next() && port.waiting < DEPTH;
    valid = port.waiting && port.answers[0].due <= cycle;
    data = valid ? port.answers[0].data : 0;
}

// A request as it is packed: data 31:0, strb 35:32, addr 67:36, type 68.
template <class Message>
uint32_t address_of(const Message &msg) {
    return msg[1] >> 4 | msg[2] << 28;
}

// Perform the request; false if it is outside the memory.
template <class Message>
bool access(const Run &run, const Message &msg, uint32_t &data) {
    const uint64_t address = address_of(msg);
    if (address + 4 > run.memory_size) return false;
    uint8_t *word = run.memory + address;
    if (msg[2] >> 4 & 1)
        for (unsigned lane = 0; lane < 4; ++lane)
            if (msg[1] >> lane & 1) word[lane] = msg[0] >> 8 * lane;
    std::memcpy(&data, word, 4);
    return true;
}

void answered(Port &port) {
    port.answers[0] = port.answers[1];
    --port.waiting;
}

void accept(Port &port, uint64_t cycle, uint32_t data) {
    port.answers[port.waiting++] = {cycle + port.draws.latency, data, 0};
}

void note_retired(Run &run, Model &model) {
    ++run.instructions;
    run.pc = retire_pc(model);
    run.word = retire_word(model);
    if (!run.retired) return;
    run.retired[run.retired_count++] = {
        retire_pc(model),   retire_word(model), retire_value(model),
        retire_addr(model), retire_data(model), uint8_t(retire_wen(model) ? retire_rd(model) : 0),
        retire_mem(model),  retire_write(model), 0};
}

// What ran between setting and clearing stats_en, in cycles and instructions.
void note_stats(Run &run, bool retires, bool stats) {
    if (stats) {
        ++run.window.cycles;
        run.window.instructions += retires && run.stats;
    } else if (run.stats) {
        run.windows[run.window_count++] = run.window;
        run.window = {};
    }
    run.stats = stats;
}

}  // namespace

EXPORTED int system_run(Sim *sim, Run *state) {
    Run &run = *state;
    Model &model = sim->model;
    while (run.cycle < run.until) {
        if (run.retired && run.retired_count == run.retired_space) return MORE;
        if (run.window_count == run.window_space) return MORE;

        drive(run.imem, run.cycle, imem_req_rdy(model), imem_resp_val(model), imem_resp_msg(model));
        drive(run.dmem, run.cycle, dmem_req_rdy(model), dmem_resp_val(model), dmem_resp_msg(model));
        get_val(model) = run.get.next() && run.inputs_left;
        get_msg(model) = run.inputs_left ? *run.inputs : 0;
        put_rdy(model) = run.put.next() && !run.ending;
        sim->settle();
        if (run.ports) {
            sim->record(run.ports);
            run.ports += RECORD_BYTES;
        }

        if (retire_val(model)) note_retired(run, model);
        note_stats(run, retire_val(model), model.stats_en);
        Outcome outcome = MORE;
        if (run.ending) {
        } else if (model.error) {
            outcome = ERROR;
        } else if (get_rdy(model) && !run.inputs_left) {
            outcome = STARVED;
        } else {
            const bool dmem_ready = dmem_req_rdy(model);
            if (!stays(run.dmem_offered, dmem_req_val(model), dmem_ready, dmem_req_msg(model)))
                return DMEM_CHANGED;
            if (!stays(run.put_offered, put_val(model), put_rdy(model), put_msg(model)))
                return PUT_CHANGED;
            uint32_t data = 0;
            if (imem_resp_val(model) && imem_resp_rdy(model)) answered(run.imem);
            if (imem_req_val(model) && imem_req_rdy(model)) {
                access(run, imem_req_msg(model), data);
                accept(run.imem, run.cycle, data);
            }
            if (dmem_resp_val(model) && dmem_resp_rdy(model)) answered(run.dmem);
            if (dmem_req_val(model) && dmem_req_rdy(model)) {
                if (!access(run, dmem_req_msg(model), data)) outcome = OUTSIDE;
                accept(run.dmem, run.cycle, data);
            }
            if (get_val(model) && get_rdy(model)) {
                ++run.inputs;
                --run.inputs_left;
            }
            if (put_val(model) && put_rdy(model)) {
                run.output = put_msg(model);
                outcome = OUTPUT;
            }
        }
        if (outcome != MORE) {
            run.pc = current_pc(model);
            run.word = current_word(model);
            run.address = current_address(model);
        }
        sim->edge();
        ++run.cycle;
        if (outcome != MORE) return outcome;
    }
    return MORE;
}
