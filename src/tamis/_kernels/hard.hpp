// Stage 2 for samples of one class each: the exact balls of one row, for a few candidates at a time.
//
// Lane c of a value is the squared distance to a sample in the set varied by candidate c:
// D -/+ (x_i - x_l)^2 over its columns. A last column of zeros gives the base set itself.
//
// A ball is found from the samples inside the base set's ball first: what leaves brings nobody
// farther, so the others matter only where they come nearer than the k-th of these, which is seldom.
#pragma once
#include <cmath>

#include "layers.hpp"
#include "memory.hpp"
#include "near.hpp"
#include "problem.hpp"
#include "select.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// How values come about: candidates join, leave, or leave and may carry nearly all of a distance.
enum Way { kJoin, kLeave, kLeaveWithCare };

class HardScan {
public:
    // `candidate` has an extra column of zeros; `base` is not used when removing.
    HardScan(const Labels& y, const Question& q, const Variations& x, const Layers& base,
             const Layers& candidate)
        : y_(y), q_(q), estimate_(y, q), x_(x), base_(base), candidate_(candidate),
          n_balls_(balls_per_row(y, q)), n_lanes_(x.n_candidates + 1),
          n_groups_((n_lanes_ + kLanes - 1) / kLanes), near_(y, q), select_(near_.room()),
          v_(near_.room() + 1), w_(near_.room() + 1, 1.0), goal_(n_balls_), r2_(n_balls_),
          weight_(n_balls_), count_(n_balls_), ball_(n_balls_), reached_(n_balls_) {}

    // Terms and radii of all candidates for `row`. False, with `limits` raised to valid ones, if
    // a ball reached beyond them (it can when features are added): then ask again.
    bool operator()(int row, const Listed& list, double* limits, Terms* terms, float* radii) {
        for (int b = 0; b < n_balls_; ++b) goal_[b] = target(y_, q_, row, b);
        std::fill(reached_.begin(), reached_.end(), -1.0);
        row_ = row;
        limits_ = limits;
        near_.gather(row, list, x_.sign < 0 ? candidate_ : base_, limits);
        careful_ = false;
        estimate_.start(row);
        bool valid = true;
        for (int g = 0; g < n_groups_; ++g) {
            check_stop(std::size_t(near_.size()) * kLanes);
            group_ = g;
            measure();
            if (x_.sign > 0) valid &= within();
            if (valid) finish(terms, radii);
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
    Near near_;
    WeightedSelect select_;
    Array<f64> v_;     // of those samples that can be inside the ball of some lane, size_ so far
    Array<double> w_;  // and how many each stands for
    Array<double> goal_;
    Array<f64> r2_, weight_, count_;
    Array<Ball> ball_;
    Array<double> reached_;  // adding: the largest radius of each ball over candidates
    Smallest8 smallest_;
    const double* limits_ = nullptr;
    static constexpr double kSmall = 1e-5;  // of a distance
    int row_ = 0, group_ = 0, size_ = 0;
    bool careful_ = false;

    // ---- values ------------------------------------------------------------------------------

    // Calls take(l, v) for samples begin .. end-1 of those near, v being the values of this group.
    template <Way way, class Take>
    __attribute__((always_inline)) void vary(int begin, int end, Take take) const {
        const int at = candidate_.place(kLanes * group_), stop = candidate_.end(kLanes * group_);
        const int width = candidate_.width();
        const double *rows = candidate_.row(0), *distance = near_.distances(), *own = candidate_.row(row_);
        const std::int32_t* sample = near_.samples();
        const f64 here = load(own + at);
        for (int l = begin; l < end; ++l) {
            const double* there = rows + std::size_t(sample[l]) * width;
            f64 diff = here - load(there + at), v = fill(distance[l]);
            v = way == kJoin ? v + diff * diff : v - diff * diff;
            for (int j = at + kRound; j < stop; j += kRound) {
                diff = load(own + j) - load(there + j);
                v = way == kJoin ? v + diff * diff : v - diff * diff;
            }
            if (way == kLeaveWithCare && any_below(v, fill(distance[l] * kSmall))) sum_anew(l, v);
            take(l, v);
        }
    }

    // Removing what carries nearly all of a distance leaves rounding errors only.
    __attribute__((noinline)) void sum_anew(int l, f64& v) const {
        check_stop(candidate_.width());
        for (int lane = 0; lane < kLanes && kLanes * group_ + lane < x_.n_candidates; ++lane)
            if (v[lane] < near_.distances()[l] * kSmall)
                v[lane] = candidate_.distance_without(row_, near_.samples()[l], kLanes * group_ + lane);
    }

    // Appends the values that are within the edge in some lane.
    template <Way way>
    void append(int begin, int end, f64 edge) {
        f64* v_to = v_.data();
        double* w_to = w_.data();
        const double* w = near_.weights();
        int n = size_;
        if (y_.times)
            vary<way>(begin, end, [&](int l, f64 v) {
                v_to[n] = v;
                w_to[n] = w[l];
                n += any_within(v, edge);
            });
        else
            vary<way>(begin, end, [&](int, f64 v) {
                v_to[n] = v;
                n += any_within(v, edge);
            });
        size_ = n;
    }

    // How many of samples begin .. end-1 are within the edge.
    template <Way way>
    f64 number_near(int begin, int end, f64 edge) const {
        const double* w = near_.weights();
        f64 sum = fill(0.0);
        i64 ones{};
        if (y_.times)
            vary<way>(begin, end, [&](int l, f64 v) { add_within(sum, v, edge, w[l]); });
        else
            vary<way>(begin, end, [&](int, f64 v) { count_within(ones, v, edge); });
        return sum + __builtin_convertvector(ones, f64);
    }

    // The same of values that were appended.
    f64 number_within(int begin, int end, f64 edge) const {
        const f64* v = v_.data();
        f64 sum = fill(0.0);
        i64 ones{};
        if (y_.times)
            for (int l = begin; l < end; ++l) add_within(sum, v[l], edge, w_[l]);
        else
            for (int l = begin; l < end; ++l) count_within(ones, v[l], edge);
        return sum + __builtin_convertvector(ones, f64);
    }

    // ---- balls -------------------------------------------------------------------------------

    // Rounding errors matter where radii are that small: then all is done again with care.
    void measure() {
        if (x_.sign >= 0) return measure<kJoin>();
        if (!careful_) {
            measure<kLeave>();
            f64 least = fill(kInf);
            for (int b = 0; b < n_balls_; ++b) least = smaller(least, goal_[b] > 0.0 ? r2_[b] : least);
            careful_ = any_within(least, fill(kSmall * near_.farthest()));
        }
        if (careful_) measure<kLeaveWithCare>();
    }

    template <Way way>
    void measure() {
        int n_own = size_ = 0;
        for (int b = 0, begin = 0; b < n_balls_; ++b) {
            r2_[b] = fill(-1.0);
            if (goal_[b] <= 0.0) continue;
            // Everybody: the row's own class has been taken already.
            bool joins = q_.quantity == kDistance && b == 1 && goal_[0] > 0.0;
            if (!joins) begin = size_;
            r2_[b] = kth<way>(b, begin, !joins);
            weight_[b] = count_[b] = number_within(begin, size_, r2_[b] * kTie);
            if (b == 0) n_own = size_;
        }
        if (goal_[0] <= 0.0) return;
        const Part& others = near_.part(1);
        if (q_.quantity == kCount)
            count_[0] += number_near<way>(others.begin, others.end, r2_[0] * kTie);
        if (q_.quantity == kDistance) count_crowd<way>(n_own);
    }

    // How many samples of part b a ball can need, and how far it can reach: the row's own class is in
    // everybody's ball too.
    int most_needed(int b) const {
        return int((q_.quantity == kDistance ? std::max(goal_[0], goal_[1]) : goal_[b]) + 0.5);
    }
    double largest_limit(int b) const {
        return q_.quantity == kDistance ? std::max(limits_[0], limits_[1]) : limits_[b];
    }

    // The k-th smallest distance to the samples of part b, and to those from `begin` on that have
    // been varied already.
    template <Way way>
    f64 kth(int b, int begin, bool afresh) {
        const Part& part = near_.part(b);
        const int k = int(goal_[b] + 0.5), most = most_needed(b), before = size_;
        f64 edge = fill(way == kJoin ? kInf : largest_limit(b) * kTie);
        append<way>(part.begin, part.inside, fill(kInf));
        if (most <= 8) {
            if (afresh) smallest_ = Smallest8();
            smallest_.take(v_.data() + before, size_ - before);
            if (way != kJoin) edge = smallest_.kth(most) * kTie;
        }
        int after = size_;
        append<way>(part.inside, part.end, edge);
        if (most > 8) return select(b, begin, before);
        smallest_.take(v_.data() + after, size_ - after);
        return smallest_.kth(k);
    }

    // The same where k is more than eight, among the values from `begin` on.
    f64 select(int b, int begin, int inside_from) {
        const Part& part = near_.part(b);
        const int inside = part.inside - part.begin;
        f64 guess;
        if (limits_[b] == kInf) {
            guess = fill(near_.kth_distance(b, int(goal_[b])));
        } else {
            f64 now = fill(0.0);
            double then = 0.0;
            for (int l = 0; l < inside; ++l) {
                now += v_[inside_from + l];
                then += near_.distances()[part.begin + l];
            }
            f64 shrunk = x_.sign < 0 && then > 0.0 ? now / then * correction() : fill(0.95);
            guess = larger(shrunk * limits_[b], fill(0.0));
        }
        // The exponent with which the weight grows, as found on Gaussian data.
        double growth = 1.0 + 0.27 * x_.n_base;
        return select_(v_.data() + begin, w_.data() + begin, size_ - begin, goal_[b], guess, growth, 1.0).r2;
    }

    // Ranks change when a candidate leaves: radii shrink more than the distances (Gaussian data).
    double correction() const {
        double m = x_.n_candidates;
        return std::max(0.2, 1.0 - 0.25 / m - 3.0 / (m * m));
    }

    // Distance: where a ball has no volume, everybody within the own class's radius is counted.
    template <Way way>
    void count_crowd(int n_own) {
        i64 flat = (i64)(r2_[0] == 0.0) | (i64)(r2_[1] == 0.0);
        if (!any(flat)) return;
        f64 edge = r2_[0] * kTie;
        const Part& others = near_.part(1);
        f64 inside = number_within(0, n_own, edge) + number_near<way>(others.begin, others.end, edge);
        count_[0] = flat ? inside : count_[0];
        // The list may have been cut to everybody's ball.
        for (int lane = 0; lane < kLanes && kLanes * group_ + lane < n_lanes_; ++lane)
            if (flat[lane] && limits_[1] > 0.0 && r2_[0][lane] > limits_[1])
                count_[0][lane] = crowd(kLanes * group_ + lane, edge[lane]);
    }

    // How many samples of any class are within `edge`, asked of all samples: rare.
    double crowd(int c, double edge) const {
        double inside = 0.0;
        for (int i = 0; i < y_.n; ++i) {
            if (i % 256 == 0) check_stop(std::size_t(256) * candidate_.width());
            double d = x_.sign < 0 ? candidate_.distance_without(row_, i, c)
                                   : base_.distance(row_, i) + candidate_.part(row_, i, c);
            if (d <= edge) inside += times_around(y_, q_, row_, i);
        }
        return inside;
    }

    // ---- what came out -----------------------------------------------------------------------

    bool within() {
        bool valid = true;
        for (int b = 0; b < n_balls_; ++b) {
            if (r2_[b][0] < 0.0) continue;
            double most = largest(r2_[b]);
            reached_[b] = std::max(reached_[b], most);
            valid &= most <= limits_[b];
        }
        return valid;
    }

    void raise(double* limits) const {
        for (int b = 0; b < n_balls_; ++b) limits[b] = std::max(limits[b], reached_[b]);
    }

    void finish(Terms* terms, float* radii) {
        for (int lane = 0; lane < kLanes && kLanes * group_ + lane < n_lanes_; ++lane) {
            int c = kLanes * group_ + lane;
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
