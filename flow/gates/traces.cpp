// Replays recorded inputs on a mapped netlist as simulator.cpp does, and sums up what nets do in
// each cycle of some traces: stretches of the recorded cycles, of one length.
//
// With delays a cycle is not a queue of events. Gates are taken in the order of their levels: when
// the inputs of one change is all known by then, and gives when its output does. Toggles are those
// of simulator.cpp: what changes at the same time does so in the same order.
//
// Nets whose wires are side by side take less if they change alike at the same time, and more if they
// change to opposite sides.
#include "simulator.cpp"

namespace {

constexpr int PINS = 6, WORD = 64;
using Word = uint64_t;

// Mirrored in flow/gates/traces.py, field by field.
struct Batch {
    int64_t cycles, traces, length, delays;
    int64_t cycle, until;     // of all cycles those that a call simulates, one call after another
    int64_t most;             // toggles of a net in a cycle
    const uint8_t *stimulus;  // a row of the inputs' bits per cycle
    uint8_t *seen;            // a row of the outputs' bits per cycle
    const int64_t *begin;     // the first cycle of each trace
    const uint8_t *group;     // of each trace, 0 or 1
    const double *weight;     // of a toggle of each net
    double *total;            // the weights of a trace's toggles, by trace and cycle
    uint32_t *sum, *square;   // of toggles, by group, cycle and net, if they are wanted
};

// Mirrored in flow/gates/traces.py, field by field: pairs of nets, by the lower one.
struct Couplings {
    const int64_t *start;   // of each net's pairs
    const int64_t *other;   // net of a pair
    const double *energy;   // by which a change of both at once differs from that of each
    const uint32_t *apart;  // between changes that are not at once
};

enum { FINE, TOO_MANY };

// Some of many, to be taken in their order.
class Marks {
   public:
    explicit Marks(uint64_t count) : bits((count + WORD - 1) / WORD) {}

    void add(uint64_t i) { bits[i / WORD] |= Word(1) << i % WORD; }

    // Take one after another; what is added meanwhile comes later in the order.
    template <class Do> void take(Do &&what) {
        for (size_t at = 0; at < bits.size(); ++at)
            while (bits[at]) {
                const int64_t i = WORD * at + __builtin_ctzll(bits[at]);
                bits[at] &= bits[at] - 1;
                what(i);
            }
    }

   private:
    std::vector<Word> bits;
};

struct Toggled {
    int32_t net;
    uint32_t times;
};

class Traces {
   public:
    Traces(const Design &design, const uint8_t *values, const Couplings *couplings)
        : d(design),
          coupled(couplings ? *couplings : Couplings{}),
          value(values, values + d.nets),
          driver(d.nets),
          changes(d.nets),
          dirty(d.gates),
          captured(d.registers),
          registers(d.nets),
          disturbed(d.registers) {
        read_gates();
        for (int64_t i = 0; i < d.gates; ++i) {
            Gate &gate = gates[i];
            gate.inputs = 0;  // changes of nets before it may have set some
            for (int pin = 0; pin < PINS; ++pin)
                if (gate.input[pin] >= 0 && value[gate.input[pin]]) gate.inputs |= 1 << pin;
            if (gate.output >= 0 && result(gate) != value[gate.output]) change(gate.output);
        }
        for (int64_t i = 0; i < d.registers; ++i) {
            const int64_t net = d.state[2 * i], inverse = d.state[2 * i + 1];
            captured[i] = net >= 0 ? value[net] : inverse >= 0 && !value[inverse];
            for (int64_t from : {d.data[i], d.enable[i]}) registers[from].push_back(i);
            disturbed.add(i);
        }
        dirty = Marks(d.gates);
        for (Gate &gate : gates) gate.active = 0;
    }

    int run(const Batch &batch) {
        most = batch.most;
        if (batch.cycle == 0) {
            outcome = FINE;
            trace = 0;
            counted.clear();
            ends.assign(1, 0);
        }
        for (int64_t cycle = batch.cycle; cycle < batch.until; ++cycle) {
            if (trace < batch.traces && cycle == batch.begin[trace] + batch.length) ++trace;
            const bool counts = trace < batch.traces && cycle >= batch.begin[trace];
            toggled.clear();
            for (int64_t i = 0; i < d.clock_gates; ++i)
                if (value[d.opener[i]]) toggled.push_back({int32_t(d.gated[i]), 2});
            edge(batch.stimulus + cycle * d.inputs, batch.delays);
            if (counts) count(batch);
            for (const Toggled &one : toggled) changes[one.net].count = 0;
            times.clear();
            uint8_t *row = batch.seen + cycle * d.outputs;
            for (int64_t i = 0; i < d.outputs; ++i) row[i] = value[d.out[i]];
        }
        if (batch.sum && batch.until == batch.cycles) sum_up(batch);
        return outcome;
    }

   private:
    struct Gate {
        uint64_t table;
        int32_t output, number;  // the number is that of the design
        uint8_t inputs, active;  // values, and those that have changed in this cycle
        int32_t input[PINS];     // nets
        uint32_t delay[2 * PINS];  // by pin and edge of the output
    };
    struct Reader {
        int32_t gate, pin;
    };
    struct Changes {  // of a net in this cycle: times that follow each other
        uint32_t begin, count;
    };
    struct Start {
        int64_t net;
        uint32_t delay;
    };
    struct Cursor {  // the next change of a gate's input
        const uint32_t *time, *end;
        int32_t net, pin;
    };
    struct Output {  // of a gate: its value, and when it is to change
        int value;
        bool pending;
        uint32_t when;
    };

    const Design d;
    const Couplings coupled;
    std::vector<uint8_t> value;    // of nets
    std::vector<Gate> gates;       // in the order of their levels
    std::vector<Reader> readers;   // of the nets, one after another
    std::vector<int32_t> start;    // of each net's
    std::vector<int64_t> driver;   // of each net: a gate's number, or beyond the gates the net's
    std::vector<Changes> changes;
    std::vector<uint32_t> times;
    std::vector<uint32_t> own;     // times of the output of one gate
    Marks dirty;                   // gates to evaluate
    std::vector<uint8_t> captured;
    std::vector<std::vector<int32_t>> registers;  // by the nets of data and enable
    Marks disturbed;               // registers, one of whose two nets has changed
    std::vector<Start> starting;   // what changes at the edge
    std::vector<Toggled> toggled;  // in this cycle
    std::vector<Toggled> counted;  // in all cycles of the traces
    std::vector<size_t> ends;      // of each of these cycles in the above
    int64_t trace = 0;             // which of them comes next, or is there
    uint32_t most = 0;
    int outcome = FINE;

    void read_gates() {
        std::vector<int64_t> order(d.gates), place(d.gates);
        for (int64_t i = 0; i < d.gates; ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(),
                         [&](int64_t a, int64_t b) { return d.level[a] < d.level[b]; });
        for (int64_t net = 0; net < d.nets; ++net) driver[net] = d.gates + net;
        for (int64_t number : order) {
            place[number] = gates.size();
            Gate gate{d.table[number], int32_t(d.output[number]), int32_t(number), 0, 0, {}, {}};
            std::fill_n(gate.input, PINS, -1);
            std::copy_n(d.delay + 2 * PINS * number, 2 * PINS, gate.delay);
            gates.push_back(gate);
            if (gate.output >= 0) driver[gate.output] = number;
        }
        for (int64_t net = 0; net < d.nets; ++net) {
            start.push_back(readers.size());
            for (int64_t i = d.fanout_start[net]; i < d.fanout_start[net + 1]; ++i) {
                const int pin = d.fanout_pin[i];
                gates[place[d.fanout_gate[i]]].input[pin] = net;
                readers.push_back({int32_t(place[d.fanout_gate[i]]), 1 << pin});
            }
        }
        start.push_back(readers.size());
    }

    static int result(const Gate &gate) { return gate.table >> gate.inputs & 1; }

    // The clock edge, new inputs, and all that follows; nets go to `toggled`.
    void edge(const uint8_t *row, bool delays) {
        for (int64_t i = 0; i < d.inputs; ++i)
            if (value[d.input[i]] != row[i])
                starting.push_back({d.input[i], d.input_delay[2 * i + !row[i]]});
        for (const Start &one : starting) {
            toggled.push_back({int32_t(one.net), 1});
            if (delays) {
                changes[one.net] = {uint32_t(times.size()), 1};
                times.push_back(one.delay);
                passed(one.net, 1);
            } else {
                change(one.net);
            }
        }
        starting.clear();
        if (delays) {
            dirty.take([&](int64_t i) { replay(gates[i]); });
        } else {
            dirty.take([&](int64_t i) {
                const Gate &gate = gates[i];
                if (gate.output < 0 || result(gate) == value[gate.output]) return;
                toggled.push_back({gate.output, 1});
                change(gate.output);
            });
        }
        capture();
    }

    // A net changes, and with it the inputs of gates.
    void change(int64_t net) {
        for (int32_t i = start[net]; i < start[net + 1]; ++i)
            gates[readers[i].gate].inputs ^= readers[i].pin;
        passed(net, 1);
    }

    // A net has changed so many times in this cycle: gates and registers are to look at it.
    void passed(int64_t net, uint32_t count) {
        for (int32_t i = start[net]; i < start[net + 1]; ++i) {
            gates[readers[i].gate].active |= readers[i].pin;
            dirty.add(readers[i].gate);
        }
        if (count % 2 == 0) return;
        value[net] ^= 1;
        for (int32_t one : registers[net]) disturbed.add(one);
    }

    // What the changes of a gate's inputs make of its output.
    void replay(Gate &gate) {
        Word active = gate.active;
        gate.active = 0;
        if (gate.output < 0) return;
        Output output{value[gate.output], false, 0};
        own.clear();
        if (active & (active - 1)) {
            merge(gate, active, output);
        } else {
            const int pin = __builtin_ctzll(active);
            const int32_t net = gate.input[pin];
            const uint32_t *const from = &times[changes[net].begin];
            for (uint32_t i = 0; i < changes[net].count; ++i) {
                pass(gate, from[i], net, output);
                gate.inputs ^= 1 << pin;
                follow(gate, from[i], pin, output);
            }
        }
        if (output.pending) own.push_back(output.when);
        if (own.empty()) return;
        changes[gate.output] = {uint32_t(times.size()), uint32_t(own.size())};
        times.insert(times.end(), own.begin(), own.end());
        toggled.push_back({gate.output, uint32_t(own.size())});
        passed(gate.output, own.size());
    }

    // The changes of several inputs, in their order.
    void merge(Gate &gate, Word active, Output &output) {
        Cursor cursors[PINS];
        int some = 0;
        for (; active; active &= active - 1) {
            const int pin = __builtin_ctzll(active);
            const auto [begin, count] = changes[gate.input[pin]];
            cursors[some++] = {&times[begin], &times[begin] + count, gate.input[pin], pin};
        }
        while (some) {
            Cursor first = cursors[0];
            for (int i = 1; i < some; ++i)
                if (*cursors[i].time < *first.time ||
                    (*cursors[i].time == *first.time && driver[cursors[i].net] < driver[first.net]))
                    first = cursors[i];
            pass(gate, *first.time, first.net, output);
            for (int i = 0; i < some; ++i) {  // a net may be at several pins
                if (cursors[i].net != first.net) continue;
                gate.inputs ^= 1 << cursors[i].pin;
                if (++cursors[i].time < cursors[i].end) continue;
                std::copy(cursors + i + 1, cursors + some, cursors + i);
                --some;
                --i;
            }
            follow(gate, *first.time, first.pin, output);
        }
    }

    // The output changes if it is to do so before a net does at this time.
    void pass(const Gate &gate, uint32_t time, int32_t net, Output &output) {
        if (!output.pending || output.when > time) return;
        if (output.when == time && gate.number > driver[net]) return;
        own.push_back(output.when);
        output.value ^= 1;
        output.pending = false;
    }

    // An input has changed: the output is to follow, or not to change, as a pulse was too short.
    void follow(const Gate &gate, uint32_t time, int pin, Output &output) {
        const int now = result(gate);
        if (now != output.value && !output.pending)
            output.when = time + gate.delay[2 * pin + !now];
        output.pending = now != output.value;
    }

    void capture() {
        disturbed.take([&](int64_t i) {
            if (!value[d.enable[i]] || captured[i] == value[d.data[i]]) return;
            captured[i] ^= 1;
            for (int side = 0; side < 2; ++side) {
                const int64_t net = d.state[2 * i + side];
                const int now = captured[i] ^ side;
                if (net >= 0) starting.push_back({net, d.state_delay[4 * i + 2 * side + !now]});
            }
        });
    }

    // Keep what toggled in a cycle of a trace.
    void count(const Batch &batch) {
        const int64_t cycle = ends.size() - 1;
        for (const Toggled &one : toggled) {
            if (one.times > most) outcome = TOO_MANY;
            batch.total[cycle] += batch.weight[one.net] * one.times;
            if (coupled.start) batch.total[cycle] += beside(one.net);
        }
        if (batch.sum) counted.insert(counted.end(), toggled.begin(), toggled.end());
        ends.push_back(counted.size());
    }

    // What a net's pairs take beside the changes of each: the more, the closer two changes are.
    double beside(int64_t net) const {
        const Changes own = changes[net];
        if (own.count == 0) return 0;
        double total = 0;
        for (int64_t i = coupled.start[net]; i < coupled.start[net + 1]; ++i) {
            const Changes other = changes[coupled.other[i]];
            if (other.count == 0) continue;
            // Whether both begin on one side.
            const bool alike = !((value[net] ^ own.count ^ value[coupled.other[i]] ^ other.count) & 1);
            const double apart = coupled.apart[i];
            double overlap = 0;
            for (uint32_t k = 0; k < own.count; ++k)
                for (uint32_t l = 0; l < other.count; ++l) {
                    const double between =
                        std::abs(double(times[own.begin + k]) - double(times[other.begin + l]));
                    if (between >= apart) continue;
                    const bool to_one_side = alike == ((k + l) % 2 == 0);
                    overlap += (1 - between / apart) * (to_one_side ? -1 : 1);
                }
            total += coupled.energy[i] * overlap;
        }
        return total;
    }

    // Cycle by cycle, since sums of all of them do not fit a cache.
    void sum_up(const Batch &batch) {
        for (int64_t k = 0; k < batch.length; ++k)
            for (int64_t trace = 0; trace < batch.traces; ++trace) {
                const int64_t row = (batch.group[trace] * batch.length + k) * d.nets;
                const size_t *const at = &ends[trace * batch.length + k];
                for (size_t i = at[0]; i < at[1]; ++i) {
                    const auto [net, times] = counted[i];
                    batch.sum[row + net] += times;
                    batch.square[row + net] += times * times;
                }
            }
    }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) Traces *traces_new(
    const Design *design, const uint8_t *values, const Couplings *couplings) {
    return new Traces(*design, values, couplings);
}

extern "C" __attribute__((visibility("default"))) int traces_run(Traces *traces,
                                                                 const Batch *batch) {
    return traces->run(*batch);
}

extern "C" __attribute__((visibility("default"))) void traces_delete(Traces *traces) {
    delete traces;
}
