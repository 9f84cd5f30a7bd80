// Each feature alone. On a line the neighbours of a sample are found by sorting: a ball takes
// O(k) steps in the sorted class and two binary searches among all.
#include <numeric>

#include "memory.hpp"
#include "problem.hpp"
#include "simd.hpp"
#include "sorting.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {
namespace {

struct Sorted {
    Array<double> x;
    Array<double> w, w_before;  // w_before: the sum of all weights before each, and of all
    Array<int> row;
};

// Members of a class in the order of their values; `s` < 0: everybody with weight one.
Sorted sort_members(const Labels& y, const double* x, int n_features, int feature, int s) {
    Sorted out;
    for (int i = 0; i < y.n; ++i)
        if (s < 0 || membership(y, i, s) > 0.0) out.row.push_back(i);
    auto value = [&](int i) { return x[std::size_t(i) * n_features + feature]; };
    sort_in_parts(out.row.begin(), out.row.end(), [&](int a, int b) {
        return value(a) < value(b) || (value(a) == value(b) && a < b);
    });
    double sum = 0.0;
    for (int i : out.row) {
        out.x.push_back(value(i));
        out.w.push_back(s < 0 ? 1.0 : membership(y, i, s));
        out.w_before.push_back(sum);
        sum += out.w.back();
    }
    out.w_before.push_back(sum);
    return out;
}

double square(double a) { return a * a; }

// The part [begin, end) of the line within squared distance `edge` of `at`.
struct Range {
    int begin, end;
};
Range range_within(const Sorted& line, double at, double edge) {
    auto middle = std::lower_bound(line.x.begin(), line.x.end(), at);
    auto begin = std::partition_point(line.x.begin(), middle,
                                      [&](double v) { return square(at - v) > edge; });
    auto end = std::partition_point(middle, line.x.end(),
                                    [&](double v) { return square(at - v) <= edge; });
    return {int(begin - line.x.begin()), int(end - line.x.begin())};
}

// Squared radius at which the weight of the others reaches the goal: walk outward.
double grow(const Sorted& line, double at, int row, bool include_self, double goal) {
    int right = int(std::lower_bound(line.x.begin(), line.x.end(), at) - line.x.begin());
    int left = right - 1, size = int(line.x.size());
    double sum = 0.0, reached = kInf;
    while (sum < goal) {
        double dl = left >= 0 ? square(at - line.x[left]) : kInf;
        double dr = right < size ? square(at - line.x[right]) : kInf;
        if (left < 0 && right >= size) return kInf;
        int take = dl <= dr ? left-- : right++;
        if (line.row[take] == row && !include_self) continue;
        sum += line.w[take];
        reached = std::min(dl, dr);
    }
    return reached;
}

// The weight of a part of the line, less that of `row`, which is `own`. Many samples tie where a
// feature has few values: their sum is then a difference of two.
double weight_of_others(const Sorted& line, Range in, int row, double own) {
    constexpr int kFew = 64;
    if (in.end - in.begin > kFew) return line.w_before[in.end] - line.w_before[in.begin] - own;
    double sum = 0.0;
    for (int l = in.begin; l < in.end; ++l)
        if (line.row[l] != row) sum += line.w[l];
    return sum;
}

struct LineTask {
    const Labels& y;
    const Question& q;
    const double* x;
    int n_features;
    double* sums;
    float* radii;

    // `own` is the weight of the row itself among the members.
    Ball ball(const Sorted& members, const Sorted& everybody, double at, int row, double own,
              double goal) const {
        double r2 = grow(members, at, row, q.include_self, goal), edge = r2 * kTie;
        Range in = range_within(members, at, edge), all = range_within(everybody, at, edge);
        double weight = q.include_self ? weight_of_others(members, in, -1, 0.0)
                                       : weight_of_others(members, in, row, own);
        return {r2, weight, double(all.end - all.begin - !q.include_self)};
    }

    void run(int feature) const {
        int n_balls = balls_per_row(y, q);
        Sorted everybody = sort_members(y, x, n_features, feature, -1);
        Array<Sorted> members;
        if (q.quantity != kEntropy)
            for (int s = 0; s < y.n_classes; ++s)
                members.push_back(sort_members(y, x, n_features, feature, s));
        Array<Ball> balls(n_balls);
        Estimate estimate(y, q);
        Sum sum;
        double operations = 0.0;  // since the last look
        for (int i = 0; i < y.n; ++i) {
            double at = x[std::size_t(i) * n_features + feature];
            for (int b = 0; b < n_balls; ++b) {
                double goal = target(y, q, i, b);
                balls[b] = {-1.0, 0.0, 0.0};
                int s = is_everybody(y, q, b) ? -1 : class_of_ball(y, q, i, b);
                if (goal > 0.0)
                    balls[b] = s < 0 ? ball(everybody, everybody, at, i, 1.0, goal)
                                     : ball(members[s], everybody, at, i, membership(y, i, s), goal);
                radii[(std::size_t(i) * n_balls + b) * n_features + feature] =
                    upper_bound(balls[b].r2);
                operations += 200.0 + 2.0 * balls[b].count;  // at least as many as were walked over
            }
            if (operations > 1e5) {
                check_stop(std::size_t(operations));
                operations = 0.0;
            }
            estimate.start(i);
            sum.add(estimate(1, balls.data()), 1);
        }
        sums[2 * feature] = sum.value(1);
        sums[2 * feature + 1] = sum.tie_break();
    }
};

}  // namespace
}  // namespace TAMIS_LEVEL

void scan_lines(const Labels& y, const Question& q, const double* x, int n_features, int n_threads,
                double* sums, float* radii) {
    LineTask task{y, q, x, n_features, sums, radii};
    run_tasks(n_features, n_threads,
              [](void* context, int id, int) { static_cast<LineTask*>(context)->run(id); }, &task);
}

int n_balls(const Labels& y, const Question& q) { return balls_per_row(y, q); }

}  // namespace tamis
