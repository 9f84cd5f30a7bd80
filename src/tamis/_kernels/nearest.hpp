// The samples near each row, nearest first.
#pragma once
#include "api.hpp"
#include "filter.hpp"
#include "layers.hpp"
#include "memory.hpp"
#include "simd.hpp"
#include "sorting.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// One worker: the filter, exact distances, and a sort by buckets, each of which has a few samples.
class Nearest {
public:
    Nearest(const Filter& filter, const Layers& x, const std::int32_t* group, int n)
        : filter_(filter), x_(x), group_(group), room_(std::size_t(kRowsPerSum) * (n + kPanel)) {
        for (int r = 0; r < kRowsPerSum; ++r) lists_[r] = room_.data() + std::size_t(r) * (n + kPanel);
        // The exponent with which their number grows, as found on Gaussian data.
        for (double growth = 1.0 + 0.27 * x.width(); growth >= 2.0; growth /= 2.0) ++squarings_;
    }

    // Calls take(context, r, order, length) for each of a few rows, see Kernels.
    void operator()(const std::int32_t* rows, const double* limits, int begin, int count,
                    TakeOrder take, void* context) {
        float thresholds[kRowsPerSum];
        int lengths[kRowsPerSum] = {};
        for (int r = 0; r < count; ++r) thresholds[r] = filter_.threshold(limits[begin + r]);
        for (int panel = 0; panel < filter_.panels(); ++panel) {
            filter_.keep(panel, rows + begin, count, thresholds, lists_, lengths);
            if (panel % 16 == 0) check_stop(std::size_t(count) * 16 * filter_.width());
        }
        for (int r = begin; r < begin + count; ++r) {
            int near = measure(rows[r], lists_[r - begin], lengths[r - begin], limits[r]);
            sort(near);
            take(context, r, order_.data(), near);
        }
    }

private:
    const Filter& filter_;
    const Layers& x_;
    const std::int32_t* group_;  // of each sample, or null
    int squarings_ = 0;
    double farthest_ = 0.0;
    Array<std::int32_t> room_;
    std::int32_t* lists_[kRowsPerSum];
    Array<double> d2_;
    Array<std::int32_t> sample_, bucket_, end_;
    Array<Neighbour> order_;

    void make_room(int length) {
        if (int(order_.size()) > length) return;
        for (auto* numbers : {&sample_, &bucket_, &end_}) numbers->resize(length + kRound);
        d2_.resize(length + kRound);
        order_.resize(length + 1);
    }

    // The others within the limit, of other groups, in increasing order.
    int measure(int row, const std::int32_t* list, int length, double limit) {
        make_room(length);
        int n = 0;
        farthest_ = 0.0;
        for (int l = 0; l < length; ++l) {
            if (l % 256 == 0) check_stop(std::size_t(256) * (filter_.width() + 20));
            if (list[l] == row || (group_ && group_[list[l]] == group_[row])) continue;
            d2_[n] = x_.distance(row, list[l]);
            sample_[n] = list[l];
            if (d2_[n] > limit) continue;
            farthest_ = std::max(farthest_, d2_[n++]);
        }
        return n;
    }

    struct Less {  // a type of this CPU level, as the sort must be
        bool operator()(const Neighbour& a, const Neighbour& b) const {
            return a.d2 < b.d2 || (a.d2 == b.d2 && a.sample < b.sample);
        }
    };

    void sort(int count) {
        constexpr int kFew = 16;  // in a bucket: sorted with all others, by insertion
        const int n_buckets = count + 1;
        const double inverse = farthest_ > 0.0 ? 1.0 / farthest_ : 0.0;
        for (int e = 0; e < count; e += kLanes) {
            f64 x = load(&d2_[e]) * inverse;
            for (int s = 0; s < squarings_; ++s) x *= x;
            i32 to = __builtin_convertvector(x * double(count), i32);
            std::memcpy(&bucket_[e], &to, sizeof to);
        }
        std::fill(end_.begin(), end_.begin() + n_buckets + 1, 0);
        for (int e = 0; e < count; ++e) ++end_[bucket_[e] + 1];
        for (int b = 0; b < n_buckets; ++b) end_[b + 1] += end_[b];
        for (int e = 0; e < count; ++e) order_[end_[bucket_[e]]++] = {d2_[e], sample_[e]};
        for (int b = 0, begin = 0; b < n_buckets; begin = end_[b++])
            if (end_[b] - begin > kFew)
                sort_in_parts(order_.data() + begin, order_.data() + end_[b], Less());
        for (int e = 1; e < count; ++e) {
            Neighbour one = order_[e];
            int to = e;
            for (; to > 0 && Less()(one, order_[to - 1]); --to) order_[to] = order_[to - 1];
            order_[to] = one;
        }
    }
};

struct NearestTask {
    const double* limits;
    const std::int32_t* rows;
    int n_rows;
    TakeOrder take;
    void* context;
    Array<Nearest> workers;

    void run(int task, int worker) {
        int begin = task * kRowsPerSum;
        workers[worker](rows, limits, begin, std::min(kRowsPerSum, n_rows - begin), take, context);
    }
};

inline void orders(KeepPanel keep, const double* x, int n, int m, const double* gaps,
                   const std::int32_t* group, const double* limits, const std::int32_t* rows,
                   int n_rows, int n_threads, TakeOrder take, void* context) {
    const std::int32_t everybody[2] = {0, n};
    const Filter filter(keep, x, n, m, everybody, 1, false, false, nullptr, gaps);
    const Layers copy(x, n, m, gaps);
    NearestTask task{limits, rows, n_rows, take, context, {}};
    int n_tasks = (n_rows + kRowsPerSum - 1) / kRowsPerSum, workers = n_workers(n_tasks, n_threads);
    for (int t = 0; t < workers; ++t) task.workers.emplace_back(filter, copy, group, n);
    run_tasks(n_tasks, workers, [](void* context, int id, int worker) {
        static_cast<NearestTask*>(context)->run(id, worker);
    }, &task);
}

}  // namespace TAMIS_LEVEL
}  // namespace tamis
