// Stage 2 for memberships where a row needs the balls of many classes, and they hold many samples. Each
// candidate is dealt with alone, all its balls in one pass over the samples that they may hold.
#pragma once
#include <numeric>

#include "buckets.hpp"
#include "filter.hpp"
#include "layers.hpp"
#include "memory.hpp"
#include "problem.hpp"
#include "simd.hpp"
#include "weights.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// `Fours` as of Buckets: more classes than fit into a row of weights are dealt with in turn.
template <int Fours>
class SoftScan {
public:
    static constexpr int kWidth = Buckets<Fours>::kWidth, kOnes = Buckets<Fours>::kOnes;

    // Those that all rows share.
    static Weights weights_of(const Labels& y, const Question& q) {
        bool fit = y.n_classes <= kOnes;
        return Weights(y, q, fit ? kWidth : y.n_classes, fit);
    }

    // As HardScan; `weights` from weights_of.
    SoftScan(const Labels& y, const Question& q, const Variations& x, const Layers& base,
             const Layers& candidate, const Weights& weights)
        : y_(y), q_(q), estimate_(y, q), x_(x), base_(base), candidate_(candidate),
          weights_(weights), packs_(y.n_classes > kOnes), n_balls_(balls_per_row(y, q)),
          n_lanes_(x.n_candidates + 1), sample_(y.n + kRound), row_(y.n + kRound),
          d_(y.n + kRound), near_(y.n), usual_(n_lanes_, 1.0), buckets_(y.n), ball_(n_balls_),
          reached_(n_balls_) {
        std::iota(row_.begin(), row_.end(), 0);
        // The exponent with which weights grow, as found on Gaussian data.
        for (double growth = 1.0 + 0.27 * x.n_base; growth >= 2.0; growth /= 2.0) ++squarings_;
    }

    // As HardScan.
    bool operator()(int row, const Listed& list, double* limits, Terms* terms, float* radii) {
        return (*this)(row, list.samples, list.starts[1], limits, terms, radii);
    }
    bool operator()(int row, const std::int32_t* list, int length, double* limits, Terms* terms,
                    float* radii) {
        start(row, limits);
        gather(row, list, length);
        estimate_.start(row);
        bool valid = true;
        floor_ = (x_.sign < 0 ? candidate_ : base_).floor(row);
        for (int c = 0; c < n_lanes_; ++c) {
            check_stop(std::size_t(size_) * 2);
            measure(row, c);
            if (x_.sign > 0) valid &= within(limits, candidate_.floor(row, c));
            if (valid) finish(c, terms, radii);
        }
        for (int b = 0; !valid && b < n_balls_; ++b) limits[b] = std::max(limits[b], reached_[b]);
        return valid;
    }

private:
    // Balls that are found together: of each column the class, -1 if there is none.
    struct Turn {
        Weight below[kWidth];
        int ball[kWidth];
        int open = 0;
        Turn() {
            std::fill(below, below + kWidth, kNever);
            std::fill(ball, ball + kWidth, -1);
        }
    };

    const Labels y_;
    const Question q_;
    Estimate estimate_;
    const Variations x_;
    const Layers &base_, &candidate_;
    const Weights& weights_;
    const bool packs_;  // the weights of the classes of a row are copied side by side
    const int n_balls_, n_lanes_;
    double floor_ = 0.0;  // what the row is away from everybody by its gaps: in the base set
    int size_ = 0, padded_ = 0, squarings_ = 0, self_ = -1;  // self_: the row in sample_, if it is there
    double most_ = 0.0, farthest_ = 0.0;
    Array<std::int32_t> sample_, row_;  // row_: 0, 1, ...
    Array<double> d_, parts_;  // squared distances in the base set, and in each candidate
    Nearby near_;
    Array<double> usual_;  // of each candidate: the largest radius of most rows, relative to most_
    Buckets<Fours> buckets_;
    Array<Turn> turns_;
    Array<Weight> packed_;
    Array<Ball> ball_;
    Array<double> reached_;  // adding: how far the balls of the candidates reach in the base set

    void start(int row, const double* limits) {
        turns_.assign(1, Turn());
        most_ = 0.0;
        int used = 0;
        for (int b = 0; b < n_balls_; ++b) {
            ball_[b] = {-1.0, 0.0, 0.0};
            reached_[b] = -1.0;
            Weight below = weights_.below(y_, q_, row, b);
            if (below == kNever) continue;
            most_ = std::max(most_, limits[b]);
            bool everybody = is_everybody(y_, q_, b);
            int turn = 0, column = everybody ? kOnes : b;
            if (packs_ && !everybody) {
                turn = used / kOnes;
                column = used++ % kOnes;
                if (turn == int(turns_.size())) turns_.emplace_back();
            }
            turns_[turn].below[column] = below;
            turns_[turn].ball[column] = b;
            ++turns_[turn].open;
        }
    }

    // The others of the list and, if it is its own neighbour, last the row itself.
    std::int32_t* list_others(int row, const std::int32_t* list, int length) {
        const std::int32_t *end = list + length, *self = std::lower_bound(list, end, row);
        std::int32_t* out = sample_.data();
        if (y_.group) {
            out = std::copy_if(list, end, out, [&](int other) { return !same_group(y_, row, other); });
        } else {
            out = std::copy(list, self, out);
            if (self < end) out = std::copy(self + (*self == row), end, out);
        }
        if (q_.include_self) *out++ = row;
        return out;
    }

    // These with their distances, filled up to whole vectors with infinite ones.
    void gather(int row, const std::int32_t* list, int length) {
        std::int32_t* out = list_others(row, list, length);
        size_ = int(out - sample_.data());
        padded_ = (size_ + kRound - 1) / kRound * kRound;
        std::fill(out, sample_.data() + padded_, row);
        std::size_t needed = std::size_t(n_lanes_ + kRound) * padded_;
        if (parts_.size() < needed) parts_.resize(needed);
        std::fill(d_.begin(), d_.begin() + padded_, 0.0);
        for (int c = 0; c < n_lanes_; c += kLanes)
            candidate_.has_gaps(c) ? add_parts<true>(row, c) : add_parts<false>(row, c);
        if (x_.sign >= 0)
            for (int l = 0; l < size_; ++l) d_[l] = base_.distance(row, sample_[l]);
        if (q_.include_self) place_self(row, size_ - 1);
        farthest_ = *std::max_element(d_.begin(), d_.begin() + std::max(size_, 1));
        std::fill(d_.begin() + size_, d_.begin() + padded_, kInf);
        if (packs_) pack();
    }

    // At distance zero, whatever its gaps.
    void place_self(int row, int l) {
        d_[l] = 0.0;
        for (int c = 0; c < n_lanes_; ++c) parts_[std::size_t(c) * padded_ + l] = 0.0;
        sample_[l] = self_ = weights_.self(row);
    }

    // Squared distances in the columns of candidates c, c + 1, ..., and their sum to d_.
    template <bool Gaps>
    void add_parts(int row, int c) {
        const int first = candidate_.place(c), end = candidate_.end(c);
        const double *here = candidate_.row(row), *gaps = candidate_.gaps();
        for (int l = 0; l < padded_; l += kLanes) {
            f64 part[kLanes], sum = load(&d_[l]);
            for (int r = 0; r < kLanes; ++r) {
                const double* there = candidate_.row(sample_[l + r]);
                part[r] = squared<Gaps>(load(here + first) - load(there + first), load(gaps + first));
                for (int j = first + kRound; j < end; j += kRound)
                    part[r] += squared<Gaps>(load(here + j) - load(there + j), load(gaps + j));
            }
            transpose(part);
            for (int r = 0; r < kLanes; ++r) {
                sum += part[r];
                store(parts_.data() + std::size_t(c + r) * padded_ + l, part[r]);
            }
            store(&d_[l], sum);
        }
    }

    void pack() {
        packed_.assign(turns_.size() * padded_ * kWidth, 0);
        Weight* out = packed_.data();
        for (const Turn& turn : turns_)
            for (int l = 0; l < padded_; ++l, out += kWidth) {
                for (int s = 0; s < kOnes; ++s)
                    if (turn.ball[s] >= 0) out[s] = weights_.row(sample_[l])[turn.ball[s]];
                out[kOnes] = weights_.one(sample_[l]);
            }
    }

    // The balls of candidate c.
    void measure(int row, int c) {
        // Nobody is nearer than this, so that radii are reckoned from there.
        const double floor = std::max(0.0, floor_ + x_.sign * candidate_.floor(row, c));
        const double most = std::max(0.0, most_ - floor_);
        vary(c, std::min(floor + most * usual_[c], DBL_MAX));
        if (!find_balls(floor)) {
            // Rounding allowed for. When features are added a ball may be larger than expected.
            double edge = most_ * kTie + 1e-12 * farthest_;
            vary(c, x_.sign > 0 ? DBL_MAX : std::min(edge, DBL_MAX));
            find_balls(floor);
        }
        learn(c, floor, most);
        if (x_.sign < 0 && c < x_.n_candidates && recompute_cancelled(row, c)) find_balls(floor);
    }

    // Follows the radius that one row in twenty exceeds: only the speed depends on it.
    void learn(int c, double floor, double most) {
        double largest = 0.0;
        for (const Ball& ball : ball_) largest = std::max(largest, ball.r2 - floor);
        usual_[c] += largest > usual_[c] * most ? 0.019 : -0.001;
    }

    // Lists what is within `edge` of the row.
    void vary(int c, double edge) {
        const double* parts = parts_.data() + std::size_t(c) * padded_;
        const std::int32_t* rows = packs_ ? row_.data() : sample_.data();
        f64 sign = fill(x_.sign);
        int n = 0;
        for (int l = 0; l < padded_; l += kLanes)
            n += append_within(load(&d_[l]) + sign * load(&parts[l]), edge, rows + l, &near_.v[n],
                               &near_.row[n]);
        near_.count = n;
    }

    // False if there are any that are not complete.
    bool find_balls(double floor) {
        double scale = floor + std::max(0.0, most_ - floor_);
        if (most_ == kInf)
            scale = *std::max_element(near_.v.begin(), near_.v.begin() + std::max(near_.count, 1));
        const Weight* table = packs_ ? packed_.data() : weights_.row(0);
        bool complete = true;
        for (const Turn& turn : turns_) {
            complete &= buckets_(near_, table, floor, scale, most_ < kInf ? squarings_ : 0, turn.below,
                                 turn.open);
            for (int s = 0; s < kWidth; ++s)
                if (turn.ball[s] >= 0)
                    ball_[turn.ball[s]] = {buckets_.r2(s), weights_.value(buckets_.weight(s)),
                                           weights_.number(buckets_.count(s))};
            table += std::size_t(padded_) * kWidth;
        }
        return complete;
    }

    // Removing what carries nearly all of a distance leaves rounding errors only: such distances
    // are summed anew without it.
    bool recompute_cancelled(int row, int c) {
        double least = kInf;
        for (const Ball& ball : ball_)
            if (ball.r2 >= 0.0) least = std::min(least, ball.r2);
        if (least > 1e-5 * farthest_) return false;
        for (int e = 0; e < near_.count; ++e) {
            if (near_.v[e] > 2e-5 * farthest_) continue;
            check_stop(candidate_.width());
            int sample = packs_ ? sample_[near_.row[e]] : near_.row[e];
            near_.v[e] = sample == self_ ? 0.0 : candidate_.distance_without(row, sample, c);
        }
        return true;
    }

    bool within(const double* limits, double floor) {
        bool valid = true;
        for (int b = 0; b < n_balls_; ++b) {
            if (ball_[b].r2 < 0.0) continue;
            // Ties allowed for; r2 itself where there is no floor.
            const double reached = floor > 0.0 ? ball_[b].r2 * (kTie * kTie) - floor : ball_[b].r2;
            reached_[b] = std::max(reached_[b], reached);
            valid &= reached <= limits[b];
        }
        return valid;
    }

    void finish(int c, Terms* terms, float* radii) {
        for (int b = 0; b < n_balls_; ++b)
            radii[std::size_t(b) * n_lanes_ + c] = upper_bound(ball_[b].r2);
        terms[c] = estimate_(dimensions(x_, c), ball_.data());
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
