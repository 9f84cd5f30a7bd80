// The samples with memberships that can be inside a ball of some candidate, with their distances in
// the base set.
#pragma once
#include <algorithm>
#include <numeric>

#include "layers.hpp"
#include "memory.hpp"
#include "problem.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {


// The part of a shortlist that one ball can hold: its beginning, as it is sorted by who reaches.
struct Members {
    int end = 0;
    Array<double> w;    // of each
    double unit = 1.0;  // a typical weight
};

class Shortlist {
public:
    Shortlist(const Labels& y, const Question& q)
        : y_(y), q_(q), n_balls_(balls_per_row(y, q)), idx_(y.n), d_(y.n + kRound),
          members_(n_balls_), first_(n_balls_ + 1) {
        inside_.resize(y.n);
        old_idx_.resize(y.n);
        old_d_.resize(y.n);
        low_.resize(y.n + kRound);
        reached_by_.resize(y.n / kLanes + 1);
        for (auto& m : members_) m.w.resize(y.n, 1.0);
    }

    int size() const { return size_; }
    int sample(int l) const { return idx_[l]; }
    double distance(int l) const { return d_[l]; }  // squared
    double farthest() const { return farthest_; }
    const Members& members(int ball) const { return members_[ball]; }

    // `list` in increasing order; `removes`: the candidates in `x` leave. Balls
    // with a limit below zero have no members.
    void gather(int row, const std::int32_t* list, int length, const Layers& x, bool removes,
                const double* limits) {
        take_others(row, list, length);
        sort_by_reach(row, x, removes, limits);
        find_weights();
        if (removes) find_inside(limits);
        find_farthest();
    }

    // How much the candidates of a group shrink the distances inside the base set's largest ball.
    f64 shrinkage(const f64* v) const {
        f64 sum = fill(0.0);
        for (int a = 0; a < n_inside_; ++a) sum += v[inside_[a]];
        return inside_sum_ > 0.0 ? sum / inside_sum_ : fill(1.0);
    }

    // A radius that should hold about `goal` of the members' weight in the base set.
    double typical_radius(int ball, double goal) const {
        const Members& m = members_[ball];
        double size = m.end, total = std::accumulate(m.w.begin(), m.w.begin() + m.end, 0.0);
        if (total <= goal) return farthest_;
        int rank = std::min(int(size) - 1, int(size * goal / total));
        Array<double> d(d_.begin(), d_.begin() + m.end);
        std::nth_element(d.begin(), d.begin() + rank, d.end());
        return d[rank];
    }

private:
    const Labels y_;
    const Question q_;
    const int n_balls_;
    int size_ = 0;
    double farthest_ = 0.0;
    Array<std::int32_t> idx_;
    Array<double> d_;
    Array<Members> members_;
    Array<int> inside_;  // the first n_inside_; inside_sum_: of their distances
    int n_inside_ = 0;
    double inside_sum_ = 0.0;
    // To sort by reach: the list before, the least distance that any candidate can leave, the
    // number of balls that reach, and where the samples of each number go.
    Array<std::int32_t> old_idx_;
    Array<double> old_d_, low_;
    Array<i64> reached_by_;
    Array<int> first_;

    void take_others(int row, const std::int32_t* list, int length) {
        const std::int32_t* end = list + length;
        const std::int32_t* self = q_.include_self ? end : std::lower_bound(list, end, row);
        std::int32_t* out = std::copy(list, self, idx_.data());
        if (self < end) out = std::copy(self + (*self == row), end, out);
        size_ = int(out - idx_.data());
    }

    void find_farthest() {
        for (int l = 0; l < kRound; ++l) d_[size_ + l] = 0.0;
        f64 most = fill(0.0);
        for (int l = 0; l < size_; l += kLanes) most = larger(most, load(&d_[l]));
        farthest_ = largest(most);
    }

    // A ball that reaches a sample is larger than all that do not: sorted by how many reach, the
    // members of every ball come first. Samples that no ball reaches are dropped.
    void sort_by_reach(int row, const Layers& x, bool removes, const double* limits) {
        const double* here = x.row(row);
        bool several = removes && x.several();
        for (int l = 0; l < size_; ++l) {
            Differences t = squared_differences(here, x.row(idx_[l]), x.width());
            if (several) t.most = x.largest_part(row, idx_[l]);
            old_idx_[l] = idx_[l];
            old_d_[l] = t.sum;
            // Rounding allowed for.
            low_[l] = t.sum - (removes ? t.most : 0.0) - 1e-12 * t.sum;
        }
        for (int l = size_; l < size_ + kRound; ++l) low_[l] = kInf;
        std::fill(reached_by_.begin(), reached_by_.begin() + size_ / kLanes + 1, i64{});
        for (int b = 0; b < n_balls_; ++b) {
            f64 reach = fill(limits[b] < 0.0 ? -kInf : std::min(limits[b] * kTie, DBL_MAX));
            i64 total{};
            for (int l = 0; l < size_; l += kLanes) {
                count_within(total, load(&low_[l]), reach);
                count_within(reached_by_[l / kLanes], load(&low_[l]), reach);
            }
            members_[b].end = 0;
            for (int lane = 0; lane < kLanes; ++lane) members_[b].end += int(total[lane]);
            first_[b + 1] = members_[b].end;
        }
        // Those that all but f balls reach come after what the f smallest balls hold.
        std::sort(first_.begin() + 1, first_.end());
        first_[0] = 0;
        for (int l = 0; l < size_; ++l) {
            int to = first_[n_balls_ - reached_by_[l / kLanes][l % kLanes]]++;
            idx_[to] = old_idx_[l];
            d_[to] = old_d_[l];
        }
        size_ = first_[n_balls_ - 1];
    }

    // The samples that the largest ball of the base set holds.
    void find_inside(const double* limits) {
        double most = *std::max_element(limits, limits + n_balls_);
        int n = 0;
        for (int l = 0; l < size_; ++l) {
            inside_[n] = l;
            n += d_[l] <= most;
        }
        n_inside_ = most < kInf ? n : 0;
        inside_sum_ = 0.0;
        for (int a = 0; a < n_inside_; ++a) inside_sum_ += d_[inside_[a]];
    }

    void find_weights() {
        for (int b = 0; b < n_balls_; ++b) {
            Members& m = members_[b];
            if (is_everybody(y_, q_, b)) continue;  // all ones
            const double* gamma = y_.gamma + b;
            for (int l = 0; l < m.end; ++l) m.w[l] = gamma[std::size_t(idx_[l]) * y_.n_classes];
            double sum = 0.0;  // over a few of them, at regular places
            int positive = 0, step = m.end / 32 + 1;
            for (int l = 0; l < m.end; l += step) {
                sum += m.w[l];
                positive += m.w[l] > 0.0;
            }
            m.unit = positive ? sum / positive : 1.0;
        }
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
