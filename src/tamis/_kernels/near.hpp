// The samples that can be inside a ball of some candidate around a row of one class, with their
// distances in the base set, in parts: one for each class (risk), or the row's own and the rest.
#pragma once
#include <algorithm>

#include "filter.hpp"
#include "layers.hpp"
#include "memory.hpp"
#include "problem.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// Samples before `inside` are within a radius in the base set, those from there on are not.
struct Part {
    int begin, inside, end;
};

class Near {
public:
    Near(const Labels& y, const Question& q)
        : y_(y), q_(q), copies_(std::min(q.k, 8)),
          room_(int(std::min(std::int64_t(y.total), std::int64_t(y.n) * copies_))),
          parts_(q.quantity == kRisk ? y.n_classes : 2), idx_(room_ + kRound),
          far_idx_(room_ + 1), d_(room_ + kRound), w_(y.times ? room_ : 0), far_d_(room_ + 1),
          far_w_(y.times ? room_ + 1 : 0) {}

    int room() const { return room_; }
    int size() const { return end_; }
    const std::int32_t* samples() const { return idx_.data(); }
    const double* distances() const { return d_.data(); }  // squared
    const double* weights() const { return w_.data(); }    // how many each stands for, if some do
    const Part& part(int p) const { return parts_[p]; }
    double farthest() const { return farthest_; }

    // Those within a share of the limits of the balls come first in their part; without a limit, nobody.
    void gather(int row, const Listed& list, const Layers& x, const double* limits, double share) {
        const int *at = list.starts, own = y_.code[row], last = at[y_.n_classes];
        end_ = 0;
        itself_ = q_.include_self && x.has_gaps();
        if (q_.quantity == kRisk) {
            for (int s = 0; s < y_.n_classes; ++s) meet(row, list, at[s], at[s + 1], s, s == own);
        } else if (asks_everybody(q_)) {
            meet(row, list, 0, last, 0, true);
            meet(row, list, 0, 0, 1, false);
        } else {
            meet(row, list, at[own], at[own + 1], 0, true);
            meet(row, list, 0, at[own], 1, false);
            const int begin = parts_[1].begin;
            meet(row, list, at[own + 1], last, 1, false);
            parts_[1].begin = begin;
        }
        x.has_gaps() ? measure<true>(x.row(row), x) : measure<false>(x.row(row), x);
        for (int l = 0; itself_ && l < end_; ++l)
            if (idx_[l] == row) d_[l] = 0.0;
        const double floor = x.floor(row);  // nobody is nearer
        for (int b = 0; b < balls_per_row(y_, q_); ++b)
            split(parts_[b], limits[b] < kInf ? share * limits[b] + (1.0 - share) * floor : -1.0);
    }

    // How far it is to so many samples of a part, in the base set; to all if there are fewer.
    double kth_distance(int part, int k) const {
        const Part& p = parts_[part];
        if (p.begin == p.end) return 0.0;
        Array<double> d(d_.begin() + p.begin, d_.begin() + p.end);
        int rank = std::min(k, int(d.size()) - 1);
        std::nth_element(d.begin(), d.begin() + rank, d.end());
        return d[rank];
    }

private:
    const Labels y_;
    const Question q_;
    const int copies_, room_;
    Array<Part> parts_;
    Array<std::int32_t> idx_, far_idx_;
    Array<double> d_, w_, far_d_, far_w_;
    int end_ = 0;
    double farthest_ = 0.0;
    bool itself_ = false;  // the row is its own neighbour, at distance zero whatever its gaps

    // `own`: the row may be among these. Its gaps can have kept it from the list.
    void meet(int row, const Listed& list, int from, int to, int part, bool own) {
        const int begin = end_;
        if (y_.times || y_.group || itself_) {
            bool met = false;
            for (int l = from; l < to; ++l) {
                add(row, list.samples[l]);
                met |= list.samples[l] == row;
            }
            if (itself_ && own && !met) add(row, row);
        } else {
            const std::int32_t *first = list.samples + from, *last = list.samples + to;
            const std::int32_t* self = q_.include_self ? last : std::lower_bound(first, last, row);
            std::copy(first, self, idx_.begin() + end_);
            const bool skips = self < last && *self == row;
            std::copy(self + skips, last, idx_.begin() + end_ + (self - first));
            end_ += to - from - skips;
        }
        parts_[part] = {begin, end_, end_};
    }

    // A sample that stands for several comes as often as a ball can need, the last time for the rest.
    void add(int row, int sample) {
        const int times = times_around(y_, q_, row, sample), copies = std::min(times, copies_);
        for (int c = 1; c <= copies; ++c) {
            idx_[end_] = sample;
            if (y_.times) w_[end_] = c < copies ? 1.0 : times - copies + 1.0;
            ++end_;
        }
    }

    template <bool Gaps>
    void measure(const double* here, const Layers& x) {
        std::fill_n(idx_.begin() + end_, kRound, 0);  // so that there are fours
        f64 most = fill(0.0);
        for (int l = 0; l < end_; l += 4) {
            const double* there[4];
            for (int r = 0; r < 4; ++r) there[r] = x.row(idx_[l + r]);
            squared_distances4<Gaps>(here, there, x.gaps(), x.width(), &d_[l]);
        }
        std::fill_n(d_.begin() + end_, kRound, 0.0);
        for (int l = 0; l < end_; l += kLanes) most = larger(most, load(&d_[l]));
        farthest_ = largest(most);
    }

    // Those outside wait apart, so that no store has to wait for another.
    void split(Part& part, double limit) {
        int inside = part.begin, outside = 0;
        for (int l = part.begin; l < part.end; ++l) {
            const bool in = d_[l] <= limit;
            idx_[inside] = far_idx_[outside] = idx_[l];
            d_[inside] = far_d_[outside] = d_[l];
            if (y_.times) w_[inside] = far_w_[outside] = w_[l];
            inside += in;
            outside += !in;
        }
        std::copy_n(far_idx_.begin(), outside, idx_.begin() + inside);
        std::copy_n(far_d_.begin(), outside, d_.begin() + inside);
        if (y_.times) std::copy_n(far_w_.begin(), outside, w_.begin() + inside);
        part.inside = inside;
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
