// Many transports over the same classes.
#include "transport.hpp"

#include "api.hpp"

namespace tamis {

void transport_costs(const double* p, const double* q, const double* distance, int n_pairs,
                     int n_classes, int steps_per_class, double* out) {
    Transport cost(n_classes, distance, steps_per_class);
    for (std::size_t r = 0; r < std::size_t(n_pairs); ++r) {
        check_stop(4 * std::size_t(n_classes));
        out[r] = cost(p + r * n_classes, q + r * n_classes);
    }
}

}  // namespace tamis
