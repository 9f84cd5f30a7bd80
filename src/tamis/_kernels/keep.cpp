// Compiled once per CPU level: the inner loop of the filter, a few rows by 16 samples at a time.
#include <cstddef>
#include <cstring>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "api.hpp"

namespace tamis {
namespace {

// As many rows as the registers hold sums and maxima for.
#if defined(__AVX512F__)
constexpr int kFloats = 16, kRows = 4;
#elif defined(__AVX2__)
constexpr int kFloats = 8, kRows = 2;
#else
constexpr int kFloats = 4, kRows = 1;
#endif
using f32 = float __attribute__((vector_size(4 * kFloats)));

inline f32 load(const float* p) {
    f32 v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

// Bit l is set where a[l] <= b[l].
inline unsigned at_most(f32 a, f32 b) {
#if defined(__AVX512F__)
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
#elif defined(__AVX2__)
    return _mm256_movemask_ps((__m256)(a <= b));
#elif defined(__SSE2__)
    return _mm_movemask_ps((__m128)(a <= b));
#else
    auto le = a <= b;
    unsigned bits = 0;
    for (int l = 0; l < kFloats; ++l) bits |= (le[l] ? 1u : 0u) << l;
    return bits;
#endif
}

// Write begin + l for every set bit l; return how many. May write past them, within 16.
inline int append(unsigned kept, int begin, std::int32_t* list) {
#if defined(__AVX512F__)
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i index = _mm512_add_epi32(_mm512_set1_epi32(begin), lanes);
    _mm512_storeu_si512(list, _mm512_maskz_compress_epi32(__mmask16(kept), index));
    return __builtin_popcount(kept);
#else
    int count = 0;
    for (; kept; kept &= kept - 1) list[count++] = begin + __builtin_ctz(kept);
    return count;
#endif
}

// The square of a difference; with gaps, of one that is not a number `gap`.
template <bool Gaps>
inline f32 squared(f32 diff, [[maybe_unused]] float gap) {
    if constexpr (!Gaps) return diff * diff;
#if defined(__AVX512F__)
    const __mmask16 there = _mm512_cmp_ps_mask((__m512)diff, (__m512)diff, _CMP_ORD_Q);
    return (f32)_mm512_mask_mul_ps(_mm512_set1_ps(gap), there, (__m512)diff, (__m512)diff);
#else
    const f32 square = diff * diff;
    return square == square ? square : f32{} + gap;
#endif
}

template <int R>
struct Sums {
    static constexpr int V = kPanel / kFloats;
    f32 sum[R][V], most[R][V];
};

// Adds columns begin .. end - 1, part c and those after it.
template <int R, bool Drop, bool Several, bool Gaps>
__attribute__((always_inline)) inline void add(const Panel& p, const float* const (&row)[R],
                                               const float* const (&gaps)[R], int begin, int end, int c,
                                               Sums<R>& to) {
    for (int j = begin, next = 0; j < end; j = next) {
        next = Several ? p.ends[c++] : j + 1;
#pragma GCC unroll 4
        for (int v = 0; v < Sums<R>::V; ++v) {
            f32 part[R];  // what leaves together
            f32 column = load(p.columns + j * kPanel + v * kFloats);
#pragma GCC unroll 4
            for (int a = 0; a < R; ++a) part[a] = squared<Gaps>(column - row[a][j], Gaps ? gaps[a][j] : 0.0f);
            for (int t = j + 1; t < next; ++t) {
                column = load(p.columns + t * kPanel + v * kFloats);
#pragma GCC unroll 4
                for (int a = 0; a < R; ++a)
                    part[a] += squared<Gaps>(column - row[a][t], Gaps ? gaps[a][t] : 0.0f);
            }
#pragma GCC unroll 4
            for (int a = 0; a < R; ++a) {
                to.sum[a][v] += part[a];
                if (Drop) to.most[a][v] = to.most[a][v] > part[a] ? to.most[a][v] : part[a];
            }
        }
    }
}

template <int R, bool Drop, bool Several, bool Gaps>
__attribute__((always_inline)) inline void tile(const Panel& p, const int* rows,
                                                const float* limits, int stride,
                                                std::int32_t** lists, int* lengths) {
    constexpr int V = Sums<R>::V;
    const float *row[R], *gaps[R];
    Sums<R> to;
#pragma GCC unroll 4
    for (int a = 0; a < R; ++a) {
        row[a] = p.rows + std::size_t(rows[a]) * p.m;
        gaps[a] = Gaps ? p.gaps + std::size_t(rows[a]) * p.m : nullptr;
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            to.sum[a][v] = Gaps ? f32{} + p.floors[rows[a]] : f32{};
            to.most[a][v] = f32{};
        }
    }
    add<R, Drop, Several, false>(p, row, gaps, 0, Gaps ? p.first_gap : p.m, 0, to);
    if (Gaps) add<R, Drop, Several, true>(p, row, gaps, p.first_gap, p.m, p.first_part, to);
    // To a gap even what fills the last panel is near.
    const unsigned there = Gaps ? (1u << p.count) - 1 : ~0u;
#pragma GCC unroll 4
    for (int a = 0; a < R; ++a) {
        f32 limit = f32{} + limits[a * stride];
        unsigned kept = 0;
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v)
            kept |= at_most(to.sum[a][v] * p.scale - to.most[a][v], limit) << (v * kFloats);
        lengths[a] += append(kept & there, p.begin, lists[a] + lengths[a]);
    }
}

template <bool Drop, bool Several, bool Gaps>
void keep(const Panel& p, const int* rows, int n_rows, const float* limits, int stride,
          std::int32_t** lists, int* lengths) {
    int r = 0;
    for (; r + kRows <= n_rows; r += kRows)
        tile<kRows, Drop, Several, Gaps>(p, rows + r, limits + r * stride, stride, lists + r, lengths + r);
    for (; r < n_rows; ++r)
        tile<1, Drop, Several, Gaps>(p, rows + r, limits + r * stride, stride, lists + r, lengths + r);
}

template <bool Gaps>
void keep(const Panel& p, const int* rows, int n_rows, const float* limits, int stride,
          std::int32_t** lists, int* lengths) {
    if (p.ends)
        keep<true, true, Gaps>(p, rows, n_rows, limits, stride, lists, lengths);
    else
        p.drop_largest ? keep<true, false, Gaps>(p, rows, n_rows, limits, stride, lists, lengths)
                       : keep<false, false, Gaps>(p, rows, n_rows, limits, stride, lists, lengths);
}

}  // namespace

void TAMIS_KEEP(const Panel& p, const int* rows, int n_rows, const float* limits, int stride,
                std::int32_t** lists, int* lengths) {
    p.gaps ? keep<true>(p, rows, n_rows, limits, stride, lists, lengths)
           : keep<false>(p, rows, n_rows, limits, stride, lists, lengths);
}

}  // namespace tamis
