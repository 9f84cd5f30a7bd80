// Sorting that can be stopped: in parts, which are then merged.
#pragma once
#include <algorithm>
#include <cstddef>

#include "api.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {

// `less` must tell any two apart, so that there is one result.
template <class Iterator, class Less>
void sort_in_parts(Iterator begin, Iterator end, Less less) {
    const std::ptrdiff_t n = end - begin;
    auto at = [&](std::ptrdiff_t place) { return begin + std::min(place, n); };
    std::ptrdiff_t size = std::ptrdiff_t(1) << 18;
    for (std::ptrdiff_t i = 0; i < n; i += size) {
        std::sort(at(i), at(i + size), less);
        check_stop(16 * std::size_t(at(i + size) - at(i)));
    }
    for (; size < n; size *= 2)
        for (std::ptrdiff_t i = 0; i + size < n; i += 2 * size) {
            std::inplace_merge(at(i), at(i + size), at(i + 2 * size), less);
            check_stop(4 * std::size_t(size));
        }
}

}  // namespace TAMIS_LEVEL
}  // namespace tamis
