// Stage 2: the exact balls of one row, for a few candidates at a time; soft.hpp: for memberships.
//
// Lane c of value v[l] is the squared distance to sample l in the set varied by candidate c:
// D[l] -/+ (x_i - x_l)^2 over its columns. A last column of zeros gives the base set itself.
#pragma once
#include <cmath>

#include "layers.hpp"
#include "memory.hpp"
#include "problem.hpp"
#include "select.hpp"
#include "shortlist.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// Number of columns in lane c of the variations: the last lane is the base set.
inline int dimensions(const Variations& x, int c) {
    return x.n_base + (c < x.n_candidates ? x.sign * n_columns(x.ends, c) : 0);
}

class RowScan {
public:
    // `candidate` has an extra column of zeros; `base` is not used when removing.
    RowScan(const Labels& y, const Question& q, const Variations& x, const Layers& base,
            const Layers& candidate)
        : y_(y), q_(q), estimate_(y, q), x_(x), base_(base), candidate_(candidate),
          n_balls_(balls_per_row(y, q)), n_lanes_(x.n_candidates + 1),
          n_groups_((n_lanes_ + kLanes - 1) / kLanes), near_(y, q), select_(y.n), v_(y.n),
          goal_(n_balls_), r2_(n_balls_), weight_(n_balls_), count_(n_balls_),
          ball_(n_balls_), reached_(n_balls_) {}

    // Terms and radii of all candidates for `row`. False, with `limits` raised to valid ones, if
    // a ball reached beyond them (it can when features are added): then ask again.
    bool operator()(int row, const std::int32_t* list, int length, double* limits, Terms* terms,
                    float* radii) {
        for (int b = 0; b < n_balls_; ++b) goal_[b] = target(y_, q_, row, b);
        std::fill(reached_.begin(), reached_.end(), -1.0);
        sees_crowd_ = limits[n_balls_ - 1] == 0.0;
        near_.gather(row, list, length, x_.sign < 0 ? candidate_ : base_, x_.sign < 0, limits);
        estimate_.start(row);
        bool valid = true;
        for (int g = 0; g < n_groups_; ++g) {
            check_stop(std::size_t(near_.size()) * kLanes * n_balls_);
            vary(row, g);
            measure(limits);
            if (x_.sign < 0 && recompute_cancelled(row, g)) measure(limits);
            if (x_.sign > 0) valid &= within(limits);
            if (valid) finish(row, g, terms, radii);
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
    Select select_;
    Array<f64> v_;
    Array<double> goal_;
    Array<f64> r2_, weight_, count_;
    Array<Ball> ball_;
    Array<double> reached_;  // adding: the largest radius of each ball over candidates
    f64 shrink_{};           // expected squared radius, relative to the limit
    Smallest8 smallest_;     // of the last ball
    bool sees_crowd_ = false;  // distance: everybody's ball is a point, so the list is not cut to it

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

    // Removing what carries nearly all of a distance leaves rounding errors only: such lanes are
    // summed anew without it.
    bool recompute_cancelled(int row, int g) {
        f64 least = fill(kInf);
        for (int b = 0; b < n_balls_; ++b) least = smaller(least, used(b) ? r2_[b] : fill(kInf));
        bool found = false;
        for (int lane = 0; lane < kLanes && kLanes * g + lane < x_.n_candidates; ++lane) {
            if (least[lane] > 1e-5 * near_.farthest()) continue;
            found = true;
            check_stop(std::size_t(near_.size()) * candidate_.width());
            for (int l = 0; l < near_.size(); ++l)
                v_[l][lane] = candidate_.distance_without(row, near_.sample(l), kLanes * g + lane);
        }
        return found;
    }

    // ---- balls from values --------------------------------------------------------------

    bool used(int b) const { return r2_[b][0] >= 0.0; }

    void measure(const double* limits) {
        if (q_.k > 8) shrink_ = x_.sign < 0 ? near_.shrinkage(v_.data()) * correction() : fill(0.95);
        for (int b = 0; b < n_balls_; ++b) {
            if (goal_[b] <= 0.0)
                r2_[b] = fill(-1.0);
            else
                measure_hard(b, limits[b]);
        }
    }

    void measure_hard(int b, double limit) {
        const Members& m = near_.members(b);
        const f64 *begin = v_.data() + m.begin, *end = v_.data() + m.end;
        r2_[b] = kth(b, limit);
        f64 edge = r2_[b] * kTie;
        count_[b] = weight_[b] = number_within(begin, end, edge);
        // The distance form does not need to know who else is inside: see crowd().
        if (q_.quantity == kCount)
            count_[b] += number_within(v_.data(), begin, edge) +
                         number_within(end, v_.data() + near_.size(), edge);
    }

    // The k-th smallest.
    f64 kth(int b, double limit) {
        if (goal_[b] > 8.5) return select(b, limit);
        const Members& m = near_.members(b);
        int begin = m.begin, end = m.end;
        if (b == 1 && q_.quantity == kDistance && goal_[0] > 0.0) {
            // Everybody: the row's own class has been taken already.
            begin = near_.members(0).end;
            smallest_.take(v_.data(), near_.members(0).begin);
        } else {
            smallest_ = Smallest8();
        }
        smallest_.take(v_.data() + begin, end - begin);
        return smallest_.kth(int(goal_[b] + 0.5));
    }

    f64 select(int b, double limit) {
        const Members& m = near_.members(b);
        f64 guess = limit < kInf ? larger(shrink_ * limit, fill(0.0))
                                 : fill(near_.typical_radius(b, goal_[b]));
        // The exponent with which the number grows, as found on Gaussian data.
        double growth = 1.0 + 0.27 * x_.n_base;
        return select_(v_.data() + m.begin, m.end - m.begin, goal_[b], guess, growth);
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

    void finish(int row, int g, Terms* terms, float* radii) {
        for (int lane = 0; lane < kLanes && kLanes * g + lane < n_lanes_; ++lane) {
            int c = kLanes * g + lane;
            for (int b = 0; b < n_balls_; ++b) {
                ball_[b] = {r2_[b][lane], weight_[b][lane], count_[b][lane]};
                radii[std::size_t(b) * n_lanes_ + c] = upper_bound(ball_[b].r2);
            }
            if (q_.quantity == kDistance &&
                (ball_[0].r2 == 0.0 || ball_[1].r2 == 0.0))
                ball_[0].count = sees_crowd_ ? number_within(v_.data(), v_.data() + near_.size(),
                                                             fill(ball_[0].r2 * kTie))[lane]
                                             : crowd(row, c, ball_[0].r2 * kTie);
            terms[c] = estimate_(dimensions(x_, c), ball_.data());
        }
    }

    // How many samples of any class are within `edge`, asked of all samples: rare.
    double crowd(int row, int c, double edge) const {
        double inside = 0.0;
        for (int i = 0; i < y_.n; ++i) {
            if (i % 256 == 0) check_stop(std::size_t(256) * candidate_.width());
            if (i == row && !q_.include_self) continue;
            double d = x_.sign < 0 ? candidate_.distance_without(row, i, c)
                                   : base_.distance(row, i) + candidate_.part(row, i, c);
            inside += d <= edge;
        }
        return inside;
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
