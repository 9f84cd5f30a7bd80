// Arrays in, arrays out. Shapes and types are checked by nanobind, values by tamis._validation.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "api.hpp"

namespace nb = nanobind;
using namespace tamis;

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Long = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using IndexMatrix = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

namespace {

struct Level {
    const Kernels& kernels;
    KeepPanel keep;
};

Level level(const std::string& name) {
#if defined(TAMIS_X86_LEVELS)
    if (name == "avx512") return {kAvx512Kernels, keep_avx512};
    if (name == "avx2") return {kAvx2Kernels, keep_avx2};
#endif
    if (name != "baseline") throw std::invalid_argument("unknown CPU level " + name);
    return {kBaselineKernels, keep_baseline};
}

// One per label model and question; keeps the arrays it points into alive.
class Asked {
public:
    Asked(Indices first, Indices code, Matrix gamma, Vector mass, Vector psi, int quantity, int k,
          bool include_self)
        : first_(first), code_(code), gamma_(gamma), mass_(mass), psi_(psi) {
        bool hard = code.shape(0) > 0;
        labels = {hard ? int(code.shape(0)) : int(gamma.shape(0)), int(mass.shape(0)),
                  hard ? first.data() : nullptr, hard ? code.data() : nullptr,
                  hard ? nullptr : gamma.data(), mass.data()};
        question = {Quantity(quantity), k, include_self, psi.data()};
    }
    Labels labels;
    Question question;

private:
    Indices first_, code_;
    Matrix gamma_;
    Vector mass_, psi_;
};

template <class T>
nb::ndarray<nb::numpy, T> give(std::unique_ptr<T[]> data, std::vector<std::size_t> shape) {
    T* raw = data.release();
    nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::ndarray<nb::numpy, T>(raw, shape.size(), shape.data(), owner);
}

nb::object radii(const Asked& asked, Matrix base, int n_threads, const std::string& cpu) {
    std::size_t n = asked.labels.n, balls = n_balls(asked.labels, asked.question);
    auto out = std::make_unique<double[]>(n * balls);
    Variations x{base.data(), nullptr, nullptr, int(base.shape(1)), 0, 0, 0};
    Level at = level(cpu);
    {
        nb::gil_scoped_release release;
        at.kernels.radii(at.keep, asked.labels, asked.question, x, n_threads, out.get());
    }
    return nb::cast(give(std::move(out), {n, balls}));
}

// No `ends`: every candidate is one column.
nb::object scan(const Asked& asked, Matrix base, Matrix candidate, Indices ends, int sign,
                Matrix limits, Indices rows, int n_threads, const std::string& cpu) {
    std::size_t n_rows = rows.shape(0), balls = n_balls(asked.labels, asked.question);
    std::size_t n_columns = candidate.shape(1), n_ends = ends.shape(0);
    for (std::size_t c = 0, last = 0; c < n_ends; last = ends.data()[c++])
        if (ends.data()[c] <= int(last) || ends.data()[n_ends - 1] != int(n_columns))
            throw std::invalid_argument("ends must rise to the number of columns");
    std::size_t n_candidates = n_ends ? n_ends : n_columns, lanes = n_candidates + 1;
    std::unique_ptr<double[]> sums(new double[lanes * 2]);
    std::unique_ptr<float[]> reached(new float[n_rows * balls * lanes]);
    Variations x{base.data(), candidate.data(), n_ends ? ends.data() : nullptr,
                 int(base.shape(1)), int(n_columns), int(n_candidates), sign};
    Level at = level(cpu);
    {
        nb::gil_scoped_release release;
        at.kernels.scan(at.keep, asked.labels, asked.question, x, limits.data(), rows.data(),
                        int(n_rows), n_threads, sums.get(), reached.get());
    }
    return nb::make_tuple(give(std::move(sums), {lanes, 2}),
                          give(std::move(reached), {n_rows, balls, lanes}));
}

nb::object lines(const Asked& asked, Matrix x, int n_threads) {
    std::size_t n = asked.labels.n, balls = n_balls(asked.labels, asked.question);
    std::size_t features = x.shape(1);
    std::unique_ptr<double[]> sums(new double[features * 2]);
    std::unique_ptr<float[]> reached(new float[n * balls * features]);
    {
        nb::gil_scoped_release release;
        scan_lines(asked.labels, asked.question, x.data(), int(features), n_threads, sums.get(),
                   reached.get());
    }
    return nb::make_tuple(give(std::move(sums), {features, 2}),
                          give(std::move(reached), {n, balls, features}));
}

nb::object orders(Matrix x, Vector limits, Indices rows, int n_threads, const std::string& cpu) {
    std::size_t n_rows = rows.shape(0), total = 0;
    KeepPanel keep = level(cpu).keep;
    std::unique_ptr<std::int64_t[]> first(new std::int64_t[n_rows + 1]);
    std::unique_ptr<std::int32_t[]> sample;
    std::unique_ptr<double[]> d2;
    {
        nb::gil_scoped_release release;
        std::vector<Order> found = find_orders(keep, x.data(), int(x.shape(0)), int(x.shape(1)),
                                               limits.data(), rows.data(), int(n_rows), n_threads);
        for (const Order& one : found) total += one.size();
        sample.reset(new std::int32_t[total]);
        d2.reset(new double[total]);
        std::size_t at = 0;
        for (std::size_t r = 0; r < n_rows; ++r) {
            first[r] = std::int64_t(at);
            for (const Neighbour& one : found[r]) {
                sample[at] = one.sample;
                d2[at++] = one.d2;
            }
        }
        first[n_rows] = std::int64_t(at);
    }
    return nb::make_tuple(give(std::move(first), {n_rows + 1}), give(std::move(sample), {total}),
                          give(std::move(d2), {total}));
}

nb::object grow(const Asked& asked, Indices rows, Long first, Indices sample, Vector d2,
                int n_threads) {
    std::size_t n_rows = rows.shape(0), n_classes = asked.labels.n_classes;
    std::unique_ptr<double[]> weight(new double[n_rows * n_classes]);
    std::unique_ptr<double[]> r2(new double[n_rows * n_classes]);
    Orders near{int(n_rows), rows.data(), first.data(), sample.data(), d2.data()};
    {
        nb::gil_scoped_release release;
        grow_balls(near, asked.labels, asked.question, n_threads, weight.get(), r2.get());
    }
    return nb::make_tuple(give(std::move(weight), {n_rows, n_classes}),
                          give(std::move(r2), {n_rows, n_classes}));
}

nb::object transport(Matrix p, Matrix q, Matrix distance) {
    std::size_t n_pairs = p.shape(0), n_classes = distance.shape(0);
    if (q.shape(0) != n_pairs || p.shape(1) != n_classes || q.shape(1) != n_classes ||
        distance.shape(1) != n_classes)
        throw std::invalid_argument("p and q must have a column per class, distance also a row");
    std::unique_ptr<double[]> costs(new double[n_pairs]);
    {
        nb::gil_scoped_release release;
        transport_costs(p.data(), q.data(), distance.data(), int(n_pairs), int(n_classes),
                        costs.get());
    }
    return nb::cast(give(std::move(costs), {n_pairs}));
}

// The arrays of a blanket elimination, kept alive between its steps.
class Blanket {
public:
    Blanket(int n, Long first, Indices row, Indices level, IndexMatrix n_levels, IndexMatrix coarse,
            Long map_first, Indices code, Matrix weight, int kind, Vector edge_weight,
            Indices above_first, Indices above, Matrix distance, Vector log_factorial)
        : first_(first), map_first_(map_first), row_(row), level_(level), code_(code),
          above_first_(above_first), above_(above), n_levels_(n_levels), coarse_(coarse),
          weight_(weight), distance_(distance), edge_weight_(edge_weight), lf_(log_factorial),
          x_{n, int(map_first.shape(0)), first.data(), row.data(), level.data(), n_levels.data(),
             coarse.data(), map_first.data(), std::int64_t(coarse.shape(1))},
          y_{int(above_first.shape(0)) - 1, code.shape(0) ? code.data() : nullptr,
             code.shape(0) ? nullptr : weight.data()},
          metric_{MetricKind(kind), int(edge_weight.shape(0)), edge_weight.data(),
                  above_first.data(), above.data(), distance.data()} {}

    // Feature f[a] against those of row a of `against` that are not negative.
    nb::object judge(Indices features, IndexMatrix against, Indices grain, bool with_null,
                     int n_threads) const {
        std::size_t n_asked = features.shape(0), width = against.shape(1);
        std::unique_ptr<double[]> sums(new double[2 * n_asked]);
        std::vector<Judged> asked;
        for (std::size_t a = 0; a < n_asked; ++a)
            asked.push_back(one(features.data()[a], grain.data()[a], against.data() + a * width, width));
        {
            nb::gil_scoped_release release;
            judge_features(x_, y_, metric_, lf_.data(), asked.data(), int(n_asked), with_null,
                           n_threads, sums.get());
        }
        return nb::cast(give(std::move(sums), {n_asked, 2}));
    }

    double permuted(int feature, Indices against, int grain, Matrix keys) const {
        nb::gil_scoped_release release;
        return judge_permuted(x_, y_, metric_,
                              one(feature, grain, against.data(), against.shape(0)), keys.data(),
                              int(keys.shape(0)));
    }

private:
    static Judged one(int feature, int grain, const std::int32_t* against, std::size_t width) {
        int n = 0;
        while (n < int(width) && against[n] >= 0) ++n;
        return {feature, grain, n, against};
    }

    Long first_, map_first_;
    Indices row_, level_, code_, above_first_, above_;
    IndexMatrix n_levels_, coarse_;
    Matrix weight_, distance_;
    Vector edge_weight_, lf_;
    Levels x_;
    ClassTarget y_;
    ClassMetric metric_;
};

nb::object levels() {
    nb::list names;
    names.append("baseline");
#if defined(TAMIS_X86_LEVELS)
    if (__builtin_cpu_supports("avx2")) names.append("avx2");
    if (__builtin_cpu_supports("avx512f"))
        names.append("avx512");
#endif
    return names;
}

}  // namespace

NB_MODULE(_native, m) {
    nb::class_<Asked>(m, "Asked")
        .def(nb::init<Indices, Indices, Matrix, Vector, Vector, int, int, bool>());
    m.def("radii", &radii);
    m.def("scan", &scan);
    m.def("lines", &lines);
    m.def("orders", &orders);
    m.def("grow", &grow);
    m.def("transport", &transport);
    nb::class_<Blanket>(m, "Blanket")
        .def(nb::init<int, Long, Indices, Indices, IndexMatrix, IndexMatrix, Long, Indices, Matrix, int,
                      Vector, Indices, Indices, Matrix, Vector>())
        .def("judge", &Blanket::judge)
        .def("permuted", &Blanket::permuted);
    m.def("levels", &levels);
}
