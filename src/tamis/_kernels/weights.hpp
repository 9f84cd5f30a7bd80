// Memberships as whole numbers, so that their sums are exact: the same in any order.
#pragma once
#include <cmath>

#include "api.hpp"
#include "buckets.hpp"
#include "memory.hpp"
#include "problem.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

class Weights {
public:
    // Rows of `width` weights; `ones`: the last of them is a one.
    Weights(const Labels& y, int width, bool ones)
        : n_classes_(y.n_classes), width_(width), data_(std::size_t(y.n) * width, 0),
          total_(y.n_classes, 0) {
        Array<double> mass(n_classes_, 0.0);
        for (int i = 0; i < y.n; ++i)
            for (int s = 0; s < n_classes_; ++s) mass[s] += membership(y, i, s);
        // As fine as the largest sum allows: 2^-50 if a class has the mass of 1024 to 2047 samples.
        unit_ = std::ldexp(1.0, 60 - std::ilogb(std::max(1.0, *std::max_element(mass.begin(), mass.end()))));
        for (int i = 0; i < y.n; ++i) {
            check_stop(n_classes_);
            Weight* out = &data_[std::size_t(i) * width];
            for (int s = 0; s < n_classes_; ++s) {
                out[s] = std::llrint(membership(y, i, s) * unit_);
                total_[s] += out[s];
            }
            if (ones) out[width - 1] = 1;
        }
    }

    const Weight* row(int i) const { return &data_[std::size_t(i) * width_]; }
    double value(Weight w) const { return double(w) / unit_; }

    // A ball is complete if it holds more; see `target`. Never if the row has no use for the ball.
    Weight below(const Labels& y, const Question& q, int row, int ball) const {
        double goal = target(y, q, row, ball);
        if (goal <= 0.0) return kNever;
        if (is_everybody(y, q, ball)) return Weight(goal);
        // The ball of a class with too few others stops at the last of them, whatever the rounding.
        Weight others = total_[ball] - (q.include_self ? 0 : this->row(row)[ball]);
        return std::min(others, Weight(std::ceil(goal * unit_))) - 1;
    }

private:
    int n_classes_, width_;
    double unit_ = 1.0;
    Array<Weight> data_, total_;
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
