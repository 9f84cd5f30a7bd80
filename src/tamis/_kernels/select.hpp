// The smallest ball that holds enough samples, in all lanes at once.
#pragma once
#include "memory.hpp"
#include "problem.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// In each lane, the smallest value r2 with at least `target` values v[l] <= r2 (+inf if the whole
// list does not hold so many).
//
// Looks at the whole list narrow a bracket (low, high] around r2. The samples that are inside it
// in some lane are copied out, and the rest is a walk outward over those few, eight at a time.
class Select {
public:
    explicit Select(int n) : near_(n) {}

    // `pivot` (>= 0) is where the first look is taken, `growth` the expected exponent of the number
    // as a function of r2: they only decide the speed.
    f64 operator()(const f64* v, int count, double target, f64 pivot, double growth) {
        Bracket at = narrow(v, count, target, pivot, growth);
        return walk(collect(v, count, at), at.below, target);
    }

private:
    struct Bracket {
        f64 low, high, below, above;  // below, above: the numbers within low, high
    };
    static constexpr int kLooks = 6;

    Array<f64> near_;  // +inf in the lanes where a sample is not inside the bracket

    // A bracket is good when a few samples are left in it, most of them above the target, since
    // the walk starts from below.
    static Bracket narrow(const f64* v, int count, double target, f64 pivot, double growth) {
        Bracket b{fill(-1.0), fill(kInf), fill(0.0), fill(kInf)};
        const f64 down = fill(target - 3.0), up = fill(target + 5.0);
        i64 open = b.low < 0.0;
        for (int look = 0; look < kLooks; ++look) {
            f64 number = number_within(v, count, pivot);
            i64 enough = open & (number >= target), lacks = open & (number < target);
            b.high = enough ? pivot : b.high;
            b.above = enough ? number : b.above;
            b.low = lacks ? pivot : b.low;
            b.below = lacks ? number : b.below;
            i64 low_good = target - b.below <= 6.0;
            i64 one_sided = (b.low < 0.0) | (b.high == kInf);
            open = ~low_good | (b.above - target > 14.0);
            if (!any(open)) break;
            // Aim past the target, at the side that is not good yet.
            f64 aim = ((b.low >= 0.0) & (low_good | one_sided)) ? up : down;
            f64 step = smaller(aim / larger(number, fill(1.0)) - 1.0, fill(3.0)) / growth;
            f64 inside = (b.high - b.low) * (aim - b.below) / (b.above - b.below);
            pivot = one_sided ? pivot * (1.0 + larger(step, fill(-0.9))) : b.low + inside;
        }
        return b;
    }

    // Copies the samples inside the bracket of some lane.
    int collect(const f64* v, int count, const Bracket& b) {
        int n = 0;
        for (int l = 0; l < count; ++l) {
            near_[n] = pick_between(v[l], b.low, b.high);
            n += any_between(v[l], b.low, b.high);
        }
        return n;
    }

    static f64 number_within(const f64* v, int count, f64 radius) {
        f64 sum[4] = {};  // four sums: an addition need not wait for the last
        int l = 0;
        for (; l + 4 <= count; l += 4)
#pragma GCC unroll 4
            for (int p = 0; p < 4; ++p) add_within(sum[p], v[l + p], radius, 1.0);
        for (; l < count; ++l) add_within(sum[0], v[l], radius, 1.0);
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }

    // Where the samples near the edge, added to the number `held` within it, reach the target.
    f64 walk(int count, f64 held, double target) {
        const f64 finite = fill(DBL_MAX);  // so that +inf is never inside
        for (;;) {
            Smallest8 nearest;
            nearest.take(near_.data(), count);
            f64 edge[8], more[8] = {}, r2 = fill(kInf);
            for (int e = 0; e < 8; ++e) edge[e] = smaller(nearest.kth(e + 1), finite);
            for (int l = 0; l < count; ++l)
#pragma GCC unroll 8
                for (int e = 0; e < 8; ++e) add_within(more[e], near_[l], edge[e], 1.0);
            for (int e = 7; e >= 0; --e) r2 = held + more[e] >= target ? edge[e] : r2;
            i64 going = (r2 == kInf) & (edge[7] < finite);
            if (!any(going)) return r2;
            held += absorb(count, going ? edge[7] : fill(-1.0));
        }
    }

    f64 absorb(int count, f64 edge) {
        f64 sum = fill(0.0);
        for (int l = 0; l < count; ++l) {
            add_within(sum, near_[l], edge, 1.0);
            near_[l] = near_[l] <= edge ? fill(kInf) : near_[l];
        }
        return sum;
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
