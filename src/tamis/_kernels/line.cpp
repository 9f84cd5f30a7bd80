// Each feature alone. On a line the neighbours of a sample are found by sorting: a ball takes
// O(k) steps in the sorted class and a logarithm of what is inside among all.
#include <functional>

#include "costs.hpp"
#include "memory.hpp"
#include "problem.hpp"
#include "simd.hpp"
#include "sorting.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {
namespace {

// Part [begin, end) of a line.
struct Range {
    int begin, end;
};

// Samples in the order of their values, and then those without a value: there are fewer of x.
struct Sorted {
    Array<double> x, w;
    Array<double> w_before = Array<double>(1, 0.0);  // the sum of all weights before each, and of all
    Array<int> row;

    int n_values() const { return int(x.size()); }
    Range values() const { return {0, n_values()}; }
    Range gaps() const { return {n_values(), int(row.size())}; }

    void add(double value, int from, double weight) {
        if (value == value) x.push_back(value);
        row.push_back(from);
        w.push_back(weight);
        w_before.push_back(w_before.back() + weight);
    }
};

// Where the samples of each group are on a line.
class Groups {
public:
    Groups(const Sorted& line, const std::int32_t* group) : left_(line.n_values()), right_(line.n_values()) {
        const int n = line.n_values();
        auto follows = [&](int p) { return group[line.row[p - 1]] == group[line.row[p]]; };
        for (int p = 0; p < n; ++p) left_[p] = p > 0 && follows(p) ? left_[p - 1] : p - 1;
        for (int p = n - 1; p >= 0; --p) right_[p] = p + 1 < n && follows(p + 1) ? right_[p + 1] : p + 1;
        for (int p = 0; p < int(line.row.size()); ++p) members_.push_back({group[line.row[p]], p});
        sort_in_parts(members_.begin(), members_.end(), std::less<Member>());
        for (const Member& one : members_) before_.push_back(before_.back() + line.w[one.place]);
    }

    // The next place with a value that is of another group.
    int left_of(int place) const { return left_[place]; }
    int right_of(int place) const { return right_[place]; }

    // The weight of a group in a part of the line.
    double weight(int group, Range in) const {
        auto place = [&](int at) {
            return std::lower_bound(members_.begin(), members_.end(), Member{group, at}) - members_.begin();
        };
        return before_[place(in.end)] - before_[place(in.begin)];
    }

private:
    struct Member {
        int group, place;
        bool operator<(const Member& other) const {
            return group < other.group || (group == other.group && place < other.place);
        }
    };
    Array<int> left_, right_;
    Array<Member> members_;
    Array<double> before_ = Array<double>(1, 0.0);
};

// Everybody in the order of their values, with the number of samples that each row stands for.
Sorted sort_values(const Labels& y, const double* x, int n_features, int feature) {
    struct Value {
        double x;
        int row;
        bool operator<(const Value& other) const {
            return x < other.x || (x == other.x && row < other.row);
        }
    };
    Array<Value> values(y.n);
    for (int i = 0; i < y.n; ++i) values[i] = {x[std::size_t(i) * n_features + feature], i};
    auto gaps = std::stable_partition(values.begin(), values.end(),
                                      [](const Value& one) { return one.x == one.x; });
    sort_in_parts(values.begin(), gaps, std::less<Value>());
    Sorted out;
    for (const Value& one : values) out.add(one.x, one.row, y.weight ? y.weight[one.row] : 1.0);
    return out;
}

// The members of each class, in the same order.
Array<Sorted> sort_members(const Labels& y, const Sorted& everybody) {
    Array<Sorted> out(y.n_classes);
    for (int p = 0; p < y.n; ++p) {
        const int i = everybody.row[p];
        const double value = p < everybody.n_values() ? everybody.x[p] : NAN;
        if (hard(y)) {
            out[y.code[i]].add(value, i, 1.0);
            continue;
        }
        for (int s = 0; s < y.n_classes; ++s)
            if (membership(y, i, s) > 0.0) out[s].add(value, i, membership(y, i, s));
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

// The part of the line within squared distance `edge` of `at`; samples from `middle` on are not before it.
Range range_within(const Sorted& line, double at, double edge, int middle) {
    const double* x = line.x.data() + middle;
    int left = steps_before(middle, [&](int s) { return square(at - x[-s]) > edge; });
    int right = steps_before(int(line.x.size()) - middle, [&](int s) { return square(at - x[s - 1]) > edge; });
    return {middle - left, middle + right};
}

// A line, and where the values begin that are not below those of the rows done so far.
class Walk {
public:
    Walk(const Labels& y, const Sorted& line) : y_(y), line_(line) {
        if (y.group) groups_.emplace_back(line, y.group);
    }

    // A row, its value (if it has one), and its weight on the line as its own neighbour and in all.
    struct Around {
        int row;
        bool has_value;
        double at, self, own;
    };

    // Squared radius at which the weight of the others, and of the row itself at distance zero, reaches
    // the goal. Those without a value are at squared distance `gap` of it, or all if it has none.
    double grow(const Around& one, double goal, double gap) {
        double sum = one.self, reached = sum > 0.0 ? 0.0 : kInf;
        if (!one.has_value) return sum >= goal ? 0.0 : gap;
        int right = reach(one.at), left = right - 1;
        double without_value = weight_of_others(one, line_.gaps());
        while (sum < goal) {
            while (left >= 0 && is_own(left, one.row))
                left = groups_.empty() ? left - 1 : groups_[0].left_of(left);
            while (right < line_.n_values() && is_own(right, one.row))
                right = groups_.empty() ? right + 1 : groups_[0].right_of(right);
            double dl = left >= 0 ? square(one.at - line_.x[left]) : kInf;
            double dr = right < line_.n_values() ? square(one.at - line_.x[right]) : kInf;
            const double nearest = std::min(dl, dr);
            if (without_value > 0.0 && gap <= nearest) {
                sum += without_value;
                without_value = 0.0;
                reached = gap;
                continue;
            }
            if (nearest == kInf) break;
            sum += line_.w[dl <= dr ? left-- : right++];
            reached = nearest;
        }
        return reached;
    }

    // The weight within `edge` of a row, and with `counts` how many samples are there.
    double weight_within(const Around& one, double edge, double gap, bool counts = false) {
        if (!one.has_value && !(gap <= edge)) return one.self;
        const Range in = one.has_value ? range_within(line_, one.at, edge, reach(one.at)) : line_.values();
        double sum = counts ? number_of_others(one, in) : weight_of_others(one, in);
        if (gap <= edge) sum += weight_of_others(one, line_.gaps());
        return one.has_value ? sum : sum + one.self;
    }

    // The part of the line with a value that is within `edge` of a row.
    Range range(const Around& one, double edge, double gap) {
        if (one.has_value) return range_within(line_, one.at, edge, reach(one.at));
        return {0, gap <= edge ? line_.n_values() : 0};
    }

    Range gaps() const { return line_.gaps(); }

    bool is_own(int place, int row) const {
        return line_.row[place] == row || same_group(y_, row, line_.row[place]);
    }

private:
    const Labels& y_;
    const Sorted& line_;
    Array<Groups> groups_;  // one, or none
    int middle_ = 0;

    int reach(double at) {
        while (middle_ < line_.n_values() && line_.x[middle_] < at) ++middle_;
        return middle_;
    }

    // The weight of a part of the line less that of the row's group; a row among those with a value is
    // there as its own neighbour. Many samples tie where a feature has few values: their sum is then a
    // difference of two.
    double weight_of_others(const Around& one, Range in) const {
        constexpr int kFew = 64;
        const bool is_there = one.has_value == (in.begin < line_.n_values());
        const double self = one.has_value && is_there ? one.self : 0.0;
        if (in.end - in.begin > kFew) {
            const double own = y_.group ? groups_[0].weight(y_.group[one.row], in) : is_there ? one.own : 0.0;
            return line_.w_before[in.end] - line_.w_before[in.begin] - (own - self);
        }
        double sum = 0.0;
        for (int l = in.begin; l < in.end; ++l) {
            if (line_.row[l] == one.row) sum += self;
            else if (!same_group(y_, one.row, line_.row[l])) sum += line_.w[l];
        }
        return sum;
    }

    // The same where all weights are one.
    double number_of_others(const Around& one, Range in) const {
        if (!alike(y_) || !one.has_value) return weight_of_others(one, in);
        return in.end - in.begin - (one.self == 0.0);
    }
};

// Sums of costs over a part of the line that moves: of what the targets there have in common.
class Window {
public:
    Window(const Labels& y, const Sorted& line)
        : y_(y), line_(line), sum_(y.costs.table ? y.costs.n_places : y.costs.width) {}

    // The cost between the row at a place and the others in the part, without its group.
    double around(const Walk& walk, int place, Range in) {
        constexpr int kFew = 64;
        const int row = line_.row[place];
        double cost = 0.0;
        if (in.end - in.begin <= kFew || y_.group) {
            for (int p = in.begin; p < in.end; ++p)
                if (!walk.is_own(p, row)) cost += line_.w[p] * cost_between(y_.costs, row, line_.row[p]);
            return cost;
        }
        move(in);
        const double* of_row = y_.costs.table ? y_.costs.table + std::size_t(y_.costs.place[row]) * y_.costs.n_places
                                              : y_.costs.left + std::size_t(row) * y_.costs.width;
        for (std::size_t j = 0; j < sum_.size(); ++j) cost += of_row[j] * sum_[j];
        check_stop(sum_.size());
        const bool is_in = place >= in.begin && place < in.end;
        return is_in ? cost - line_.w[place] * cost_between(y_.costs, row, row) : cost;
    }

private:
    const Labels& y_;
    const Sorted& line_;
    Array<double> sum_;  // weights by place in the table, or the sum of the right vectors
    Range at_{0, 0};

    void move(Range to) {
        if (to.begin >= at_.end || to.end <= at_.begin) {
            std::fill(sum_.begin(), sum_.end(), 0.0);
            at_ = {to.begin, to.begin};
        }
        while (at_.end < to.end) add(at_.end++, 1.0);
        while (at_.begin > to.begin) add(--at_.begin, 1.0);
        while (at_.end > to.end) add(--at_.end, -1.0);
        while (at_.begin < to.begin) add(at_.begin++, -1.0);
    }

    void add(int place, double sign) {
        const int row = line_.row[place];
        const double weight = sign * line_.w[place];
        if (y_.costs.table) {
            sum_[y_.costs.place[row]] += weight;
            return;
        }
        const double* right = y_.costs.right + std::size_t(row) * y_.costs.width;
        for (int j = 0; j < y_.costs.width; ++j) sum_[j] += weight * right[j];
    }
};

struct LineTask {
    const Labels& y;
    const Question& q;
    const double *x, *gaps;
    int n_features;
    double* sums;
    float* radii;

    Ball ball(Array<Walk>& among, Walk& among_all, const Walk::Around& in_all, int b, double goal,
              double gap) const {
        if (is_everybody(y, q, b)) {
            const double r2 = among_all.grow(in_all, goal, gap);
            const double inside = among_all.weight_within(in_all, r2 * kTie, gap, true);
            return {r2, inside, inside};
        }
        const int row = in_all.row, s = class_of_ball(y, q, row, b);
        Walk::Around one = in_all;
        one.self = q.include_self ? self_mass(y, row, s) : 0.0;
        one.own = membership(y, row, s);
        const double r2 = among[s].grow(one, goal, gap), edge = r2 * kTie;
        return {r2, among[s].weight_within(one, edge, gap), among_all.weight_within(in_all, edge, gap, true)};
    }

    // Of the samples in a ball; those without a value are in it, or not, together.
    double mean_cost(Walk& walk, const Walk::Around& one, int place, const Ball& ball, double gap, Window& values,
                     Window& gap_rows) const {
        if (ball.r2 < 0.0) return 0.0;
        const double edge = ball.r2 * kTie;
        double cost = values.around(walk, place, walk.range(one, edge, gap));
        if (gap <= edge) cost += gap_rows.around(walk, place, walk.gaps());
        return (y.weight ? y.weight[one.row] : 1.0) * cost / ball.weight;
    }

    void run(int feature) const {
        const int n_balls = balls_per_row(y, q);
        const Sorted everybody = sort_values(y, x, n_features, feature);
        const Array<Sorted> members = asks_everybody(q) ? Array<Sorted>() : sort_members(y, everybody);
        const double gap = gaps ? gaps[feature] : 0.0;
        Walk among_all(y, everybody);
        Array<Walk> among;
        for (const Sorted& line : members) among.emplace_back(y, line);
        Array<Ball> balls(n_balls);
        Array<Terms> terms(y.n);
        Estimate estimate(y, q);
        Window values(y, everybody), gap_rows(y, everybody);
        double operations = 0.0;  // since the last look
        for (int p = 0; p < y.n; ++p) {
            const int i = everybody.row[p];
            Walk::Around one{i, p < everybody.n_values(), 0.0, q.include_self ? 1.0 : 0.0, everybody.w[p]};
            if (one.has_value) one.at = everybody.x[p];
            for (int b = 0; b < n_balls; ++b) {
                double goal = target(y, q, i, b);
                balls[b] = {-1.0, 0.0, 0.0};
                if (goal > 0.0) balls[b] = ball(among, among_all, one, b, goal, gap);
                radii[(std::size_t(i) * n_balls + b) * n_features + feature] =
                    upper_bound(balls[b].r2);
                operations += 200.0 + 2.0 * balls[b].count;  // at least as many as were walked over
            }
            if (operations > 1e5) {
                check_stop(std::size_t(operations));
                operations = 0.0;
            }
            if (q.quantity == kCost) {
                terms[i] = {mean_cost(among_all, one, p, balls[0], gap, values, gap_rows)};
                continue;
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

void scan_lines(const Labels& y, const Question& q, const double* x, const double* gaps, int n_features,
                int n_threads, double* sums, float* radii) {
    LineTask task{y, q, x, gaps, n_features, sums, radii};
    run_tasks(n_features, n_threads,
              [](void* context, int id, int) { static_cast<LineTask*>(context)->run(id); }, &task);
}

int n_balls(const Labels& y, const Question& q) { return balls_per_row(y, q); }

}  // namespace tamis
