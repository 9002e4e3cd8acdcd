// Replays recorded inputs on a mapped netlist, writes down the outputs, and counts how often each
// net changes. In every cycle registers and inputs change together at the clock edge; a register
// behind a clock gate only if the gate's enable was 1 just before it. Each gate is then evaluated
// once, after all before it (zero delay: a net changes once at most); in sampled cycles also with
// the gates' delays (a net may change several times before it settles; a pulse shorter than a
// gate's delay does not get through it).
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <queue>
#include <vector>

namespace {

// The structures are mirrored in flow/gates/simulator.py, field by field.
struct Design {
    int64_t nets, gates, levels, registers, clock_gates, inputs, outputs;
    const uint64_t *table;       // a gate's output for each state of its inputs
    const int64_t *output;       // its net, -1 if it is open
    const int64_t *level;
    const int64_t *fanout_start; // of each net in the following
    const int64_t *fanout_gate;
    const uint8_t *fanout_pin;
    const uint32_t *delay;       // of a gate by input pin and edge of the output
    const int64_t *data;         // a register's input net
    const int64_t *enable;       // and the net that is 1 when it is clocked
    const int64_t *state;        // the nets of its output and of the inverted one, -1 if open
    const uint32_t *state_delay; // of each register by output and edge
    const int64_t *gated;        // the net of each clock gate's output
    const int64_t *opener;       // and of its enable
    const int64_t *input;        // nets of the ports' bits
    const uint32_t *input_delay; // by edge
    const int64_t *out;
};

struct Window {
    int64_t begin, end, every;  // cycles; each how-manieth is sampled, none if 0
    uint32_t *toggles;          // of each net
    uint32_t *high;             // cycles in which it settles at 1
    uint32_t *sampled_toggles;  // in the sampled cycles, without delays
    uint32_t *delayed_toggles;  // and with
    int64_t sampled;
};

struct Run {
    int64_t cycles, windows;
    uint8_t *value;             // of each net; at first of the registers' outputs
    const uint8_t *stimulus;    // a row of the inputs' bits per cycle
    uint8_t *seen;              // a row of the outputs' bits per cycle
    Window *window;
    uint8_t *last;              // what each register holds after the last cycle
    uint32_t latest;            // when the last net settled in a sampled cycle
};

enum Outcome { DONE, UNSETTLED };

struct State {
    std::vector<uint8_t> value;   // of nets
    std::vector<uint8_t> inputs;  // of gates: bit i is the value of input pin i
};

struct Event {
    uint64_t time;
    int64_t who;  // a gate, or beyond the gates a net that a register or port drives
    uint32_t turn;
    bool operator>(const Event &other) const {
        return time != other.time ? time > other.time : who > other.who;
    }
};

class Simulator {
   public:
    Simulator(const Design &design, Run &run) : d(design), run(run) {
        now.value.assign(run.value, run.value + d.nets);
        now.inputs.assign(d.gates, 0);
        queue.resize(d.levels);
        queued.assign(d.gates, 0);
        turn.assign(d.gates, 0);
        pending.assign(d.gates, 0);
        since.assign(d.nets, 0);
        for (int64_t net = 0; net < d.nets; ++net)
            if (now.value[net]) spread(now, net);
        for (int64_t gate = 0; gate < d.gates; ++gate) schedule(gate);
        settle();
        captured.resize(d.registers);
        for (int64_t i = 0; i < d.registers; ++i) {
            const int64_t net = d.state[2 * i], inverse = d.state[2 * i + 1];
            captured[i] = net >= 0 ? now.value[net] : inverse >= 0 && !now.value[inverse];
        }
    }

    Outcome simulate() {
        for (cycle = 0; cycle < run.cycles; ++cycle) {
            enter();
            if (cycle) find_pulses();
            find_changes();
            const bool sample =
                window && window->every && (cycle - window->begin) % window->every == 0;
            if (sample) then = now;
            changed.clear();
            for (int64_t net : starting) change(net);
            settle();
            if (sample && !replay_with_delays()) return UNSETTLED;
            capture();
            leave();
        }
        std::copy(captured.begin(), captured.end(), run.last);
        return DONE;
    }

   private:
    const Design &d;
    Run &run;
    State now, then;
    std::vector<std::vector<int64_t>> queue;  // gates to evaluate, by level
    std::vector<uint8_t> queued, pending;
    std::vector<uint32_t> turn;
    std::vector<int64_t> since;     // the cycle from which a net has been at 1
    std::vector<int64_t> starting;  // nets that change at the edge
    std::vector<uint32_t> starting_delay;
    std::vector<int64_t> changed;  // nets in this cycle
    std::vector<int64_t> pulses;   // gated clocks' nets in this cycle
    std::vector<uint8_t> captured;
    Window *window = nullptr;
    int64_t next_window = 0, cycle = 0;

    uint8_t result(const State &s, int64_t gate) const {
        return d.table[gate] >> s.inputs[gate] & 1;
    }

    void spread(State &s, int64_t net) {
        for (int64_t i = d.fanout_start[net]; i < d.fanout_start[net + 1]; ++i)
            s.inputs[d.fanout_gate[i]] ^= 1 << d.fanout_pin[i];
    }

    void schedule(int64_t gate) {
        if (queued[gate] || d.output[gate] < 0) return;
        queued[gate] = 1;
        queue[d.level[gate]].push_back(gate);
    }

    void change(int64_t net) {
        changed.push_back(net);
        now.value[net] ^= 1;
        if (window) {
            ++window->toggles[net];
            if (now.value[net])
                since[net] = cycle;
            else
                window->high[net] += cycle - since[net];
        }
        spread(now, net);
        for (int64_t i = d.fanout_start[net]; i < d.fanout_start[net + 1]; ++i)
            schedule(d.fanout_gate[i]);
    }

    void settle() {
        for (auto &level : queue) {
            for (int64_t gate : level) {
                queued[gate] = 0;
                if (result(now, gate) != now.value[d.output[gate]]) change(d.output[gate]);
            }
            level.clear();
        }
    }

    void enter() {
        if (next_window == run.windows || cycle != run.window[next_window].begin) return;
        window = &run.window[next_window++];
        std::fill(since.begin(), since.end(), cycle);
    }

    void leave() {
        if (!window || cycle + 1 != window->end) return;
        for (int64_t net = 0; net < d.nets; ++net)
            if (now.value[net]) window->high[net] += window->end - since[net];
        window = nullptr;
    }

    // The gated clocks that rise with this edge, and fall again in the cycle.
    void find_pulses() {
        pulses.clear();
        for (int64_t i = 0; i < d.clock_gates; ++i)
            if (now.value[d.opener[i]]) pulses.push_back(d.gated[i]);
        if (window)
            for (int64_t net : pulses) window->toggles[net] += 2;
    }

    // What the clock edge and the new inputs change.
    void find_changes() {
        starting.clear();
        starting_delay.clear();
        for (int64_t i = 0; i < d.registers; ++i) {
            for (int side = 0; side < 2; ++side) {
                const int64_t net = d.state[2 * i + side];
                const uint8_t value = captured[i] ^ side;
                if (net >= 0 && now.value[net] != value)
                    start(net, d.state_delay[4 * i + 2 * side + !value]);
            }
        }
        const uint8_t *row = run.stimulus + cycle * d.inputs;
        for (int64_t i = 0; i < d.inputs; ++i)
            if (now.value[d.input[i]] != row[i])
                start(d.input[i], d.input_delay[2 * i + !row[i]]);
    }

    void start(int64_t net, uint32_t delay) {
        starting.push_back(net);
        starting_delay.push_back(delay);
    }

    // The cycle once more, from the state before it; false unless it ends in the same state.
    bool replay_with_delays() {
        std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events;
        for (size_t i = 0; i < starting.size(); ++i)
            events.push({starting_delay[i], d.gates + starting[i], 0});
        uint64_t time = 0;
        while (!events.empty()) {
            const Event event = events.top();
            events.pop();
            int64_t net = event.who - d.gates;
            if (net < 0) {
                if (!pending[event.who] || turn[event.who] != event.turn) continue;
                pending[event.who] = 0;
                net = d.output[event.who];
            }
            time = event.time;
            then.value[net] ^= 1;
            ++window->delayed_toggles[net];
            spread(then, net);
            for (int64_t i = d.fanout_start[net]; i < d.fanout_start[net + 1]; ++i) {
                const int64_t gate = d.fanout_gate[i];
                if (d.output[gate] < 0) continue;
                const uint8_t value = result(then, gate);
                if (value == then.value[d.output[gate]]) {
                    pending[gate] = 0;
                } else if (!pending[gate]) {
                    const uint32_t delay = d.delay[12 * gate + 2 * d.fanout_pin[i] + !value];
                    pending[gate] = 1;
                    events.push({time + delay, gate, ++turn[gate]});
                }
            }
        }
        run.latest = std::max<uint64_t>(run.latest, time);
        for (int64_t net : changed) ++window->sampled_toggles[net];
        for (int64_t net : pulses) {
            window->sampled_toggles[net] += 2;
            window->delayed_toggles[net] += 2;
        }
        ++window->sampled;
        return then.value == now.value;
    }

    void capture() {
        uint8_t *row = run.seen + cycle * d.outputs;
        for (int64_t i = 0; i < d.outputs; ++i) row[i] = now.value[d.out[i]];
        for (int64_t i = 0; i < d.registers; ++i)
            if (now.value[d.enable[i]]) captured[i] = now.value[d.data[i]];
    }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) int gates_run(const Design *design, Run *run) {
    Simulator simulator(*design, *run);
    return simulator.simulate();
}
