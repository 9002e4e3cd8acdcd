// Replays recorded inputs on a mapped netlist as simulator.cpp does, and sums up what nets do in
// each cycle of up to 64 traces: stretches of the recorded cycles, of one length.
//
// The cycles are settled one after another, without delays. Then cycle k of all traces is replayed
// with the gates' delays at once: a word has the value of a net in each trace, and an event the
// traces in which a gate changes at that time. Toggles are those of simulator.cpp.
#include <array>
#include <thread>

#include "simulator.cpp"

namespace {

constexpr int LANES = 64;
constexpr int PINS = 6;

using Word = uint64_t;  // a bit per trace

// Mirrored in flow/gates/traces.py, field by field.
struct Batch {
    int64_t cycles, traces, length, delays, threads;
    int64_t most;             // toggles of a net in a cycle, 255 or less
    const uint8_t *stimulus;  // a row of the inputs' bits per cycle
    uint8_t *seen;            // a row of the outputs' bits per cycle
    const int64_t *begin;     // the first cycle of each trace
    const uint8_t *group;     // of each trace, 0 or 1
    const double *weight;     // of a toggle of each net
    double *total;            // the weights of a trace's toggles, by trace and cycle
    uint32_t *sum, *square;   // of toggles, by group, cycle and net
};

enum { FINE, DIFFERS, TOO_MANY };

template <class Do> void for_each_bit(Word mask, Do &&what) {
    for (; mask; mask &= mask - 1) what(__builtin_ctzll(mask));
}

// The netlist between two edges, and the registers' next values.
class Settled {
   public:
    Settled(const Design &design, const uint8_t *values)
        : d(design), value(values, values + d.nets), captured(d.registers), registers(d.nets) {
        std::vector<int64_t> order(d.gates), place(d.gates);
        for (int64_t i = 0; i < d.gates; ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(),
                         [&](int64_t a, int64_t b) { return d.level[a] < d.level[b]; });
        dirty.assign((d.gates + LANES - 1) / LANES, 0);
        for (int64_t i = 0; i < d.gates; ++i) {
            place[order[i]] = i;
            gates.push_back({d.table[order[i]], int32_t(d.output[order[i]]), 0});
            mark(dirty, i);
        }
        for (int64_t net = 0; net < d.nets; ++net) {
            start.push_back(readers.size());
            for (int64_t i = d.fanout_start[net]; i < d.fanout_start[net + 1]; ++i)
                readers.push_back({int32_t(place[d.fanout_gate[i]]), 1 << d.fanout_pin[i]});
        }
        start.push_back(readers.size());
        for (int64_t net = 0; net < d.nets; ++net)
            if (value[net]) spread(net);
        settle();
        for (int64_t i = 0; i < d.registers; ++i) {
            const int64_t net = d.state[2 * i], inverse = d.state[2 * i + 1];
            captured[i] = net >= 0 ? value[net] : inverse >= 0 && !value[inverse];
        }
        disturbed.assign((d.registers + LANES - 1) / LANES, 0);
        for (int64_t i = 0; i < d.registers; ++i) {
            for (int64_t net : {d.data[i], d.enable[i]}) registers[net].push_back(i);
            mark(disturbed, i);
        }
    }

    // One edge with these inputs; `changed` are the nets that it changes.
    void step(const uint8_t *row) {
        changed.clear();
        for (int64_t i = 0; i < d.inputs; ++i)
            if (value[d.input[i]] != row[i]) starting.push_back(d.input[i]);
        for (int64_t net : starting) change(net);
        starting.clear();
        settle();
        capture();
    }

    const Design &d;
    std::vector<uint8_t> value;
    std::vector<int32_t> changed;

   private:
    struct Gate {
        uint64_t table;
        int32_t output, inputs;
    };
    struct Reader {
        int32_t gate, pin;
    };
    std::vector<uint8_t> captured;
    std::vector<Gate> gates;        // in the order of their levels
    std::vector<Reader> readers;    // of the nets, one after another
    std::vector<int32_t> start;     // of each net's
    std::vector<Word> dirty;        // gates to evaluate
    std::vector<std::vector<int32_t>> registers;  // by the nets of data and enable
    std::vector<Word> disturbed;    // registers, one of whose two nets has changed
    std::vector<int64_t> starting;  // nets that change at the next edge

    static void mark(std::vector<Word> &bits, int64_t i) {
        bits[i / LANES] |= Word(1) << i % LANES;
    }

    void spread(int64_t net) {
        for (int32_t i = start[net]; i < start[net + 1]; ++i) {
            gates[readers[i].gate].inputs ^= readers[i].pin;
            mark(dirty, readers[i].gate);
        }
    }

    void change(int64_t net) {
        changed.push_back(net);
        value[net] ^= 1;
        spread(net);
        for (int32_t one : registers[net]) mark(disturbed, one);
    }

    void capture() {
        for (size_t at = 0; at < disturbed.size(); ++at) {
            for (; disturbed[at]; disturbed[at] &= disturbed[at] - 1) {
                const int64_t i = LANES * at + __builtin_ctzll(disturbed[at]);
                if (!value[d.enable[i]] || captured[i] == value[d.data[i]]) continue;
                captured[i] ^= 1;
                for (int side = 0; side < 2; ++side)
                    if (d.state[2 * i + side] >= 0) starting.push_back(d.state[2 * i + side]);
            }
        }
    }

    void settle() {
        for (size_t at = 0; at < dirty.size(); ++at)
            while (dirty[at]) {
                const Gate &gate = gates[LANES * at + __builtin_ctzll(dirty[at])];
                dirty[at] &= dirty[at] - 1;
                if (gate.output >= 0 && (gate.table >> gate.inputs & 1) != value[gate.output])
                    change(gate.output);
            }
    }
};

// Gates by what they do with words.
class Gates {
   public:
    explicit Gates(const Design &d)
        : input(PINS * d.gates, -1), pins(d.gates), table(d.table) {
        for (int64_t net = 0; net < d.nets; ++net)
            for (int64_t i = d.fanout_start[net]; i < d.fanout_start[net + 1]; ++i) {
                const int64_t gate = d.fanout_gate[i];
                const int pin = d.fanout_pin[i];
                input[PINS * gate + pin] = net;
                pins[gate] = std::max(pins[gate], pin + 1);
            }
    }

    Word result(const std::vector<Word> &value, int64_t gate) const {
        const int32_t *const from = &input[PINS * gate];
        const uint64_t truth = table[gate];
        switch (pins[gate]) {
            case 0: return -(truth & 1);
            case 1: return chosen<1>(value, from, truth);
            case 2: return chosen<2>(value, from, truth);
            case 3: return chosen<3>(value, from, truth);
            case 4: return chosen<4>(value, from, truth);
            case 5: return chosen<5>(value, from, truth);
            default: return chosen<6>(value, from, truth);
        }
    }

   private:
    std::vector<int32_t> input;  // the net at each pin, -1 if it is open: 0
    std::vector<int> pins;
    const uint64_t *table;

    // The last of the inputs chooses between two halves of the table, and so on.
    template <int COUNT>
    static Word chosen(const std::vector<Word> &value, const int32_t *from, uint64_t truth) {
        const Word last = from[COUNT - 1] < 0 ? 0 : value[from[COUNT - 1]];
        Word low, high;
        if constexpr (COUNT == 1) {
            low = -(truth & 1);
            high = -(truth >> 1 & 1);
        } else {
            low = chosen<COUNT - 1>(value, from, truth);
            high = chosen<COUNT - 1>(value, from, truth >> (1 << (COUNT - 1)));
        }
        return low ^ (last & (low ^ high));
    }
};

// A gate, or beyond the gates a net that a register or port drives, changes in these lanes.
struct Change {
    Word lanes;
    uint32_t time, who;
    int32_t beside, before;  // at the same time, and of the same gate; -1 ends either list
};

// What is to happen, by the time: a list for each tick, and which ticks have any.
class Wheel {
   public:
    explicit Wheel(int64_t who) : latest(who, -1) {}

    void add(uint32_t time, uint32_t who, Word lanes) {
        for (int32_t i = latest[who]; i >= 0; i = all[i].before)
            if (all[i].time == time) {
                all[i].lanes |= lanes;
                return;
            }
        if (time >= first.size()) {
            first.resize(time + time / 2 + LANES, -1);
            some.resize(first.size() / LANES + 1);
        }
        if (unused.empty()) {
            unused.push_back(all.size());
            all.emplace_back();
        }
        const int32_t number = unused.back();
        unused.pop_back();
        all[number] = {lanes, time, who, first[time], latest[who]};
        first[time] = latest[who] = number;
        some[time / LANES] |= Word(1) << time % LANES;
        end = std::max<size_t>(end, time / LANES + 1);
    }

    // A gate changes no more in other lanes than these.
    void keep(uint32_t who, Word lanes) {
        for (int32_t *from = &latest[who]; *from >= 0;) {
            Change &one = all[*from];
            if (one.lanes &= lanes)
                from = &one.before;
            else
                *from = one.before;
        }
    }

    // Find the changes of the next time, by who; false if there is none.
    bool next(std::vector<int32_t> &now) {
        for (; word < end; ++word) {
            if (!some[word]) continue;
            const size_t time = LANES * word + __builtin_ctzll(some[word]);
            some[word] &= some[word] - 1;
            now.clear();
            for (int32_t i = first[time]; i >= 0; i = all[i].beside) {
                if (!all[i].lanes) {
                    unused.push_back(i);
                    continue;
                }
                now.push_back(i);
                for (size_t at = now.size() - 1; at && all[now[at - 1]].who > all[i].who; --at)
                    std::swap(now[at - 1], now[at]);
            }
            first[time] = -1;
            return true;
        }
        word = end = 0;
        return false;
    }

    // Take one of them, as it is now: others of the same time can keep it from coming.
    Change take(int32_t number) {
        for (int32_t *from = &latest[all[number].who]; *from >= 0; from = &all[*from].before)
            if (*from == number) {
                *from = all[number].before;
                break;
            }
        unused.push_back(number);
        return all[number];
    }

   private:
    std::vector<Change> all;
    std::vector<int32_t> unused;  // places of the above
    std::vector<int32_t> first;   // of each time
    std::vector<int32_t> latest;  // of each gate, among those that are still to come
    std::vector<Word> some;       // whether a time has any
    size_t word = 0, end = 0;
};

// Replays cycles of all traces at once.
class Replay {
   public:
    Replay(const Design &design, const Gates &gates, const Batch &batch)
        : d(design),
          gates(gates),
          wheel(d.gates + d.nets),
          waiting(d.gates + d.nets),
          counts(d.nets),
          touched(d.nets),
          most(batch.most),
          used(~Word(0) >> (LANES - batch.traces)) {}

    std::vector<Word> value;  // of nets before the edge

    void toggle(int64_t net, Word lanes, uint8_t times) {
        if (!touched[net]) {
            touched[net] = 1;
            nets.push_back(net);
        }
        auto &own = counts[net];
        for_each_bit(lanes, [&](int lane) {
            if (own[lane] + times > most) outcome = TOO_MANY;
            own[lane] += times;
        });
    }

    // With the gates' delays: `changes` of the registers' and inputs' nets come at their times.
    void replay(const std::vector<int64_t> &sources, const std::vector<const uint32_t *> &delays,
                const std::vector<Word> &changes) {
        for (size_t i = 0; i < sources.size(); ++i)
            wait(d.gates + sources[i], changes[sources[i]], ~value[sources[i]], 0, delays[i]);
        while (wheel.next(now))
            for (int32_t number : now) {
                const Change one = wheel.take(number);
                if (!one.lanes) continue;
                waiting[one.who] &= ~one.lanes;
                flip(one);
            }
    }

    // Sum up cycle k, and forget the toggles.
    void sum_up(const Batch &batch, int64_t k) {
        for (int64_t net : nets) {
            touched[net] = 0;
            auto &own = counts[net];
            uint32_t sums[2] = {}, squares[2] = {};
            for (int lane = 0; lane < batch.traces; ++lane) {
                const uint32_t count = own[lane];
                const uint32_t group = batch.group[lane];
                sums[0] += count;
                squares[0] += count * count;
                sums[1] += count & -group;
                squares[1] += count * count & -group;
                totals[lane] += batch.weight[net] * count;
            }
            for (int group = 0; group < 2; ++group) {
                const int64_t at = (group * batch.length + k) * d.nets + net;
                batch.sum[at] += group ? sums[1] : sums[0] - sums[1];
                batch.square[at] += group ? squares[1] : squares[0] - squares[1];
            }
            own.fill(0);
        }
        nets.clear();
        for (int64_t lane = 0; lane < batch.traces; ++lane)
            batch.total[lane * batch.length + k] = totals[lane];
        totals.fill(0);
    }

    int outcome = FINE;

   private:
    const Design &d;
    const Gates &gates;
    Wheel wheel;
    std::vector<Word> waiting;  // the lanes in which a gate is to change
    std::vector<std::array<uint8_t, LANES>> counts;
    std::vector<uint8_t> touched;
    std::vector<int64_t> nets;  // touched in this cycle
    const int64_t most;
    const Word used;  // lanes
    std::vector<int32_t> now;
    std::array<double, LANES> totals{};

    // Have who change in these lanes, after one delay where it rises and another where it falls.
    void wait(uint32_t who, Word lanes, Word rises, uint32_t time, const uint32_t *delay) {
        waiting[who] |= lanes;
        if (lanes & rises) wheel.add(time + delay[0], who, lanes & rises);
        if (lanes & ~rises) wheel.add(time + delay[1], who, lanes & ~rises);
    }

    void flip(const Change &one) {
        const int64_t net = one.who < d.gates ? d.output[one.who] : one.who - d.gates;
        value[net] ^= one.lanes;
        toggle(net, one.lanes, 1);
        for (int64_t i = d.fanout_start[net]; i < d.fanout_start[net + 1]; ++i) {
            const int64_t gate = d.fanout_gate[i];
            if (d.output[gate] < 0) continue;
            const Word result = gates.result(value, gate);
            const Word differs = (result ^ value[d.output[gate]]) & used;
            if (waiting[gate] & ~differs) {  // the pulse is shorter than the delay
                waiting[gate] &= differs;
                wheel.keep(gate, differs);
            }
            if (const Word fresh = differs & ~waiting[gate])
                wait(gate, fresh, result, one.time,
                     d.delay + 2 * (PINS * gate + d.fanout_pin[i]));
        }
    }
};

class Traces {
   public:
    Traces(const Design &design, const uint8_t *values) : d(design), gates(d), settled(d, values) {
        for (int64_t i = 0; i < d.registers; ++i)
            for (int side = 0; side < 2; ++side)
                if (d.state[2 * i + side] >= 0)
                    add_source(d.state[2 * i + side], d.state_delay + 4 * i + 2 * side);
        for (int64_t i = 0; i < d.inputs; ++i) add_source(d.input[i], d.input_delay + 2 * i);
    }

    int run(const Batch &batch) {
        start.assign(d.nets, 0);
        changed.clear();
        ends.assign(1, 0);
        opened.assign(batch.length * d.clock_gates, 0);
        settle(batch);
        const int64_t threads = std::clamp<int64_t>(batch.threads, 1, batch.length);
        std::vector<int> outcomes(threads, FINE);
        std::vector<std::thread> running;
        for (int64_t i = 1; i < threads; ++i)
            running.emplace_back([&, i] { outcomes[i] = part(batch, i, threads); });
        outcomes[0] = part(batch, 0, threads);
        for (auto &thread : running) thread.join();
        return *std::max_element(outcomes.begin(), outcomes.end());
    }

   private:
    const Design d;
    const Gates gates;
    Settled settled;
    std::vector<int64_t> sources;
    std::vector<const uint32_t *> delays;  // of the sources, by edge
    std::vector<Word> start;               // nets before each trace
    std::vector<int32_t> changed;          // nets in each cycle of the traces, one after another
    std::vector<size_t> ends;              // of each cycle in the above
    std::vector<Word> opened;              // by cycle and clock gate: those that let the edge through

    void add_source(int64_t net, const uint32_t *delay) {
        sources.push_back(net);
        delays.push_back(delay);
    }

    void settle(const Batch &batch) {
        int64_t trace = 0;
        for (int64_t cycle = 0; cycle < batch.cycles; ++cycle) {
            if (trace < batch.traces && cycle == batch.begin[trace] + batch.length) ++trace;
            const int64_t k = trace < batch.traces ? cycle - batch.begin[trace] : -1;
            const Word lane = Word(1) << (trace % LANES);
            if (k == 0)
                for (int64_t net = 0; net < d.nets; ++net)
                    if (settled.value[net]) start[net] |= lane;
            if (k >= 0)
                for (int64_t i = 0; i < d.clock_gates; ++i)
                    if (settled.value[d.opener[i]]) opened[k * d.clock_gates + i] |= lane;
            settled.step(batch.stimulus + cycle * d.inputs);
            if (k >= 0) {
                changed.insert(changed.end(), settled.changed.begin(), settled.changed.end());
                ends.push_back(changed.size());
            }
            uint8_t *row = batch.seen + cycle * d.outputs;
            for (int64_t i = 0; i < d.outputs; ++i) row[i] = settled.value[d.out[i]];
        }
    }

    // What one of the threads replays: some of the cycles of all traces.
    int part(const Batch &batch, int64_t number, int64_t threads) const {
        Replay replay(d, gates, batch);
        replay.value = start;
        const int64_t begin = batch.length * number / threads;
        const int64_t end = batch.length * (number + 1) / threads;
        std::vector<Word> after = start, own(d.nets);
        for (int64_t k = 0; k < end; ++k) {
            std::fill(own.begin(), own.end(), 0);
            for (int64_t trace = 0; trace < batch.traces; ++trace) {
                const size_t *const at = &ends[trace * batch.length + k];
                for (size_t i = at[0]; i < at[1]; ++i) own[changed[i]] |= Word(1) << trace;
            }
            for (int64_t net = 0; net < d.nets; ++net) after[net] ^= own[net];
            if (k >= begin) {
                for (int64_t i = 0; i < d.clock_gates; ++i)
                    replay.toggle(d.gated[i], opened[k * d.clock_gates + i], 2);
                if (batch.delays) {
                    replay.replay(sources, delays, own);
                    if (replay.value != after) return DIFFERS;
                } else {
                    for (int64_t net = 0; net < d.nets; ++net)
                        if (own[net]) replay.toggle(net, own[net], 1);
                }
                replay.sum_up(batch, k);
            }
            replay.value = after;
        }
        return replay.outcome;
    }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) Traces *traces_new(const Design *design,
                                                                     const uint8_t *values) {
    return new Traces(*design, values);
}

extern "C" __attribute__((visibility("default"))) int traces_run(Traces *traces,
                                                                 const Batch *batch) {
    return traces->run(*batch);
}

extern "C" __attribute__((visibility("default"))) void traces_delete(Traces *traces) {
    delete traces;
}
