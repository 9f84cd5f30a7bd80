// Who is near whom, once for many memberships: the samples near each row in order of distance, and
// how far the ball of each class reaches in these orders.
#include "api.hpp"
#include "filter.hpp"
#include "shortlist.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {
namespace {

constexpr int kBlock = 32;  // rows per task

struct OrdersTask {
    const Filter& filter;
    const Padded& x;
    const double* limits;
    const std::int32_t* rows;
    int n, n_rows;
    std::vector<Order>& orders;

    void run(int task) const {
        int begin = task * kBlock, count = std::min(kBlock, n_rows - begin), lengths[kBlock] = {};
        std::int32_t* lists[kBlock];
        float thresholds[kBlock];
        Array<std::int32_t> room(std::size_t(count) * (n + kPanel));
        for (int r = 0; r < count; ++r) {
            lists[r] = room.data() + std::size_t(r) * (n + kPanel);
            thresholds[r] = filter.threshold(limits[begin + r]);
        }
        for (int panel = 0; panel < filter.panels(); ++panel)
            filter.keep(panel, rows + begin, count, thresholds, lists, lengths);
        for (int r = 0; r < count; ++r) order(begin + r, lists[r], lengths[r]);
    }

    void order(int r, const std::int32_t* list, int length) const {
        Order& out = orders[r];
        for (int l = 0; l < length; ++l) {
            if (list[l] == rows[r]) continue;
            double d2 = squared_distance(x.row(rows[r]), x.row(list[l]), x.width());
            if (d2 <= limits[r]) out.push_back({d2, list[l]});
        }
        std::sort(out.begin(), out.end(), [](const Neighbour& a, const Neighbour& b) {
            return a.d2 < b.d2 || (a.d2 == b.d2 && a.sample < b.sample);
        });
    }
};

struct GrowTask {
    const Orders& orders;
    const Memberships& gamma;
    double k;
    bool include_self;
    double *weight, *r2;

    // All classes of one row in one walk outward. A complete ball still takes in what ties with it.
    void run(int r) const {
        int c = gamma.n_classes, row = orders.rows[r];
        const double* own = gamma.values + std::size_t(row) * c;
        double *sum = weight + std::size_t(r) * c, *reached = r2 + std::size_t(r) * c;
        Array<double> goal(c);
        int open = 0;
        for (int s = 0; s < c; ++s) {
            double others = gamma.mass[s] - (include_self ? 0.0 : own[s]);
            goal[s] = std::min(k, others) - kShort;
            sum[s] = include_self ? own[s] : 0.0;
            reached[s] = goal[s] <= 0.0 ? -1.0 : sum[s] >= goal[s] ? 0.0 : kInf;
            open += reached[s] == kInf;
        }
        double edge = 0.0;  // of the last ball that was completed
        for (std::int64_t l = orders.first[r]; l < orders.first[r + 1]; ++l) {
            double d2 = orders.d2[l];
            if (!open && d2 > edge) break;
            const double* other = gamma.values + std::size_t(orders.sample[l]) * c;
            for (int s = 0; s < c; ++s) {
                if (reached[s] < 0.0 || d2 > reached[s] * kTie) continue;
                sum[s] += other[s];
                if (reached[s] < kInf || sum[s] < goal[s]) continue;
                reached[s] = d2;
                edge = d2 * kTie;
                --open;
            }
        }
    }
};

}  // namespace
}  // namespace TAMIS_LEVEL

std::vector<Order> find_orders(KeepPanel keep, const double* x, int n, int m, const double* limits,
                               const std::int32_t* rows, int n_rows, int n_threads) {
    const std::int32_t everybody[2] = {0, n};
    Filter filter(keep, x, n, m, everybody, 1, false);
    Padded padded(x, n, m, 0);
    std::vector<Order> orders(n_rows);
    OrdersTask task{filter, padded, limits, rows, n, n_rows, orders};
    run_tasks((n_rows + kBlock - 1) / kBlock, n_threads, [](void* context, int id, int) {
        static_cast<OrdersTask*>(context)->run(id);
    }, &task);
    return orders;
}

void grow_balls(const Orders& orders, const Memberships& gamma, double k, bool include_self,
                int n_threads, double* weight, double* r2) {
    GrowTask task{orders, gamma, k, include_self, weight, r2};
    constexpr int kRows = 256;
    struct Context {
        GrowTask& task;
        int n_rows;
    } context{task, orders.n_rows};
    run_tasks((orders.n_rows + kRows - 1) / kRows, n_threads, [](void* data, int id, int) {
        auto& [grow, n_rows] = *static_cast<Context*>(data);
        for (int r = id * kRows; r < std::min(n_rows, (id + 1) * kRows); ++r) grow.run(r);
    }, &context);
}

}  // namespace tamis
