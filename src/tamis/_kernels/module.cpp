// Arrays in, arrays out. Types are checked by nanobind, extents and indices here (checks.hpp), and
// what values mean by tamis._validation.
#include "module.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <optional>
#include <tuple>

#include "arrays.hpp"
#include "checks.hpp"

namespace tamis {
namespace {

struct Level {
    const Kernels& kernels;
    KeepPanel keep;
};

std::vector<std::string> levels() {
    std::vector<std::string> names{"baseline"};
#if defined(TAMIS_X86_LEVELS)
    if (__builtin_cpu_supports("avx2")) names.push_back("avx2");
    if (__builtin_cpu_supports("avx512f")) names.push_back("avx512");
#endif
    return names;
}

Level level(const std::string& name) {
#if defined(TAMIS_X86_LEVELS)
    if (name == "avx512" && __builtin_cpu_supports("avx512f")) return {kAvx512Kernels, keep_avx512};
    if (name == "avx2" && __builtin_cpu_supports("avx2")) return {kAvx2Kernels, keep_avx2};
#endif
    if (name != "baseline") refuse("cpu must be one of levels(); got ", name);
    return {kBaselineKernels, keep_baseline};
}

constexpr double kRounding = 1.0 + 1e-9;

// One per label model and question; keeps the arrays it points into alive.
class Asked {
public:
    Asked(Indices first, Indices code, Matrix gamma, Vector mass, Vector psi, int quantity, int k,
          bool include_self, bool whole_sizes, std::optional<Indices> group, std::optional<Vector> weight,
          double left_out, std::optional<Indices> place, std::optional<Matrix> left, std::optional<Matrix> right)
        : first_(first), code_(code), gamma_(gamma), mass_(mass), psi_(psi), group_(group), weight_(weight),
          place_(place), left_(left), right_(right) {
        bool hard = code.shape(0) > 0;
        int n = check_number("samples", hard ? code.shape(0) : gamma.shape(0), kMostSamples);
        int n_classes = check_number("classes", mass.shape(0), kMostColumns);
        if (hard) {
            check_extent("length of first", first.shape(0), std::size_t(n_classes) + 1);
            check_classes(first.data(), code.data(), mass.data(), n, n_classes);
        } else {
            check_extent("columns of gamma", gamma.shape(1), n_classes);
            check_memberships(gamma.data(), mass.data(), n, n_classes);
        }
        check_extent("length of psi", psi.shape(0), std::size_t(n) + 2);
        check_value("quantity", quantity, int(kCount), int(kCost));
        check_number("k", k, kMostSamples);
        labels = {n, n_classes, hard ? first.data() : nullptr, hard ? code.data() : nullptr,
                  hard ? nullptr : gamma.data(), mass.data(), n, nullptr};
        check_value("left_out", left_out, 0.0, 1.0);
        question = {Quantity(quantity), k, include_self, whole_sizes, psi.data()};
        if (quantity == kCost) add_costs(hard);
        if (weight) weigh(hard && quantity != kCost);
        if (!hard && quantity == kCount && left_out > 0.0) leave_out(left_out);
        if (group) add_up_groups();
    }

    std::size_t balls() const { return n_balls(labels, question); }

    Labels labels;
    Question question;

private:
    Indices first_, code_;
    Matrix gamma_;
    Vector mass_, psi_;
    std::optional<Indices> group_;
    std::optional<Vector> weight_;
    std::optional<Indices> place_;
    std::optional<Matrix> left_, right_;
    std::vector<double> group_mass_, group_total_, left_out_;

    // `left` is a table if there are places in it.
    void add_costs(bool hard) {
        Costs& costs = labels.costs;
        if (!hard || labels.n_classes != 1) refuse("cost must be asked with code, of one class");
        if (!left_ || !(place_ || right_)) refuse("cost must be asked with left, and with place or right");
        check_values("left", left_->data(), left_->size(), -kMostDistance, kMostDistance);
        if (place_) {
            costs.n_places = check_number("rows of left", left_->shape(0), kMostColumns);
            check_extent("columns of left", left_->shape(1), left_->shape(0));
            check_extent("length of place", place_->size(), labels.n);
            check_rows("place", place_->data(), place_->size(), costs.n_places);
            costs.place = place_->data();
            costs.table = left_->data();
            return;
        }
        check_extent("rows of left", left_->shape(0), labels.n);
        check_extent("rows of right", right_->shape(0), labels.n);
        costs.width = check_number("columns of left", left_->shape(1), kMostColumns);
        check_extent("columns of right", right_->shape(1), costs.width);
        check_values("right", right_->data(), right_->size(), -kMostDistance, kMostDistance);
        costs.left = left_->data();
        costs.right = right_->data();
    }

    void weigh(bool hard) {
        if (hard) refuse("weight must be given with gamma; got code");
        check_extent("length of weight", weight_->size(), labels.n);
        check_values("weight", weight_->data(), weight_->size(), DBL_MIN, 1e100);
        labels.weight = weight_->data();
        for (int i = 0; i < labels.n; ++i) labels.weight_total += labels.weight[i];
    }

    // The smallest memberships of each row, all or none of equal ones, as long as they are at most `share` of it.
    void leave_out(double share) {
        const int n_classes = labels.n_classes;
        std::vector<double> row(n_classes);
        for (int i = 0; i < labels.n; ++i) {
            std::copy_n(labels.gamma + std::size_t(i) * n_classes, n_classes, row.begin());
            std::sort(row.begin(), row.end());
            double all = 0.0, smallest = 0.0, most = -1.0;
            for (double membership : row) all += membership;
            for (int s = 0, end; s < n_classes; s = end) {
                const double equal = row[s] * kRounding;
                for (end = s; end < n_classes && row[end] <= equal; ++end) smallest += row[end];
                if (smallest > share * all * kRounding) break;
                most = equal;
            }
            left_out_.push_back(most);
        }
        labels.left_out = left_out_.data();
    }

    void add_up_groups() {
        const Labels& y = labels;
        check_extent("length of group", group_->size(), y.n);
        check_rows("group", group_->data(), group_->size(), y.n);
        const std::size_t n_groups = 1 + *std::max_element(group_->data(), group_->data() + y.n);
        group_mass_.resize(n_groups * y.n_classes);
        group_total_.resize(n_groups);
        for (int i = 0; i < y.n; ++i) {
            const std::size_t g = group_->data()[i];
            group_total_[g] += y.weight ? y.weight[i] : 1.0;
            for (int s = 0; s < y.n_classes; ++s)
                group_mass_[g * y.n_classes + s] +=
                    y.first ? double(y.code[i] == s) : y.gamma[std::size_t(i) * y.n_classes + s];
        }
        labels.group = group_->data();
        labels.group_mass = group_mass_.data();
        labels.group_total = group_total_.data();
    }
};

using Gaps = std::optional<Vector>;

const double* data_of(const Gaps& gaps) { return gaps ? gaps->data() : nullptr; }

// At least one: of no columns, the samples that fill the last panel of the filter would seem near.
int n_columns(const char* what, const Matrix& x, int least = 1) {
    return check_number(what, x.shape(1), kMostColumns, least);
}

void check_samples(const char* name, const char* rows_of, const Matrix& x, int n, const Gaps& gaps) {
    check_extent(rows_of, x.shape(0), n);
    check_coordinates(name, x.data(), x.size(), bool(gaps));
    if (!gaps) return;
    check_extent("length of gaps", gaps->size(), x.shape(1));
    check_values("gaps", gaps->data(), gaps->size(), 0.0, 4.0 * kMostCoordinate * kMostCoordinate);
}

void check_threads(int n_threads) { check_number("n_threads", n_threads, kMostSamples); }

Output<double, 2> radii(const Asked& asked, Matrix base, Indices rows, int n_threads, const std::string& cpu,
                        Gaps gaps) {
    check_samples("base", "rows of base", base, asked.labels.n, gaps);
    check_rows("rows", rows.data(), rows.size(), asked.labels.n);
    int n_rows = check_number("number of rows", rows.size(), kMostSamples, 0);
    check_distinct("rows", rows.data(), rows.size(), asked.labels.n);  // two tasks would write one row
    check_threads(n_threads);
    Level at = level(cpu);
    Room<double, 2> out({std::size_t(asked.labels.n), asked.balls()});
    Variations x{base.data(), nullptr, nullptr, n_columns("columns of base", base), 0, 0, 0, data_of(gaps)};
    {
        Released released;
        std::fill_n(out.data(), asked.labels.n * asked.balls(), HUGE_VAL);
        at.kernels.radii(at.keep, asked.labels, asked.question, x, rows.data(), n_rows, n_threads, out.data());
    }
    return out.give();
}

Variations variations(int n, const Matrix& base, const Matrix& candidate, const Indices& ends, int sign,
                      const Gaps& gaps, const Gaps& candidate_gaps) {
    check_samples("base", "rows of base", base, n, gaps);
    const Gaps& of_candidate = sign < 0 ? gaps : candidate_gaps;
    if (candidate.data() != base.data() || sign >= 0)
        check_samples("candidate", "rows of candidate", candidate, n, of_candidate);
    check_value("sign", sign, -1, 1);
    int columns = n_columns("columns of candidate", candidate, 0), last = 0;
    for (std::size_t c = 0; c < ends.shape(0); last = ends.data()[c++])
        if (ends.data()[c] <= last) refuse("ends must rise to the number of columns, ", columns);
    if (ends.shape(0) && last != columns) refuse("ends must rise to the number of columns, ", columns);
    if (sign < 0) {
        check_extent("columns of candidate, which leave,", columns, base.shape(1));
        if (candidate.data() != base.data() &&
            !std::equal(base.data(), base.data() + base.size(), candidate.data(),
                        [](double a, double b) { return a == b || (a != a && b != b); }))
            refuse("candidate must be base where columns leave; it is not");
    }
    return {base.data(), candidate.data(), ends.shape(0) ? ends.data() : nullptr,
            n_columns("columns of base", base), columns, ends.shape(0) ? int(ends.shape(0)) : columns, sign,
            data_of(gaps), data_of(of_candidate)};
}

std::tuple<Output<double, 3>, Output<float, 3>> scan(const Asked& asked, Matrix base, Matrix candidate,
                                                     Indices ends, int sign, Matrix limits, Indices rows,
                                                     int n_threads, const std::string& cpu, Gaps gaps,
                                                     Gaps candidate_gaps) {
    const int n = asked.labels.n;
    Variations x = variations(n, base, candidate, ends, sign, gaps, candidate_gaps);
    check_extent("rows of limits", limits.shape(0), n);
    check_extent("columns of limits", limits.shape(1), asked.balls());
    check_limits(limits.data(), limits.size());
    check_rows("rows", rows.data(), rows.size(), n);
    int n_rows = check_number("number of rows", rows.size(), kMostSamples, 0);
    check_threads(n_threads);
    Level at = level(cpu);
    std::size_t lanes = std::size_t(x.n_candidates) + 1;
    Room<double, 3> sums({(rows.size() + kRowsPerSum - 1) / kRowsPerSum, lanes, 2});
    Room<float, 3> reached({rows.size(), asked.balls(), lanes});
    {
        Released released;
        at.kernels.scan(at.keep, asked.labels, asked.question, x, limits.data(), rows.data(), n_rows,
                        n_threads, sums.data(), reached.data());
    }
    return {sums.give(), reached.give()};
}

std::tuple<Output<double, 2>, Output<float, 3>> lines(const Asked& asked, Matrix x, int n_threads, Gaps gaps) {
    check_samples("x", "rows of x", x, asked.labels.n, gaps);
    check_threads(n_threads);
    int features = n_columns("columns of x", x, 0);
    Room<double, 2> sums({x.shape(1), 2});
    Room<float, 3> reached({x.shape(0), asked.balls(), x.shape(1)});
    {
        Released released;
        scan_lines(asked.labels, asked.question, x.data(), data_of(gaps), features, n_threads, sums.data(),
                   reached.data());
    }
    return {sums.give(), reached.give()};
}

using Found = std::tuple<Output<std::int64_t, 1>, Output<std::int32_t, 1>, Output<double, 1>>;

Found orders(Matrix x, Vector limits, Indices rows, int n_threads, const std::string& cpu, Gaps gaps,
             std::optional<Indices> group) {
    int n = check_number("rows of x", x.shape(0), kMostSamples), m = n_columns("columns of x", x);
    check_samples("x", "rows of x", x, n, gaps);
    if (group) check_extent("length of group", group->size(), n);
    check_extent("length of limits", limits.size(), rows.size());
    check_limits(limits.data(), limits.size());
    check_rows("rows", rows.data(), rows.size(), n);
    int n_rows = check_number("number of rows", rows.size(), kMostSamples, 0);
    check_threads(n_threads);
    const Level at = level(cpu);
    Room<std::int64_t, 1> first({rows.size() + 1});
    std::vector<std::vector<Neighbour>> found(n_rows);
    {
        Released released;
        auto take = [](void* all, int r, const Neighbour* order, int length) {
            static_cast<std::vector<Neighbour>*>(all)[r].assign(order, order + length);
        };
        at.kernels.orders(at.keep, x.data(), n, m, data_of(gaps), group ? group->data() : nullptr,
                          limits.data(), rows.data(), n_rows, n_threads, take, found.data());
        std::int64_t total = first.data()[0] = 0;
        for (int r = 0; r < n_rows; ++r) first.data()[r + 1] = total += std::int64_t(found[r].size());
    }
    std::size_t total = std::size_t(first.data()[n_rows]);
    Room<std::int32_t, 1> sample({total});
    Room<double, 1> d2({total});
    {
        Released released;
        std::size_t at = 0;
        for (const std::vector<Neighbour>& one : found) {
            check_stop(4 * one.size());
            for (const Neighbour& near : one) {
                sample.data()[at] = near.sample;
                d2.data()[at++] = near.d2;
            }
        }
    }
    return {first.give(), sample.give(), d2.give()};
}

std::tuple<Output<double, 2>, Output<double, 2>> grow(const Asked& asked, Indices rows, Long first,
                                                      Indices sample, Vector d2, int n_threads,
                                                      const std::string& cpu) {
    check_value("quantity of asked", int(asked.question.quantity), int(kRisk), int(kRisk));
    int n_rows = check_number("number of rows", rows.size(), kMostSamples, 0);
    check_rows("rows", rows.data(), rows.size(), asked.labels.n);
    check_extent("length of first", first.size(), rows.size() + 1);
    check_begins("first", first.data(), rows.size(), sample.size());
    check_rows("sample", sample.data(), sample.size(), asked.labels.n);
    check_extent("length of d2", d2.size(), sample.size());
    check_threads(n_threads);
    const Level at = level(cpu);
    std::size_t n_classes = asked.labels.n_classes;
    Room<double, 2> weight({rows.size(), n_classes}), r2({rows.size(), n_classes});
    Orders near{n_rows, rows.data(), first.data(), sample.data(), d2.data()};
    {
        Released released;
        at.kernels.grow(near, asked.labels, asked.question, n_threads, weight.data(), r2.data());
    }
    return {weight.give(), r2.give()};
}

Output<double, 1> transport(Matrix p, Matrix q, Matrix distance, int steps_per_class) {
    int n_classes = check_number("classes", distance.shape(0), kMostColumns);
    check_distance(distance.data(), distance.shape(0), distance.shape(1), n_classes);
    check_extent("columns of p", p.shape(1), n_classes);
    check_extent("columns of q", q.shape(1), n_classes);
    check_extent("rows of q", q.shape(0), p.shape(0));
    check_values("p", p.data(), p.size(), 0.0, DBL_MAX);
    check_values("q", q.data(), q.size(), 0.0, DBL_MAX);
    check_value("steps_per_class", steps_per_class, 0, 1000000);
    int n_pairs = check_number("rows of p", p.shape(0), kMostSamples, 0);
    Room<double, 1> costs({p.shape(0)});
    {
        Released released;
        transport_costs(p.data(), q.data(), distance.data(), n_pairs, n_classes, steps_per_class,
                        costs.data());
    }
    return costs.give();
}

}  // namespace
}  // namespace tamis

NB_MODULE(_native, m) {
    using namespace tamis;
    nb::set_leak_warnings(false);  // what a session still holds when it ends is no leak
    m.doc() = "Kernels of tamis: arrays in, arrays out. Wrong extents and indices raise ValueError, Ctrl-C ends the work.";
    nb::class_<Asked>(m, "Asked",
                      "A question about samples of known classes.\n\n"
                      "Either rows are sorted by class, class s from first[s] to first[s + 1] - 1, and code has the\n"
                      "class of each; or code is empty and gamma (n, n_classes) has memberships. mass is the total\n"
                      "of each class, psi the digamma function at 0, 1, ..., n + 1, quantity one of\n"
                      "tamis._kernels.QUANTITIES, k the weight of a complete ball. Rows of one group (0, 1, ...) are\n"
                      "in no ball of each other. With a weight, a row stands for so many samples that are in no ball\n"
                      "of each other, and gamma and mass are multiplied with it. Of memberships, the count leaves out\n"
                      "the smallest of each row that together are at most the share left_out of it.\n\n"
                      "A cost is asked about samples of one class, with code: left is then a table of costs and place\n"
                      "the row of each sample in it, or the cost of two is a row of left times a row of right.")
        .def(nb::init<Indices, Indices, Matrix, Vector, Vector, int, int, bool, bool, std::optional<Indices>,
                      std::optional<Vector>, double, std::optional<Indices>, std::optional<Matrix>,
                      std::optional<Matrix>>(),
             nb::arg("first").noconvert(),
             nb::arg("code").noconvert(), nb::arg("gamma"), nb::arg("mass"),
             nb::arg("psi"), nb::arg("quantity"), nb::arg("k"), nb::arg("include_self"), nb::arg("whole_sizes"),
             nb::arg("group").noconvert() = nb::none(), nb::arg("weight") = nb::none(), nb::arg("left_out") = 0.0,
             nb::arg("place").noconvert() = nb::none(), nb::arg("left") = nb::none(), nb::arg("right") = nb::none());
    m.def("radii", &radii, nb::arg("asked"), nb::arg("base"), nb::arg("rows").noconvert(),
          nb::arg("n_threads"), nb::arg("cpu"), nb::arg("gaps") = nb::none(),
          "Squared radius of every ball of these rows in the columns of base: (n, n_balls), infinite elsewhere.\n\n"
          "With gaps, base may have NaN: its squared difference from anything is that of its column in gaps.");
    m.def("scan", &scan, nb::arg("asked"), nb::arg("base"), nb::arg("candidate"),
          nb::arg("ends").noconvert(), nb::arg("sign"), nb::arg("limits"),
          nb::arg("rows").noconvert(), nb::arg("n_threads"), nb::arg("cpu"), nb::arg("gaps") = nb::none(),
          nb::arg("candidate_gaps") = nb::none(),
          "Variations of base by each candidate, which joins (sign 1) or leaves (-1: candidate is base).\n\n"
          "A candidate is a column or, with ends, all columns before its end. limits (n, n_balls) bound the\n"
          "squared radii of base from above. Sums of both terms over every ROWS_PER_SUM rows, (n_sums,\n"
          "n_candidates + 1, 2), and upper bounds of squared radii (n_rows, n_balls, n_candidates + 1);\n"
          "the last are those of base itself. For gaps of base and of a candidate that joins see radii.");
    m.def("lines", &lines, nb::arg("asked"), nb::arg("x"), nb::arg("n_threads"), nb::arg("gaps") = nb::none(),
          "Each column alone: sums (n_columns, 2) and bounds of squared radii (n, n_balls, n_columns).");
    m.def("orders", &orders, nb::arg("x"), nb::arg("limits"),
          nb::arg("rows").noconvert(), nb::arg("n_threads"), nb::arg("cpu"), nb::arg("gaps") = nb::none(),
          nb::arg("group").noconvert() = nb::none(),
          "The samples within squared distance limits[r] of rows[r], nearest first, without its group.\n\n"
          "Where each row begins (n_rows + 1,), then samples and squared distances of all rows.");
    m.def("grow", &grow, nb::arg("asked"), nb::arg("rows").noconvert(), nb::arg("first").noconvert(),
          nb::arg("sample").noconvert(), nb::arg("d2"), nb::arg("n_threads"), nb::arg("cpu"),
          "Weight and squared radius of the ball of each class in such orders: (n_rows, n_classes) each.\n\n"
          "The radius is infinite where an order ends before the ball is complete, -1 where a class has\n"
          "nobody else. The quantity asked for must be the risk.");
    m.def("transport", &transport, nb::arg("p"), nb::arg("q"),
          nb::arg("distance"), nb::arg("steps_per_class") = 1000,
          "Least cost of moving each row of p onto that of q, of equal totals: (n_pairs,).\n\n"
          "RuntimeError if that takes more than so many steps.");
    bind_blanket(m);
    m.attr("ROWS_PER_SUM") = kRowsPerSum;
    m.def("levels", &levels, "Names of the CPU levels that this machine has, the fastest last.");
}
