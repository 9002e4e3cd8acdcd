// Feeds whole requests to a val/rdy unit and collects the responses: the driver of
// sim/python.py, cycle for cycle. The ports are reached as recv_* and send_* (model.h).
#include "batch_shim.h"

namespace {

// Mirrored by StreamRun in sim/batch_stream.py. Counters carry on from one call to the next.
struct StreamRun {
    const uint8_t *requests;
    const uint32_t *request_waits;
    const uint32_t *response_waits;
    uint64_t count, request_period, response_period;
    uint8_t *responses;
    uint64_t *accepted, *arrived;
    uint8_t *trace;  // all ports, once a cycle, if they are traced
    uint64_t traced;
    uint64_t cycle, until;
    uint64_t sent, received, request_wait, response_wait;
    uint64_t waits;  // the next response was offered in the cycle before, not taken, and is kept
    uint64_t probes;
};

// What follows SPURIOUS breaks a rule of sim/handshake.py.
enum Outcome { DONE, MORE, SPURIOUS, VAL_FELL, MSG_CHANGED, RDY_ON_VAL, VAL_ON_RDY, MSG_ON_RDY };

// When to probe: as sim/handshake.py says.
constexpr uint64_t ALWAYS = 32, ONE_IN = 32, DRAWN = 58, FACTOR = 0x9E3779B97F4A7C15;

bool probes_in(const StreamRun &run, bool transfers) {
    if (run.probes < ALWAYS) return true;
    if ((run.probes - ALWAYS) * ONE_IN > run.cycle) return false;
    return transfers || run.cycle * FACTOR >> DRAWN == 0;
}

// Drive a settled cycle without its val, then with the other rdy, then as it was: which rule is
// broken, or DONE.
Outcome probe(Sim *sim, bool valid, bool ready) {
    Model &model = sim->model;
    const auto response = send_msg(model);
    const bool was_ready = recv_rdy(model), offers = send_val(model);
    if (valid) {
        recv_val(model) = 0;
        sim->settle();
        if (recv_rdy(model) != was_ready) return RDY_ON_VAL;
        recv_val(model) = 1;
    }
    send_rdy(model) = !ready;
    sim->settle();
    if (send_val(model) != offers) return VAL_ON_RDY;
    if (offers && std::memcmp(&response, &send_msg(model), sizeof(response))) return MSG_ON_RDY;
    send_rdy(model) = ready;
    sim->settle();
    return DONE;
}

}  // namespace

EXPORTED int stream_run(Sim *sim, StreamRun *run) {
    Model &model = sim->model;
    auto &message = recv_msg(model);
    auto &response = send_msg(model);
    const size_t request_bytes = sizeof(message), response_bytes = sizeof(response);
    static const uint8_t idle[sizeof(message)] = {};
    const uint8_t *shown = nullptr;

    while (run->received < run->count) {
        if (run->cycle >= run->until) return MORE;
        const bool valid = run->sent < run->count && run->request_wait == 0;
        const bool ready = run->response_wait == 0;
        const uint8_t *show = valid ? run->requests + run->sent * request_bytes : idle;
        if (show != shown) {
            std::memcpy(&message, show, request_bytes);
            shown = show;
        }
        recv_val(model) = valid;
        send_rdy(model) = ready;
        sim->settle();
        if (run->traced) {
            sim->record(run->trace);
            run->trace += RECORD_BYTES;
        }
        uint8_t *kept = run->responses + run->received * response_bytes;
        if (run->waits) {
            if (!send_val(model)) return VAL_FELL;
            if (std::memcmp(kept, &response, response_bytes)) return MSG_CHANGED;
        }
        const bool taken = valid && recv_rdy(model), answered = ready && send_val(model);
        if (probes_in(*run, taken || answered)) {
            if (const Outcome broken = probe(sim, valid, ready)) return broken;
            ++run->probes;
        }
        if (taken) {
            run->accepted[run->sent++] = run->cycle;
            run->request_wait = run->request_waits[run->sent % run->request_period];
        } else if (run->request_wait) {
            --run->request_wait;
        }
        run->waits = send_val(model) && !ready;
        if (answered || run->waits) std::memcpy(kept, &response, response_bytes);
        if (answered) {
            if (run->received >= run->sent) return SPURIOUS;
            run->arrived[run->received++] = run->cycle;
            run->response_wait = run->response_waits[run->received % run->response_period];
        } else if (run->response_wait) {
            --run->response_wait;
        }
        sim->edge();
        ++run->cycle;
    }
    return DONE;
}

// Watch for a response too many: the cycles that passed before it came, or all of them.
EXPORTED uint64_t stream_drain(Sim *sim, uint64_t cycles) {
    Model &model = sim->model;
    std::memset(&recv_msg(model), 0, sizeof(recv_msg(model)));
    recv_val(model) = 0;
    send_rdy(model) = 1;
    for (uint64_t i = 0; i < cycles; ++i) {
        sim->settle();
        if (send_val(model)) return i;
        sim->edge();
    }
    return cycles;
}
