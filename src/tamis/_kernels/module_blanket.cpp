// Markov-blanket elimination, as Python sees it.
#include "module.hpp"

#include "arrays.hpp"
#include "checks.hpp"

namespace tamis {
namespace {

// The arrays of a blanket elimination, kept alive between its steps.
class Blanket {
public:
    Blanket(int n, Long first, Indices row, Indices level, IndexMatrix n_levels, IndexMatrix coarse,
            Long map_first, Indices code, Matrix weight, int kind, Vector edge_weight,
            Indices above_first, Indices above, Matrix distance, Vector log_factorial)
        : first_(first), map_first_(map_first), row_(row), level_(level), code_(code),
          above_first_(above_first), above_(above), n_levels_(n_levels), coarse_(coarse),
          weight_(weight), distance_(distance), edge_weight_(edge_weight), lf_(log_factorial) {
        check_number("samples", n, kMostSamples);
        x_ = levels(n);
        y_ = target(n);
        metric_ = metric(kind);
    }

    Output<double, 2> judge(Indices features, IndexMatrix against, Indices grain, bool with_null,
                            int n_threads) const {
        std::size_t n_asked = features.size(), width = against.shape(1);
        check_extent("rows of against", against.shape(0), n_asked);
        check_extent("length of grain", grain.size(), n_asked);
        check_number("n_threads", n_threads, kMostSamples);
        check_number("number of features", n_asked, kMostSamples, 0);
        Room<double, 2> sums({n_asked, 2});
        std::vector<Judged> asked;
        for (std::size_t a = 0; a < n_asked; ++a)
            asked.push_back(one(features.data()[a], grain.data()[a], against.data() + a * width, width));
        {
            Released released;
            judge_features(x_, y_, metric_, {lf_.data(), lf_.size()}, asked.data(), int(n_asked), with_null,
                           n_threads, sums.data());
        }
        return sums.give();
    }

    double permuted(int feature, Indices against, int grain, Matrix keys) const {
        Judged asked = one(feature, grain, against.data(), against.size());
        check_extent("columns of keys", keys.shape(1), x_.n);
        check_values("keys", keys.data(), keys.size(), 0.0, 1.0);
        int n_keys = check_number("rows of keys", keys.shape(0), kMostSamples);
        Released released;
        return judge_permuted(x_, y_, metric_, asked, keys.data(), n_keys);
    }

private:
    Levels levels(int n) {
        int n_features = check_number("features", map_first_.size(), kMostColumns);
        check_extent("length of first", first_.size(), map_first_.size() + 1);
        check_extent("length of levels", level_.size(), row_.size());
        n_grains_ = check_number("rows of n_levels", n_levels_.shape(0), kMostColumns) - 1;
        check_extent("columns of n_levels", n_levels_.shape(1), map_first_.size());
        if (n_grains_) check_extent("rows of coarse", coarse_.shape(0), n_grains_);
        Levels x{n, n_features, first_.data(), row_.data(), level_.data(), n_levels_.data(), coarse_.data(),
                 map_first_.data(), std::int64_t(coarse_.shape(1))};
        check_levels(x, n_grains_, row_.size());
        return x;
    }

    ClassTarget target(int n) {
        int n_classes = check_number("length of above_first", above_first_.size(), kMostColumns) - 1;
        check_number("classes", n_classes, kMostColumns);
        if (code_.size()) {
            check_extent("length of code", code_.size(), n);
            check_values("code", code_.data(), code_.size(), 0, n_classes - 1);
            return {n_classes, code_.data(), nullptr};
        }
        check_extent("rows of weight", weight_.shape(0), n);
        check_extent("columns of weight", weight_.shape(1), n_classes);
        check_values("weight", weight_.data(), weight_.size(), 0.0, 1e100);
        return {n_classes, nullptr, weight_.data()};
    }

    ClassMetric metric(int kind) {
        check_value("kind", kind, int(kTree), int(kInformation));
        if (kind == kTransport)
            check_distance(distance_.data(), distance_.shape(0), distance_.shape(1), y_.n_classes);
        int n_edges = check_number("edges", edge_weight_.size(), kMostColumns, 0);
        ClassMetric found{MetricKind(kind), n_edges, edge_weight_.data(), above_first_.data(),
                          above_.data(), distance_.data()};
        check_metric(found, y_.n_classes, above_.size());
        return found;
    }

    // `against` ends at the first negative one.
    Judged one(int feature, int grain, const std::int32_t* against, std::size_t width) const {
        int n = 0;
        while (n < int(width) && against[n] >= 0) ++n;
        Judged asked{feature, grain, n, against};
        check_judged(asked, x_.n_features, n_grains_);
        return asked;
    }

    Long first_, map_first_;
    Indices row_, level_, code_, above_first_, above_;
    IndexMatrix n_levels_, coarse_;
    Matrix weight_, distance_;
    Vector edge_weight_, lf_;
    int n_grains_ = 0;
    Levels x_{};
    ClassTarget y_{};
    ClassMetric metric_{};
};

}  // namespace

void bind_blanket(nb::module_& m) {
    nb::class_<Blanket>(
        m, "Blanket",
        "Discrete features and a target, to judge what each feature tells beyond others.\n\n"
        "Feature j has entries first[j] ... first[j + 1] - 1: rows in increasing order and their levels\n"
        "1, 2, ...; all other rows are at level 0. n_levels (n_grains + 1, n_features) are the numbers of\n"
        "levels as they are and at each coarser grain; row g of coarse maps levels to grain g + 1, those of\n"
        "feature j from map_first[j] on. The target is a code per row or, if code is empty, weights\n"
        "(n, n_classes). kind is 0: a tree, with weights of its edges and the edges above each class; 1:\n"
        "a distance between the classes; 2: information. log_factorial is needed for means by chance.")
        .def(nb::init<int, Long, Indices, Indices, IndexMatrix, IndexMatrix, Long, Indices, Matrix, int,
                      Vector, Indices, Indices, Matrix, Vector>(),
             nb::arg("n"), nb::arg("first").noconvert(), nb::arg("rows").noconvert(),
             nb::arg("levels").noconvert(), nb::arg("n_levels").noconvert(), nb::arg("coarse").noconvert(),
             nb::arg("map_first").noconvert(), nb::arg("code").noconvert(), nb::arg("weight"),
             nb::arg("kind"), nb::arg("edge_weight"), nb::arg("above_first").noconvert(),
             nb::arg("above").noconvert(), nb::arg("distance"),
             nb::arg("log_factorial"))
        .def("judge", &Blanket::judge, nb::arg("features").noconvert(), nb::arg("against").noconvert(),
             nb::arg("grain").noconvert(), nb::arg("with_null"), nb::arg("n_threads"),
             "Sum of the divergences of each feature given those in its row of `against` (up to the first\n"
             "negative one) at its grain, and with_null its mean by chance: (n_features, 2).")
        .def("permuted", &Blanket::permuted, nb::arg("feature"), nb::arg("against").noconvert(),
             nb::arg("grain"), nb::arg("keys"),
             "Mean of that sum over permutations of the feature where the others agree: one for each row of\n"
             "keys (n_permutations, n), numbers from 0 to 1 to sort by.");
}

}  // namespace tamis
