// Samples of one class at the same place: done once, counted as often as they are there.
#pragma once
#include <cmath>
#include <cstring>

#include "api.hpp"
#include "memory.hpp"
#include "problem.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

class Distinct {
public:
    // Places in the base set and in all candidates; memberships and rows in groups are taken one by one,
    // and so are rows with gaps, which are at no distance zero from any other.
    // A few columns come first, since those that are distinct in them are distinct in all.
    Distinct(const Labels& y, const Variations& x) : y_(y), x_(x), joins_(x.sign > 0), of_(y.n) {
        if (!hard(y) || y.group || y.weight) return;
        find(std::min(4, x.n_base), false);
        if (pays()) find(x.n_base, joins_);
    }

    // A tenth fewer are a fifth fewer pairs; below that, what is saved hardly pays for the copies.
    bool pays() const { return size() && times_.size() * 10 <= std::size_t(y_.n) * 9; }

    int size() const { return int(times_.size()); }
    int of(int row) const { return of_[row]; }

    // The distinct samples instead of all: call once.
    void take() {
        code_.resize(size());
        first_.assign(y_.n_classes + 1, size());
        for (int i = size() - 1; i >= 0; --i) first_[code_[i] = y_.code[sample_[i]]] = i;
        for (int s = y_.n_classes - 1; s >= 0; --s) first_[s] = std::min(first_[s], first_[s + 1]);
        base_ = rows_of(x_.base, x_.n_base);
        if (joins_) candidate_ = rows_of(x_.candidate, x_.n_columns);
    }
    Labels labels() const {
        return {size(), y_.n_classes, first_.data(), code_.data(), nullptr, y_.mass, y_.total, times_.data()};
    }
    Variations variations() const {
        Variations x = x_;
        x.base = base_.data();
        x.candidate = joins_ ? candidate_.data() : base_.data();
        return x;
    }

private:
    const Labels y_;
    const Variations x_;
    const bool joins_;
    Array<std::int32_t> of_, sample_;  // the distinct one of each sample; the first sample of each
    Array<std::int32_t> times_, first_, code_;
    Array<double> weights_, base_, candidate_;

    // Equal places have equal keys; others hardly ever, and are then compared. `m` columns of the base
    // set count, and those of the candidates if they do.
    double key(int i, int m, bool candidates) const {
        double sum = weighted(x_.base + std::size_t(i) * x_.n_base, weights_.data(), m) + y_.code[i];
        if (candidates) sum += weighted(x_.candidate + std::size_t(i) * x_.n_columns, &weights_[m], x_.n_columns);
        return sum;
    }
    static double weighted(const double* row, const double* weights, int m) {
        double sum = 0.0, part[4] = {};
        int j = 0;
        for (; j + 4 <= m; j += 4)
            for (int p = 0; p < 4; ++p) part[p] += weights[j + p] * row[j + p];
        for (; j < m; ++j) sum += weights[j] * row[j];
        return sum + (part[0] + part[1]) + (part[2] + part[3]);
    }
    bool same(int i, int l, int m, bool candidates) const {
        auto equal = [i, l](const double* x, int width, int m) {
            const double* a = x + std::size_t(i) * width;
            return std::equal(a, a + m, x + std::size_t(l) * width);
        };
        return y_.code[i] == y_.code[l] && equal(x_.base, x_.n_base, m) &&
               (!candidates || equal(x_.candidate, x_.n_columns, x_.n_columns));
    }

    void find(int m, bool candidates) {
        weights_.resize(m + (candidates ? x_.n_columns : 0));
        for (std::size_t j = 0; j < weights_.size(); ++j)
            weights_[j] = 1.0 + std::fmod(j * 0.6180339887498949, 1.0);  // no two alike
        sample_.clear();
        times_.clear();
        std::size_t slots = 16;
        while (slots < 2 * std::size_t(y_.n)) slots *= 2;
        Array<std::int32_t> table(slots, -1);  // distinct samples, at or after the slot of their key
        for (int i = 0; i < y_.n; ++i) {
            check_stop(m);
            const double place = key(i, m, candidates);
            if (place != place) {
                add(i);
                continue;
            }
            std::size_t at = slot(place, slots);
            while (table[at] >= 0 && !same(i, sample_[table[at]], m, candidates)) at = (at + 1) & (slots - 1);
            if (table[at] < 0) {
                table[at] = size();
                add(i);
            } else {
                ++times_[of_[i] = table[at]];
            }
        }
    }
    void add(int i) {
        of_[i] = size();
        sample_.push_back(i);
        times_.push_back(1);
    }
    static std::size_t slot(double key, std::size_t slots) {
        std::uint64_t bits;
        key += 0.0;  // one zero
        std::memcpy(&bits, &key, sizeof bits);
        return std::size_t((bits * 0x9e3779b97f4a7c15u) >> 32) & (slots - 1);
    }

    Array<double> rows_of(const double* x, int m) const {
        Array<double> out(std::size_t(size()) * m);
        for (int i = 0; i < size(); ++i)
            std::copy_n(x + std::size_t(sample_[i]) * m, m, out.begin() + std::size_t(i) * m);
        return out;
    }
};

}  // namespace TAMIS_LEVEL
}  // namespace tamis
