// Stage 2 for samples of one class each: the exact balls of one row, for a few candidates at a time.
//
// Lane c of a value is the squared distance to a sample in the set varied by candidate c:
// D -/+ (x_i - x_l)^2 over its columns. A last column of zeros gives the base set itself.
//
// A ball is found from the samples inside the base set's ball first: what leaves brings nobody
// farther, so the others matter only where they come nearer than the k-th of these, which is seldom.
// What joins moves everybody, so the nearest come first, and then some at a time.
#pragma once
#include "layers.hpp"
#include "memory.hpp"
#include "near.hpp"
#include "problem.hpp"
#include "select.hpp"
#include "simd.hpp"
#include "vary.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

class HardScan {
public:
    // `candidate` has an extra column of zeros; `base` is not used when removing.
    HardScan(const Labels& y, const Question& q, const Variations& x, const Layers& base,
             const Layers& candidate)
        : y_(y), q_(q), estimate_(y, q), x_(x), base_(base), candidate_(candidate),
          varied_(candidate, x.n_candidates),
          n_balls_(balls_per_row(y, q)), n_lanes_(x.n_candidates + 1),
          n_groups_((n_lanes_ + kLanes - 1) / kLanes), near_(y, q), select_(near_.room()),
          v_(near_.room() + 1), w_(near_.room() + 1, 1.0), goal_(n_balls_),
          floor_(n_groups_, fill(0.0)), r2_(n_balls_), weight_(n_balls_), count_(n_balls_),
          ball_(n_balls_), reached_(n_balls_) {}

    // Terms and radii of all candidates for `row`. False, with `limits` raised to valid ones, if
    // a ball reached beyond them (it can when features are added): then ask again.
    bool operator()(int row, const Listed& list, double* limits, Terms* terms, float* radii) {
        for (int b = 0; b < n_balls_; ++b) goal_[b] = target(y_, q_, row, b);
        std::fill(reached_.begin(), reached_.end(), -1.0);
        row_ = row;
        limits_ = limits;
        near_.gather(row, list, x_.sign < 0 ? candidate_ : base_, limits,
                     x_.sign > 0 ? kNearest : 1.0);
        careful_ = false;
        for (int c = 0; x_.sign > 0 && candidate_.has_gaps() && c < n_lanes_; ++c)
            floor_[c / kLanes][c % kLanes] = candidate_.floor(row, c);
        estimate_.start(row);
        bool valid = true;
        for (int g = 0; g < n_groups_; ++g) {
            check_stop(std::size_t(near_.size()) * kLanes);
            group_ = g;
            candidate_.has_gaps(kLanes * g) ? measure<true>() : measure<false>();
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
    const Varied varied_;
    const int n_balls_, n_lanes_, n_groups_;
    Near near_;
    WeightedSelect select_;
    Array<f64> v_;     // of those samples that can be inside the ball of some lane, size_ so far
    Array<double> w_;  // and how many each stands for
    Array<double> goal_;
    Array<f64> floor_;  // adding: what the row is away from everybody by its gaps in each candidate
    Array<f64> r2_, weight_, count_;
    Array<Ball> ball_;
    Array<double> reached_;  // adding: how far the balls of the candidates reach in the base set
    Smallest8 smallest_;
    const double* limits_ = nullptr;
    // When candidates join: the share of a limit within which samples come first, and how many of the
    // others come at once. At 2310 x 18 x 7 the scans of a forward search that add candidates take the
    // same time, within 3 %, with 0.05 to 0.25 and 32 to 64, 3-5 % longer with 16, and 10 % longer if
    // all come first (one or two runs each).
    static constexpr double kNearest = 0.25;
    static constexpr int kSome = 64;
    int row_ = 0, group_ = 0, size_ = 0;
    bool careful_ = false;

    // ---- values ------------------------------------------------------------------------------

    // Calls take(l, v) for samples begin .. end-1 of those near, v being the values of this group.
    template <Way way, bool Gaps, class Take>
    __attribute__((always_inline)) void vary(int begin, int end, Take take) const {
        varied_.template of<way, Gaps>(row_, group_, near_.samples(), near_.distances(), begin, end, take);
    }

    // Appends the values that are within the edge in some lane; all, if there is no edge.
    template <Way way, bool Gaps>
    void append(int begin, int end, const f64* edge) {
        f64* to = v_.data() + size_;
        double* w_to = w_.data() + size_;
        const double* w = near_.weights();
        if (y_.times)
            vary<way, Gaps>(begin, end, [&](int l, f64 v) {
                *to = v;
                *w_to = w[l];
                const bool kept = !edge || any_within(v, *edge);
                to += kept;
                w_to += kept;
            });
        else if (edge)
            vary<way, Gaps>(begin, end, [&, most = *edge](int, f64 v) {
                *to = v;
                to += any_within(v, most);
            });
        else
            vary<way, Gaps>(begin, end, [&](int, f64 v) { *to++ = v; });
        size_ = int(to - v_.data());
    }

    // How many of samples begin .. end-1 are within the edge.
    template <Way way, bool Gaps>
    f64 number_near(int begin, int end, f64 edge) const {
        const double* w = near_.weights();
        f64 sum = fill(0.0);
        i64 ones{};
        if (y_.times)
            vary<way, Gaps>(begin, end, [&](int l, f64 v) { add_within(sum, v, edge, w[l]); });
        else
            vary<way, Gaps>(begin, end, [&](int, f64 v) { count_within(ones, v, edge); });
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
#pragma GCC unroll 4
            for (int l = begin; l < end; ++l) count_within(ones, v[l], edge);
        return sum + __builtin_convertvector(ones, f64);
    }

    // ---- balls -------------------------------------------------------------------------------

    // Rounding errors matter where radii are that small: then all is done again with care.
    template <bool Gaps>
    void measure() {
        if (x_.sign >= 0) return measure<kJoin, Gaps>();
        if (!careful_) {
            measure<kLeave, Gaps>();
            f64 least = fill(kInf);
            for (int b = 0; b < n_balls_; ++b) least = smaller(least, goal_[b] > 0.0 ? r2_[b] : least);
            careful_ = any_within(least, fill(kSmall * near_.farthest()));
        }
        if (careful_) measure<kLeaveWithCare, Gaps>();
    }

    template <Way way, bool Gaps>
    void measure() {
        int n_own = size_ = 0;
        for (int b = 0, begin = 0; b < n_balls_; ++b) {
            r2_[b] = fill(-1.0);
            if (goal_[b] <= 0.0) continue;
            // Everybody: the row's own class has been taken already.
            bool joins = q_.quantity == kDistance && b == 1 && goal_[0] > 0.0;
            if (!joins) begin = size_;
            r2_[b] = kth<way, Gaps>(b, begin, !joins);
            weight_[b] = count_[b] = number_within(begin, size_, r2_[b] * kTie);
            if (b == 0) n_own = size_;
        }
        if (goal_[0] <= 0.0) return;
        const Part& others = near_.part(1);
        if (q_.quantity == kCount)
            count_[0] += number_near<way, Gaps>(others.begin, others.end, r2_[0] * kTie);
        if (q_.quantity == kDistance) count_crowd<way, Gaps>(n_own);
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
    template <Way way, bool Gaps>
    f64 kth(int b, int begin, bool afresh) {
        const Part& part = near_.part(b);
        const int most = most_needed(b);
        f64 edge;
        if (most > 8) {
            append<way, Gaps>(part.begin, part.inside, nullptr);
            edge = fill(way == kJoin ? kInf : largest_limit(b) * kTie);
            append<way, Gaps>(part.inside, part.end, &edge);
            return select(b, begin);
        }
        if (afresh) smallest_ = Smallest8();
        for (int l = part.begin, stop = part.inside; l < part.end; stop = std::min(l + kSome, part.end)) {
            const int old = size_;
            append<way, Gaps>(l, stop, l > part.begin ? &edge : nullptr);
            smallest_.take(v_.data() + old, size_ - old);
            edge = smallest_.kth(most) * kTie;
            l = stop;
        }
        return smallest_.kth(int(goal_[b] + 0.5));
    }

    // The same where k is more than eight, among the values from `begin` on. A ball of the base set is
    // the first guess, and its weight goes with the volume: neither decides more than a few per cent.
    f64 select(int b, int begin) {
        double guess = limits_[b] < kInf ? limits_[b] : near_.kth_distance(b, int(goal_[b]));
        return select_(v_.data() + begin, w_.data() + begin, size_ - begin, goal_[b], guess + floor_[group_],
                       0.5 * x_.n_base, 1.0).r2;
    }

    // Distance: where a ball has no volume, everybody within the own class's radius is counted.
    template <Way way, bool Gaps>
    void count_crowd(int n_own) {
        i64 flat = (i64)(r2_[0] == 0.0) | (i64)(r2_[1] == 0.0);
        if (!any(flat)) return;
        f64 edge = r2_[0] * kTie;
        const Part& others = near_.part(1);
        f64 inside = number_within(0, n_own, edge) + number_near<way, Gaps>(others.begin, others.end, edge);
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
            if (i == row_) d = 0.0;
            if (d <= edge) inside += times_around(y_, q_, row_, i);
        }
        return inside;
    }

    // ---- what came out -----------------------------------------------------------------------

    bool within() {
        bool valid = true;
        for (int b = 0; b < n_balls_; ++b) {
            if (goal_[b] <= 0.0) continue;
            // Ties allowed for; r2 itself where there is no floor.
            const f64 floor = floor_[group_];
            double most = largest(floor > 0.0 ? r2_[b] * (kTie * kTie) - floor : r2_[b]);
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
