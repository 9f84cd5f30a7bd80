// The samples that can be inside a ball of some candidate, with their distances in the base set.
#pragma once
#include <algorithm>

#include "layers.hpp"
#include "memory.hpp"
#include "problem.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// The part of a shortlist that one ball can hold: a class is one segment, as samples are sorted by
// class.
struct Members {
    int begin = 0, end = 0;
};

class Shortlist {
public:
    Shortlist(const Labels& y, const Question& q)
        : y_(y), q_(q), n_balls_(balls_per_row(y, q)), idx_(y.n), d_(y.n + kRound),
          members_(n_balls_), inside_(y.n) {}

    int size() const { return size_; }
    int sample(int l) const { return idx_[l]; }
    double distance(int l) const { return d_[l]; }  // squared
    double farthest() const { return farthest_; }
    const Members& members(int ball) const { return members_[ball]; }

    // `list` in increasing order; `removes`: the candidates in `x` leave.
    void gather(int row, const std::int32_t* list, int length, const Layers& x, bool removes,
                const double* limits) {
        take_others(row, list, length);
        const double* here = x.row(row);
        for (int l = 0; l < size_; ++l)
            d_[l] = squared_distance(here, x.row(idx_[l]), x.width());
        find_segments(row);
        if (removes && q_.k > 8) find_inside(limits);
        find_farthest();
    }

    // How much the candidates of a group shrink the distances inside the base set's largest ball.
    f64 shrinkage(const f64* v) const {
        f64 sum = fill(0.0);
        for (int a = 0; a < n_inside_; ++a) sum += v[inside_[a]];
        return inside_sum_ > 0.0 ? sum / inside_sum_ : fill(1.0);
    }

    // A radius that should hold about `goal` of the members in the base set.
    double typical_radius(int ball, double goal) const {
        const Members& m = members_[ball];
        int rank = int(goal);
        if (m.end - m.begin <= rank) return farthest_;
        Array<double> d(d_.begin() + m.begin, d_.begin() + m.end);
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

    void find_segments(int row) {
        const std::int32_t *begin = idx_.data(), *end = begin + size_;
        for (int b = 0; b < n_balls_; ++b) {
            members_[b].begin = 0;
            members_[b].end = size_;
            if (is_everybody(y_, q_, b)) continue;
            int s = class_of_ball(y_, q_, row, b);
            const std::int32_t* first = std::lower_bound(begin, end, y_.first[s]);
            members_[b].begin = int(first - begin);
            members_[b].end = int(std::lower_bound(first, end, y_.first[s + 1]) - begin);
        }
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
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
