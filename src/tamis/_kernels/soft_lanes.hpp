// Stage 2 for memberships where a row needs few balls: one at a time, for a few candidates at a time.
//
// In the set varied by any candidate a sample is somewhere between two bounds. Around a ball, those that
// are inside whatever the candidate are added up once, and those that are outside are left out:
//
//     inside               window                outside
//     high bound <= low    varied, group by      low bound > limit
//                          group of candidates
#pragma once
#include <algorithm>

#include "filter.hpp"
#include "layers.hpp"
#include "memory.hpp"
#include "problem.hpp"
#include "select.hpp"
#include "simd.hpp"
#include "vary.hpp"
#include "weights.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

class SoftLanes {
public:
    // As HardScan; `weights` as of SoftScan.
    SoftLanes(const Labels& y, const Question& q, const Variations& x, const Layers& base,
              const Layers& candidate, const Weights& weights)
        : y_(y), q_(q), estimate_(y, q), x_(x), base_(base), candidate_(candidate),
          varied_(candidate, x.n_candidates), weights_(weights), n_balls_(balls_per_row(y, q)),
          n_lanes_(x.n_candidates + 1), n_groups_((n_lanes_ + kLanes - 1) / kLanes),
          share_(x.sign < 0 ? std::max(0.0, 1.0 - 4.0 / x.n_base) : 0.0),
          usual_(n_groups_, fill(x.sign < 0 ? 1.0 - 1.0 / (x.n_base + 1.0) : 0.7)), select_(y.n),
          sample_(y.n + 1), of_window_(y.n), d_(y.n + 1), nearest_(y.n + 1), d_of_window_(y.n), v_(y.n), w_(y.n),
          one_(y.weight ? y.n : 0), ball_(std::size_t(n_groups_) * kLanes * n_balls_), reached_(n_balls_) {}

    // As HardScan.
    bool operator()(int row, const Listed& list, double* limits, Terms* terms, float* radii) {
        row_ = row;
        gather(list.samples, list.starts[1]);
        estimate_.start(row);
        bool valid = true;
        for (int b = 0; b < n_balls_; ++b) {
            reached_[b] = -1.0;
            const Weight below = weights_.below(y_, q_, row, b);
            if (below == kNever)
                for (int c = 0; c < n_lanes_; ++c) ball_[std::size_t(c) * n_balls_ + b] = {-1.0, 0.0, 0.0};
            else
                valid &= measure(b, below + 1, limits[b]);
        }
        for (int b = 0; !valid && b < n_balls_; ++b) limits[b] = std::max(limits[b], reached_[b]);
        if (valid) finish(terms, radii);
        return valid;
    }

private:
    const Labels y_;
    const Question q_;
    Estimate estimate_;
    const Variations x_;
    const Layers &base_, &candidate_;
    const Varied varied_;
    const Weights& weights_;
    const int n_balls_, n_lanes_, n_groups_;
    // These two follow what is found, and only decide the speed.
    double share_;      // of a limit, which nearly all balls reach whatever the candidate
    Array<f64> usual_;  // the radius with each candidate, relative to the limit
    Select<i64, Weight> select_;
    Array<std::int32_t> sample_, of_window_;
    Array<double> d_, nearest_;  // in the base set, and a lower bound in the varied ones
    Array<double> d_of_window_;
    Array<f64> v_;
    Array<Weight> w_, one_;  // of the window; one_: only if rows have weights
    Array<Ball> ball_;       // n_lanes x n_balls
    Array<double> reached_;  // adding: how far the balls of the candidates reach in the base set
    int row_ = 0, size_ = 0, in_window_ = 0;
    double farthest_ = 0.0;
    Weight inside_ = 0, ones_inside_ = 0;  // what is nearer than the window

    // ---- samples -----------------------------------------------------------------------------

    // The others of the list and, if the row is its own neighbour, last the row itself.
    void gather(const std::int32_t* list, int length) {
        std::int32_t* out = sample_.data();
        out = std::copy_if(list, list + length, out,
                           [&](int other) { return other != row_ && !same_group(y_, row_, other); });
        size_ = int(out - sample_.data());
        check_stop(std::size_t(size_) * (x_.sign < 0 ? candidate_ : base_).width());
        if (x_.sign >= 0)
            for (int l = 0; l < size_; ++l) d_[l] = nearest_[l] = base_.distance(row_, sample_[l]);
        else
            candidate_.has_gaps() ? bound<true>() : bound<false>();
        if (q_.include_self) {  // at distance zero, whatever its gaps
            sample_[size_] = row_;
            d_[size_] = nearest_[size_] = 0.0;
            ++size_;
        }
        farthest_ = *std::max_element(d_.begin(), d_.begin() + std::max(size_, 1));
    }

    // Distances in the base set, in the order of squared_distance, and without the largest part.
    template <bool Gaps>
    void bound() {
        constexpr int parts = kRound / kLanes;
        const double *here = candidate_.row(row_), *gaps = candidate_.gaps();
        d_[0] = 0.0;
        for (int l = 0; l < size_; ++l) {
            const double* there = candidate_.row(sample_[l]);
            f64 sum[parts] = {}, most = fill(0.0);
            for (int c = 0; c < n_lanes_; c += kRound) {
                f64 part[parts] = {};
                for (int j = candidate_.place(c); j < candidate_.end(c); j += kRound)
#pragma GCC unroll 2
                    for (int p = 0; p < parts; ++p) {
                        const int at = j + p * kLanes;
                        const f64 square = squared<Gaps>(load(here + at) - load(there + at), load(gaps + at));
                        sum[p] += square;
                        part[p] += square;
                    }
#pragma GCC unroll 2
                for (int p = 0; p < parts; ++p) most = larger(most, part[p]);
            }
            d_[l] = folded(sum);
            nearest_[l] = d_[l] - largest(most);
        }
    }

    // Adds up what is within `low`, and lists what else may be within `limit`.
    void open_window(int b, double low, double limit) {
        const bool everybody = is_everybody(y_, q_, b);
        inside_ = ones_inside_ = 0;
        int n = 0;
        for (int l = 0; l < size_; ++l) {
            if (nearest_[l] > limit) continue;
            const int at = sample_[l] == row_ ? weights_.self(row_) : sample_[l];
            const Weight one = weights_.one(at), w = everybody ? one : weights_.row(at)[b];
            const bool in = d_[l] <= low;
            inside_ += in ? w : 0;
            ones_inside_ += in ? one : 0;
            of_window_[n] = sample_[l];
            d_of_window_[n] = d_[l];
            w_[n] = w;
            if (y_.weight) one_[n] = one;
            n += !in;
        }
        in_window_ = n;
    }

    // ---- balls -------------------------------------------------------------------------------

    struct Found {
        f64 r2;
        i64 weight, count;
    };

    // The ball b of all candidates, complete with `goal`. False if one reaches beyond its limit.
    bool measure(int b, Weight goal, double limit) {
        // When features leave, nobody comes to be farther, and rounding is allowed for.
        const double most = limit < kInf ? limit * kTie + (x_.sign < 0 ? 1e-12 * farthest_ : 0.0) : kInf;
        bool whole = x_.sign >= 0 || share_ <= 0.0 || limit == kInf, valid = true;
        double low = whole ? -1.0 : share_ * limit;
        open_window(b, low, most);
        if (inside_ >= goal) open_window(b, low = -1.0, most);
        for (int g = 0; g < n_groups_; ++g) {
            Found found = find(g, goal, limit);
            if (x_.sign < 0) {
                const double least = smallest(found.r2);
                if (limit < kInf) learn(least, limit);
                if (least < low) {
                    open_window(b, low = -1.0, most);
                    found = find(g, goal, limit);
                }
                if (least <= kSmall * farthest_) found = find_with_care(b, g, goal, low, most);
            } else if (largest(found.r2) > limit && in_window_ < size_) {
                open_window(b, low, kInf);
                found = find(g, goal, limit);
            }
            if (limit > 0.0 && limit < kInf)
                usual_[g] += 0.05 * (smaller(found.r2 / limit, fill(2.0)) - usual_[g]);
            valid &= keep(b, g, found, limit);
        }
        return valid;
    }

    // Follows the share that one group in fifty falls short of.
    void learn(double least, double limit) { share_ += least < share_ * limit ? -0.049 : 0.001; }

    Found find(int g, Weight goal, double limit) {
        const bool gaps = candidate_.has_gaps(kLanes * g);
        if (x_.sign >= 0) return gaps ? find<kJoin, true>(g, goal, limit) : find<kJoin, false>(g, goal, limit);
        return gaps ? find<kLeave, true>(g, goal, limit) : find<kLeave, false>(g, goal, limit);
    }

    // Rounding errors matter where radii are that small.
    Found find_with_care(int b, int g, Weight goal, double low, double most) {
        if (low >= 0.0) open_window(b, -1.0, most);
        const Found found = candidate_.has_gaps(kLanes * g) ? find<kLeaveWithCare, true>(g, goal, most)
                                                            : find<kLeaveWithCare, false>(g, goal, most);
        if (low >= 0.0) open_window(b, low, most);
        return found;
    }

    template <Way way, bool Gaps>
    Found find(int g, Weight goal, double limit) {
        check_stop(std::size_t(in_window_) * kLanes);
        f64* v = v_.data();
        varied_.of<way, Gaps>(row_, g, of_window_.data(), d_of_window_.data(), 0, in_window_,
                              [v](int l, f64 value) { v[l] = value; });
        const double pivot = limit < kInf ? limit : farthest_;
        // A bracket holds a part of the weight of a ball.
        const double unit = 0.04 * double(goal), growth = 1.0 + 0.27 * x_.n_base;
        const auto ball =
            select_.halving(v, w_.data(), in_window_, goal - inside_, usual_[g] * pivot, growth, unit);
        const i64 count = number_within(smaller(ball.r2 * kTie, fill(DBL_MAX)));
        return {ball.r2, ball.weight + inside_, count + ones_inside_};
    }

    i64 number_within(f64 edge) const {
        i64 sum{};
        if (y_.weight)
            for (int l = 0; l < in_window_; ++l) add_within(sum, v_[l], edge, one_[l]);
        else
#pragma GCC unroll 4
            for (int l = 0; l < in_window_; ++l) count_within(sum, v_[l], edge);
        return sum;
    }

    // ---- what came out -----------------------------------------------------------------------

    bool keep(int b, int g, const Found& found, double limit) {
        bool valid = true;
        for (int lane = 0; lane < kLanes && kLanes * g + lane < n_lanes_; ++lane) {
            const int c = kLanes * g + lane;
            const double r2 = found.r2[lane];
            ball_[std::size_t(c) * n_balls_ + b] = {r2, weights_.value(found.weight[lane]),
                                                    weights_.number(found.count[lane])};
            if (x_.sign < 0) continue;
            // Ties allowed for; r2 itself where there is no floor.
            const double floor = candidate_.floor(row_, c), reached = floor > 0.0 ? r2 * (kTie * kTie) - floor : r2;
            reached_[b] = std::max(reached_[b], reached);
            valid &= reached <= limit;
        }
        return valid;
    }

    void finish(Terms* terms, float* radii) {
        for (int c = 0; c < n_lanes_; ++c) {
            const Ball* balls = &ball_[std::size_t(c) * n_balls_];
            for (int b = 0; b < n_balls_; ++b) radii[std::size_t(b) * n_lanes_ + c] = upper_bound(balls[b].r2);
            terms[c] = estimate_(dimensions(x_, c), balls);
        }
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
