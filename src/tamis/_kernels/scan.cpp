// Compiled once per CPU level: all balls of a set of features and of its variations by one candidate.
#include "block.hpp"
#include "cost.hpp"
#include "distinct.hpp"
#include "grown.hpp"
#include "hard.hpp"
#include "nearest.hpp"
#include "radii.hpp"
#include "soft.hpp"
#include "soft_lanes.hpp"
#include "soft_radii.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {
namespace {

// ---- radii of the base set -----------------------------------------------------------------

void find_radii(KeepPanel keep, const Labels& y, const Question& q, const Variations& x,
                const std::int32_t* rows, int n_rows, int n_threads, double* out) {
    RadiiTask task{y, q, make_filter(keep, y, q, x), Layers(x.base, y.n, x.n_base, x.base_gaps), rows,
                   n_rows, out, {}};
    int n_tasks = (n_rows + kBlock - 1) / kBlock, workers = n_workers(n_tasks, n_threads);
    for (int t = 0; t < workers; ++t) task.blocks.emplace_back(y.n, task.filter.groups());
    run_tasks(n_tasks, workers, [](void* context, int id, int worker) {
        static_cast<RadiiTask*>(context)->run(id, worker);
    }, &task);
}

// The distinct samples among some rows, and which of them each row is.
struct Queries {
    Array<std::int32_t> rows, of;

    Queries(const Distinct& distinct, const std::int32_t* all, int n) : of(n) {
        Array<std::int32_t> place(distinct.size(), -1);
        for (int r = 0; r < n; ++r) {
            std::int32_t sample = distinct.of(all[r]);
            if (place[sample] < 0) {
                place[sample] = int(rows.size());
                rows.push_back(sample);
            }
            of[r] = place[sample];
        }
    }
};

void radii(KeepPanel keep, const Labels& y, const Question& q, const Variations& x,
           const std::int32_t* rows, int n_rows, int n_threads, double* out) {
    if (!hard(y)) {
        auto find = y.n_classes <= Buckets<1>::kOnes ? soft_radii<1> : soft_radii<2>;
        return find(y, q, x, rows, n_rows, n_threads, out);
    }
    Distinct distinct(y, x);
    if (!distinct.pays()) return find_radii(keep, y, q, x, rows, n_rows, n_threads, out);
    distinct.take();
    Queries queries(distinct, rows, n_rows);
    const std::size_t n_balls = balls_per_row(y, q);
    Array<double> found(distinct.size() * n_balls);
    find_radii(keep, distinct.labels(), q, distinct.variations(), queries.rows.data(), int(queries.rows.size()),
               n_threads, found.data());
    for (int r = 0; r < n_rows; ++r)
        std::copy_n(&found[distinct.of(rows[r]) * n_balls], n_balls, out + rows[r] * n_balls);
}

// ---- the variations of the base set --------------------------------------------------------

// `Scan`: HardScan, CostScan or SoftScan.
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
    Terms* terms;  // of all rows; null: only their sums are wanted
    double* sums;
    float* radii;
    Array<Block> blocks;  // one per worker
    Array<Scan> scans;

    void run(int task, int worker) {
        int begin = task * kBlock, count = std::min(kBlock, n_rows - begin);
        std::size_t lanes = x.n_candidates + 1;
        if (terms) return find(begin, count, worker, terms + begin * lanes);
        Array<Terms> of_block(kBlock * lanes);
        find(begin, count, worker, of_block.data());
        add_up(x, count, sums + task * lanes * 2, [&](int r) { return &of_block[r * lanes]; });
    }

    void find(int begin, int pending, int worker, Terms* out) {
        const int n_balls = balls_per_row(y, q), lanes = x.n_candidates + 1, groups = filter.groups();
        Block& block = blocks[worker];
        Array<double> own(std::size_t(kBlock) * n_balls);
        int slots[kBlock], todo[kBlock];
        for (int r = 0; r < pending; ++r) {
            slots[r] = r;
            const double* limit = limits + std::size_t(rows[begin + r]) * n_balls;
            std::copy(limit, limit + n_balls, &own[r * n_balls]);
        }
        while (pending) {
            for (int r = 0; r < pending; ++r) {
                todo[r] = rows[begin + slots[r]];
                group_limits(filter, y, q, todo[r], &own[slots[r] * n_balls], true, &block.limits[r * groups]);
            }
            block.fill(filter, todo, pending);
            int again = 0;
            for (int r = 0; r < pending; ++r) {
                int slot = slots[r];
                bool done = scans[worker](todo[r], block.list(r, groups), &own[slot * n_balls],
                                          out + std::size_t(slot) * lanes,
                                          radii + std::size_t(begin + slot) * n_balls * lanes);
                if (!done) slots[again++] = slot;
            }
            pending = again;
        }
    }

    // Sums over a block of rows, of which terms_of(r) has the terms.
    template <class TermsOf>
    static void add_up(const Variations& x, int count, double* out, TermsOf terms_of) {
        const int lanes = x.n_candidates + 1;
        Array<Sum> sums(lanes);
        for (int r = 0; r < count; ++r)
            for (int c = 0; c < lanes; ++c) sums[c].add(terms_of(r)[c], dimensions(x, c));
        for (int c = 0; c < lanes; ++c) {
            out[2 * c] = sums[c].value(dimensions(x, c));
            out[2 * c + 1] = sums[c].tie_break();
        }
    }
};

// `rest`: what else a Scan is made from.
template <class Scan, class... Rest>
void find_variations(KeepPanel keep, const Labels& y, const Question& q, const Variations& x,
                     const double* limits, const std::int32_t* rows, int n_rows, int n_threads,
                     Terms* terms, double* sums, float* radii, const Rest&... rest) {
    int blocks = (n_rows + kBlock - 1) / kBlock;
    ScanTask<Scan> task{y, q, x, make_filter(keep, y, q, x),
                        Layers(x.base, y.n, x.sign < 0 ? 0 : x.n_base, x.base_gaps),
                        Layers(x.candidate, y.n, x.n_columns, x.candidate_gaps, 1, x.ends), limits, rows,
                        n_rows, terms, sums, radii, {}, {}};
    int workers = n_workers(blocks, n_threads);
    for (int t = 0; t < workers; ++t) {
        task.blocks.emplace_back(y.n, task.filter.groups());
        task.scans.emplace_back(y, q, x, task.base, task.candidate, rest...);
    }
    run_tasks(blocks, workers, [](void* context, int id, int worker) {
        static_cast<ScanTask<Scan>*>(context)->run(id, worker);
    }, &task);
}

// Every distinct sample once; rows that are the same one have the same terms and radii.
void scan_distinct(KeepPanel keep, const Distinct& distinct, const Question& q, const double* limits,
                   const std::int32_t* rows, int n_rows, int n_threads, double* sums, float* radii) {
    const Labels y = distinct.labels();
    const Variations x = distinct.variations();
    Queries queries(distinct, rows, n_rows);
    const std::size_t n_balls = balls_per_row(y, q), lanes = x.n_candidates + 1, size = queries.rows.size();
    Array<double> own(distinct.size() * n_balls);
    for (int r = n_rows - 1; r >= 0; --r)
        std::copy_n(limits + rows[r] * n_balls, n_balls, &own[distinct.of(rows[r]) * n_balls]);
    Array<Terms> terms(size * lanes);
    Array<float> found(size * n_balls * lanes);
    find_variations<HardScan>(keep, y, q, x, own.data(), queries.rows.data(), int(size), n_threads, terms.data(),
                              nullptr, found.data());
    for (int r = 0; r < n_rows; ++r) {
        if (r % kBlock == 0)
            ScanTask<HardScan>::add_up(x, std::min(kBlock, n_rows - r), sums + r / kBlock * lanes * 2,
                                       [&](int b) { return &terms[queries.of[r + b] * lanes]; });
        std::copy_n(&found[queries.of[r] * n_balls * lanes], n_balls * lanes, radii + r * n_balls * lanes);
    }
}

// Whether candidates are done side by side. A ball at a time costs more with each ball of a row; less where
// many features stay, as then few samples can cross the edge of a ball. At 1000 x 60 x 10 both take the same
// time with 5 balls in a row; at 1000 x 24 x 18 with 18 of them this takes three times as long. All rows are
// looked at whatever the queries, so that every worker decides the same.
bool takes_lanes(const Labels& y, const Question& q, const Variations& x) {
    if (x.n_candidates == 0) return false;
    const double most = x.sign < 0 ? 3.0 + x.n_base / 20.0 : 5.0;
    double balls = 0.0;
    for (int i = 0; i < y.n; ++i) {
        check_stop(balls_per_row(y, q));
        for (int b = 0; b < balls_per_row(y, q); ++b) balls += target(y, q, i, b) > 0.0;
    }
    return balls <= most * y.n;
}

template <int Fours>
void scan_soft(KeepPanel keep, const Labels& y, const Question& q, const Variations& x,
               const double* limits, const std::int32_t* rows, int n_rows, int n_threads, double* sums,
               float* radii) {
    const Weights weights = SoftScan<Fours>::weights_of(y, q);
    auto find = takes_lanes(y, q, x) ? find_variations<SoftLanes, Weights>
                                     : find_variations<SoftScan<Fours>, Weights>;
    find(keep, y, q, x, limits, rows, n_rows, n_threads, nullptr, sums, radii, weights);
}

void scan(KeepPanel keep, const Labels& y, const Question& q, const Variations& x,
          const double* limits, const std::int32_t* rows, int n_rows, int n_threads, double* sums,
          float* radii) {
    if (!hard(y)) {
        auto find = y.n_classes <= Buckets<1>::kOnes ? scan_soft<1> : scan_soft<2>;
        return find(keep, y, q, x, limits, rows, n_rows, n_threads, sums, radii);
    }
    if (q.quantity == kCost)
        return find_variations<CostScan>(keep, y, q, x, limits, rows, n_rows, n_threads, nullptr, sums, radii);
    Distinct distinct(y, x);
    if (!distinct.pays())
        return find_variations<HardScan>(keep, y, q, x, limits, rows, n_rows, n_threads, nullptr, sums, radii);
    distinct.take();
    scan_distinct(keep, distinct, q, limits, rows, n_rows, n_threads, sums, radii);
}

}  // namespace

}  // namespace TAMIS_LEVEL

const Kernels TAMIS_TABLE{radii, scan, orders, grow};

}  // namespace tamis
