// Compiled once per CPU level: all balls of a set of features and of its one-feature variations.
#include "balls.hpp"
#include "filter.hpp"
#include "problem.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {
namespace {

constexpr int kBlock = 32;  // rows per task: fixed, so that sums do not depend on the threads

// Column groups of the filter: classes have thresholds of their own, memberships share one.
Filter make_filter(KeepPanel keep, const Labels& y, const Variations& x) {
    const std::int32_t everybody[2] = {0, y.n};
    return Filter(keep, x.base, y.n, x.n_base, hard(y) ? y.first : everybody,
                  hard(y) ? y.n_classes : 1, x.sign < 0);
}

// How far a row must look into each column group, given the limits of its balls.
void group_limits(const Filter& filter, const Labels& y, const Question& q, int row,
                  const double* limits, float* out) {
    int balls = balls_per_row(y, q);
    double most = -1.0;
    for (int b = 0; b < balls; ++b) most = std::max(most, limits[b]);
    for (int g = 0; g < filter.groups(); ++g) {
        double limit = most;
        if (hard(y) && q.quantity == kRisk) limit = limits[g];
        if (hard(y) && q.quantity == kDistance && g != y.code[row]) limit = limits[1];
        out[g] = filter.threshold(limit * kTie);
    }
}

// Rows of one task with their shortlists.
struct Block {
    Array<std::int32_t> room;  // moving a Block keeps its heap memory, so `lists` stay good
    std::int32_t* lists[kBlock];
    int lengths[kBlock];
    Array<float> limits;

    Block(int n, int groups) : room(std::size_t(kBlock) * (n + kPanel)), limits(kBlock * groups) {
        for (int r = 0; r < kBlock; ++r) lists[r] = room.data() + std::size_t(r) * (n + kPanel);
    }
    void clear() { std::fill(lengths, lengths + kBlock, 0); }
};

// ---- radii of the base set, from nothing --------------------------------------------------

// A ball that shrinks as nearer samples are found: a heap of those inside, the farthest on top.
class GrowingBall {
public:
    void start(double target) {
        target_ = target;
        sum_ = 0.0;
        inside_.clear();
    }
    double radius() const { return sum_ >= target_ ? inside_.front().d : kInf; }
    void take(double d, double w) {
        if (w <= 0.0 || d >= radius()) return;
        inside_.push_back({d, w});
        std::push_heap(inside_.begin(), inside_.end());
        sum_ += w;
        while (sum_ - inside_.front().w >= target_) {
            sum_ -= inside_.front().w;
            std::pop_heap(inside_.begin(), inside_.end());
            inside_.pop_back();
        }
    }

private:
    struct Sample {
        double d, w;
        bool operator<(const Sample& other) const { return d < other.d; }
    };
    Array<Sample> inside_;
    double target_, sum_;
};

struct RadiiTask {
    const Labels& y;
    const Question& q;
    Filter filter;
    Padded base;
    double* out;
    Array<Block> blocks;  // one per worker

    void look(int row, const std::int32_t* list, int count, GrowingBall* balls) const {
        int n_balls = balls_per_row(y, q);
        for (int l = 0; l < count; ++l) {
            if (list[l] == row && !q.include_self) continue;
            double d = squared_distance(base.row(row), base.row(list[l]), base.width());
            for (int b = 0; b < n_balls; ++b) {
                if (out[std::size_t(row) * n_balls + b] < 0.0) continue;
                double w = is_everybody(y, q, b)
                               ? 1.0
                               : membership(y, list[l], class_of_ball(y, q, row, b));
                balls[b].take(d, w);
            }
        }
    }

    void run(int task, int worker) {
        int n_balls = balls_per_row(y, q), begin = task * kBlock;
        int count = std::min(kBlock, y.n - begin), rows[kBlock];
        Block& block = blocks[worker];
        Array<GrowingBall> balls(std::size_t(kBlock) * n_balls);
        for (int r = 0; r < count; ++r) {
            rows[r] = begin + r;
            for (int b = 0; b < n_balls; ++b) {
                double goal = target(y, q, rows[r], b);
                out[std::size_t(rows[r]) * n_balls + b] = goal > 0.0 ? kInf : -1.0;
                balls[r * n_balls + b].start(goal + 0.5 * kShort);
            }
        }
        // Limits are renewed after 1, 2, 4, ... panels, then regularly.
        for (int panel = 0, step = 1; panel < filter.panels(); step = std::min(2 * step, 16)) {
            int end = std::min(panel + step, filter.panels());
            for (int r = 0; r < count; ++r)
                group_limits(filter, y, q, rows[r], out + std::size_t(rows[r]) * n_balls,
                             block.limits.data() + r * filter.groups());
            block.clear();
            for (; panel < end; ++panel)
                filter.keep(panel, rows, count, block.limits.data(), block.lists, block.lengths);
            for (int r = 0; r < count; ++r) {
                look(rows[r], block.lists[r], block.lengths[r], &balls[r * n_balls]);
                for (int b = 0; b < n_balls; ++b) {
                    double& limit = out[std::size_t(rows[r]) * n_balls + b];
                    if (limit >= 0.0) limit = balls[r * n_balls + b].radius();
                }
            }
        }
    }
};

void radii(KeepPanel keep, const Labels& y, const Question& q, const Variations& x, int n_threads,
           double* out) {
    RadiiTask task{y, q, make_filter(keep, y, x), Padded(x.base, y.n, x.n_base, 0), out, {}};
    for (int t = 0; t < n_threads; ++t) task.blocks.emplace_back(y.n, task.filter.groups());
    run_tasks((y.n + kBlock - 1) / kBlock, n_threads, [](void* context, int id, int worker) {
        static_cast<RadiiTask*>(context)->run(id, worker);
    }, &task);
}

// ---- the variations of the base set --------------------------------------------------------

struct ScanTask {
    const Labels& y;
    const Question& q;
    const Variations& x;
    Filter filter;
    Padded base, candidate;
    const double* limits;
    const std::int32_t* rows;
    int n_rows;
    double* block_sums;
    float* radii;
    Array<Block> blocks;  // one per worker
    Array<RowScan> scans;

    void run(int task, int worker) {
        int n_balls = balls_per_row(y, q), lanes = x.n_candidates + 1;
        int begin = task * kBlock, pending = std::min(kBlock, n_rows - begin);
        Block& block = blocks[worker];
        RowScan& scan = scans[worker];
        Array<double> own(std::size_t(kBlock) * n_balls), terms(std::size_t(kBlock) * lanes * 2);
        int slots[kBlock], todo[kBlock];
        for (int r = 0; r < pending; ++r) {
            slots[r] = r;
            const double* limit = limits + std::size_t(rows[begin + r]) * n_balls;
            std::copy(limit, limit + n_balls, &own[r * n_balls]);
        }
        while (pending) {
            for (int r = 0; r < pending; ++r) {
                todo[r] = rows[begin + slots[r]];
                group_limits(filter, y, q, todo[r], &own[slots[r] * n_balls],
                             block.limits.data() + r * filter.groups());
            }
            block.clear();
            for (int panel = 0; panel < filter.panels(); ++panel)
                filter.keep(panel, todo, pending, block.limits.data(), block.lists, block.lengths);
            int again = 0;
            for (int r = 0; r < pending; ++r) {
                int slot = slots[r];
                bool done = scan(todo[r], block.lists[r], block.lengths[r], &own[slot * n_balls],
                                 &terms[std::size_t(slot) * lanes * 2],
                                 radii + std::size_t(begin + slot) * n_balls * lanes);
                if (!done) slots[again++] = slot;
            }
            pending = again;
        }
        double* sums = block_sums + std::size_t(task) * lanes * 2;
        for (int r = 0; r < std::min(kBlock, n_rows - begin); ++r)
            for (int c = 0; c < lanes * 2; ++c) sums[c] += terms[std::size_t(r) * lanes * 2 + c];
    }
};

void scan(KeepPanel keep, const Labels& y, const Question& q, const Variations& x,
          const double* limits, const std::int32_t* rows, int n_rows, int n_threads, double* sums,
          float* radii) {
    int blocks = (n_rows + kBlock - 1) / kBlock, width = (x.n_candidates + 1) * 2;
    Array<double> block_sums(std::size_t(blocks) * width, 0.0);
    ScanTask task{y, q, x, make_filter(keep, y, x), Padded(x.base, y.n, x.sign < 0 ? 0 : x.n_base, 0),
                  Padded(x.candidate, y.n, x.n_candidates, 1), limits, rows, n_rows,
                  block_sums.data(), radii, {}, {}};
    for (int t = 0; t < n_threads; ++t) {
        task.blocks.emplace_back(y.n, task.filter.groups());
        task.scans.emplace_back(y, q, x, task.base, task.candidate);
    }
    run_tasks(blocks, n_threads, [](void* context, int id, int worker) {
        static_cast<ScanTask*>(context)->run(id, worker);
    }, &task);
    std::fill(sums, sums + width, 0.0);
    for (int b = 0; b < blocks; ++b)
        for (int c = 0; c < width; ++c) sums[c] += block_sums[std::size_t(b) * width + c];
}

}  // namespace

}  // namespace TAMIS_LEVEL

const Kernels TAMIS_TABLE{radii, scan};

}  // namespace tamis
