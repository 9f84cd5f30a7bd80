// Radii of a set from nothing, for memberships: balls hold so many samples that a filter saves little.
#pragma once
#include <numeric>

#include "soft.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// The variations of a set by no candidate, around every row, with everybody in its list.
template <int Fours>
struct SoftRadiiTask {
    const Labels& y;
    const Question& q;
    const std::int32_t* rows;
    int n_rows;
    double* out;
    Array<std::int32_t> everybody;
    Array<SoftScan<Fours>> scans;  // one per worker

    void run(int task, int worker) {
        int n_balls = balls_per_row(y, q), end = std::min(n_rows, (task + 1) * kRowsPerSum);
        Array<double> limits(n_balls);
        Array<float> radii(n_balls);
        Terms terms{0.0};
        for (int r = task * kRowsPerSum; r < end; ++r) {
            std::fill(limits.begin(), limits.end(), kInf);
            scans[worker](rows[r], everybody.data(), y.n, limits.data(), &terms, radii.data());
            std::copy(radii.begin(), radii.end(), out + std::size_t(rows[r]) * n_balls);
        }
    }
};

template <int Fours>
void soft_radii(const Labels& y, const Question& q, const Variations& x, const std::int32_t* rows,
                int n_rows, int n_threads, double* out) {
    const Variations itself{x.base, x.base, nullptr, x.n_base, 0, 0, 0, x.base_gaps};
    const Layers base(x.base, y.n, x.n_base, x.base_gaps), nothing(x.base, y.n, 0, nullptr, 1);
    const Weights weights = SoftScan<Fours>::weights_of(y, q);
    SoftRadiiTask<Fours> task{y, q, rows, n_rows, out, Array<std::int32_t>(y.n), {}};
    std::iota(task.everybody.begin(), task.everybody.end(), 0);
    int n_tasks = (n_rows + kRowsPerSum - 1) / kRowsPerSum, workers = n_workers(n_tasks, n_threads);
    for (int t = 0; t < workers; ++t) task.scans.emplace_back(y, q, itself, base, nothing, weights);
    run_tasks(n_tasks, workers, [](void* context, int id, int worker) {
        static_cast<SoftRadiiTask<Fours>*>(context)->run(id, worker);
    }, &task);
}

}  // namespace TAMIS_LEVEL
}  // namespace tamis
