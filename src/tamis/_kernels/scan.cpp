// Compiled once per CPU level: all balls of a set of features and of its variations by one candidate.
#include "balls.hpp"
#include "filter.hpp"
#include "grown.hpp"
#include "nearest.hpp"
#include "problem.hpp"
#include "soft.hpp"
#include "soft_radii.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {
namespace {

constexpr int kBlock = kRowsPerSum;

// Column groups of the filter: classes have thresholds of their own, memberships share one.
Filter make_filter(KeepPanel keep, const Labels& y, const Variations& x) {
    const std::int32_t everybody[2] = {0, y.n};
    return Filter(keep, x.base, y.n, x.n_base, hard(y) ? y.first : everybody,
                  hard(y) ? y.n_classes : 1, x.sign < 0,
                  x.sign < 0 ? x.ends : nullptr);
}

// How far a row must look into each column group, given the limits of its balls; -1: not at all.
// `crowd`: also for samples of other classes that are only counted.
void group_limits(const Filter& filter, const Labels& y, const Question& q, int row,
                  const double* limits, bool crowd, float* out) {
    int balls = balls_per_row(y, q);
    double most = -1.0;
    for (int b = 0; b < balls; ++b) most = std::max(most, limits[b]);
    for (int g = 0; g < filter.groups(); ++g) {
        double limit = most;
        if (hard(y) && q.quantity == kRisk) limit = limits[g];
        // Without a volume the samples around are counted, so they must be seen: see crowd().
        if (hard(y) && q.quantity == kDistance && g != y.code[row] && (limits[1] > 0.0 || !crowd))
            limit = limits[1];
        if (hard(y) && q.quantity == kCount && g != y.code[row] && !crowd) limit = -1.0;
        out[g] = filter.threshold(limit * kTie);
    }
}

// Rows of one task with their shortlists.
struct Block {
    Array<std::int32_t> room;  // moving a Block keeps its heap memory, so `lists` stay good
    std::int32_t* lists[kBlock];
    int lengths[kBlock];
    Array<float> limits;

    Block(int n, int groups)
        : room(std::size_t(kBlock) * (n + kPanel)), limits(std::size_t(kBlock) * groups) {
        for (int r = 0; r < kBlock; ++r) lists[r] = room.data() + std::size_t(r) * (n + kPanel);
    }
    void clear() { std::fill(lengths, lengths + kBlock, 0); }
};

// ---- radii of the base set, from nothing --------------------------------------------------

struct RadiiTask {
    const Labels& y;
    const Question& q;
    Filter filter;
    Layers base;
    const std::int32_t* asked;  // rows
    int n_asked;
    double* out;
    Array<Block> blocks;  // one per worker

    struct Seen {
        double d;
        int sample;
        bool operator<(const Seen& other) const { return d < other.d; }
    };

    double weight(int row, int b, int sample) const {
        return is_everybody(y, q, b) ? 1.0 : membership(y, sample, class_of_ball(y, q, row, b));
    }

    bool matters(int row, const Seen& one) const {
        int n_balls = balls_per_row(y, q);
        const double* limits = out + std::size_t(row) * n_balls;
        for (int b = 0; b < n_balls; ++b)
            if (one.d <= limits[b] && weight(row, b, one.sample) > 0.0) return true;
        return false;
    }

    // The radius at which a ball is complete; not yet: infinity. `seen` is sorted.
    double radius(int row, int b, const Array<Seen>& seen) const {
        double goal = target(y, q, row, b) + 0.5 * kShort, sum = 0.0;
        for (const Seen& one : seen) {
            sum += weight(row, b, one.sample);
            if (sum >= goal) return one.d;
        }
        return kInf;
    }

    // Shrinks the balls of a row to what it has seen and the list adds; forgets what is outside.
    void look(int row, const std::int32_t* list, int count, Array<Seen>& seen) const {
        int before = int(seen.size());
        for (int l = 0; l < count; ++l) {
            if (list[l] == row && !q.include_self) continue;
            Seen one{base.distance(row, list[l]), list[l]};
            if (matters(row, one)) seen.push_back(one);
        }
        std::sort(seen.begin() + before, seen.end());
        std::inplace_merge(seen.begin(), seen.begin() + before, seen.end());
        int n_balls = balls_per_row(y, q);
        double* limits = out + std::size_t(row) * n_balls;
        for (int b = 0; b < n_balls; ++b)
            if (limits[b] >= 0.0) limits[b] = radius(row, b, seen);
        seen.erase(std::remove_if(seen.begin(), seen.end(),
                                  [&](const Seen& one) { return !matters(row, one); }),
                   seen.end());
    }

    void run(int task, int worker) {
        int n_balls = balls_per_row(y, q), groups = filter.groups(), begin = task * kBlock;
        int count = std::min(kBlock, n_asked - begin), rows[kBlock];
        Block& block = blocks[worker];
        Array<Seen> seen[kBlock];
        for (int r = 0; r < count; ++r) {
            rows[r] = asked[begin + r];
            double* limits = out + std::size_t(rows[r]) * n_balls;
            for (int b = 0; b < n_balls; ++b)
                limits[b] = target(y, q, rows[r], b) > 0.0 ? kInf : -1.0;
        }
        // Limits are renewed after 1, 2, 4, ... panels, then regularly; the first panels are those
        // of the first row, so that the balls of its class are small from the start.
        int n_panels = filter.panels(), done = 0;
        for (int step = 1; done < n_panels; step = std::min(2 * step, 16)) {
            Array<char> wanted(groups, 0);
            for (int r = 0; r < count; ++r) {
                float* far = block.limits.data() + r * groups;
                group_limits(filter, y, q, rows[r], out + std::size_t(rows[r]) * n_balls, false,
                             far);
                for (int g = 0; g < groups; ++g) wanted[g] |= far[g] >= 0.0f;
            }
            block.clear();
            for (int kept = 0; kept < step && done < n_panels; ++done) {
                int panel = (rows[0] / kPanel + done) % n_panels;
                if (!wanted[filter.group(panel)]) continue;
                filter.keep(panel, rows, count, block.limits.data(), block.lists, block.lengths);
                ++kept;
            }
            std::size_t operations = std::size_t(count) * kPanel * step * filter.width();
            for (int r = 0; r < count; ++r) {
                if (!block.lengths[r]) continue;
                look(rows[r], block.lists[r], block.lengths[r], seen[r]);
                operations += std::size_t(block.lengths[r]) * filter.width() + seen[r].size() * n_balls;
                if (operations < 100000) continue;
                check_stop(operations);
                operations = 0;
            }
            check_stop(operations);
        }
    }
};

void hard_radii(KeepPanel keep, const Labels& y, const Question& q, const Variations& x,
           const std::int32_t* rows, int n_rows, int n_threads, double* out) {
    RadiiTask task{y, q, make_filter(keep, y, x), Layers(x.base, y.n, x.n_base), rows, n_rows, out, {}};
    int n_tasks = (n_rows + kBlock - 1) / kBlock, workers = n_workers(n_tasks, n_threads);
    for (int t = 0; t < workers; ++t) task.blocks.emplace_back(y.n, task.filter.groups());
    run_tasks(n_tasks, workers, [](void* context, int id, int worker) {
        static_cast<RadiiTask*>(context)->run(id, worker);
    }, &task);
}

// ---- the variations of the base set --------------------------------------------------------

// `Scan`: RowScan or SoftScan.
template <class Scan>
struct ScanTask {
    const Labels& y;
    const Question& q;
    const Variations& x;
    Filter filter;
    Layers base, candidate;
    const double* limits;
    const std::int32_t* rows;
    int n_rows;
    double* block_sums;
    float* radii;
    Array<Block> blocks;  // one per worker
    Array<Scan> scans;

    void run(int task, int worker) {
        int n_balls = balls_per_row(y, q), lanes = x.n_candidates + 1;
        int begin = task * kBlock, pending = std::min(kBlock, n_rows - begin);
        Block& block = blocks[worker];
        Scan& scan = scans[worker];
        Array<double> own(std::size_t(kBlock) * n_balls);
        Array<Terms> terms(std::size_t(kBlock) * lanes);
        int slots[kBlock], todo[kBlock];
        for (int r = 0; r < pending; ++r) {
            slots[r] = r;
            const double* limit = limits + std::size_t(rows[begin + r]) * n_balls;
            std::copy(limit, limit + n_balls, &own[r * n_balls]);
        }
        while (pending) {
            for (int r = 0; r < pending; ++r) {
                todo[r] = rows[begin + slots[r]];
                group_limits(filter, y, q, todo[r], &own[slots[r] * n_balls], true,
                             block.limits.data() + r * filter.groups());
            }
            block.clear();
            for (int panel = 0; panel < filter.panels(); ++panel) {
                filter.keep(panel, todo, pending, block.limits.data(), block.lists, block.lengths);
                if (panel % 16 == 0) check_stop(std::size_t(pending) * 16 * filter.width());
            }
            int again = 0;
            for (int r = 0; r < pending; ++r) {
                int slot = slots[r];
                bool done = scan(todo[r], block.lists[r], block.lengths[r], &own[slot * n_balls],
                                 &terms[std::size_t(slot) * lanes],
                                 radii + std::size_t(begin + slot) * n_balls * lanes);
                if (!done) slots[again++] = slot;
            }
            pending = again;
        }
        Array<Sum> sums(lanes);
        for (int r = 0; r < std::min(kBlock, n_rows - begin); ++r)
            for (int c = 0; c < lanes; ++c)
                sums[c].add(terms[std::size_t(r) * lanes + c], dimensions(x, c));
        double* out = block_sums + std::size_t(task) * lanes * 2;
        for (int c = 0; c < lanes; ++c) {
            out[2 * c] = sums[c].value(dimensions(x, c));
            out[2 * c + 1] = sums[c].tie_break();
        }
    }
};

// `rest`: what else a Scan is made from.
template <class Scan, class... Rest>
void scan_with(KeepPanel keep, const Labels& y, const Question& q, const Variations& x,
               const double* limits, const std::int32_t* rows, int n_rows, int n_threads,
               double* sums, float* radii, const Rest&... rest) {
    int blocks = (n_rows + kBlock - 1) / kBlock;
    ScanTask<Scan> task{y, q, x, make_filter(keep, y, x), Layers(x.base, y.n, x.sign < 0 ? 0 : x.n_base),
                  Layers(x.candidate, y.n, x.n_columns, 1, x.ends), limits, rows, n_rows,
                  sums, radii, {}, {}};
    int workers = n_workers(blocks, n_threads);
    for (int t = 0; t < workers; ++t) {
        task.blocks.emplace_back(y.n, task.filter.groups());
        task.scans.emplace_back(y, q, x, task.base, task.candidate, rest...);
    }
    run_tasks(blocks, workers, [](void* context, int id, int worker) {
        static_cast<ScanTask<Scan>*>(context)->run(id, worker);
    }, &task);
}

void scan(KeepPanel keep, const Labels& y, const Question& q, const Variations& x,
          const double* limits, const std::int32_t* rows, int n_rows, int n_threads, double* sums,
          float* radii) {
    if (hard(y))
        scan_with<RowScan>(keep, y, q, x, limits, rows, n_rows, n_threads, sums, radii);
    else if (y.n_classes <= Buckets<1>::kOnes)
        scan_with<SoftScan<1>>(keep, y, q, x, limits, rows, n_rows, n_threads, sums, radii,
                               SoftScan<1>::weights_of(y));
    else
        scan_with<SoftScan<2>>(keep, y, q, x, limits, rows, n_rows, n_threads, sums, radii,
                               SoftScan<2>::weights_of(y));
}

void radii(KeepPanel keep, const Labels& y, const Question& q, const Variations& x,
           const std::int32_t* rows, int n_rows, int n_threads, double* out) {
    if (hard(y))
        hard_radii(keep, y, q, x, rows, n_rows, n_threads, out);
    else if (y.n_classes <= Buckets<1>::kOnes)
        soft_radii<1>(y, q, x, rows, n_rows, n_threads, out);
    else
        soft_radii<2>(y, q, x, rows, n_rows, n_threads, out);
}

}  // namespace

}  // namespace TAMIS_LEVEL

const Kernels TAMIS_TABLE{radii, scan, orders, grow};

}  // namespace tamis
