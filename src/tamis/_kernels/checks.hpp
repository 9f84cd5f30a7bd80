// What the kernels trust, checked once at the door: extents, indices, and numbers that would lead to
// a wild index or an endless loop. An error gives the name, the rule and what came.
#pragma once
#include <cmath>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "api.hpp"

namespace tamis {

// Products of these with what the kernels multiply them by fit into an int.
constexpr std::size_t kMostSamples = 0x7fffffff - 64, kMostColumns = std::size_t(1) << 26;

// Coordinates up to this have squared distances that float32 can hold.
constexpr double kMostCoordinate = 1e15;

// Sums of so many distances as there may be classes are finite.
constexpr double kMostDistance = 1e290;

template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
    std::ostringstream sentence;
    sentence.precision(17);
    (sentence << ... << parts);
    throw std::invalid_argument(sentence.str() + ".");
}

inline void check_extent(const char* what, std::size_t got, std::size_t wanted) {
    if (got != wanted) refuse(what, " must be ", wanted, "; got ", got);
}

// A number of things, as an int.
inline int check_number(const char* what, std::int64_t got, std::size_t most, int least = 1) {
    if (got < least || got > std::int64_t(most))
        refuse(what, " must be from ", least, " to ", most, "; got ", got);
    return int(got);
}

// Whether all are from least to most; not a number is not. Without branches and with a flag as wide
// as the values, so that compilers use vectors.
template <class T>
void check_values(const char* name, const T* values, std::size_t size, T least, T most) {
    std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t> good = 1;
    for (std::size_t i = 0; i < size; ++i) good &= (values[i] >= least) & (values[i] <= most);
    if (good) return;
    std::size_t i = 0;
    while (values[i] >= least && values[i] <= most) ++i;
    refuse(name, " must be from ", least, " to ", most, "; entry ", i, " is ", values[i]);
}

template <class T>
void check_value(const char* name, T value, T least, T most) {
    if (value < least || value > most) refuse(name, " must be from ", least, " to ", most, "; got ", value);
}

// Where parts of an array begin and, last, end: never falling, from 0 to at most `size`.
template <class T>
void check_begins(const char* name, const T* first, std::size_t n_parts, std::size_t size) {
    bool good = first[0] == 0 && std::size_t(first[n_parts]) <= size && first[n_parts] >= 0;
    for (std::size_t p = 0; p < n_parts; ++p) good &= first[p] <= first[p + 1];
    if (!good) refuse(name, " must rise from 0 to at most ", size);
}

// With gaps, also what is not a number.
inline void check_coordinates(const char* name, const double* x, std::size_t size, bool gaps) {
    if (!gaps) return check_values(name, x, size, -kMostCoordinate, kMostCoordinate);
    std::int64_t good = 1;
    for (std::size_t i = 0; i < size; ++i) good &= !(std::fabs(x[i]) > kMostCoordinate);
    if (!good) refuse(name, " must be from ", -kMostCoordinate, " to ", kMostCoordinate, " or a gap");
}

// Infinity is fine: no limit.
inline void check_limits(const double* limits, std::size_t size) {
    std::int64_t good = 1;
    for (std::size_t i = 0; i < size; ++i) good &= limits[i] == limits[i];
    if (!good) refuse("limits must be numbers; some are not");
}

inline void check_rows(const char* name, const std::int32_t* rows, std::size_t size, int n) {
    check_values(name, rows, size, 0, n - 1);
}

// No row twice; rows were checked.
inline void check_distinct(const char* name, const std::int32_t* rows, std::size_t size, int n) {
    std::vector<bool> met(n);
    for (std::size_t r = 0; r < size; ++r) {
        if (met[rows[r]]) refuse(name, " must be distinct; one of them is there twice: ", rows[r]);
        met[rows[r]] = true;
    }
}

// Codes agree with where each class begins, and the mass of a class is its number of rows.
void check_classes(const std::int32_t* first, const std::int32_t* code, const double* mass, int n,
                   int n_classes);

// The mass of a class is the sum of its memberships.
void check_memberships(const double* gamma, const double* mass, int n, int n_classes);

void check_distance(const double* distance, std::size_t n_rows, std::size_t n_columns, int n_classes);

// `n_grains` does not count the levels as they are.
void check_levels(const Levels&, int n_grains, std::size_t n_entries);
void check_metric(const ClassMetric&, int n_classes, std::size_t n_above);
void check_judged(const Judged&, int n_features, int n_grains);

}  // namespace tamis
