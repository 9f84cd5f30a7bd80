// The exact cost of moving one distribution onto another, for any metric between a few classes.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include "api.hpp"
#include "memory.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// Successive shortest paths with potentials, on what is left after common mass has cancelled (mass
// that stays costs nothing, and by the triangle inequality no detour is cheaper). One object per
// thread: a call writes to its scratch and allocates nothing.
class Transport {
public:
    static constexpr int kStepsPerClass = 1000;

    // `distance` is n_classes x n_classes, a metric, and outlives the object.
    Transport(int n_classes, const double* distance, int steps_per_class = kStepsPerClass)
        : n_(n_classes), steps_per_class_(steps_per_class), distance_(distance), source_(n_), sink_(n_), before_sink_(n_),
          before_source_(n_), supply_(n_), demand_(n_), u_(n_), v_(n_), to_source_(n_),
          to_sink_(n_), cost_(std::size_t(n_) * n_), flow_(std::size_t(n_) * n_), source_done_(n_),
          sink_done_(n_) {}

    // Not negative, of equal positive totals.
    double operator()(const double* p, const double* q) {
        split(p, q);
        if (sources_ == 0 || sinks_ == 0) return 0.0;
        if (sources_ == 1) return to_one(source_[0], sink_.data(), demand_.data(), sinks_);
        if (sinks_ == 1) return to_one(sink_[0], source_.data(), supply_.data(), sources_);
        start();
        // Ties among shortest paths could make a walk endless; none seen takes more than a few
        // steps per class.
        std::size_t size = place(sources_, 0), steps = std::size_t(steps_per_class_) * (sources_ + sinks_);
        for (int i = 0; i < sources_; ++i)
            while (supply_[i] > 0.0) {
                check_stop(size);
                if (steps-- == 0) throw_endless();
                int j = nearest_open_sink(i);
                if (j < 0) break;
                augment(i, j);
            }
        ship_the_rest();
        double total = 0.0;
        for (std::size_t a = 0; a < size; ++a) total += flow_[a] * cost_[a];
        return total;
    }

private:
    static constexpr double kNegligible = 1e-15;  // of the total mass
    static constexpr double kFar = std::numeric_limits<double>::infinity();

    // Classes with more in p are sources, those with more in q are sinks.
    void split(const double* p, const double* q) {
        double total = 0.0;
        for (int s = 0; s < n_; ++s) total += p[s];
        negligible_ = kNegligible * total;
        sources_ = sinks_ = 0;
        for (int s = 0; s < n_; ++s) {
            double more = p[s] - q[s];
            if (more > negligible_) {
                source_[sources_] = s;
                supply_[sources_++] = more;
            } else if (-more > negligible_) {
                sink_[sinks_] = s;
                demand_[sinks_++] = -more;
            }
        }
    }

    double to_one(int s, const int* others, const double* mass, int count) const {
        const double* row = distance_ + std::size_t(s) * n_;
        double total = 0.0;
        for (int i = 0; i < count; ++i) total += mass[i] * row[others[i]];
        return total;
    }

    // Every sink takes what it can from its nearest source: with v the distance to that source and
    // u = 0, no reduced cost cost - u - v is negative and those with flow are zero.
    void start() {
        std::fill_n(u_.begin(), sources_, 0.0);
        std::fill_n(v_.begin(), sinks_, kFar);
        std::fill_n(flow_.begin(), place(sources_, 0), 0.0);
        for (int i = 0; i < sources_; ++i)
            for (int j = 0; j < sinks_; ++j) {
                double d = distance_[std::size_t(source_[i]) * n_ + sink_[j]];
                cost_[place(i, j)] = d;
                if (d < v_[j]) {
                    v_[j] = d;
                    before_sink_[j] = i;
                }
            }
        for (int j = 0; j < sinks_; ++j) ship(before_sink_[j], j);
    }

    void ship(int i, int j) {
        double mass = std::min(supply_[i], demand_[j]);
        flow_[place(i, j)] += mass;
        supply_[i] = less(supply_[i], mass);
        demand_[j] = less(demand_[j], mass);
    }

    // What rounding leaves is nothing: no path is walked for its sake.
    double less(double mass, double taken) const {
        mass -= taken;
        return mass > negligible_ ? mass : 0.0;
    }

    // The open sink that is nearest to source i by reduced costs, over sources whose shipments may
    // be turned; potentials are raised so that the way there costs nothing. -1 if all are closed.
    int nearest_open_sink(int first) {
        std::fill_n(source_done_.begin(), sources_, char(0));
        std::fill_n(sink_done_.begin(), sinks_, char(0));
        std::fill_n(to_sink_.begin(), sinks_, kFar);
        reach(first, -1, 0.0);
        for (;;) {
            int j = -1;
            for (int k = 0; k < sinks_; ++k)
                if (!sink_done_[k] && (j < 0 || to_sink_[k] < to_sink_[j])) j = k;
            if (j < 0) return -1;
            if (demand_[j] > 0.0) {
                raise(to_sink_[j]);
                return j;
            }
            sink_done_[j] = 1;
            for (int i = 0; i < sources_; ++i)
                if (!source_done_[i] && flow_[place(i, j)] > 0.0) reach(i, j, to_sink_[j]);
        }
    }

    void reach(int i, int from, double at) {
        source_done_[i] = 1;
        to_source_[i] = at;
        before_source_[i] = from;
        const double* cost = cost_.data() + place(i, 0);
        for (int j = 0; j < sinks_; ++j) {
            double d = at + std::max(0.0, cost[j] - u_[i] - v_[j]);
            if (!sink_done_[j] && d < to_sink_[j]) {
                to_sink_[j] = d;
                before_sink_[j] = i;
            }
        }
    }

    void raise(double reached) {
        for (int i = 0; i < sources_; ++i)
            if (source_done_[i]) u_[i] += reached - to_source_[i];
        for (int j = 0; j < sinks_; ++j)
            if (sink_done_[j]) v_[j] -= reached - to_sink_[j];
    }

    // As much as the source has, the sink wants and the shipments on the way allow.
    void augment(int first, int last) {
        double mass = std::min(supply_[first], demand_[last]);
        for (int i = before_sink_[last]; i != first; i = before_sink_[before_source_[i]])
            mass = std::min(mass, flow_[place(i, before_source_[i])]);
        for (int i = before_sink_[last], j = last;; i = before_sink_[j]) {
            flow_[place(i, j)] += mass;
            if (i == first) break;
            j = before_source_[i];
            flow_[place(i, j)] = less(flow_[place(i, j)], mass);
        }
        supply_[first] = less(supply_[first], mass);
        demand_[last] = less(demand_[last], mass);
    }

    void ship_the_rest() {
        for (int i = 0; i < sources_; ++i)
            for (int j = 0; j < sinks_ && supply_[i] > 0.0; ++j)
                if (demand_[j] > 0.0) ship(i, j);
    }

    std::size_t place(int i, int j) const { return std::size_t(i) * sinks_ + j; }

    [[noreturn]] static void throw_endless() {
        throw std::runtime_error(
            "moving one distribution over the classes onto another did not end within the allowed "
            "number of steps. Round the class distance to fewer digits, or give it as a tree.");
    }

    int n_, steps_per_class_, sources_ = 0, sinks_ = 0;
    double negligible_ = 0.0;
    const double* distance_;
    Array<int> source_, sink_, before_sink_, before_source_;
    Array<double> supply_, demand_, u_, v_, to_source_, to_sink_, cost_, flow_;
    Array<char> source_done_, sink_done_;
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
