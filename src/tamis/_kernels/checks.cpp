#include "checks.hpp"

#include <algorithm>
#include <vector>

namespace tamis {

void check_classes(const std::int32_t* first, const std::int32_t* code, const double* mass, int n,
                   int n_classes) {
    check_begins("first", first, n_classes, n);
    check_extent("the last of first", first[n_classes], n);
    for (int s = 0; s < n_classes; ++s) {
        if (mass[s] != first[s + 1] - first[s])
            refuse("mass of class ", s, " must be its number of rows, ", first[s + 1] - first[s],
                   "; got ", mass[s]);
        for (int i = first[s]; i < first[s + 1]; ++i)
            if (code[i] != s) refuse("code of row ", i, " must be ", s, " as first says; got ", code[i]);
    }
}

void check_memberships(const double* gamma, const double* mass, int n, int n_classes) {
    check_values("gamma", gamma, std::size_t(n) * n_classes, 0.0, 1e100);
    std::vector<double> sums(n_classes, 0.0);
    for (int i = 0; i < n; ++i)
        for (int s = 0; s < n_classes; ++s) sums[s] += gamma[std::size_t(i) * n_classes + s];
    for (int s = 0; s < n_classes; ++s)
        if (!(std::fabs(mass[s] - sums[s]) <= 1e-6 * sums[s]))
            refuse("mass of class ", s, " must be the sum of its memberships, ", sums[s], "; got ", mass[s]);
}

void check_distance(const double* distance, std::size_t n_rows, std::size_t n_columns, int n_classes) {
    check_extent("rows of distance", n_rows, n_classes);
    check_extent("columns of distance", n_columns, n_classes);
    check_values("distance", distance, n_rows * n_columns, 0.0, kMostDistance);
}

void check_levels(const Levels& x, int n_grains, std::size_t n_entries) {
    const int f = x.n_features;
    check_begins("first", x.first, f, n_entries);
    check_rows("rows", x.row, n_entries, x.n);
    check_values("n_levels", x.n_levels, std::size_t(n_grains + 1) * f, 1, int(kMostSamples));
    for (int j = 0; j < f; ++j) {
        check_values("levels", x.level + x.first[j], x.first[j + 1] - x.first[j], 0, x.n_levels[j] - 1);
        if (n_grains == 0) continue;
        check_value<std::int64_t>("map_first", x.map_first[j], 0, x.n_maps - x.n_levels[j]);
        for (int g = 0; g < n_grains; ++g)
            check_values("coarse", x.coarse + std::size_t(g) * x.n_maps + x.map_first[j], x.n_levels[j], 0,
                         x.n_levels[std::size_t(g + 1) * f + j] - 1);
    }
}

void check_metric(const ClassMetric& metric, int n_classes, std::size_t n_above) {
    check_values("edge_weight", metric.edge_weight, metric.n_edges, 0.0, kMostDistance);
    check_begins("above_first", metric.above_first, n_classes, n_above);
    check_values("above", metric.above, n_above, 0, metric.n_edges - 1);
}

void check_judged(const Judged& asked, int n_features, int n_grains) {
    check_value("feature", asked.feature, 0, n_features - 1);
    check_value("grain", asked.grain, 0, n_grains);
    check_values("against", asked.against, asked.n_against, 0, n_features - 1);
}

}  // namespace tamis
