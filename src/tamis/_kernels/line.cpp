// Each feature alone. On a line the neighbours of a sample are found by sorting: a ball takes
// O(k) steps in the sorted class and a logarithm of what is inside among all.
#include <functional>

#include "memory.hpp"
#include "problem.hpp"
#include "simd.hpp"
#include "sorting.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {
namespace {

struct Sorted {
    Array<double> x, w;
    Array<double> w_before = Array<double>(1, 0.0);  // the sum of all weights before each, and of all
    Array<int> row;

    void add(double value, int from, double weight) {
        x.push_back(value);
        row.push_back(from);
        w.push_back(weight);
        w_before.push_back(w_before.back() + weight);
    }
};

// Everybody, with weight one, in the order of their values.
Sorted sort_values(const double* x, int n, int n_features, int feature) {
    struct Value {
        double x;
        int row;
        bool operator<(const Value& other) const {
            return x < other.x || (x == other.x && row < other.row);
        }
    };
    Array<Value> values(n);
    for (int i = 0; i < n; ++i) values[i] = {x[std::size_t(i) * n_features + feature], i};
    sort_in_parts(values.begin(), values.end(), std::less<Value>());
    Sorted out;
    for (const Value& one : values) out.add(one.x, one.row, 1.0);
    return out;
}

// The members of each class, in the same order.
Array<Sorted> sort_members(const Labels& y, const Sorted& everybody) {
    Array<Sorted> out(y.n_classes);
    for (int p = 0; p < y.n; ++p) {
        const int i = everybody.row[p];
        if (hard(y)) {
            out[y.code[i]].add(everybody.x[p], i, 1.0);
            continue;
        }
        for (int s = 0; s < y.n_classes; ++s)
            if (membership(y, i, s) > 0.0) out[s].add(everybody.x[p], i, membership(y, i, s));
    }
    return out;
}

double square(double a) { return a * a; }

// How many steps one can go before `beyond` is true, which then stays so; at most `most`. Few are
// usual: steps are doubled until it is too far.
template <class Beyond>
int steps_before(int most, Beyond beyond) {
    int low = 0, high = 1;
    while (high <= most && !beyond(high)) {
        low = high;
        high *= 2;
    }
    high = std::min(high, most + 1);
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        (beyond(middle) ? high : low) = middle;
    }
    return low;
}

// The part [begin, end) of the line within squared distance `edge` of `at`; samples from `middle` on
// are not before it.
struct Range {
    int begin, end;
};
Range range_within(const Sorted& line, double at, double edge, int middle) {
    const double* x = line.x.data() + middle;
    int left = steps_before(middle, [&](int s) { return square(at - x[-s]) > edge; });
    int right = steps_before(int(line.x.size()) - middle, [&](int s) { return square(at - x[s - 1]) > edge; });
    return {middle - left, middle + right};
}

// Squared radius at which the weight of the others reaches the goal: walk outward.
double grow(const Sorted& line, double at, int row, bool include_self, double goal, int middle) {
    int right = middle, left = middle - 1, size = int(line.x.size());
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

    // A line, and where the values begin that are not below those of the rows done so far.
    struct Walk {
        const Sorted* line;
        int middle = 0;
        int reach(double at) {
            while (middle < int(line->x.size()) && line->x[middle] < at) ++middle;
            return middle;
        }
    };

    // `own` is the weight of the row itself among the members.
    Ball ball(Walk& members, Walk& everybody, double at, int row, double own, double goal) const {
        int middle = members.reach(at);
        double r2 = grow(*members.line, at, row, q.include_self, goal, middle), edge = r2 * kTie;
        Range in = range_within(*members.line, at, edge, middle);
        Range all = range_within(*everybody.line, at, edge, everybody.reach(at));
        double weight = q.include_self ? weight_of_others(*members.line, in, -1, 0.0)
                                       : weight_of_others(*members.line, in, row, own);
        return {r2, weight, double(all.end - all.begin - !q.include_self)};
    }

    void run(int feature) const {
        const int n_balls = balls_per_row(y, q);
        const Sorted everybody = sort_values(x, y.n, n_features, feature);
        const Array<Sorted> members = q.quantity == kEntropy ? Array<Sorted>() : sort_members(y, everybody);
        Walk among_all{&everybody};
        Array<Walk> among;
        for (const Sorted& line : members) among.push_back({&line});
        Array<Ball> balls(n_balls);
        Array<Terms> terms(y.n);
        Estimate estimate(y, q);
        double operations = 0.0;  // since the last look
        for (int p = 0; p < y.n; ++p) {
            const int i = everybody.row[p];
            const double at = everybody.x[p];
            for (int b = 0; b < n_balls; ++b) {
                double goal = target(y, q, i, b);
                balls[b] = {-1.0, 0.0, 0.0};
                int s = is_everybody(y, q, b) ? -1 : class_of_ball(y, q, i, b);
                if (goal > 0.0)
                    balls[b] = s < 0 ? ball(among_all, among_all, at, i, 1.0, goal)
                                     : ball(among[s], among_all, at, i, membership(y, i, s), goal);
                radii[(std::size_t(i) * n_balls + b) * n_features + feature] =
                    upper_bound(balls[b].r2);
                operations += 200.0 + 2.0 * balls[b].count;  // at least as many as were walked over
            }
            if (operations > 1e5) {
                check_stop(std::size_t(operations));
                operations = 0.0;
            }
            estimate.start(i);
            terms[i] = estimate(1, balls.data());
        }
        Sum sum;
        for (const Terms& one : terms) sum.add(one, 1);
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
