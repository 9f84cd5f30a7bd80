// Stage 2: the exact balls of one row, for a few candidates at a time.
//
// The shortlist of the row holds every sample that can be inside a ball of some candidate.
// Lane c of value v[l] is the squared distance to sample l in the set varied by candidate c:
// D[l] -/+ (x_i - x_l)^2. A last column of zeros gives the base set itself.
#pragma once
#include <cmath>

#include "memory.hpp"
#include "problem.hpp"
#include "select.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// A row-major copy whose rows are whole vectors, filled with at least `extra` zero columns.
class Padded {
public:
    Padded(const double* x, int n, int m, int extra)
        : width_((m + extra + kRound - 1) / kRound * kRound), data_(std::size_t(n) * width_, 0.0) {
        for (int i = 0; i < n; ++i)
            std::copy(x + std::size_t(i) * m, x + std::size_t(i + 1) * m,
                      data_.data() + std::size_t(i) * width_);
    }
    int width() const { return width_; }
    const double* row(int i) const { return data_.data() + std::size_t(i) * width_; }

private:
    int width_;
    Array<double> data_;
};

class RowScan {
public:
    // `base` is padded without, `candidate` with an extra column; the same one when removing.
    RowScan(const Labels& y, const Question& q, const Variations& x, const Padded& base,
            const Padded& candidate)
        : y_(y), q_(q), estimate_(y, q), x_(x), base_(base), candidate_(candidate),
          n_balls_(balls_per_row(y, q)), n_lanes_(x.n_candidates + 1),
          n_groups_((n_lanes_ + kLanes - 1) / kLanes), idx_(y.n), d_(y.n), low_(y.n), v_(y.n), picked_(y.n),
          segment_(y.n_classes + 1), goal_(n_balls_), members_(n_balls_), r2_(n_balls_),
          weight_(n_balls_), count_(n_balls_), ball_(n_balls_), reached_(n_balls_) {}

    // Terms and radii of all candidates for `row`. False, with `limits` raised to valid ones, if
    // a ball reached beyond them (it can when features are added): then ask again.
    bool operator()(int row, const std::int32_t* list, int length, double* limits, double* terms,
                    float* radii) {
        for (int b = 0; b < n_balls_; ++b) goal_[b] = target(y_, q_, row, b);
        std::fill(reached_.begin(), reached_.end(), -1.0);
        gather(row, list, length);
        hard(y_) ? find_segments() : find_members(limits);
        bool valid = true;
        for (int g = 0; g < n_groups_; ++g) {
            vary(row, g);
            measure(row, limits);
            if (x_.sign < 0 && recompute_cancelled(row, g)) measure(row, limits);
            if (x_.sign > 0) valid &= within(limits);
            if (valid) finish(row, g, terms, radii);
        }
        if (!valid) raise(limits);
        return valid;
    }

private:
    struct Members {  // the part of the shortlist that one ball can hold, with weights
        Array<std::int32_t> at;
        Array<double> w;
    };

    const Labels y_;
    const Question q_;
    const Estimate estimate_;
    const Variations x_;
    const Padded &base_, &candidate_;
    const int n_balls_, n_lanes_, n_groups_;
    int length_ = 0;
    double farthest_ = 0.0;
    Array<std::int32_t> idx_;
    Array<double> d_, low_;          // squared distance in the base set; least over candidates
    Array<f64> v_, picked_;
    Array<int> segment_;             // hard: where each class begins in the shortlist
    Array<double> goal_;
    Array<Members> members_;         // soft: one per ball
    Array<f64> r2_, weight_, count_;
    Array<Ball> ball_;
    Array<double> reached_;          // adding: the largest radius of each ball over candidates
    WeightedSelect select_;
    Array<double> ones_;

    void gather(int row, const std::int32_t* list, int length) {
        length_ = 0;
        for (int l = 0; l < length; ++l) {
            idx_[length_] = list[l];
            length_ += q_.include_self || list[l] != row;
        }
        const Padded& x = x_.sign < 0 ? candidate_ : base_;
        const double* here = x.row(row);
        farthest_ = 0.0;
        for (int l = 0; l < length_; ++l) {
            d_[l] = squared_distance(here, x.row(idx_[l]), x.width());
            farthest_ = std::max(farthest_, d_[l]);
        }
        if (!hard(y_)) find_low(row);
    }

    // The least distance that any candidate can leave.
    void find_low(int row) {
        const double* here = candidate_.row(row);
        for (int l = 0; l < length_; ++l) {
            f64 most = fill(0.0);
            if (x_.sign < 0)
                for (int j = 0; j < candidate_.width(); j += kLanes) {
                    f64 diff = load(here + j) - load(candidate_.row(idx_[l]) + j);
                    most = larger(most, diff * diff);
                }
            low_[l] = d_[l] - largest(most);
        }
    }

    void find_segments() {
        int l = 0;
        for (int s = 0; s < y_.n_classes; ++s) {
            segment_[s] = l;
            while (l < length_ && idx_[l] < y_.first[s + 1]) ++l;
        }
        segment_[y_.n_classes] = l;
    }

    void find_members(const double* limits) {
        for (int b = 0; b < n_balls_; ++b) {
            Members& m = members_[b];
            m.at.clear();
            m.w.clear();
            if (goal_[b] <= 0.0) continue;
            bool all = is_everybody(y_, q_, b);
            double limit = limits[b] * kTie;
            for (int l = 0; l < length_; ++l)
                if (low_[l] <= limit + 1e-12 * d_[l]) {
                    m.at.push_back(l);
                    m.w.push_back(all ? 1.0 : membership(y_, idx_[l], b));
                }
        }
    }

    void vary(int row, int g) {
        f64 here = load(candidate_.row(row) + kLanes * g), sign = fill(x_.sign);
        for (int l = 0; l < length_; ++l) {
            f64 diff = here - load(candidate_.row(idx_[l]) + kLanes * g);
            v_[l] = d_[l] + sign * (diff * diff);
        }
    }

    // Removing a feature that carries nearly all of a distance leaves rounding errors only: such
    // lanes are summed anew without it.
    bool recompute_cancelled(int row, int g) {
        f64 least = r2_[0];
        for (int b = 0; b < n_balls_; ++b) least = smaller(least, used(b) ? r2_[b] : fill(kInf));
        bool found = false;
        for (int lane = 0; lane < kLanes && kLanes * g + lane < x_.n_candidates; ++lane) {
            if (least[lane] > 1e-6 * farthest_) continue;
            found = true;
            for (int l = 0; l < length_; ++l)
                v_[l][lane] = distance_without(row, idx_[l], kLanes * g + lane);
        }
        return found;
    }

    double distance_without(int row, int other, int column) const {
        const double *here = candidate_.row(row), *there = candidate_.row(other);
        double sum = 0.0;
        for (int j = 0; j < x_.n_candidates; ++j)
            if (j != column) sum += (here[j] - there[j]) * (here[j] - there[j]);
        return sum;
    }

    // ---- balls from values --------------------------------------------------------------

    bool used(int b) const { return r2_[b][0] >= 0.0; }

    void measure(int row, const double* limits) {
        for (int b = 0; b < n_balls_; ++b) {
            if (goal_[b] <= 0.0)
                r2_[b] = fill(-1.0);
            else if (hard(y_))
                measure_hard(row, b);
            else
                measure_soft(b, limits[b]);
        }
    }

    void measure_hard(int row, int b) {
        bool all = is_everybody(y_, q_, b);
        int s = all ? 0 : class_of_ball(y_, q_, row, b);
        int begin = all ? 0 : segment_[s], end = all ? length_ : segment_[s + 1];
        r2_[b] = kth(v_.data() + begin, nullptr, end - begin, goal_[b], 0.0);
        f64 edge = r2_[b] * kTie;
        count_[b] = weight_[b] = number_within(v_.data() + begin, v_.data() + end, edge);
        // The distance form does not need to know who else is inside: see crowd().
        if (q_.quantity == kCount)
            count_[b] += number_within(v_.data(), v_.data() + begin, edge) +
                         number_within(v_.data() + end, v_.data() + length_, edge);
    }

    void measure_soft(int b, double limit) {
        const Members& m = members_[b];
        int size = int(m.at.size());
        for (int l = 0; l < size; ++l) picked_[l] = v_[m.at[l]];
        bool unit = is_everybody(y_, q_, b);
        r2_[b] = kth(picked_.data(), unit ? nullptr : m.w.data(), size, goal_[b], limit);
        f64 edge = r2_[b] * kTie, weight = fill(0.0);
        i64 count{};
        for (int l = 0; l < size; ++l) {
            add_within(weight, picked_[l], edge, m.w[l]);
            count_within(count, picked_[l], edge);
        }
        weight_[b] = weight;
        count_[b] = __builtin_convertvector(count, f64);
    }

    // w == nullptr: every weight is one.
    f64 kth(const f64* v, const double* w, int count, double goal, double limit) {
        int k = int(goal + 0.5);
        if (!w && k <= 8) {
            Smallest8 smallest;
            smallest.take(v, count);
            return smallest.kth(k);
        }
        if (!w && int(ones_.size()) < count) ones_.assign(y_.n, 1.0);
        double power = std::max(0.5, 0.5 * (x_.n_base + x_.sign));
        double guess = limit > 0.0 && limit < kInf ? limit * (1.0 - 0.3 / (power + 0.5))
                                                   : std::max(farthest_, 1e-300);
        return select_(v, w ? w : ones_.data(), count, goal, guess, power);
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

    void finish(int row, int g, double* terms, float* radii) {
        for (int lane = 0; lane < kLanes && kLanes * g + lane < n_lanes_; ++lane) {
            int c = kLanes * g + lane;
            bool varied = c < x_.n_candidates;
            for (int b = 0; b < n_balls_; ++b) {
                ball_[b] = {r2_[b][lane], weight_[b][lane], count_[b][lane]};
                radii[std::size_t(b) * n_lanes_ + c] = upper_bound(ball_[b].r2);
            }
            if (hard(y_) && q_.quantity == kDistance &&
                (ball_[0].r2 == 0.0 || ball_[1].r2 == 0.0))
                ball_[0].count = crowd(row, c, ball_[0].r2 * kTie);
            Terms t = estimate_(row, x_.n_base + (varied ? x_.sign : 0), ball_.data());
            terms[2 * c] = t.value;
            terms[2 * c + 1] = t.tie_break;
        }
    }

    // How many samples of any class are within `edge`: rare, so asked of all samples.
    double crowd(int row, int column, double edge) const {
        double inside = 0.0;
        for (int i = 0; i < y_.n; ++i) {
            if (i == row && !q_.include_self) continue;
            double d = 0.0;
            if (x_.sign < 0) {
                d = distance_without(row, i, column);
            } else {
                d = squared_distance(base_.row(row), base_.row(i), base_.width());
                double diff = candidate_.row(row)[column] - candidate_.row(i)[column];
                d += diff * diff;
            }
            inside += d <= edge;
        }
        return inside;
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
