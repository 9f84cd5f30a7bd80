// One feature judged against a few others: see blanket.hpp.
#include "blanket.hpp"

#include <algorithm>
#include <limits>

#include "sorting.hpp"

namespace tamis {
namespace {

class FeatureJudge {
public:
    FeatureJudge(const Levels& x, const ClassTarget& y, const ClassMetric& metric,
                 const LogFactorials& log_factorial)
        : x_(x), y_(y), n_(y.n_classes), divergence_(y, metric, log_factorial), code_(x.n, 0),
          level_(x.n, 0), total_(n_, 0.0) {
        for (int i = 0; i < x.n; ++i) add_row(i, total_.data());
    }

    // Sums of the divergence and of its mean by chance.
    void operator()(const Judged& asked, bool with_null, double* sums) {
        find_groups(asked);
        collect(x_.first[asked.feature], x_.first[asked.feature + 1]);
        sum_up(asked.feature, with_null, sums);
        clear();
    }

    // The mean over permutations of the feature within the groups: those of group g, taken in the
    // order of their keys, get the levels of those of group g in their own order.
    double permuted(const Judged& asked, const double* keys, int n_keys) {
        find_groups(asked);
        order_by_group();
        double total = 0.0;
        for (int p = 0; p < n_keys; ++p) {
            shuffle(asked.feature, keys + std::size_t(p) * x_.n);
            double sums[2];
            sum_up(asked.feature, false, sums);
            total += sums[0];
        }
        clear();
        return total / n_keys;
    }

private:
    const Levels x_;
    const ClassTarget y_;
    const int n_;
    Divergence divergence_;
    std::vector<std::int64_t> code_;  // group of each sample, zero where all levels are
    std::vector<int> touched_;        // samples with another group
    std::vector<int> level_;
    std::vector<double> total_, groups_, cells_;
    std::vector<std::pair<int, int>> moved_;  // samples of another level than 0, and the level
    std::vector<int> cell_group_, rest_;      // rest_: the cell of level 0 of each group, or -1
    std::vector<int> by_group_, group_first_, sorted_;
    Ids ids_, cell_ids_;
    int n_groups_ = 1;

    void add_row(int i, double* counts, double sign = 1.0) const {
        if (y_.code != nullptr) {
            counts[y_.code[i]] += sign;
        } else {
            const double* row = y_.weight + std::size_t(i) * n_;
            for (int s = 0; s < n_; ++s) counts[s] += sign * row[s];
        }
    }

    int coarse(int feature, int level, int grain) const {
        if (grain == 0) return level;
        return x_.coarse[std::size_t(grain - 1) * x_.n_maps + x_.map_first[feature] + level];
    }

    void find_groups(const Judged& asked) {
        touched_.clear();
        std::int64_t stride = 1;
        for (int g = 0; g < asked.n_against; ++g) {
            int j = asked.against[g];
            std::int64_t n_levels = x_.n_levels[std::size_t(asked.grain) * x_.n_features + j];
            if (stride > (std::int64_t(1) << 31)) stride = compact();
            for (std::int64_t t = x_.first[j]; t < x_.first[j + 1]; ++t) {
                int level = coarse(j, x_.level[t], asked.grain), i = x_.row[t];
                if (level == 0) continue;
                if (code_[i] == 0) touched_.push_back(i);
                code_[i] += level * stride;
            }
            stride *= n_levels;
            check_stop(4 * std::size_t(x_.first[j + 1] - x_.first[j]));
        }
        n_groups_ = int(compact());
        groups_.assign(std::size_t(n_groups_) * n_, 0.0);
        for (int i : touched_) add_row(i, &groups_[std::size_t(code_[i]) * n_]);
        for (int s = 0; s < n_; ++s) {
            double others = 0.0;
            for (int g = 1; g < n_groups_; ++g) others += groups_[std::size_t(g) * n_ + s];
            groups_[s] = std::max(0.0, total_[s] - others);
        }
    }

    // Codes become 0, 1, 2, ...; the number of them.
    std::int64_t compact() {
        ids_.start(touched_.size() + 1);
        ids_(0);
        for (int i : touched_) code_[i] = ids_(code_[i]);
        return ids_.size();
    }

    void collect(std::int64_t begin, std::int64_t end) {
        moved_.clear();
        for (std::int64_t t = begin; t < end; ++t) moved_.emplace_back(x_.row[t], x_.level[t]);
    }

    // Fills the cells from moved_; what they take is missing in the cell of level 0.
    void sum_up(int feature, bool with_null, double* sums) {
        std::int64_t n_levels = x_.n_levels[feature];
        cell_ids_.start(moved_.size() + std::min<std::size_t>(moved_.size(), n_groups_) + 1);
        cells_.clear();
        cell_group_.clear();
        rest_.assign(n_groups_, -1);
        std::size_t done = 0;
        for (auto [i, level] : moved_) {
            if (done++ % 256 == 0) check_stop(std::size_t(256) * (n_ + 16));
            int g = int(code_[i]);
            if (rest_[g] < 0) {
                rest_[g] = cell(g, g * n_levels);
                std::copy_n(&groups_[std::size_t(g) * n_], n_, &cells_[std::size_t(rest_[g]) * n_]);
            }
            int c = cell(g, g * n_levels + level);
            add_row(i, &cells_[std::size_t(c) * n_]);
            add_row(i, &cells_[std::size_t(rest_[g]) * n_], -1.0);
        }
        double raw = 0.0, null = 0.0;
        int last = -1;
        for (int c = 0; c < int(cell_group_.size()); ++c) {
            if (cell_group_[c] != last) divergence_.enter(&groups_[std::size_t(cell_group_[c]) * n_]);
            last = cell_group_[c];
            divergence_.add(&cells_[std::size_t(c) * n_], with_null, raw, null);
        }
        sums[0] = raw;
        sums[1] = null;
    }

    int cell(int group, std::int64_t key) {
        int id = cell_ids_(key);
        if (id == int(cell_group_.size())) {
            cell_group_.push_back(group);
            cells_.resize(cells_.size() + n_, 0.0);
        }
        return id;
    }

    void order_by_group() {
        group_first_.assign(n_groups_ + 1, 0);
        for (int i = 0; i < x_.n; ++i) ++group_first_[code_[i] + 1];
        std::partial_sum(group_first_.begin(), group_first_.end(), group_first_.begin());
        by_group_.resize(x_.n);
        std::vector<int> next(group_first_.begin(), group_first_.end() - 1);
        for (int i = 0; i < x_.n; ++i) by_group_[next[code_[i]]++] = i;
    }

    void shuffle(int feature, const double* keys) {
        for (std::int64_t t = x_.first[feature]; t < x_.first[feature + 1]; ++t)
            level_[x_.row[t]] = x_.level[t];
        sorted_ = by_group_;
        moved_.clear();
        for (int g = 0; g < n_groups_; ++g) {
            auto begin = sorted_.begin() + group_first_[g], end = sorted_.begin() + group_first_[g + 1];
            sort_in_parts(begin, end, [&](int a, int b) {
                return keys[a] < keys[b] || (keys[a] == keys[b] && a < b);
            });
            for (int at = group_first_[g]; at < group_first_[g + 1]; ++at)
                if (level_[by_group_[at]]) moved_.emplace_back(sorted_[at], level_[by_group_[at]]);
        }
        for (std::int64_t t = x_.first[feature]; t < x_.first[feature + 1]; ++t)
            level_[x_.row[t]] = 0;
    }

    void clear() {
        for (int i : touched_) code_[i] = 0;
    }
};

struct Batch {
    const Judged* asked;
    bool with_null;
    double* sums;
    std::vector<FeatureJudge>& judges;
};

}  // namespace

void judge_features(const Levels& x, const ClassTarget& y, const ClassMetric& metric,
                    const LogFactorials& log_factorial, const Judged* asked, int n_asked,
                    bool with_null, int n_threads, double* sums) {
    n_threads = n_workers(n_asked, n_threads);
    std::vector<FeatureJudge> judges(n_threads, FeatureJudge(x, y, metric, log_factorial));
    Batch batch{asked, with_null, sums, judges};
    run_tasks(n_asked, n_threads,
              [](void* context, int task, int worker) {
                  auto& b = *static_cast<Batch*>(context);
                  b.judges[worker](b.asked[task], b.with_null, b.sums + 2 * task);
              },
              &batch);
}

double judge_permuted(const Levels& x, const ClassTarget& y, const ClassMetric& metric,
                      const Judged& asked, const double* keys, int n_keys) {
    return FeatureJudge(x, y, metric, {nullptr, 0}).permuted(asked, keys, n_keys);
}

}  // namespace tamis
