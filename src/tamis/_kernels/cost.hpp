// Stage 2 for costs: how far the target of a row is from those of the samples in its ball, in the mean,
// for a few candidates at a time. There is one ball, of everybody.
#pragma once
#include "costs.hpp"
#include "layers.hpp"
#include "memory.hpp"
#include "near.hpp"
#include "problem.hpp"
#include "select.hpp"
#include "simd.hpp"
#include "vary.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

class CostScan {
public:
    // As HardScan.
    CostScan(const Labels& y, const Question& q, const Variations& x, const Layers& base, const Layers& candidate)
        : y_(y), q_(q), x_(x), base_(base), candidate_(candidate), varied_(candidate, x.n_candidates),
          n_lanes_(x.n_candidates + 1), near_(y, q), select_(near_.room()), v_(near_.room() + 1),
          w_(near_.room() + 1, 1.0), cost_(near_.room() + 1) {}

    // As HardScan.
    bool operator()(int row, const Listed& list, double* limits, Terms* terms, float* radii) {
        row_ = row;
        limit_ = limits[0];
        goal_ = target(y_, q_, row, 0);
        near_.gather(row, list, x_.sign < 0 ? candidate_ : base_, limits, 1.0);
        for (int l = 0; l < near_.size(); ++l) {
            const int sample = near_.samples()[l];
            if (y_.weight) w_[l] = y_.weight[sample];
            cost_[l] = w_[l] * cost_between(y_.costs, row, sample);
        }
        check_stop(std::size_t(near_.size()) * (1 + y_.costs.width));
        careful_ = false;
        double reached = -1.0;
        for (int g = 0; g * kLanes < n_lanes_; ++g) {
            check_stop(std::size_t(near_.size()) * kLanes);
            Found found{fill(-1.0), fill(0.0)};
            if (goal_ > 0.0) found = candidate_.has_gaps(kLanes * g) ? find<true>(g) : find<false>(g);
            if (x_.sign > 0) reached = std::max(reached, reach(g, found.r2));
            for (int lane = 0; lane < kLanes && kLanes * g + lane < n_lanes_; ++lane) {
                terms[kLanes * g + lane] = {(y_.weight ? y_.weight[row] : 1.0) * found.cost[lane]};
                radii[kLanes * g + lane] = upper_bound(found.r2[lane]);
            }
        }
        if (reached <= limits[0]) return true;
        limits[0] = reached;
        return false;
    }

private:
    struct Found {
        f64 r2, cost;
    };

    const Labels y_;
    const Question q_;
    const Variations x_;
    const Layers &base_, &candidate_;
    const Varied varied_;
    const int n_lanes_;
    Near near_;
    WeightedSelect select_;
    Array<f64> v_;  // distances to those near, of a group of candidates
    Array<double> w_, cost_;
    int row_ = 0;
    double goal_ = 0.0, limit_ = 0.0;
    bool careful_ = false;

    // Rounding errors matter where radii are that small: then all is done again with care.
    template <bool Gaps>
    Found find(int g) {
        if (x_.sign >= 0) return find<kJoin, Gaps>(g);
        if (!careful_) {
            const Found found = find<kLeave, Gaps>(g);
            careful_ = any_within(found.r2, fill(kSmall * near_.farthest()));
            if (!careful_) return found;
        }
        return find<kLeaveWithCare, Gaps>(g);
    }

    template <Way way, bool Gaps>
    Found find(int g) {
        f64* v = v_.data();
        const int n = near_.size();
        varied_.of<way, Gaps>(row_, g, near_.samples(), near_.distances(), 0, n,
                              [v](int l, f64 value) { v[l] = value; });
        const f64 guess = fill(limit_ < kInf ? limit_ : near_.kth_distance(0, int(goal_)));
        const double growth = 0.5 * x_.n_base;
        const f64 r2 = y_.weight ? select_.halving(v, w_.data(), n, goal_, guess, growth, goal_ / q_.k).r2
                                 : select_(v, w_.data(), n, goal_, guess, growth, 1.0).r2;
        const f64 edge = smaller(r2 * kTie, fill(DBL_MAX));
        f64 weight = fill(0.0), cost = fill(0.0);
        for (int l = 0; l < n; ++l) {
            add_within(weight, v[l], edge, w_[l]);
            add_within(cost, v[l], edge, cost_[l]);
        }
        return {r2, cost / larger(weight, fill(DBL_MIN))};
    }

    // How far the balls of a group of candidates reach in the base set: less what the row is away from
    // everybody by its gaps in each candidate.
    double reach(int g, f64 r2) const {
        f64 floor = fill(0.0);
        for (int lane = 0; candidate_.has_gaps() && lane < kLanes && kLanes * g + lane < n_lanes_; ++lane)
            floor[lane] = candidate_.floor(row_, kLanes * g + lane);
        const f64 reached = floor > 0.0 ? r2 * (kTie * kTie) - floor : r2;
        double most = -1.0;
        for (int lane = 0; lane < kLanes && kLanes * g + lane < n_lanes_; ++lane) most = std::max(most, reached[lane]);
        return most;
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
