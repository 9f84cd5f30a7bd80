// Rows of one task: their limits, and the shortlists that the filter makes of them.
#pragma once
#include <algorithm>

#include "filter.hpp"
#include "memory.hpp"
#include "problem.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

constexpr int kBlock = kRowsPerSum;

// Column groups of the filter: classes have thresholds of their own, memberships share one.
inline Filter make_filter(KeepPanel keep, const Labels& y, const Question& q, const Variations& x) {
    const std::int32_t everybody[2] = {0, y.n};
    return Filter(keep, x.base, y.n, x.n_base, hard(y) ? y.first : everybody,
                  hard(y) ? y.n_classes : 1, x.sign < 0, q.include_self,
                  x.sign < 0 ? x.ends : nullptr, x.base_gaps);
}

// How far a row must look into each column group, given the limits of its balls; -1: not at all.
// `crowd`: also for samples of other classes that are only counted.
inline void group_limits(const Filter& filter, const Labels& y, const Question& q, int row,
                         const double* limits, bool crowd, float* out) {
    int balls = balls_per_row(y, q);
    double most = -1.0;
    for (int b = 0; b < balls; ++b) most = std::max(most, limits[b]);
    for (int g = 0; g < filter.groups(); ++g) {
        double limit = most;
        if (hard(y) && q.quantity == kRisk) limit = limits[g];
        // Without a volume the samples around are counted, so they must be seen: see crowd().
        if (hard(y) && q.quantity == kDistance && g != y.code[row] && (limits[1] > 0.0 || !crowd))
            limit = limits[1];
        if (hard(y) && q.quantity == kCount && g != y.code[row] && !crowd) limit = -1.0;
        out[g] = filter.threshold(limit * kTie);
    }
}

struct Block {
    Array<std::int32_t> room;  // moving a Block keeps its heap memory, so `lists` stay good
    std::int32_t* lists[kBlock];
    int lengths[kBlock];
    Array<float> limits;  // kBlock x groups
    Array<int> starts;    // kBlock x (groups + 1): where each group begins in a list, and its end

    Block(int n, int groups)
        : room(std::size_t(kBlock) * (n + kPanel)), limits(std::size_t(kBlock) * groups),
          starts(std::size_t(kBlock) * (groups + 1)) {
        for (int r = 0; r < kBlock; ++r) lists[r] = room.data() + std::size_t(r) * (n + kPanel);
    }
    void clear() { std::fill(lengths, lengths + kBlock, 0); }

    // The shortlists of the first rows, by their limits.
    void fill(const Filter& filter, const int* rows, int n_rows) {
        clear();
        const int groups = filter.groups();
        for (int panel = 0, g = 0; g <= groups; ++panel) {
            int next = panel < filter.panels() ? filter.group(panel) : groups;
            for (; g <= next; ++g)
                for (int r = 0; r < n_rows; ++r) starts[r * (groups + 1) + g] = lengths[r];
            if (panel == filter.panels()) return;
            filter.keep(panel, rows, n_rows, limits.data(), lists, lengths);
            if (panel % 16 == 0) check_stop(std::size_t(n_rows) * 16 * filter.width());
        }
    }

    Listed list(int r, int groups) const { return {lists[r], &starts[r * (groups + 1)]}; }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
