// Candidates side by side, one per lane: a row-major copy whose rows are whole vectors.
//
//   eight candidates     the next eight, of up to three columns
//   a b c d e f g h      i  j  k  l  m  n  o  p      first columns
//                        i' j' k' l' m' n' o' p'     second columns, zero where there is none
//                        0  0  0  0  0  0  o" p"
//
// Eight in every build, whatever the lanes, so that sums over a row have one order. Candidates of
// one column each give plain rows, filled with zeros. Sorted by size they waste little. Squared
// differences of gaps stand in one more row, with zeros where the rows are filled.
#pragma once
#include <algorithm>
#include <cstdint>

#include "api.hpp"
#include "memory.hpp"
#include "simd.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// Of candidate c; see Variations for `ends`.
inline int n_columns(const std::int32_t* ends, int c) {
    return !ends ? 1 : c ? ends[c] - ends[c - 1] : ends[0];
}

// Number of columns in lane c of the variations: the last lane is the base set.
inline int dimensions(const Variations& x, int c) {
    return x.n_base + (c < x.n_candidates ? x.sign * n_columns(x.ends, c) : 0);
}

class Layers {
public:
    // x: n x m; `extra` candidates of zeros come last.
    Layers(const double* x, int n, int m, const double* gaps, int extra = 0,
           const std::int32_t* ends = nullptr)
        : end_(1, 0) {
        Array<int> to(m);
        int c = 0;
        for (int j = 0; j < m; ++c) {
            int size = n_columns(ends, c);
            if (c % kRound == 0) end_.push_back(end_.back());
            end_.back() = std::max(end_.back(), end_[c / kRound] + size * kRound);
            for (int t = 0; t < size; ++t) to[j++] = place(c) + t * kRound;
        }
        for (; extra; --extra, ++c)
            if (c % kRound == 0) end_.push_back(end_.back() + kRound);
        width_ = end_.back();
        data_.resize(std::size_t(n) * width_, 0.0);
        for (int i = 0; i < n; ++i) {
            check_stop(width_);
            for (int j = 0; j < m; ++j)
                data_[std::size_t(i) * width_ + to[j]] = x[std::size_t(i) * m + j];
        }
        gaps_.resize(width_, 0.0);
        in_eight_.resize(end_.size(), false);
        if (gaps) find_gaps(n, m, gaps, to);
    }

    int width() const { return width_; }
    const double* row(int i) const { return data_.data() + std::size_t(i) * width_; }

    // The columns of candidate c are at place(c), place(c) + 8, ..., before end(c).
    int place(int c) const { return end_[c / kRound] + c % kRound; }
    int end(int c) const { return end_[c / kRound + 1]; }

    bool has_gaps() const { return has_gaps_; }
    // In those eight that candidate c is one of.
    bool has_gaps(int c) const { return in_eight_[c / kRound]; }
    const double* gaps() const { return gaps_.data(); }

    // What row i is away from everybody by its own gaps: in all columns, and in those of candidate c.
    double floor(int i) const { return has_gaps_ ? distance(i, i) : 0.0; }
    double floor(int i, int c) const { return has_gaps(c) ? part(i, i, c) : 0.0; }

    double distance(int i, int l) const {
        return has_gaps_ ? squared_distance<true>(row(i), row(l), gaps(), width_)
                         : squared_distance<false>(row(i), row(l), gaps(), width_);
    }

    // The squared distance in the columns of candidate c.
    double part(int i, int l, int c) const {
        double sum = 0.0;
        for (int j = place(c); j < end(c); j += kRound) sum += square(i, l, j);
        return sum;
    }

    // In all others, added up without it: eight sums in the order of `folded`.
    double distance_without(int i, int l, int c) const {
        const int lane = c % kRound, begin = place(c) - lane, stop = end(c);
        double sum[kRound] = {};
        for (int j = 0; j < width_; j += kRound) {
            const int skip = j >= begin && j < stop ? lane : kRound;
            for (int r = 0; r < kRound; ++r) sum[r] += r == skip ? 0.0 : square(i, l, j + r);
        }
        return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    }

private:
    int width_;
    Array<int> end_;  // 0, then where each eight candidates end
    Array<double> data_, gaps_;
    Array<char> in_eight_;
    bool has_gaps_ = false;

    void find_gaps(int n, int m, const double* gaps, const Array<int>& to) {
        for (int j = 0; j < m; ++j) gaps_[to[j]] = gaps[j];
        Array<double> sum(width_, 0.0);  // no number where there is a gap
        for (int i = 0; i < n; ++i) {
            check_stop(width_);
            for (int j = 0; j < width_; ++j) sum[j] += row(i)[j];
        }
        for (std::size_t eight = 0; eight + 1 < end_.size(); ++eight)
            for (int j = end_[eight]; j < end_[eight + 1]; ++j) in_eight_[eight] |= sum[j] != sum[j];
        has_gaps_ = std::count(in_eight_.begin(), in_eight_.end(), true) > 0;
    }

    double square(int i, int l, int j) const {
        double diff = row(i)[j] - row(l)[j], square = diff * diff;
        return square == square ? square : gaps_[j];
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
