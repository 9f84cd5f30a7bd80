// Who is near whom, once for many memberships: the samples near each row in order of distance, and
// how far the ball of each class reaches in these orders.
#include "api.hpp"
#include "checks.hpp"
#include "filter.hpp"
#include "layers.hpp"
#include "problem.hpp"
#include "sorting.hpp"

namespace tamis {
inline namespace TAMIS_LEVEL {
namespace {

constexpr int kBlock = 32;  // rows per task

struct OrdersTask {
    const Filter& filter;
    const Layers& x;
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
        for (int panel = 0; panel < filter.panels(); ++panel) {
            filter.keep(panel, rows + begin, count, thresholds, lists, lengths);
            if (panel % 16 == 0) check_stop(std::size_t(count) * 16 * filter.width());
        }
        for (int r = 0; r < count; ++r) order(begin + r, lists[r], lengths[r]);
    }

    void order(int r, const std::int32_t* list, int length) const {
        Order& out = orders[r];
        for (int l = 0; l < length; ++l) {
            if (l % 256 == 0) check_stop(std::size_t(256) * filter.width());
            if (list[l] == rows[r]) continue;
            double d2 = x.distance(rows[r], list[l]);
            if (d2 <= limits[r]) out.push_back({d2, list[l]});
        }
        sort_in_parts(out.begin(), out.end(), [](const Neighbour& a, const Neighbour& b) {
            return a.d2 < b.d2 || (a.d2 == b.d2 && a.sample < b.sample);
        });
    }
};

struct GrowTask {
    const Orders& orders;
    const Labels& y;
    const Question& q;
    double *weight, *r2;

    void run(int task) const {
        int end = std::min(orders.n_rows, (task + 1) * kBlock);
        for (int r = task * kBlock; r < end; ++r) walk(r);
    }

    // All classes of one row in one walk outward. A complete ball still takes in what ties with it.
    void walk(int r) const {
        int c = y.n_classes, row = orders.rows[r], open = 0;
        double *sum = weight + std::size_t(r) * c, *reached = r2 + std::size_t(r) * c;
        Array<double> goal(c);
        for (int s = 0; s < c; ++s) {
            goal[s] = target(y, q, row, s);
            sum[s] = q.include_self ? membership(y, row, s) : 0.0;
            reached[s] = goal[s] <= 0.0 ? -1.0 : sum[s] >= goal[s] ? 0.0 : kInf;
            open += reached[s] == kInf;
        }
        double edge = 0.0;  // of the last ball that was completed
        for (std::int64_t l = orders.first[r]; l < orders.first[r + 1]; ++l) {
            double d2 = orders.d2[l];
            if (!open && d2 > edge) break;
            // Here and not at the door: few of them are looked at.
            if (unsigned(orders.sample[l]) >= unsigned(y.n))
                refuse("sample must be from 0 to ", y.n - 1, "; got ", orders.sample[l]);
            for (int s = 0; s < c; ++s) {
                if (reached[s] < 0.0 || d2 > reached[s] * kTie) continue;
                sum[s] += membership(y, orders.sample[l], s);
                if (reached[s] < kInf || sum[s] < goal[s]) continue;
                reached[s] = d2;
                edge = d2 * kTie;
                --open;
            }
        }
        check_stop(std::size_t(orders.first[r + 1] - orders.first[r]) * c);
    }
};

}  // namespace
}  // namespace TAMIS_LEVEL

std::vector<Order> find_orders(KeepPanel keep, const double* x, int n, int m, const double* limits,
                               const std::int32_t* rows, int n_rows, int n_threads) {
    const std::int32_t everybody[2] = {0, n};
    Filter filter(keep, x, n, m, everybody, 1, false);
    Layers copy(x, n, m);
    std::vector<Order> orders(n_rows);
    OrdersTask task{filter, copy, limits, rows, n, n_rows, orders};
    run_tasks((n_rows + kBlock - 1) / kBlock, n_threads, [](void* context, int id, int) {
        static_cast<OrdersTask*>(context)->run(id);
    }, &task);
    return orders;
}

void grow_balls(const Orders& orders, const Labels& y, const Question& q, int n_threads,
                double* weight, double* r2) {
    GrowTask task{orders, y, q, weight, r2};
    run_tasks((orders.n_rows + kBlock - 1) / kBlock, n_threads, [](void* context, int id, int) {
        static_cast<GrowTask*>(context)->run(id);
    }, &task);
}

}  // namespace tamis
