// How far the ball of each class reaches among the neighbours of each row in order.
#include "api.hpp"
#include "checks.hpp"
#include "memory.hpp"
#include "problem.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {
namespace {

constexpr int kBlock = 32;  // rows per task

struct GrowTask {
    const Orders& orders;
    const Labels& y;
    const Question& q;
    double *weight, *r2;

    void run(int task) const {
        int end = std::min(orders.n_rows, (task + 1) * kBlock);
        for (int r = task * kBlock; r < end; ++r) walk(r);
    }

    // All classes of one row in one walk outward.
    void walk(int r) const {
        int c = y.n_classes, row = orders.rows[r], open = 0;
        double *sum = weight + std::size_t(r) * c, *reached = r2 + std::size_t(r) * c;
        Array<double> goal(c), held(c);
        std::int64_t l = orders.first[r];
        for (int s = 0; s < c; ++s) {
            goal[s] = target(y, q, row, s);
            sum[s] = held[s] = q.include_self ? membership(y, row, s) : 0.0;
            reached[s] = goal[s] <= 0.0 ? -1.0 : sum[s] >= goal[s] ? 0.0 : kInf;
            if (reached[s] == 0.0) sum[s] += tied_with(0.0, r, l, s);
            open += reached[s] == kInf;
            if (reached[s] < kInf) goal[s] = kInf;
        }
        for (; l < orders.first[r + 1] && open; ++l) {
            if (!add(sample(l), held.data(), goal.data())) continue;
            for (int s = 0; s < c; ++s) {
                if (held[s] < goal[s]) continue;
                reached[s] = orders.d2[l];
                sum[s] = held[s] + tied_with(reached[s], r, l + 1, s);
                goal[s] = kInf;
                --open;
            }
        }
        for (int s = 0; s < c; ++s)
            if (reached[s] == kInf) sum[s] = held[s];
        check_stop(std::size_t(orders.first[r + 1] - orders.first[r]) * c);
    }

    // Whether some class reaches its goal by this sample.
    bool add(int i, double* __restrict held, const double* __restrict goal) const {
        if (hard(y)) return (held[y.code[i]] += 1.0) >= goal[y.code[i]];
        const double* __restrict gamma = y.gamma + std::size_t(i) * y.n_classes;
        int complete = 0;
        for (int s = 0; s < y.n_classes; ++s) {
            held[s] += gamma[s];
            complete |= held[s] >= goal[s];
        }
        return complete;
    }

    // A complete ball still takes in what ties with it.
    double tied_with(double edge, int r, std::int64_t l, int s) const {
        double sum = 0.0;
        for (; l < orders.first[r + 1] && orders.d2[l] <= edge * kTie; ++l)
            sum += membership(y, sample(l), s);
        return sum;
    }

    int sample(std::int64_t l) const {
        // Here and not at the door: few of them are looked at.
        if (unsigned(orders.sample[l]) >= unsigned(y.n))
            refuse("sample must be from 0 to ", y.n - 1, "; got ", orders.sample[l]);
        return orders.sample[l];
    }
};

}  // namespace
}  // namespace TAMIS_LEVEL

void grow_balls(const Orders& orders, const Labels& y, const Question& q, int n_threads,
                double* weight, double* r2) {
    GrowTask task{orders, y, q, weight, r2};
    run_tasks((orders.n_rows + kBlock - 1) / kBlock, n_threads, [](void* context, int id, int) {
        static_cast<GrowTask*>(context)->run(id);
    }, &task);
}

}  // namespace tamis
