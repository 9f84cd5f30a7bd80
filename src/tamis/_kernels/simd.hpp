// Lanes of float64, one candidate feature each, and the k smallest of a stream of them.
//
// Vector extensions do the arithmetic; where they compile badly (or a CPU has masks of its own)
// there is an intrinsic. Every build gives the same bits: lanes never mix, except in `folded`,
// which adds eight partial sums in one order whatever the width.
#pragma once
#include <cfloat>
#include <cstring>
#include <limits>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace tamis {
inline namespace TAMIS_LEVEL {

constexpr double kInf = std::numeric_limits<double>::infinity();

#if defined(__AVX512F__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
constexpr int kRound = 8;  // rows are padded to this many doubles in every build

using f64 = double __attribute__((vector_size(8 * kLanes)));
using f64x4 = double __attribute__((vector_size(32)));
using i64 = long long __attribute__((vector_size(8 * kLanes)));
using i32 = int __attribute__((vector_size(4 * kLanes)));

inline f64 load(const double* p) {
    f64 v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

inline void store(double* p, f64 v) { std::memcpy(p, &v, sizeof v); }

inline f64 fill(double x) { return x - f64{}; }  // not +, which would turn -0 into 0

// The square of a difference; with gaps, of one that is not a number `gap`.
template <bool Gaps>
inline f64 squared(f64 diff, [[maybe_unused]] f64 gap) {
    if constexpr (!Gaps) return diff * diff;
#if defined(__AVX512F__)
    const __mmask8 there = _mm512_cmp_pd_mask((__m512d)diff, (__m512d)diff, _CMP_ORD_Q);
    return (f64)_mm512_mask_mul_pd((__m512d)gap, there, (__m512d)diff, (__m512d)diff);
#else
    const f64 square = diff * diff;
    return square == square ? square : gap;
#endif
}

// smaller, larger: per lane. count_within, add_within: count += 1 and sum += w in the lanes where
// v <= edge. any_within, any_below: is v <= edge, v < edge in some lane? any_between: is
// low < v <= high in some lane? pick_between: v there, +inf elsewhere.
// folded: the eight partial sums added in halves, ((0+4)+(2+6)) + ((1+5)+(3+7)).
#if defined(__AVX512F__)
inline f64 smaller(f64 a, f64 b) { return (f64)_mm512_min_pd((__m512d)a, (__m512d)b); }
inline f64 larger(f64 a, f64 b) { return (f64)_mm512_max_pd((__m512d)a, (__m512d)b); }
inline void count_within(i64& count, f64 v, f64 edge) {
    __mmask8 in = _mm512_cmp_pd_mask((__m512d)v, (__m512d)edge, _CMP_LE_OQ);
    count = (i64)_mm512_mask_add_epi64((__m512i)count, in, (__m512i)count, _mm512_set1_epi64(1));
}
inline void add_within(f64& sum, f64 v, f64 edge, double w) {
    __mmask8 in = _mm512_cmp_pd_mask((__m512d)v, (__m512d)edge, _CMP_LE_OQ);
    sum = (f64)_mm512_mask_add_pd((__m512d)sum, in, (__m512d)sum, _mm512_set1_pd(w));
}
inline bool any_within(f64 v, f64 edge) {
    return _mm512_cmp_pd_mask((__m512d)v, (__m512d)edge, _CMP_LE_OQ) != 0;
}
inline bool any_below(f64 v, f64 edge) {
    return _mm512_cmp_pd_mask((__m512d)v, (__m512d)edge, _CMP_LT_OQ) != 0;
}
inline void add_within(i64& sum, f64 v, f64 edge, long long w) {
    __mmask8 in = _mm512_cmp_pd_mask((__m512d)v, (__m512d)edge, _CMP_LE_OQ);
    sum = (i64)_mm512_mask_add_epi64((__m512i)sum, in, (__m512i)sum, _mm512_set1_epi64(w));
}
inline __mmask8 mask_between(f64 v, f64 low, f64 high) {
    __mmask8 in = _mm512_cmp_pd_mask((__m512d)v, (__m512d)low, _CMP_GT_OQ);
    return _mm512_mask_cmp_pd_mask(in, (__m512d)v, (__m512d)high, _CMP_LE_OQ);
}
inline bool any_between(f64 v, f64 low, f64 high) { return mask_between(v, low, high) != 0; }
inline f64 pick_between(f64 v, f64 low, f64 high) {
    return (f64)_mm512_mask_mov_pd(_mm512_set1_pd(kInf), mask_between(v, low, high), (__m512d)v);
}
inline bool any(i64 mask) { return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0; }
inline double largest(f64 v) { return _mm512_reduce_max_pd((__m512d)v); }
inline double smallest(f64 v) { return _mm512_reduce_min_pd((__m512d)v); }
inline f64x4 half_folded(const f64* s) {
    return __builtin_shufflevector(s[0], s[0], 0, 1, 2, 3) + __builtin_shufflevector(s[0], s[0], 4, 5, 6, 7);
}
#else
inline f64 smaller(f64 a, f64 b) { return a < b ? a : b; }
inline f64 larger(f64 a, f64 b) { return a > b ? a : b; }
inline void count_within(i64& count, f64 v, f64 edge) { count -= (i64)(v <= edge); }
inline void add_within(f64& sum, f64 v, f64 edge, double w) {
    sum += (f64)((i64)(v <= edge) & (i64)fill(w));
}
inline void add_within(i64& sum, f64 v, f64 edge, long long w) {
    sum += (i64)(v <= edge) & (i64{} + w);
}
#if defined(__AVX2__)
inline bool any(i64 mask) { return _mm256_movemask_pd((__m256d)mask) != 0; }
#else
inline bool any(i64 mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }
#endif
inline bool any_within(f64 v, f64 edge) { return any((i64)(v <= edge)); }
inline bool any_below(f64 v, f64 edge) { return any((i64)(v < edge)); }
inline i64 mask_between(f64 v, f64 low, f64 high) { return (i64)(v > low) & (i64)(v <= high); }
inline bool any_between(f64 v, f64 low, f64 high) { return any(mask_between(v, low, high)); }
inline f64 pick_between(f64 v, f64 low, f64 high) {
    return mask_between(v, low, high) ? v : fill(kInf);
}
inline double largest(f64 v) {
    double a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
}
inline double smallest(f64 v) { return -largest(-v); }
inline f64x4 half_folded(const f64* s) { return s[0] + s[1]; }
#endif
inline double folded(const f64* s) {
    f64x4 q = half_folded(s);
    return (q[0] + q[2]) + (q[1] + q[3]);
}

// Four whole numbers side by side in every build; mask_of: bit i is set where mask[i] is.
using Four = long long __attribute__((vector_size(32)));
#if defined(__AVX2__)
inline unsigned mask_of(Four mask) { return _mm256_movemask_pd((__m256d)mask); }
#else
inline unsigned mask_of(Four mask) {
    return (mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8);
}
#endif

// Lane j of vector i to lane i of vector j.
inline void transpose(f64 (&x)[kLanes]) {
#if defined(__AVX512F__)
    for (int i = 0; i < 8; i += 2) {
        f64 a = x[i], b = x[i + 1];
        x[i] = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
        x[i + 1] = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i : {0, 1, 4, 5}) {
        f64 a = x[i], b = x[i + 2];
        x[i] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
        x[i + 2] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < 4; ++i) {
        f64 a = x[i], b = x[i + 4];
        x[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
        x[i + 4] = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    }
#else
    f64 a = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6);
    f64 b = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
    f64 c = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6);
    f64 d = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
    x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    x[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    x[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
#endif
}

// Write the values that are at most `edge`, and what stands at their places in `from`; return how
// many. May write past them, within kLanes.
inline int append_within(f64 v, double edge, const int* from, double* values, int* to) {
#if defined(__AVX512F__)
    __mmask8 in = _mm512_cmp_pd_mask((__m512d)v, _mm512_set1_pd(edge), _CMP_LE_OQ);
    _mm512_storeu_pd(values, _mm512_maskz_compress_pd(in, (__m512d)v));
    __m512i all = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i*)from));
    __m512i kept = _mm512_maskz_compress_epi32(in, all);
    _mm256_storeu_si256((__m256i*)to, _mm512_castsi512_si256(kept));
    return __builtin_popcount(in);
#else
    int count = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        values[count] = v[lane];
        to[count] = from[lane];
        count += v[lane] <= edge;
    }
    return count;
#endif
}

// The sum of the squared differences of two rows of `width` (a multiple of 8) doubles, and of `gaps`.
template <bool Gaps>
inline double squared_distance(const double* a, const double* b, const double* gaps, int width) {
    constexpr int parts = kRound / kLanes;
    f64 sum[parts] = {};
    for (int j = 0; j < width; j += kRound)
#pragma GCC unroll 2
        for (int p = 0; p < parts; ++p) {
            const int at = j + p * kLanes;
            sum[p] += squared<Gaps>(load(a + at) - load(b + at), load(gaps + at));
        }
    return folded(sum);
}

// Four squared distances from `a`: the same bits as one by one, in fewer steps.
template <bool Gaps>
inline void squared_distances4(const double* a, const double* const* b, const double* gaps, int width,
                               double* out) {
    constexpr int parts = kRound / kLanes;
    f64 sum[4][parts] = {};
    for (int j = 0; j < width; j += kRound)
#pragma GCC unroll 2
        for (int p = 0; p < parts; ++p) {
            const f64 here = load(a + j + p * kLanes), gap = load(gaps + j + p * kLanes);
#pragma GCC unroll 4
            for (int r = 0; r < 4; ++r)
                sum[r][p] += squared<Gaps>(here - load(b[r] + j + p * kLanes), gap);
        }
    f64x4 q[4];
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) q[r] = half_folded(sum[r]);
    f64x4 low = f64x4{q[0][0], q[0][1], q[1][0], q[1][1]} + f64x4{q[0][2], q[0][3], q[1][2], q[1][3]};
    f64x4 high = f64x4{q[2][0], q[2][1], q[3][0], q[3][1]} + f64x4{q[2][2], q[2][3], q[3][2], q[3][3]};
    f64x4 d = f64x4{low[0], low[2], high[0], high[2]} + f64x4{low[1], low[3], high[1], high[3]};
    std::memcpy(out, &d, sizeof d);
}

// The eight smallest values of each lane, in order. New values come eight at a time: they are
// sorted by a network of 19 exchanges and merged by keeping the smaller of opposite ends.
class Smallest8 {
public:
    Smallest8() {
        for (auto& x : best_) x = fill(kInf);
    }

    void take(const f64* values, int count) {
        int l = 0;
        for (; l + 8 <= count; l += 8) take8(values + l);
        if (l < count) {
            f64 rest[8];
            for (int r = 0; r < 8; ++r) rest[r] = l + r < count ? values[l + r] : fill(kInf);
            take8(rest);
        }
    }

    // The k-th smallest, 1 <= k <= 8.
    f64 kth(int k) const { return best_[k - 1]; }

private:
    f64 best_[8];

    static void exchange(f64& a, f64& b) {
        f64 low = smaller(a, b);
        b = larger(a, b);
        a = low;
    }

    __attribute__((always_inline)) void take8(const f64* values) {
        f64 v[8];
        for (int r = 0; r < 8; ++r) v[r] = values[r];
        constexpr int kSort[19][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6},
                                      {3, 7}, {0, 1}, {2, 3}, {4, 5}, {6, 7}, {2, 4}, {3, 5},
                                      {1, 4}, {3, 6}, {1, 2}, {3, 4}, {5, 6}};
#pragma GCC unroll 19
        for (int e = 0; e < 19; ++e) exchange(v[kSort[e][0]], v[kSort[e][1]]);
#pragma GCC unroll 8
        for (int r = 0; r < 8; ++r) best_[r] = smaller(best_[r], v[7 - r]);
#pragma GCC unroll 3
        for (int step = 4; step; step /= 2)
#pragma GCC unroll 8
            for (int r = 0; r < 8; ++r)
                if (!(r & step)) exchange(best_[r], best_[r + step]);
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
