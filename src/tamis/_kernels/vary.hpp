// Squared distances in the set varied by a few candidates, one per lane.
#pragma once
#include "layers.hpp"
#include "memory.hpp"
#include "problem.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// How values come about: candidates join, leave, or leave and may carry nearly all of a distance.
enum Way { kJoin, kLeave, kLeaveWithCare };

constexpr double kSmall = 1e-5;  // of a distance: what is left of it can be rounding errors

class Varied {
public:
    Varied(const Layers& candidate, int n_candidates) : candidate_(candidate), n_candidates_(n_candidates) {}

    // Calls take(l, v) for l = begin .. end-1, v being the distances of sample[l] from `row` in the set
    // varied by each candidate of the group, and distance[l] the one in the set.
    template <Way way, bool Gaps, class Take>
    __attribute__((always_inline)) void of(int row, int group, const std::int32_t* sample,
                                           const double* distance, int begin, int end, Take take) const {
        const int at = candidate_.place(kLanes * group), stop = candidate_.end(kLanes * group);
        const int width = candidate_.width();
        const double *rows = candidate_.row(0), *own = candidate_.row(row), *gaps = candidate_.gaps();
        const f64 here = load(own + at), gap = load(gaps + at);
        for (int l = begin; l < end; ++l) {
            const double* there = rows + std::size_t(sample[l]) * width;
            f64 part = squared<Gaps>(here - load(there + at), gap), v = fill(distance[l]);
            v = way == kJoin ? v + part : v - part;
            for (int j = at + kRound; j < stop; j += kRound) {
                part = squared<Gaps>(load(own + j) - load(there + j), load(gaps + j));
                v = way == kJoin ? v + part : v - part;
            }
            if (Gaps && sample[l] == row) v = fill(0.0);
            if (way == kLeaveWithCare && any_below(v, fill(distance[l] * kSmall)))
                sum_anew(row, group, sample[l], distance[l], v);
            take(l, v);
        }
    }

private:
    const Layers& candidate_;
    const int n_candidates_;

    // Removing what carries nearly all of a distance leaves rounding errors only.
    __attribute__((noinline)) void sum_anew(int row, int group, int sample, double distance, f64& v) const {
        check_stop(candidate_.width());
        for (int lane = 0; lane < kLanes && kLanes * group + lane < n_candidates_; ++lane)
            if (v[lane] < distance * kSmall) v[lane] = candidate_.distance_without(row, sample, kLanes * group + lane);
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
