// Stage 1: which pairs can matter? One pass over all pairs in float32, shared by all candidates.
//
// With squared differences t_j, summed over the columns of candidate j, a pair has D = sum t_j in
// the whole set and D - t_j without the candidate, so D - max t_j is a lower bound for every one.
// A pair is kept iff that bound is at most the threshold of the row. Rounding only ever keeps more:
// the float32 coordinates move a distance by at most `shift_`, the sum is off by at most the factor
// `slack_`. Columns with gaps come last, so that the others are added up as fast as ever.
//
// Where a row has a gap, t_j is the same for everybody: a radius without candidate j is less by as
// much, so that t_j counts in the sum, but not in the maximum. Not so if a row is its own neighbour:
// it is at distance zero from itself whatever its gaps.
#pragma once
#include <algorithm>
#include <cfloat>
#include <cmath>

#include "api.hpp"
#include "memory.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// A shortlist: group g of the filter has samples[starts[g]] .. samples[starts[g + 1] - 1].
struct Listed {
    const std::int32_t* samples;
    const int* starts;
};

class Filter {
public:
    // x: n x m. Rows first[g] .. first[g+1]-1 form column group g, which has thresholds of its
    // own. `drop_largest`: bound the distance without any one candidate; see Variations for `ends`.
    // `itself`: a row is its own neighbour.
    Filter(KeepPanel keep, const double* x, int n, int m, const std::int32_t* first, int groups,
           bool drop_largest, bool itself, const std::int32_t* ends, const double* gaps)
        : keep_(keep), m_(m), groups_(groups), drop_(drop_largest), first_gap_(m),
          rows_(std::size_t(n) * m) {
        const Array<int> to = arrange(x, n, ends, gaps);
        Array<double> most(m, 0.0);
        for (int i = 0; i < n; ++i) {
            check_stop(m);
            for (int j = 0; j < m; ++j) {
                double value = x[std::size_t(i) * m + j];
                rows_[std::size_t(i) * m + to[j]] = float(value);
                most[j] = std::max(most[j], std::fabs(value));
            }
        }
        double reach = 0.0;
        for (double value : most) reach += value * value;
        // In units of 6e-8 of D: the sum errs by m + 2, a part of w columns by w + 2, the rest by 3;
        // this allows for twice that. Rounded gaps and floors are off by one each.
        slack_ = (m + widest() + (has_gaps() ? 6 : 3)) * 1.2e-7;
        if (has_gaps()) find_floors(n, itself);
        shift_ = 1.2e-7 * std::sqrt(reach);
        panels_.reserve((std::size_t(n) + std::size_t(kPanel) * groups) * m);
        for (int g = 0; g < groups; ++g)
            for (int begin = first[g]; begin < first[g + 1]; begin += kPanel)
                add_panel(begin, std::min(begin + kPanel, int(first[g + 1])), g);
    }

    int width() const { return m_; }
    int groups() const { return groups_; }
    int panels() const { return int(group_.size()); }
    int group(int panel) const { return group_[panel]; }

    // The float32 threshold that keeps whatever is within `r2` in exact arithmetic.
    float threshold(double r2) const {
        if (r2 < 0.0) return -1.0f;
        double moved = std::sqrt(r2) + shift_;
        double padded = moved * moved * (1.0 + slack_);
        // Finite, so that the infinite coordinates that fill the last panel never pass.
        return padded < FLT_MAX / 2 ? std::nextafterf(float(padded), FLT_MAX) : FLT_MAX;
    }

    // Append to lists[r] the samples of one panel that row rows[r] keeps, in increasing order.
    // `thresholds` has `groups` values for each of the rows.
    void keep(int panel, const int* rows, int n_rows, const float* thresholds,
              std::int32_t** lists, int* lengths) const {
        keep_(Panel{panels_.data() + std::size_t(panel) * m_ * kPanel, rows_.data(),
                    ends_.empty() ? nullptr : ends_.data(), m_, drop_, float(1.0 - slack_), begin_[panel],
                    count_[panel], has_gaps() ? row_gaps_.data() : nullptr, floors_.data(), first_gap_,
                    first_part_},
              rows, n_rows, thresholds + group_[panel], groups_, lists, lengths);
    }

private:
    KeepPanel keep_;
    int m_, groups_;
    bool drop_;
    int first_gap_, first_part_ = 0;
    Array<std::int32_t> ends_;
    Array<float> gaps_, row_gaps_, floors_;  // of each column; n x m; n
    double slack_, shift_;
    Array<float> rows_;    // n x m
    Array<float> panels_;  // panels x m x 16: one feature of 16 samples is contiguous
    Array<int> group_, begin_, count_;

    bool has_gaps() const { return first_gap_ < m_; }

    int widest() const {
        int most = 1, begin = 0;
        for (int end : ends_) {
            most = std::max(most, end - begin);
            begin = end;
        }
        return most;
    }

    // Where each column goes: those that leave with a gap come last.
    Array<int> arrange(const double* x, int n, const std::int32_t* ends, const double* gaps) {
        Array<double> sum(m_, 0.0);  // no number where there is a gap
        for (int i = 0; gaps && i < n; ++i) {
            check_stop(m_);
            const double* row = x + std::size_t(i) * m_;
            for (int j = 0; j < m_; ++j) sum[j] += row[j];
        }
        Array<int> to(m_);
        gaps_.resize(m_);
        int next = 0;
        for (bool with_gaps : {false, true}) {
            if (with_gaps) {
                first_gap_ = next;
                first_part_ = int(ends_.size());
            }
            for (int begin = 0, end, c = 0; begin < m_; begin = end) {
                end = ends ? ends[c++] : begin + 1;
                bool has = false;
                for (int j = begin; j < end; ++j) has |= sum[j] != sum[j];
                if (has != with_gaps) continue;
                for (int j = begin; j < end; ++j) {
                    gaps_[next] = gaps ? float(gaps[j]) : 0.0f;
                    to[j] = next++;
                }
                if (ends) ends_.push_back(next);
            }
        }
        return to;
    }

    void find_floors(int n, bool itself) {
        row_gaps_.resize(rows_.size());
        floors_.resize(n);
        for (int i = 0; i < n; ++i) {
            check_stop(m_);
            const float* row = &rows_[std::size_t(i) * m_];
            float* to = &row_gaps_[std::size_t(i) * m_];
            for (int j = 0; j < m_; ++j) to[j] = row[j] == row[j] || itself ? gaps_[j] : 0.0f;
            double floor = 0.0;
            for (int j = first_gap_; j < m_; ++j) floor += gaps_[j] - to[j];
            floors_[i] = float(floor);
        }
    }

    void add_panel(int begin, int end, int g) {
        check_stop(std::size_t(m_) * kPanel);
        group_.push_back(g);
        begin_.push_back(begin);
        count_.push_back(end - begin);
        panels_.resize(panels_.size() + std::size_t(m_) * kPanel, HUGE_VALF);
        float* panel = panels_.data() + panels_.size() - std::size_t(m_) * kPanel;
        for (int i = begin; i < end; ++i)
            for (int j = 0; j < m_; ++j)
                panel[j * kPanel + i - begin] = rows_[std::size_t(i) * m_ + j];
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
