// From balls to a number: which balls a row needs, when one is complete, and what the estimates
// make of them.
//
// A ball is grown around sample i until it holds weight k. Which balls a row needs:
//
//                hard labels              memberships
//   count        own class                every class with gamma(s|i) > 0
//   distance     own class, everybody     the same, and everybody (last)
//   risk         every class              every class
//   entropy      everybody                (labels are not used)
//   cost         everybody                (costs instead of labels: cost.hpp)
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "api.hpp"
#include "memory.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

constexpr double kTie = 1.0 + 1e-9;  // squared distances within this factor are ties
constexpr double kShort = 1e-9;      // a sum of memberships may fall short of k by this

inline bool hard(const Labels& y) { return y.first != nullptr; }

// Whether the only ball of a row is that of everybody.
inline bool asks_everybody(const Question& q) { return q.quantity == kEntropy || q.quantity == kCost; }

inline int balls_per_row(const Labels& y, const Question& q) {
    if (asks_everybody(q)) return 1;
    if (q.quantity == kRisk || !hard(y)) return y.n_classes + (q.quantity == kDistance);
    return q.quantity == kDistance ? 2 : 1;
}

inline bool is_everybody(const Labels& y, const Question& q, int ball) {
    return asks_everybody(q) ||
           (q.quantity == kDistance && ball == (hard(y) ? 1 : y.n_classes));
}

inline int class_of_ball(const Labels& y, const Question& q, int row, int ball) {
    return hard(y) && q.quantity != kRisk ? y.code[row] : ball;
}

inline double membership(const Labels& y, int row, int s) {
    return hard(y) ? double(y.code[row] == s) : y.gamma[std::size_t(row) * y.n_classes + s];
}

inline bool same_group(const Labels& y, int row, int other) {
    return y.group && y.group[row] == y.group[other];
}

// How many samples `other` stands for around `row`, which does not count itself unless it is asked to,
// nor others of its group.
inline int times_around(const Labels& y, const Question& q, int row, int other) {
    if (row != other && same_group(y, row, other)) return 0;
    return (y.times ? y.times[other] : 1) - (row == other && !q.include_self);
}

// ---- what is around a row, if rows belong together or stand for several --------------------------

inline bool alike(const Labels& y) { return !y.group && !y.weight; }

// The membership of one of the samples that a row stands for.
inline double self_mass(const Labels& y, int row, int s) {
    return y.weight ? membership(y, row, s) / y.weight[row] : membership(y, row, s);
}

// The part of a class that its group takes away from a row, the row itself with it.
inline double own_mass(const Labels& y, int row, int s) {
    return y.group ? y.group_mass[std::size_t(y.group[row]) * y.n_classes + s] : membership(y, row, s);
}

// The part of a class that can be in a ball of a row.
inline double mass_around(const Labels& y, const Question& q, int row, int s) {
    if (alike(y)) return y.mass[s] - (q.include_self ? 0.0 : membership(y, row, s));
    return y.mass[s] - (own_mass(y, row, s) - (q.include_self ? self_mass(y, row, s) : 0.0));
}

// How many samples are around a row, without itself.
inline double others_around(const Labels& y, int row) {
    const double all = y.weight ? y.weight_total : y.total;
    return all - (y.group ? y.group_total[y.group[row]] : y.weight ? y.weight[row] : 1.0);
}

// Whether a row has so little of a class that it does not ask for the ball. If there is less than one
// sample of the class around it always does: only then is a term bounded by the number of samples.
inline bool is_left_out(const Labels& y, const Question& q, int row, int s) {
    return y.left_out && membership(y, row, s) <= y.left_out[row] && mass_around(y, q, row, s) >= 1.0;
}

// The weight at which the ball of this row is complete, less the tolerance; 0 if the row has no
// use for the ball. The ball of a class that has too few others stops at the last of them.
inline double target(const Labels& y, const Question& q, int row, int ball) {
    // What is left of a large weight is a rounding error.
    auto rounding = [&](double all) { return y.weight ? kShort + 1e-13 * all : kShort; };
    if (is_everybody(y, q, ball))
        return std::min(double(q.k), others_around(y, row)) + q.include_self - rounding(y.weight_total);
    int s = class_of_ball(y, q, row, ball);
    if (q.quantity == kRisk ? y.mass[s] <= 0.0 : membership(y, row, s) <= 0.0) return 0.0;
    if (is_left_out(y, q, row, s)) return 0.0;
    return std::min(double(q.k), mass_around(y, q, row, s)) - rounding(y.mass[s]);
}

// Digamma for x > 0: recurrence up to 10, then the asymptotic series (error below 1e-15 of it).
inline double digamma(double x) {
    double shift = 0.0;
    for (; x < 10.0; x += 1.0) shift -= 1.0 / x;
    double f = 1.0 / (x * x);
    double tail =
        f * (1.0 / 12 - f * (1.0 / 120 - f * (1.0 / 252 - f * (1.0 / 240 - f * (1.0 / 132 -
        f * (691.0 / 32760 - f / 12))))));
    return shift + std::log(x) - 0.5 / x - tail;
}

// One completed ball: squared radius, weight inside, number of samples inside.
struct Ball {
    double r2, weight, count;
};

// A float32 upper bound of the squared distances inside a ball.
inline float upper_bound(double r2) { return r2 < 0.0 ? -1.0f : float(r2 * kTie * (1.0 + 1.2e-7)); }

// What a row adds to the estimate: value + dims / 2 * log(ratio), and to what breaks its ties.
struct Terms {
    double value, tie_break = 0.0, ratio = 1.0;
};

// Terms of one subset added up. Logarithms are slow, so ratios are multiplied as long as the
// product is far from overflow and underflow.
class Sum {
public:
    void add(const Terms& t, int dims) {
        value_ += t.value;
        tie_break_ += t.tie_break;
        if (!is_moderate(product_) || !is_moderate(t.ratio)) settle(dims);
        product_ *= t.ratio;
    }
    double tie_break() const { return tie_break_; }
    double value(int dims) {
        settle(dims);
        return value_;
    }

private:
    double value_ = 0.0, tie_break_ = 0.0, product_ = 1.0;
    static bool is_moderate(double x) { return x > 1e-150 && x < 1e150; }
    void settle(int dims) {
        if (product_ != 1.0) value_ += 0.5 * dims * std::log(product_);
        product_ = 1.0;
    }
};

class Estimate {
public:
    Estimate(const Labels& y, const Question& q)
        : y_(y), q_(q), n_class_balls_(balls_per_row(y, q) - (q.quantity == kDistance)),
          share_(n_class_balls_), fixed_(n_class_balls_) {}

    // Which row the next balls are of: what does not depend on them is computed once.
    void start(int row) {
        if (y_.weight) each_ = y_.weight[row];
        if (q_.quantity == kEntropy) return;
        for (int b = 0; b < n_class_balls_; ++b) {
            int s = class_of_ball(y_, q_, row, b);
            share_[b] = membership(y_, row, s);
            const double size = class_size(row, s);
            fixed_[b] = q_.quantity == kRisk ? std::log(y_.mass[s])
                                             : psi_of_number(others_around(y_, row) + 1.0);
            if (size > 0.0) fixed_[b] -= psi(size);
        }
    }

    // `dims` features were used; `balls` holds balls_per_row entries, unused ones with r2 < 0.
    Terms operator()(int dims, const Ball* balls) const {
        switch (q_.quantity) {
            case kCount: return information(dims, balls, nullptr);
            case kDistance: return information(dims, balls, balls + n_class_balls_);
            case kRisk: return risk(dims, balls);
            default: return entropy(dims, *balls);
        }
    }

private:
    const Labels y_;
    const Question q_;
    const int n_class_balls_;
    Array<double> share_;  // membership of the row in the class of each ball
    Array<double> fixed_;  // the part of the class's term that the row decides
    double each_ = 1.0;    // how often the row counts

    // Of a weight inside a class, and of a number of samples.
    double psi(double x) const { return hard(y_) ? q_.psi[int(x + 0.5)] : digamma(x); }
    double psi_of_number(double x) const {
        const bool in_table = !y_.weight || (x >= 1.0 && x <= y_.n && x == std::floor(x));
        return in_table ? q_.psi[int(x)] : digamma(x);
    }

    // What the density of a class is divided by: the samples around the row, and one for itself.
    double class_size(int row, int s) const {
        const bool whole = q_.include_self || q_.whole_sizes;
        if (alike(y_)) return whole ? y_.mass[s] : y_.mass[s] - membership(y_, row, s) + 1.0;
        const double own = own_mass(y_, row, s);
        return whole ? y_.mass[s] - (own - self_mass(y_, row, s)) : y_.mass[s] - own + 1.0;
    }

    Terms entropy(int dims, const Ball& all) const {
        if (all.r2 < 0.0) return {0.0};
        if (!y_.weight) return {-psi_of_number(all.count), 0.0, all.r2};
        return {each_ * (0.5 * dims * std::log(all.r2) - psi_of_number(all.count))};
    }

    // Without `all`: volumes are counted (Ross). With it: volumes are radii to the power of the
    // dimension (Gomez), except where a radius is zero.
    Terms information(int dims, const Ball* balls, const Ball* all) const {
        Terms sum{0.0};
        for (int b = 0; b < n_class_balls_; ++b) {
            if (balls[b].r2 < 0.0) continue;
            double volume = -psi_of_number(balls[b].count);
            if (all && all->r2 > 0.0 && balls[b].r2 > 0.0) {
                volume = -psi_of_number(all->count - q_.include_self);
                double ratio = all->r2 / balls[b].r2;
                if (hard(y_))
                    sum.ratio = ratio;
                else
                    volume += 0.5 * dims * std::log(ratio);
            }
            sum.value += share_[b] * (psi(balls[b].weight) + volume + fixed_[b]);
        }
        return sum;
    }

    // No class has anybody else: all are equally probable, and a decision is any of them.
    Terms nothing_known() const {
        double sum = 0.0;
        for (double share : share_) sum += share;
        return {each_ - sum / y_.n_classes, each_ * (1.0 - 1.0 / y_.n_classes)};
    }

    // Posterior of each class by Bayes' rule. Where some radii are zero only those classes
    // compete, by their weights: the limit of small equal radii.
    Terms risk(int dims, const Ball* balls) const {
        bool zero = false;
        for (int s = 0; s < y_.n_classes; ++s) zero |= balls[s].r2 == 0.0;
        int best = -1;
        double top = -std::numeric_limits<double>::infinity(), sum = 0.0;
        for (int s = 0; s < y_.n_classes; ++s) {
            if (balls[s].r2 < 0.0 || std::isinf(balls[s].r2) || (zero && balls[s].r2 > 0.0)) continue;
            double now = psi(balls[s].weight) + fixed_[s];
            if (!zero) now -= 0.5 * dims * std::log(balls[s].r2);
            if (now > top + 1e-10) {  // equal classes: the first
                sum = sum * std::exp(top - now) + 1.0;
                top = now;
                best = s;
            } else {
                sum += std::exp(now - top);
            }
        }
        return best < 0 ? nothing_known() : Terms{each_ - share_[best], each_ * (1.0 - 1.0 / sum)};
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
