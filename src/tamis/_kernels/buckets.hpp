// The balls of several classes around a row at once, for one candidate.
#pragma once
#include <algorithm>
#include <cstdint>

#include "memory.hpp"
#include "problem.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

using Weight = std::int64_t;
constexpr Weight kNever = std::numeric_limits<Weight>::max();

// Samples with their squared distances and the rows of their weights; room for a vector more.
struct Nearby {
    Array<double> v;
    Array<std::int32_t> row;
    int count = 0;
    explicit Nearby(int n) : v(n + kRound), row(n + kRound) {}
};

// Samples are put into buckets by distance, and the weights of every bucket added up for all
// classes side by side. A walk over the buckets finds the one in which each ball becomes complete,
// and only there are distances compared. Weights are whole numbers, whose sums do not depend on the
// order: so the balls do not depend on the buckets.
//
// A row of weights is `Fours` times four: one per class, zero where there is none, and last the number
// of samples that it stands for.
template <int Fours>
class Buckets {
public:
    static constexpr int kWidth = 4 * Fours, kOnes = kWidth - 1;

    explicit Buckets(int n)  // samples at most
        : bucket_(n + kRound), next_(n), near_(n), order_(n) {}

    // `floor` and `scale` are the smallest and the largest squared distance expected, weights grow with
    // about the 2^squarings-th power of what is above the floor: they only decide the speed. The ball of
    // a column is complete above `below`; there are `open` to be found. False, and infinite balls, if not
    // all are complete.
    bool operator()(const Nearby& all, const Weight* weights, double floor, double scale, int squarings,
                    const Weight (&below)[kWidth], int open) {
        weights_ = weights;
        floor_ = floor;
        inverse_ = scale > floor ? 1.0 / (scale - floor) : 0.0;
        squarings_ = squarings;
        fill_with(all);
        std::memcpy(below_, below, sizeof below_);
        std::fill(r2_, r2_ + kWidth, kInf);
        std::fill(sum_, sum_ + Fours, Four{});
        for (int b = 0; open && (b = next_reached(b)) < kBuckets; ++b) {
            unsigned found = 0;
            for (int f = 0; f < Fours; ++f) found |= mask_of(sum_[f] > below_[f]) << (4 * f);
            open_bucket(all, b);
            for (; found; found &= found - 1, --open) complete(all, __builtin_ctz(found), b);
        }
        return !open;
    }

    // Of the ball of each column that was found.
    double r2(int column) const { return r2_[column]; }
    Weight weight(int column) const { return weight_[column]; }
    Weight count(int column) const { return count_[column]; }

private:
    static constexpr int kBuckets = 128, kFew = 32;
    const Weight* weights_ = nullptr;
    double floor_ = 0.0, inverse_ = 0.0;
    int squarings_ = 0;
    Array<std::int32_t> bucket_, next_;  // of each sample; the next in the same bucket, -1: none
    std::int32_t first_[kBuckets];
    Four sums_[kBuckets][Fours], sum_[Fours], below_[Fours];
    Weight weight_[kWidth], count_[kWidth];
    double r2_[kWidth];
    Nearby near_;  // one bucket, filled up to whole vectors with infinite distances
    Array<std::int32_t> order_;

    template <class V>
    V place(V v) const {
        V x = (v - floor_) * inverse_;
        x = x < 1.0 ? x : x * 0.0 + 1.0;
        x = x > 0.0 ? x : x * 0.0;
        for (int s = 0; s < squarings_; ++s) x *= x;
        return x * (kBuckets - 1.0);
    }

    Weight below(int column) const { return below_[column / 4][column % 4]; }
    // What the buckets before b, the last one that was added to sum_, hold.
    Weight before(int column, int b) const {
        return sum_[column / 4][column % 4] - sums_[b][column / 4][column % 4];
    }

    // The next bucket in which a ball becomes complete; all up to it are added to sum_.
    int next_reached(int b) {
        Four sum[Fours], below[Fours];  // in registers
        std::memcpy(sum, sum_, sizeof sum);
        std::memcpy(below, below_, sizeof below);
        for (; b < kBuckets; ++b) {
            Four any{};
#pragma GCC unroll 2
            for (int f = 0; f < Fours; ++f) {
                sum[f] += sums_[b][f];
                any |= sum[f] > below[f];
            }
            if (mask_of(any)) break;
        }
        std::memcpy(sum_, sum, sizeof sum);
        return b;
    }

    const Weight* row(int r) const { return weights_ + std::size_t(r) * kWidth; }

    void fill_with(const Nearby& all) {
        std::fill(&sums_[0][0], &sums_[0][0] + kBuckets * Fours, Four{});
        std::fill(first_, first_ + kBuckets, -1);
        for (int e = 0; e < all.count; e += kLanes) {
            auto to = __builtin_convertvector(place(load(&all.v[e])), i32);
            std::memcpy(&bucket_[e], &to, sizeof to);
        }
        for (int e = 0; e < all.count; ++e) {
            int b = bucket_[e];
            const Four* w = reinterpret_cast<const Four*>(row(all.row[e]));
#pragma GCC unroll 2
            for (int f = 0; f < Fours; ++f) sums_[b][f] += w[f];
            next_[e] = first_[b];
            first_[b] = e;
        }
    }

    void open_bucket(const Nearby& all, int b) {
        int n = 0;
        for (int e = first_[b]; e >= 0; e = next_[e]) {
            near_.v[n] = all.v[e];
            near_.row[n++] = all.row[e];
        }
        near_.count = n;
        for (; n % kLanes; ++n) {
            near_.v[n] = kInf;
            near_.row[n] = near_.row[0];
        }
        if (n <= kFew) return;
        for (int e = 0; e < near_.count; ++e) order_[e] = e;
        std::sort(order_.begin(), order_.begin() + near_.count,
                  [&](int a, int b) { return near_.v[a] < near_.v[b]; });
    }

    // The ball of a column, which becomes complete in bucket b: what ties with its last comes in.
    void complete(const Nearby& all, int column, int b) {
        weight_[column] = before(column, b);
        count_[column] = before(kOnes, b);
        near_.count > kFew ? walk_outward(column) : compare_all(column);
        double edge = r2_[column] * kTie;
        for (int end = int(place(edge)); ++b <= end;)
            for (int e = first_[b]; e >= 0; e = next_[e]) {
                if (all.v[e] > edge) continue;
                weight_[column] += row(all.row[e])[column];
                count_[column] += row(all.row[e])[kOnes];
            }
        below_[column / 4][column % 4] = kNever;
    }

    void walk_outward(int column) {
        double edge = kInf;
        for (int e = 0; e < near_.count && near_.v[order_[e]] <= edge; ++e) {
            weight_[column] += row(near_.row[order_[e]])[column];
            count_[column] += row(near_.row[order_[e]])[kOnes];
            if (edge < kInf || weight_[column] <= below(column)) continue;
            r2_[column] = near_.v[order_[e]];
            edge = r2_[column] * kTie;
        }
    }

    // The same for a few, without branches: the weight within each of the distances.
    void compare_all(int column) {
        Weight w[kFew];
        f64 first = fill(kInf);
        for (int p = 0; p < near_.count; p += kLanes)
            for (int e = p; e < p + kLanes; ++e) w[e] = row(near_.row[e])[column];
        for (int p = 0; p < near_.count; p += kLanes) {
            i64 within = i64{} + weight_[column];
            f64 v = load(&near_.v[p]);
            for (int o = 0; o < near_.count; o += kLanes)
                for (int e = o; e < o + kLanes; ++e) add_within(within, fill(near_.v[e]), v, w[e]);
            first = smaller(first, within > below(column) ? v : fill(kInf));
        }
        r2_[column] = smallest(first);
        double edge = r2_[column] * kTie;
        for (int p = 0; p < near_.count; p += kLanes)
            for (int e = p; e < p + kLanes; ++e) {
                weight_[column] += near_.v[e] <= edge ? w[e] : 0;
                count_[column] += near_.v[e] <= edge ? row(near_.row[e])[kOnes] : 0;
            }
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
