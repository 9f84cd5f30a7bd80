// How far the targets of two rows are apart.
#pragma once
#include "api.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

inline double cost_between(const Costs& c, int one, int other) {
    if (c.table) return c.table[std::size_t(c.place[one]) * c.n_places + c.place[other]];
    const double *left = c.left + std::size_t(one) * c.width, *right = c.right + std::size_t(other) * c.width;
    double sum = 0.0;
    for (int j = 0; j < c.width; ++j) sum += left[j] * right[j];
    return sum;
}

}  // namespace TAMIS_LEVEL
}  // namespace tamis
