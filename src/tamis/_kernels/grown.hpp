// How far the ball of each class reaches among the neighbours of each row in order.
#pragma once
#include "api.hpp"
#include "memory.hpp"
#include "problem.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

struct GrowTask {
    const Orders& orders;
    const Labels& y;
    const Question& q;
    double *weight, *r2;
    int width;
    Array<double> gamma;  // n x width: filled up with zeros to a multiple of eight classes

    void run(int task) const {
        int end = std::min(orders.n_rows, (task + 1) * kRowsPerSum);
        for (int r = task * kRowsPerSum; r < end; ++r) {
            check_stop(std::size_t(orders.first[r + 1] - orders.first[r]) * width / 4);
            for (int first = 0; first < y.n_classes; first += kRound) walk(r, first);
        }
    }

    // The balls of eight classes in one walk outward.
    void walk(int r, int first) const {
        constexpr int parts = kRound / kLanes;
        const int row = orders.rows[r], c = std::min(kRound, y.n_classes - first);
        double* sum = weight + std::size_t(r) * y.n_classes + first;
        double* reached = r2 + std::size_t(r) * y.n_classes + first;
        double goal[kRound], now[kRound], own[kRound] = {};
        f64 held[parts], aim[parts];
        std::int64_t l = orders.first[r], end = orders.first[r + 1];
        for (int s = 0; s < c && q.include_self; ++s) own[s] = self_mass(y, row, first + s);
        int open = start(r, first, c, own, sum, reached, goal);
        for (int p = 0; p < parts; ++p) {
            held[p] = load(own + p * kLanes);
            aim[p] = load(goal + p * kLanes);
        }
        for (; l < end && open; ++l) {
            const double* more = gamma_of(orders.sample[l], first);
            i64 complete{};
#pragma GCC unroll 2
            for (int p = 0; p < parts; ++p) {
                held[p] += load(more + p * kLanes);
                complete |= held[p] >= aim[p];
            }
            if (!any(complete)) continue;
            for (int p = 0; p < parts; ++p) store(now + p * kLanes, held[p]);
            for (int s = 0; s < c; ++s) {
                if (now[s] < goal[s]) continue;
                reached[s] = orders.d2[l];
                sum[s] = now[s] + tied_with(reached[s], l + 1, end, first + s);
                goal[s] = kInf;
                --open;
            }
            for (int p = 0; p < parts; ++p) aim[p] = load(goal + p * kLanes);
        }
        for (int p = 0; p < parts; ++p) store(now + p * kLanes, held[p]);
        for (int s = 0; s < c; ++s)
            if (reached[s] == kInf) sum[s] = now[s];
    }

    // The goals of the balls, infinite where there is none (any more); how many have one.
    int start(int r, int first, int c, const double* own, double* sum, double* reached,
              double (&goal)[kRound]) const {
        int row = orders.rows[r], open = 0;
        std::fill(goal, goal + kRound, kInf);
        for (int s = 0; s < c; ++s) {
            double wanted = target(y, q, row, first + s);
            sum[s] = own[s];
            reached[s] = wanted <= 0.0 ? -1.0 : sum[s] >= wanted ? 0.0 : kInf;
            if (reached[s] == 0.0)
                sum[s] += tied_with(0.0, orders.first[r], orders.first[r + 1], first + s);
            if (reached[s] < kInf) continue;
            goal[s] = wanted;
            ++open;
        }
        return open;
    }

    const double* gamma_of(int i, int first) const { return &gamma[std::size_t(i) * width + first]; }

    // A complete ball still takes in what ties with it.
    double tied_with(double edge, std::int64_t l, std::int64_t end, int s) const {
        double sum = 0.0;
        for (; l < end && orders.d2[l] <= edge * kTie; ++l) sum += gamma_of(orders.sample[l], s)[0];
        return sum;
    }
};

inline void grow(const Orders& orders, const Labels& y, const Question& q, int n_threads,
                 double* weight, double* r2) {
    int width = (y.n_classes + kRound - 1) / kRound * kRound;
    GrowTask task{orders, y, q, weight, r2, width, Array<double>(std::size_t(y.n) * width, 0.0)};
    for (int i = 0; i < y.n; ++i)
        for (int s = 0; s < y.n_classes; ++s)
            task.gamma[std::size_t(i) * width + s] = membership(y, i, s);
    run_tasks((orders.n_rows + kRowsPerSum - 1) / kRowsPerSum, n_threads,
              [](void* context, int id, int) { static_cast<GrowTask*>(context)->run(id); }, &task);
}

}  // namespace TAMIS_LEVEL
}  // namespace tamis
