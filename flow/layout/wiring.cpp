// Finds the boxes of other nets that are too close to one of a net, and the cheapest way for a net
// on the tracks of the wires' metals (A*).
#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

const int64_t FORBIDDEN = -1, FIXED = -1;

struct Box {
    int64_t left, bottom, right, top, net;
};

struct Drawn {  // a box, and its layer
    int64_t layer, left, bottom, right, top;
};

int64_t floor_div(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

struct Place {
    int64_t layer, x, y, cost;  // layer: of the wires' metals
};

// All boxes, in squares of each layer.
struct Index {
    int64_t bucket;
    std::vector<int64_t> spacing;  // of a layer
    std::unordered_map<uint64_t, std::vector<Box>> squares;
    std::vector<std::vector<Drawn>> of_net;
    std::vector<int64_t> disputes;  // of a net; FIXED: it is never pushed away
    std::unordered_map<uint64_t, std::vector<Box>> hot;  // where nets were too close, in squares
    std::vector<int64_t> found;     // what the last question was answered by
    std::vector<Place> path;

    uint64_t key(int64_t layer, int64_t i, int64_t j) const {
        return uint64_t(layer) << 56 ^ (uint64_t(i) & 0xfffffff) << 28 ^ (uint64_t(j) & 0xfffffff);
    }

    // Calls visit(square's key) for each square that a box is in.
    template <class Visit> void each(const Drawn &box, Visit visit) const {
        int64_t last_i = floor_div(box.right, bucket), last_j = floor_div(box.top, bucket);
        for (int64_t i = floor_div(box.left, bucket); i <= last_i; i++)
            for (int64_t j = floor_div(box.bottom, bucket); j <= last_j; j++)
                visit(key(box.layer, i, j));
    }

    void add(int64_t net, const Drawn &box) {
        of_net[net].push_back(box);
        each(box, [&](uint64_t at) {
            squares[at].push_back({box.left, box.bottom, box.right, box.top, net});
        });
    }

    void remove(int64_t net) {
        for (const Drawn &box : of_net[net])
            each(box, [&](uint64_t at) {
                std::vector<Box> &square = squares[at];
                square.erase(std::remove_if(square.begin(), square.end(),
                                            [&](const Box &one) { return one.net == net; }),
                             square.end());
            });
        of_net[net].clear();
    }

    // Calls visit(other net) for each box of another net that is too close, until it says false.
    template <class Visit> void near(int64_t net, const Drawn &box, Visit visit) const {
        const int64_t space = spacing[box.layer];
        const Drawn around{box.layer, box.left - space, box.bottom - space, box.right + space,
                           box.top + space};
        bool on = true;
        each(around, [&](uint64_t at) {
            auto square = on ? squares.find(at) : squares.end();
            if (square == squares.end())
                return;
            for (const Box &one : square->second) {
                if (one.net == net || one.left >= around.right || around.left >= one.right ||
                    one.bottom >= around.top || around.bottom >= one.top)
                    continue;
                int64_t dx = std::max({one.left - box.right, box.left - one.right, int64_t(0)});
                int64_t dy = std::max({one.bottom - box.top, box.bottom - one.top, int64_t(0)});
                if (dx * dx + dy * dy < space * space && !(on = visit(one.net)))
                    return;
            }
        });
    }

    // Notes where boxes of a net are too close to another net's.
    void heat(int64_t net, int64_t other) {
        for (const Drawn &box : of_net[net])
            for (const Drawn &one : of_net[other]) {
                const int64_t space = spacing[box.layer];
                const Drawn hit{box.layer, std::max(box.left, one.left - space),
                                std::max(box.bottom, one.bottom - space),
                                std::min(box.right, one.right + space),
                                std::min(box.top, one.top + space)};
                if (one.layer == box.layer && hit.left < hit.right && hit.bottom < hit.top)
                    each(hit, [&](uint64_t at) {
                        hot[at].push_back({hit.left, hit.bottom, hit.right, hit.top, net});
                    });
            }
    }

    // How often nets were too close where a box is; once for each square that both are in.
    int64_t heat_at(const Drawn &box) const {
        int64_t count = 0;
        if (hot.empty())
            return count;
        each(box, [&](uint64_t at) {
            auto square = hot.find(at);
            if (square != hot.end())
                for (const Box &one : square->second)
                    count += one.left < box.right && box.left < one.right &&
                             one.bottom < box.top && box.bottom < one.top;
        });
        return count;
    }

    void collect(int64_t net, const Drawn &box) {
        near(net, box, [&](int64_t other) {
            if (std::find(found.begin(), found.end(), other) == found.end())
                found.push_back(other);
            return true;
        });
    }
};

// The structures are mirrored in flow/layout/wiring.py, field by field.
struct Metals {
    int64_t count;              // of the wires' metals
    const int64_t *layer;       // of each in the index
    const int64_t *flat;        // whether wires are along x
    const int64_t *pitch;
    const int64_t *half_width;
    const int64_t *via_start;   // of the via below each metal, in the following
    const int64_t *via_shape;   // layer, half the size along x and y
    int64_t via, conflict;      // what a via costs, and a box that is too close
    int64_t heat;               // and a box where others were too close
    int64_t crossing;           // from this metal on wires turn only where they meet tracks
    int64_t dearer;             // how much dearer a wire is where it is dear
};

struct Maze {
    int64_t net, pushing, most;  // most: so many places are looked at
    int64_t width, height;
    const int64_t *xs, *ys;
    int64_t dear, dear_left, dear_bottom, dear_right, dear_top;  // dear: up to this metal
};

// Steps from place to place in a window; a place is a number that grows with layer, x, y.
struct Ways {
    Index &index;
    const Metals &metals;
    const Maze &maze;
    std::vector<int64_t> nets;  // those in the way of a box

    int64_t number(int64_t layer, int64_t i, int64_t j) const {
        return (layer * maze.width + i) * maze.height + j;
    }

    int64_t number(const Place &at) const {
        return number(at.layer, std::lower_bound(maze.xs, maze.xs + maze.width, at.x) - maze.xs,
                      std::lower_bound(maze.ys, maze.ys + maze.height, at.y) - maze.ys);
    }

    Place place(int64_t number) const {
        int64_t rest = number % (maze.width * maze.height);
        return {number / (maze.width * maze.height), maze.xs[rest / maze.height],
                maze.ys[rest % maze.height], 0};
    }

    // What other nets make of a box: 0, a cost, or FORBIDDEN.
    int64_t cost(const Drawn &box) {
        nets.clear();
        index.near(maze.net, box, [&](int64_t other) {
            if (std::find(nets.begin(), nets.end(), other) == nets.end())
                nets.push_back(other);
            return bool(maze.pushing);
        });
        if (!maze.pushing)
            return nets.empty() ? 0 : FORBIDDEN;
        int64_t sum = metals.heat * index.heat_at(box);
        for (int64_t other : nets) {
            if (index.disputes[other] == FIXED)
                return FORBIDDEN;
            sum += metals.conflict * (1 + index.disputes[other]);
        }
        return sum;
    }

    // The same of the via below a metal.
    int64_t via_cost(int64_t above, int64_t x, int64_t y) {
        int64_t sum = 0;
        for (int64_t at = metals.via_start[above]; at < metals.via_start[above + 1]; at++) {
            const int64_t *shape = metals.via_shape + 3 * at;
            int64_t one = cost({shape[0], x - shape[1], y - shape[2], x + shape[1], y + shape[2]});
            if (one == FORBIDDEN)
                return FORBIDDEN;
            sum += one;
        }
        return sum;
    }

    // Whether a wire of the layer is stopped at here: where tracks cross it.
    bool meets(int64_t layer, int64_t along) const {
        return layer < metals.crossing || along % metals.pitch[layer - 1] == 0 ||
               (layer + 1 < metals.count && along % metals.pitch[layer + 1] == 0);
    }

    // Whether tracks of the layer and of the next one cross here.
    bool joins(int64_t layer, int64_t x, int64_t y) const {
        int64_t across = metals.flat[layer] ? x : y, along = metals.flat[layer] ? y : x;
        return along % metals.pitch[layer] == 0 && across % metals.pitch[layer + 1] == 0;
    }

    bool is_dear(const Place &at) const {
        return at.layer <= maze.dear && maze.dear_left <= at.x && at.x <= maze.dear_right &&
               maze.dear_bottom <= at.y && at.y <= maze.dear_top;
    }

    // Calls visit(number of the place, cost) for where to go from a place.
    template <class Visit> void each(int64_t from, Visit visit) {
        const Place at = place(from);
        const bool flat = metals.flat[at.layer];
        const int64_t *track = flat ? maze.xs : maze.ys;
        const int64_t length = flat ? maze.width : maze.height, stride = flat ? maze.height : 1;
        const int64_t here = flat ? from / maze.height % maze.width : from % maze.height;
        const int64_t half = metals.half_width[at.layer], times = is_dear(at) ? metals.dearer : 1;
        for (int way : {-1, 1}) {
            int64_t there = here + way;
            while (0 <= there && there < length && !meets(at.layer, track[there]))
                there += way;
            if (there < 0 || there >= length)
                continue;
            int64_t low = std::min(track[here], track[there]) - half;
            int64_t high = std::max(track[here], track[there]) + half;
            int64_t side = flat ? at.y : at.x, layer = metals.layer[at.layer];
            int64_t more = cost(flat ? Drawn{layer, low, side - half, high, side + half}
                                     : Drawn{layer, side - half, low, side + half, high});
            if (more != FORBIDDEN)
                visit(from + (there - here) * stride, (high - low - 2 * half) * times + more);
        }
        for (int64_t other : {at.layer + 1, at.layer - 1}) {
            if (other < 0 || other >= metals.count || !joins(std::min(at.layer, other), at.x, at.y))
                continue;
            int64_t more = via_cost(std::max(at.layer, other), at.x, at.y);
            if (more != FORBIDDEN)
                visit(from + (other - at.layer) * maze.width * maze.height, metals.via + more);
        }
    }
};

struct Reached {
    int64_t best = INT64_MAX, before = -1;
    bool done = false;
};

}  // namespace

extern "C" {

Index *index_new(int64_t bucket, int64_t layers, const int64_t *spacing) {
    return new Index{bucket, {spacing, spacing + layers}, {}, {}, {}, {}, {}, {}};
}

void index_free(Index *index) { delete index; }

void index_nets(Index *index, int64_t nets) {
    index->of_net.resize(nets);
    index->disputes.resize(nets);
}

void index_add(Index *index, int64_t net, int64_t count, const Drawn *boxes) {
    for (int64_t i = 0; i < count; i++)
        index->add(net, boxes[i]);
}

void index_remove(Index *index, int64_t net) { index->remove(net); }

void index_heat(Index *index, int64_t one, int64_t other) {
    index->heat(one, other);
    index->heat(other, one);
}

void index_dispute(Index *index, int64_t net, int64_t times) { index->disputes[net] = times; }

// The nets that boxes would be too close to; how many there are.
int64_t index_hits(Index *index, int64_t net, int64_t count, const Drawn *boxes,
                   const int64_t **found) {
    index->found.clear();
    for (int64_t i = 0; i < count; i++)
        index->collect(net, boxes[i]);
    *found = index->found.data();
    return index->found.size();
}

// The nets that a net's own boxes are too close to.
int64_t index_near(Index *index, int64_t net, const int64_t **found) {
    const std::vector<Drawn> &boxes = index->of_net[net];
    return index_hits(index, net, boxes.size(), boxes.data(), found);
}

int64_t maze_via_cost(Index *index, const Metals *metals, const Maze *maze, int64_t above,
                      int64_t x, int64_t y) {
    return Ways{*index, *metals, *maze, {}}.via_cost(above, x, y);
}

// Where to go from a place, and at what cost: four places at most; how many there are.
int64_t maze_steps(Index *index, const Metals *metals, const Maze *maze, const Place *from,
                   Place *to) {
    Ways ways{*index, *metals, *maze, {}};
    int64_t count = 0;
    ways.each(ways.number(*from), [&](int64_t number, int64_t cost) {
        to[count] = ways.place(number);
        to[count++].cost = cost;
    });
    return count;
}

// The cheapest path from a source to a target, from its end on; its length, 0 if there is none.
// Sources and targets have a cost each.
int64_t maze_search(Index *index, const Metals *metals, const Maze *maze, int64_t sources,
                    const Place *source, int64_t targets, const Place *target,
                    const Place **path) {
    Ways ways{*index, *metals, *maze, {}};
    int64_t left = INT64_MAX, right = INT64_MIN, low = INT64_MAX, high = INT64_MIN;
    std::unordered_map<int64_t, int64_t> entering;
    for (int64_t i = 0; i < targets; i++) {
        left = std::min(left, target[i].x), right = std::max(right, target[i].x);
        low = std::min(low, target[i].y), high = std::max(high, target[i].y);
        entering[ways.number(target[i])] = target[i].cost;
    }
    auto least = [&](const Place &at) {
        return std::max({left - at.x, int64_t(0), at.x - right}) +
               std::max({low - at.y, int64_t(0), at.y - high});
    };
    std::unordered_map<int64_t, Reached> reached;
    using Entry = std::pair<int64_t, int64_t>;  // cost to the nearest target, and place
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
    for (int64_t i = 0; i < sources; i++) {
        int64_t at = ways.number(source[i]);
        reached[at].best = source[i].cost;
        queue.push({source[i].cost + least(source[i]), at});
    }
    int64_t looked_at = 0;
    while (!queue.empty() && looked_at < maze->most) {
        int64_t at = queue.top().second;
        queue.pop();
        Reached &here = reached[at];
        if (here.done)
            continue;
        here.done = true;
        looked_at++;
        if (entering.count(at)) {
            index->path.clear();
            for (int64_t step = at; step >= 0; step = reached[step].before)
                index->path.push_back(ways.place(step));
            *path = index->path.data();
            return index->path.size();
        }
        const int64_t so_far = here.best;
        ways.each(at, [&](int64_t to, int64_t cost) {
            auto end = entering.find(to);
            int64_t sum = so_far + cost + (end == entering.end() ? 0 : end->second);
            Reached &there = reached[to];
            if (sum < there.best) {
                there.best = sum, there.before = at;
                queue.push({sum + least(ways.place(to)), to});
            }
        });
    }
    return 0;
}

}  // extern "C"
