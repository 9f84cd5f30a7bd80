// How much a feature tells about the class beyond the features that it is judged against.
//
// Samples fall into groups g by the levels of the judging features G, and into cells (g, x) by the
// level x of the feature itself. The sum over the cells of n_gx times the divergence between the
// class distributions of cell and group is zero when the feature adds nothing. Level 0 is implicit:
// only groups that a sample of another level falls into can add to the sum.
#pragma once
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "api.hpp"
#include "transport.hpp"

namespace tamis {

// Ids 0, 1, ... for keys in the order they are met.
class Ids {
public:
    void start(std::size_t most) {
        std::size_t size = 16;
        while (size < 2 * most) size *= 2;
        if (size > key_.size()) {
            key_.assign(size, 0);
            id_.assign(size, -1);
        } else {
            for (std::size_t at : used_) id_[at] = -1;
        }
        used_.clear();
    }
    int operator()(std::int64_t key) {
        std::size_t mask = key_.size() - 1;
        std::size_t at = (std::uint64_t(key) * 0x9E3779B97F4A7C15u >> 20) & mask;
        while (id_[at] >= 0 && key_[at] != key) at = (at + 1) & mask;
        if (id_[at] < 0) {
            key_[at] = key;
            id_[at] = int(used_.size());
            used_.push_back(at);
        }
        return id_[at];
    }
    int size() const { return int(used_.size()); }

private:
    std::vector<std::int64_t> key_;
    std::vector<int> id_;
    std::vector<std::size_t> used_;
};

// Sums over the cells of one group after the other; n is the number of classes.
class Divergence {
public:
    Divergence(const ClassTarget& y, const ClassMetric& metric, const double* log_factorial)
        : n_(y.n_classes), metric_(metric), lf_(log_factorial),
          transport_(metric.kind == kTransport ? n_ : 0, metric.distance),
          group_edges_(metric.n_edges), cell_edges_(metric.n_edges), p_(n_), q_(n_) {}

    void enter(const double* group) {
        group_ = group;
        n_g_ = std::accumulate(group, group + n_, 0.0);
        if (metric_.kind == kTree) edges_of(group, group_edges_);
    }

    // n_gx times the divergence, and its mean when the cell is drawn from the group at random.
    void add(const double* cell, bool with_null, double& raw, double& null) {
        double n_gx = std::accumulate(cell, cell + n_, 0.0);
        if (n_gx <= 1e-9 || n_gx >= n_g_) return;
        if (metric_.kind == kTree) {
            edges_of(cell, cell_edges_);
            for (int e = 0; e < metric_.n_edges; ++e) {
                double w = metric_.edge_weight[e], below = group_edges_[e];
                raw += w * std::fabs(cell_edges_[e] * n_g_ - n_gx * below) / n_g_;
                if (with_null) null += w * mean_deviation(below, n_gx);
            }
        } else if (metric_.kind == kTransport) {
            for (int y = 0; y < n_; ++y) {
                p_[y] = cell[y] * n_g_;
                q_[y] = group_[y] * n_gx;
            }
            raw += transport_(p_.data(), q_.data()) / n_g_;
        } else {
            for (int y = 0; y < n_; ++y) {
                // Of a tiny weight rounding may leave nothing in the group, which is a difference.
                double expected = n_gx * group_[y];
                if (cell[y] > 0.0 && expected > 0.0) raw += cell[y] * std::log(cell[y] * n_g_ / expected);
                if (with_null && group_[y] > 0.0) null += mean_information(group_[y], n_gx);
            }
        }
    }

private:
    const int n_;
    const ClassMetric metric_;
    const double* lf_;
    Transport transport_;
    std::vector<double> group_edges_, cell_edges_, p_, q_;
    const double* group_ = nullptr;
    double n_g_ = 0.0;

    void edges_of(const double* counts, std::vector<double>& out) const {
        std::fill(out.begin(), out.end(), 0.0);
        for (int y = 0; y < n_; ++y) {
            if (counts[y] == 0.0) continue;
            for (int a = metric_.above_first[y]; a < metric_.above_first[y + 1]; ++a)
                out[metric_.above[a]] += counts[y];
        }
    }

    // log P(H = h), H the number of `below` among n_gx drawn from n_g; whole numbers.
    double log_chance(double h, double below, double n_gx) const {
        auto choose = [&](double n, double k) {
            return lf_[std::size_t(n)] - lf_[std::size_t(k)] - lf_[std::size_t(n - k)];
        };
        return choose(below, h) + choose(n_g_ - below, n_gx - h) - choose(n_g_, n_gx);
    }

    // E |H - n_gx below / n_g|, in closed form.
    double mean_deviation(double below, double n_gx) const {
        double m = std::floor(below * n_gx / n_g_) + 1.0, rest = n_g_ - below - n_gx + m;
        if (m > below || m > n_gx || rest < 0.0) return 0.0;
        return 2.0 * m * rest / n_g_ * std::exp(log_chance(m, below, n_gx));
    }

    // E [H log(H n_g / (n_gx below))]: outward from the most probable H until nothing is left.
    double mean_information(double below, double n_gx) const {
        double least = std::max(0.0, n_gx + below - n_g_), most = std::min(n_gx, below);
        double mode = std::floor((n_gx + 1.0) * (below + 1.0) / (n_g_ + 2.0));
        mode = std::min(std::max(mode, least), most);
        double scale = n_g_ / (n_gx * below), start = std::exp(log_chance(mode, below, n_gx));
        double sum = 0.0, chance = start;
        for (double h = mode; h <= most && chance > 1e-18; ++h) {
            if (h > 0.0) sum += chance * h * std::log(h * scale);
            chance *= (below - h) * (n_gx - h) / ((h + 1.0) * (n_g_ - below - n_gx + h + 1.0));
        }
        chance = start;
        for (double h = mode; h > least && chance > 1e-18;) {
            chance *= h * (n_g_ - below - n_gx + h) / ((below - h + 1.0) * (n_gx - h + 1.0));
            h -= 1.0;
            if (h > 0.0) sum += chance * h * std::log(h * scale);
        }
        return sum;
    }
};

}  // namespace tamis
