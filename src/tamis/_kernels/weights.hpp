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
    // Rows of `width` weights; `ones`: the last of them is how many samples the row stands for.
    Weights(const Labels& y, const Question& q, int width, bool ones)
        : n_classes_(y.n_classes), width_(width), first_self_(y.weight && q.include_self ? y.n : 0),
          data_(std::size_t(y.n + first_self_) * width, 0), total_(y.n_classes + 1, 0) {
        Array<double> mass(n_classes_, 0.0);
        for (int i = 0; i < y.n; ++i)
            for (int s = 0; s < n_classes_; ++s) mass[s] += membership(y, i, s);
        unit_ = unit_for(*std::max_element(mass.begin(), mass.end()));
        if (y.weight) unit_of_one_ = unit_for(y.weight_total);
        if (y.weight) ones_.resize(y.n + first_self_, whole(1.0, unit_of_one_));
        for (int i = 0; i < y.n; ++i) {
            check_stop(n_classes_);
            Weight* out = &data_[std::size_t(i) * width];
            if (y.weight) ones_[i] = whole(y.weight[i], unit_of_one_);
            for (int s = 0; s < n_classes_; ++s) {
                out[s] = whole(membership(y, i, s), unit_);
                total_[s] += out[s];
                if (first_self_) data_[std::size_t(self(i)) * width + s] = whole(self_mass(y, i, s), unit_);
            }
            total_[n_classes_] += one(i);
            for (int r = i; ones && r < y.n + first_self_; r += y.n)
                data_[std::size_t(r + 1) * width - 1] = one(r);
        }
        if (y.group) add_up_groups(y);
    }

    const Weight* row(int i) const { return &data_[std::size_t(i) * width_]; }
    // The row of weights of a sample as its own neighbour: of one of those that it stands for.
    int self(int i) const { return first_self_ + i; }
    // How many samples a row of weights is.
    Weight one(int i) const { return ones_.empty() ? 1 : ones_[i]; }
    double value(Weight w) const { return double(w) / unit_; }
    double number(Weight ones) const { return double(ones) / unit_of_one_; }

    // A ball is complete if it holds more; see `target`. Never if the row has no use for the ball.
    Weight below(const Labels& y, const Question& q, int row, int ball) const {
        double goal = target(y, q, row, ball);
        if (goal <= 0.0) return kNever;
        const bool everybody = is_everybody(y, q, ball);
        if (everybody && !y.weight) return Weight(goal);
        // The ball of a class with too few others stops at the last of them, whatever the rounding.
        const int at = everybody ? n_classes_ : ball;
        Weight others = total_[at] - own(y, row, at);
        if (q.include_self) others += everybody ? one(self(row)) : this->row(self(row))[ball];
        if (others <= 0) return kNever;
        return std::min(others, Weight(std::ceil(goal * (everybody ? unit_of_one_ : unit_)))) - 1;
    }

private:
    int n_classes_, width_, first_self_;
    double unit_ = 1.0, unit_of_one_ = 1.0;
    Array<Weight> data_, total_, ones_, of_group_;  // last in total_ and of_group_: how many samples

    // As fine as the largest sum allows: 2^-50 if a class has the mass of 1024 to 2047 samples.
    static double unit_for(double most) { return std::ldexp(1.0, 60 - std::ilogb(std::max(1.0, most))); }
    static Weight whole(double weight, double unit) { return std::llrint(weight * unit); }

    // What its group takes away from a row.
    Weight own(const Labels& y, int row, int at) const {
        if (y.group) return of_group_[std::size_t(y.group[row]) * (n_classes_ + 1) + at];
        return at == n_classes_ ? one(row) : this->row(row)[at];
    }

    void add_up_groups(const Labels& y) {
        const std::size_t width = n_classes_ + 1;
        for (int i = 0; i < y.n; ++i) {
            check_stop(n_classes_);
            if (of_group_.size() <= y.group[i] * width) of_group_.resize((y.group[i] + 1) * width, 0);
            Weight* out = &of_group_[y.group[i] * width];
            for (int s = 0; s < n_classes_; ++s) out[s] += row(i)[s];
            out[n_classes_] += one(i);
        }
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
