// The smallest ball that holds enough weight, in all lanes at once.
#pragma once
#include "memory.hpp"
#include "problem.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// In each lane, the smallest value r2 with sum of w[l] over v[l] <= r2 at least `target` (+inf if
// the whole list does not hold that much), and the weight of all that tie with it.
//
// Looks at the whole list narrow a bracket (low, high] around r2. The samples that are inside it
// in some lane are copied out, and the rest is a walk outward over those few, eight at a time.
// A lane adds the same weights in the same order whatever its neighbours are. `Sum` is a vector of
// sums of weights `W`: sums of whole numbers do not depend on where one looks.
template <class Sum, class W>
class Select {
public:
    explicit Select(int n) : near_(n), w_(n), at_(n) {}

    struct Found {
        f64 r2;
        Sum weight;
    };

    // `pivot` (>= 0) is where the first look is taken, `growth` the expected exponent of the weight
    // as a function of r2, `unit` the weight of a typical sample: they only decide the speed.
    Found operator()(const f64* v, const W* w, int count, W target, f64 pivot, double growth, double unit) {
        Bracket at = narrow(v, w, count, target, pivot, growth, unit);
        return walk(collect(v, w, count, at), at.held, Sum{} + target);
    }

    // The same for uneven weights, many of them small: the bracket is halved before the walk.
    Found halving(const f64* v, const W* w, int count, W target, f64 pivot, double growth, double unit) {
        Bracket at = narrow(v, w, count, target, pivot, growth, unit);
        const int n = collect(v, w, count, at);
        const Sum start = at.held;
        for (int halves = 0; halves < kHalves; ++halves) {
            const f64 middle = at.high < kInf ? 0.5 * (at.low + at.high) : at.low;
            const Sum within = start + weight_near(n, middle);
            const i64 enough = (i64)(within >= Sum{} + target);
            at.high = enough ? middle : at.high;
            at.low = enough ? at.low : middle;
            at.held = enough ? at.held : within;
        }
        for (int l = 0; l < n; ++l) near_[l] = near_[l] <= at.low ? fill(kInf) : near_[l];
        return walk(n, at.held, Sum{} + target);
    }

private:
    struct Bracket {
        f64 low, high, below, above;  // below, above: the weights within low, high
        Sum held;                     // within low, exactly
    };
    static constexpr int kLooks = 6, kHalves = 5;

    Array<f64> near_;  // +inf in the lanes where a sample is not inside the bracket
    Array<W> w_;
    Array<int> at_;

    // A bracket is good when a few samples are left in it, most of them above the target, since
    // the walk starts from below.
    static Bracket narrow(const f64* v, const W* w, int count, W goal, f64 pivot, double growth, double unit) {
        Bracket b{fill(-1.0), fill(kInf), fill(0.0), fill(kInf), Sum{}};
        const double target = double(goal);
        const f64 down = fill(target - 3.0 * unit), up = fill(target + 5.0 * unit);
        i64 open = b.low < 0.0;
        for (int look = 0; look < kLooks; ++look) {
            const Sum within = weight_within(v, w, count, pivot);
            const f64 weight = __builtin_convertvector(within, f64);
            i64 enough = open & (i64)(within >= Sum{} + goal), lacks = open & (i64)(within < Sum{} + goal);
            b.high = enough ? pivot : b.high;
            b.above = enough ? weight : b.above;
            b.low = lacks ? pivot : b.low;
            b.below = lacks ? weight : b.below;
            b.held = lacks ? within : b.held;
            i64 low_good = target - b.below <= 6.0 * unit;
            i64 one_sided = (b.low < 0.0) | (b.high == kInf);
            open = ~low_good | (b.above - target > 14.0 * unit);
            if (!any(open)) break;
            // Aim past the target, at the side that is not good yet.
            f64 aim = ((b.low >= 0.0) & (low_good | one_sided)) ? up : down;
            f64 step = smaller(aim / larger(weight, fill(unit)) - 1.0, fill(3.0)) / growth;
            f64 inside = (b.high - b.low) * (aim - b.below) / (b.above - b.below);
            pivot = one_sided ? pivot * (1.0 + larger(step, fill(-0.9))) : b.low + inside;
        }
        return b;
    }

    // Copies the samples inside the bracket of some lane; what ties with its end is needed too.
    int collect(const f64* v, const W* w, int count, const Bracket& b) {
        f64 high = b.high * (kTie * kTie);
        int n = 0;
        for (int l = 0; l < count; ++l) {
            at_[n] = l;
            n += any_between(v[l], b.low, high);
        }
        int kept = 0;
        for (int a = 0; a < n; ++a) {
            near_[kept] = pick_between(v[at_[a]], b.low, high);
            w_[kept] = w[at_[a]];
            kept += w_[kept] > W(0);
        }
        return kept;
    }

    static Sum weight_within(const f64* v, const W* w, int count, f64 radius) {
        Sum sum[4] = {};  // four sums: an addition need not wait for the last
        int l = 0;
        for (; l + 4 <= count; l += 4)
#pragma GCC unroll 4
            for (int p = 0; p < 4; ++p) add_within(sum[p], v[l + p], radius, w[l + p]);
        for (; l < count; ++l) add_within(sum[0], v[l], radius, w[l]);
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }

    // Where the samples near the edge, added to the weight `held` within it, reach the target.
    Found walk(int count, Sum held, Sum target) {
        const f64 finite = fill(DBL_MAX);  // so that +inf is never inside
        for (;;) {
            Smallest8 nearest;
            nearest.take(near_.data(), count);
            f64 edge[8], r2 = fill(kInf);
            Sum more[8] = {};
            for (int e = 0; e < 8; ++e) edge[e] = smaller(nearest.kth(e + 1), finite);
            for (int l = 0; l < count; ++l)
#pragma GCC unroll 8
                for (int e = 0; e < 8; ++e) add_within(more[e], near_[l], edge[e], w_[l]);
            for (int e = 7; e >= 0; --e) r2 = (i64)(held + more[e] >= target) ? edge[e] : r2;
            i64 going = (r2 == kInf) & (edge[7] < finite);
            if (!any(going)) return {r2, held + weight_near(count, smaller(r2 * kTie, finite))};
            held += absorb(count, going ? edge[7] : fill(-1.0));
        }
    }

    Sum weight_near(int count, f64 edge) const {
        Sum sum{};
        for (int l = 0; l < count; ++l) add_within(sum, near_[l], edge, w_[l]);
        return sum;
    }

    Sum absorb(int count, f64 edge) {
        Sum sum = weight_near(count, edge);
        for (int l = 0; l < count; ++l) near_[l] = near_[l] <= edge ? fill(kInf) : near_[l];
        return sum;
    }
};

using WeightedSelect = Select<f64, double>;

}  // namespace TAMIS_LEVEL
}  // namespace tamis
