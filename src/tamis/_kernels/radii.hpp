// Radii of the balls of a set of features, from nothing.
#pragma once
#include "block.hpp"
#include "layers.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

struct RadiiTask {
    const Labels& y;
    const Question& q;
    Filter filter;
    Layers base;
    const std::int32_t* asked;  // rows
    int n_asked;
    double* out;
    Array<Block> blocks;  // one per worker

    struct Seen {
        double d;
        int sample;
        bool operator<(const Seen& other) const { return d < other.d; }
    };

    // A row that is its own neighbour is seen before all others: with gaps the filter may not keep it.
    bool sees_itself() const { return q.include_self && base.has_gaps(); }

    double weight(int row, int b, int sample) const {
        double each = !is_everybody(y, q, b) ? membership(y, sample, class_of_ball(y, q, row, b))
                      : y.weight             ? y.weight[sample]
                                             : 1.0;
        return each * times_around(y, q, row, sample);
    }

    bool matters(int row, const Seen& one) const {
        int n_balls = balls_per_row(y, q);
        const double* limits = out + std::size_t(row) * n_balls;
        for (int b = 0; b < n_balls; ++b)
            if (one.d <= limits[b] && weight(row, b, one.sample) > 0.0) return true;
        return false;
    }

    // The radius at which a ball is complete; not yet: infinity. `seen` is sorted.
    double radius(int row, int b, const Array<Seen>& seen) const {
        double goal = target(y, q, row, b) + 0.5 * kShort, sum = 0.0;
        for (const Seen& one : seen) {
            sum += weight(row, b, one.sample);
            if (sum >= goal) return one.d;
        }
        return kInf;
    }

    // Shrinks the balls of a row to what it has seen and the list adds; forgets what is outside.
    void look(int row, const std::int32_t* list, int count, Array<Seen>& seen) const {
        int before = int(seen.size());
        for (int l = 0; l < count; ++l) {
            if (!times_around(y, q, row, list[l]) || (list[l] == row && sees_itself())) continue;
            Seen one{base.distance(row, list[l]), list[l]};
            if (matters(row, one)) seen.push_back(one);
        }
        std::sort(seen.begin() + before, seen.end());
        std::inplace_merge(seen.begin(), seen.begin() + before, seen.end());
        int n_balls = balls_per_row(y, q);
        double* limits = out + std::size_t(row) * n_balls;
        for (int b = 0; b < n_balls; ++b)
            if (limits[b] >= 0.0) limits[b] = radius(row, b, seen);
        seen.erase(std::remove_if(seen.begin(), seen.end(),
                                  [&](const Seen& one) { return !matters(row, one); }),
                   seen.end());
    }

    void run(int task, int worker) {
        int n_balls = balls_per_row(y, q), groups = filter.groups(), begin = task * kBlock;
        int count = std::min(kBlock, n_asked - begin), rows[kBlock];
        Block& block = blocks[worker];
        Array<Seen> seen[kBlock];
        for (int r = 0; r < count; ++r) {
            rows[r] = asked[begin + r];
            double* limits = out + std::size_t(rows[r]) * n_balls;
            for (int b = 0; b < n_balls; ++b)
                limits[b] = target(y, q, rows[r], b) > 0.0 ? kInf : -1.0;
            if (sees_itself()) seen[r].push_back({0.0, rows[r]});
        }
        // Limits are renewed after 1, 2, 4, ... panels, then regularly; the first panels are those
        // of the first row, so that the balls of its class are small from the start.
        int n_panels = filter.panels(), done = 0;
        for (int step = 1; done < n_panels; step = std::min(2 * step, 16)) {
            Array<char> wanted(groups, 0);
            for (int r = 0; r < count; ++r) {
                float* far = block.limits.data() + r * groups;
                group_limits(filter, y, q, rows[r], out + std::size_t(rows[r]) * n_balls, false,
                             far);
                for (int g = 0; g < groups; ++g) wanted[g] |= far[g] >= 0.0f;
            }
            block.clear();
            for (int kept = 0; kept < step && done < n_panels; ++done) {
                int panel = (rows[0] / kPanel + done) % n_panels;
                if (!wanted[filter.group(panel)]) continue;
                filter.keep(panel, rows, count, block.limits.data(), block.lists, block.lengths);
                ++kept;
            }
            std::size_t operations = std::size_t(count) * kPanel * step * filter.width();
            for (int r = 0; r < count; ++r) {
                if (!block.lengths[r]) continue;
                look(rows[r], block.lists[r], block.lengths[r], seen[r]);
                operations += std::size_t(block.lengths[r]) * filter.width() + seen[r].size() * n_balls;
                if (operations < 100000) continue;
                check_stop(operations);
                operations = 0;
            }
            check_stop(operations);
        }
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
