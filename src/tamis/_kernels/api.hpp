// What crosses between the module and the kernels: plain data, and the entry points of each CPU
// level. Nothing with code in it, so that the levels share no compiled function.
#pragma once
#include <cstdint>
#include <vector>

namespace tamis {

enum Quantity { kCount = 0, kDistance = 1, kRisk = 2, kEntropy = 3 };

struct Labels {
    int n, n_classes;
    const std::int32_t* first;  // hard: rows of class s are first[s] .. first[s+1]-1; else null
    const std::int32_t* code;   // hard: class of each row; else null
    const double* gamma;        // soft: n x n_classes memberships; else null
    const double* mass;         // total membership of each class
};

struct Question {
    Quantity quantity;
    int k;
    bool include_self;  // the literal Algorithm 1: a sample is its own nearest neighbour
    const double* psi;  // digamma of 0 (unused), 1, ..., n + 1
};

// The features of the current set and those that may leave (sign -1: the same ones) or join it.
struct Variations {
    const double* base;       // n x n_base
    const double* candidate;  // n x n_candidates
    int n_base, n_candidates, sign;
};

constexpr int kPanel = 16;  // samples that the filter compares with a row at once

struct Panel {
    const float* columns;  // m x 16
    const float* rows;     // n x m
    int m;
    bool drop_largest;
    float scale;
    int begin;  // the first of the 16 samples
};

using KeepPanel = void (*)(const Panel&, const int* rows, int n_rows, const float* limits,
                           int stride, std::int32_t** lists, int* lengths);

struct Kernels {
    // Squared radius of every ball of every row for the base set: n x n_balls.
    void (*radii)(KeepPanel, const Labels&, const Question&, const Variations&, int n_threads,
                  double* out);
    // For each candidate and, last, the base set itself: the sums over `rows` of both terms
    // ((n_candidates + 1) x 2), and upper bounds of the squared radii
    // (n_rows x n_balls x (n_candidates + 1)). `limits` (n x n_balls) must bound the radii of
    // the base set from above; a row whose balls turn out larger is done again.
    void (*scan)(KeepPanel, const Labels&, const Question&, const Variations&,
                 const double* limits, const std::int32_t* rows, int n_rows, int n_threads,
                 double* sums, float* radii);
};

extern const Kernels kBaselineKernels, kAvx2Kernels, kAvx512Kernels;
void keep_baseline(const Panel&, const int*, int, const float*, int, std::int32_t**, int*);
void keep_avx2(const Panel&, const int*, int, const float*, int, std::int32_t**, int*);
void keep_avx512(const Panel&, const int*, int, const float*, int, std::int32_t**, int*);

// Each feature alone, by sorting: sums are n_features x 2, radii n x n_balls x n_features.
void scan_lines(const Labels&, const Question&, const double* x, int n_features, int n_threads,
                double* sums, float* radii);

int n_balls(const Labels&, const Question&);

// The samples near a row, nearest first; the row itself is not among them.
struct Neighbour {
    double d2;
    std::int32_t sample;
};
using Order = std::vector<Neighbour>;

// Those of n_rows rows as flat arrays: row r has entries first[r] .. first[r+1]-1.
struct Orders {
    int n_rows;
    const std::int32_t* rows;
    const std::int64_t* first;
    const std::int32_t* sample;
    const double* d2;
};

// Everything within limits[r] (squared) of rows[r].
std::vector<Order> find_orders(KeepPanel, const double* x, int n, int m, const double* limits,
                               const std::int32_t* rows, int n_rows, int n_threads);

// Weight and squared radius of the ball of each class around each row (n_rows x n_classes), as the
// risk needs them. The radius is infinite where the order ends before the ball is complete, -1
// where the class has nobody else.
void grow_balls(const Orders&, const Labels&, const Question&, int n_threads, double* weight,
                double* r2);

// Calls work(context, task, worker) for every task; any worker may do any task.
void run_tasks(int n_tasks, int n_threads, void (*work)(void*, int, int), void* context);

}  // namespace tamis
