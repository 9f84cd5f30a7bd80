// The smallest radius whose ball holds enough weight, in all lanes at once.
#pragma once
#include <algorithm>

#include "memory.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// Smallest value r of each lane with sum of w[l] over v[l] <= r at least `target`; +inf where
// the whole list does not hold that much. `guess` (> 0) is where the first look is taken and
// `power` the expected growth exponent of the weight with r; both only decide the speed.
//
// Three looks at the whole list narrow the bracket (low, high]; what is left in it is sorted.
class WeightedSelect {
public:
    f64 operator()(const f64* v, const double* w, int count, double target, double guess,
                     double power) {
        f64 low = fill(-1.0), high = fill(kInf), below = fill(0.0), pivot = fill(guess);
        for (int look = 0; look < kLooks; ++look) {
            f64 weight = weight_within(v, w, count, pivot);
            for (int lane = 0; lane < kLanes; ++lane) {
                bool enough = weight[lane] >= target;
                if (enough) {
                    high[lane] = pivot[lane];
                } else {
                    low[lane] = pivot[lane];
                    below[lane] = weight[lane];
                }
                double miss = std::clamp(target / std::max(weight[lane], 1e-3) - 1.0, -0.9, 3.0);
                // Aim a little past the target so that the bracket closes from both sides.
                double next = pivot[lane] * (1.0 + (miss + (enough ? -0.1 : 0.1)) / power);
                if (!(next > low[lane] && next < high[lane]))
                    next = high[lane] < kInf ? 0.5 * (std::max(low[lane], 0.0) + high[lane])
                                             : 2.0 * pivot[lane];
                pivot[lane] = next;
            }
        }
        collect(v, w, count, low, high);
        f64 radius;
        for (int lane = 0; lane < kLanes; ++lane) radius[lane] = finish(lane, below[lane], target);
        return radius;
    }

private:
    static constexpr int kLooks = 3;
    struct Entry {
        double value, weight;
        bool operator<(const Entry& other) const { return value < other.value; }
    };
    Array<Entry> rest_[kLanes];

    static f64 weight_within(const f64* v, const double* w, int count, f64 radius) {
        f64 even = fill(0.0), odd = fill(0.0);  // two sums: an addition need not wait for the last
        int l = 0;
        for (; l + 2 <= count; l += 2) {
            add_within(even, v[l], radius, w[l]);
            add_within(odd, v[l + 1], radius, w[l + 1]);
        }
        if (l < count) add_within(even, v[l], radius, w[l]);
        return even + odd;
    }

    void collect(const f64* v, const double* w, int count, f64 low, f64 high) {
        for (auto& lane : rest_) lane.clear();
        for (int l = 0; l < count; ++l) {
            i64 in = (v[l] > low) & (v[l] <= high);
            for (int lane = 0; lane < kLanes; ++lane)
                if (in[lane]) rest_[lane].push_back({v[l][lane], w[l]});
        }
    }

    double finish(int lane, double sum, double target) {
        auto& rest = rest_[lane];
        std::sort(rest.begin(), rest.end());
        for (const Entry& entry : rest) {
            sum += entry.weight;
            if (sum >= target) return entry.value;
        }
        return kInf;
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
