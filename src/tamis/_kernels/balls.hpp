// Stage 2 for memberships: the exact balls of one row, for a few candidates at a time.
//
// Lane c of value v[l] is the squared distance to sample l in the set varied by candidate c:
// D[l] -/+ (x_i - x_l)^2 over its columns. A last column of zeros gives the base set itself.
#pragma once
#include <cmath>

#include "filter.hpp"
#include "layers.hpp"
#include "memory.hpp"
#include "problem.hpp"
#include "select.hpp"
#include "shortlist.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

class RowScan {
public:
    // `candidate` has an extra column of zeros; `base` is not used when removing.
    RowScan(const Labels& y, const Question& q, const Variations& x, const Layers& base,
            const Layers& candidate)
        : y_(y), q_(q), estimate_(y, q), x_(x), base_(base), candidate_(candidate),
          n_balls_(balls_per_row(y, q)), n_lanes_(x.n_candidates + 1),
          n_groups_((n_lanes_ + kLanes - 1) / kLanes), near_(y, q), select_(y.n), v_(y.n),
          ones_(y.n, 1.0), goal_(n_balls_), r2_(n_balls_), weight_(n_balls_), count_(n_balls_),
          ball_(n_balls_), reached_(n_balls_) {}

    // Terms and radii of all candidates for `row`. False, with `limits` raised to valid ones, if
    // a ball reached beyond them (it can when features are added): then ask again.
    bool operator()(int row, const Listed& list, double* limits, Terms* terms, float* radii) {
        for (int b = 0; b < n_balls_; ++b) goal_[b] = target(y_, q_, row, b);
        std::fill(reached_.begin(), reached_.end(), -1.0);
        near_.gather(row, list.samples, list.starts[1], x_.sign < 0 ? candidate_ : base_, x_.sign < 0, limits);
        estimate_.start(row);
        bool valid = true;
        for (int g = 0; g < n_groups_; ++g) {
            check_stop(std::size_t(near_.size()) * kLanes * n_balls_);
            vary(row, g);
            measure(limits);
            if (x_.sign < 0 && recompute_cancelled(row, g)) measure(limits);
            if (x_.sign > 0) valid &= within(limits);
            if (valid) finish(g, terms, radii);
        }
        if (!valid) raise(limits);
        return valid;
    }

private:
    const Labels y_;
    const Question q_;
    Estimate estimate_;
    const Variations x_;
    const Layers &base_, &candidate_;
    const int n_balls_, n_lanes_, n_groups_;
    Shortlist near_;
    WeightedSelect select_;
    Array<f64> v_;
    Array<double> ones_, goal_;
    Array<f64> r2_, weight_, count_;
    Array<Ball> ball_;
    Array<double> reached_;  // adding: the largest radius of each ball over candidates
    f64 shrink_{};           // expected squared radius, relative to the limit

    void vary(int row, int g) {
        int at = candidate_.place(kLanes * g), end = candidate_.end(kLanes * g);
        vary_from(row, at, [&](int l) { return near_.distance(l); });
        while ((at += kRound) < end) vary_from(row, at, [&](int l) { return v_[l]; });
    }

    // By one layer: a column of each candidate.
    template <class Before>
    void vary_from(int row, int at, Before before) {
        f64 here = load(candidate_.row(row) + at), sign = fill(x_.sign);
        for (int l = 0; l < near_.size(); ++l) {
            f64 diff = here - load(candidate_.row(near_.sample(l)) + at);
            v_[l] = before(l) + sign * (diff * diff);
        }
    }

    // Removing what carries nearly all of a distance leaves rounding errors only: such distances
    // are summed anew without it, in the lanes whose balls they can be inside.
    bool recompute_cancelled(int row, int g) {
        f64 least = fill(kInf);
        for (int b = 0; b < n_balls_; ++b) least = smaller(least, used(b) ? r2_[b] : fill(kInf));
        bool found = false;
        for (int lane = 0; lane < kLanes && kLanes * g + lane < x_.n_candidates; ++lane) {
            if (least[lane] > 1e-5 * near_.farthest()) continue;
            for (int l = 0; l < near_.size(); ++l) {
                if (near_.distance(l) == 0.0 || v_[l][lane] > 1e-5 * near_.distance(l)) continue;
                found = true;
                check_stop(candidate_.width());
                v_[l][lane] = candidate_.distance_without(row, near_.sample(l), kLanes * g + lane);
            }
        }
        return found;
    }

    // ---- balls from values --------------------------------------------------------------

    // Not by the radius: one that rounding errors make negative is not known yet.
    bool used(int b) const { return goal_[b] > 0.0; }

    void measure(const double* limits) {
        shrink_ = x_.sign < 0 ? near_.shrinkage(v_.data()) * correction() : fill(0.95);
        for (int b = 0; b < n_balls_; ++b) {
            if (goal_[b] <= 0.0)
                r2_[b] = fill(-1.0);
            else
                measure_soft(b, limits[b]);
        }
    }

    void measure_soft(int b, double limit) {
        const Members& m = near_.members(b);
        if (is_everybody(y_, q_, b)) {
            r2_[b] = kth(b, limit);
        } else {
            auto found = select(b, m.w.data(), limit);
            r2_[b] = found.r2;
            weight_[b] = found.weight;
        }
        count_[b] = number_within(v_.data(), v_.data() + m.end, r2_[b] * kTie);
    }

    // The k-th smallest, every weight being one.
    f64 kth(int b, double limit) {
        if (goal_[b] > 8.5) return select(b, ones_.data(), limit).r2;
        const Members& m = near_.members(b);
        Smallest8 smallest;
        smallest.take(v_.data(), m.end);
        return smallest.kth(int(goal_[b] + 0.5));
    }

    WeightedSelect::Found select(int b, const double* w, double limit) {
        const Members& m = near_.members(b);
        f64 guess = limit < kInf ? larger(shrink_ * limit, fill(0.0))
                                 : fill(near_.typical_radius(b, goal_[b]));
        // The exponent with which the weight grows, as found on Gaussian data.
        double growth = 1.0 + 0.27 * x_.n_base;
        return select_(v_.data(), w, m.end, goal_[b], guess, growth, m.unit);
    }

    // Ranks change when a candidate leaves: radii shrink more than the distances (Gaussian data).
    double correction() const {
        double m = x_.n_candidates;
        return std::max(0.2, 1.0 - 0.25 / m - 3.0 / (m * m));
    }

    static f64 number_within(const f64* begin, const f64* end, f64 edge) {
        i64 inside{};
#pragma GCC unroll 4
        for (; begin < end; ++begin) count_within(inside, *begin, edge);
        return __builtin_convertvector(inside, f64);
    }

    // ---- what came out ---------------------------------------------------------------------

    bool within(const double* limits) {
        bool valid = true;
        for (int b = 0; b < n_balls_; ++b) {
            if (!used(b)) continue;
            double most = largest(r2_[b]);
            reached_[b] = std::max(reached_[b], most);
            valid &= most <= limits[b];
        }
        return valid;
    }

    void raise(double* limits) const {
        for (int b = 0; b < n_balls_; ++b) limits[b] = std::max(limits[b], reached_[b]);
    }

    void finish(int g, Terms* terms, float* radii) {
        for (int lane = 0; lane < kLanes && kLanes * g + lane < n_lanes_; ++lane) {
            int c = kLanes * g + lane;
            for (int b = 0; b < n_balls_; ++b) {
                ball_[b] = {r2_[b][lane], weight_[b][lane], count_[b][lane]};
                radii[std::size_t(b) * n_lanes_ + c] = upper_bound(ball_[b].r2);
            }
            terms[c] = estimate_(dimensions(x_, c), ball_.data());
        }
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
