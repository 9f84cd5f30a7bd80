// What crosses between the module and the kernels: plain data, and the entry points of each CPU
// level. Nothing with code in it, so that the levels share no compiled function.
#pragma once
#include <cstddef>
#include <cstdint>

namespace tamis {

enum Quantity { kCount = 0, kDistance = 1, kRisk = 2, kEntropy = 3, kCost = 4 };

// How far the targets of two rows are apart: by a table of distinct targets, or as a product of two
// vectors where there are too many for a table.
struct Costs {
    int n_places = 0;
    const std::int32_t* place = nullptr;  // of each row in the table; null: there is none
    const double* table = nullptr;        // n_places x n_places
    int width = 0;
    const double* left = nullptr;         // n x width
    const double* right = nullptr;        // n x width
};

struct Labels {
    int n, n_classes;
    const std::int32_t* first;  // hard: rows of class s are first[s] .. first[s+1]-1; else null
    const std::int32_t* code;   // hard: class of each row; else null
    const double* gamma;        // soft: n x n_classes memberships; else null
    const double* mass;         // total membership of each class
    int total;                  // how many samples the rows stand for
    const std::int32_t* times;  // hard: so many each; null: one each
    // Rows of one group (0, 1, ...) are in no ball of each other; null: each is a group of its own.
    const std::int32_t* group = nullptr;
    const double* group_mass = nullptr;   // n_groups x n_classes
    const double* group_total = nullptr;  // how many samples each group stands for
    // Soft: how many samples each row stands for, one of which is no other's neighbour; gamma and mass
    // are multiplied with it. Null: one each.
    const double* weight = nullptr;
    double weight_total = 0.0;
    // Soft, count: the largest membership of each row that asks for no ball, -1 if all do. Null: all do.
    const double* left_out = nullptr;
    Costs costs;  // cost: all rows are of one class, and may have weights
};

struct Question {
    Quantity quantity;
    int k;
    bool include_self;  // the literal Algorithm 1: a sample is its own nearest neighbour
    bool whole_sizes;   // the size of a class counts the sample itself, not one more than the others
    const double* psi;  // digamma of 0 (unused), 1, ..., n + 1
};

// The columns of the current set and those that may leave (sign -1: the same ones) or join it. A
// candidate is one column, or several that stand next to each other and move together. NaN is a gap:
// its squared difference from anything is that of its column in the arrays of gaps; null: no gaps.
struct Variations {
    const double* base;        // n x n_base
    const double* candidate;   // n x n_columns
    const std::int32_t* ends;  // where the columns of each candidate end; null: it is one column
    int n_base, n_columns, n_candidates, sign;
    const double* base_gaps = nullptr;
    const double* candidate_gaps = nullptr;
};

constexpr int kPanel = 16;  // samples that the filter compares with a row at once

struct Panel {
    const float* columns;  // m x 16
    const float* rows;     // n x m
    const std::int32_t* ends;  // of the columns that leave together; null: each by itself
    int m;
    bool drop_largest;
    float scale;
    int begin, count;  // the first of the 16 samples, and how many there are
    // Null: no gaps; else the squared differences of each column, n x m: zero where the row itself has a
    // gap, which is the same to everybody. The sum of these is the floor of a row.
    const float *gaps, *floors;
    int first_gap, first_part;  // the first column with gaps, and the first of `ends` that has one
};

using KeepPanel = void (*)(const Panel&, const int* rows, int n_rows, const float* limits,
                           int stride, std::int32_t** lists, int* lengths);

// A sample near a row, and what takes those of row number r, nearest first; the row itself is not
// among them.
struct Neighbour {
    double d2;
    std::int32_t sample;
};
using TakeOrder = void (*)(void* context, int r, const Neighbour* order, int length);

// Orders of n_rows rows as flat arrays: row r has entries first[r] .. first[r+1]-1.
struct Orders {
    int n_rows;
    const std::int32_t* rows;
    const std::int64_t* first;
    const std::int32_t* sample;
    const double* d2;
};

// Rows whose terms are added up by one task: fixed, so that sums do not depend on the threads.
constexpr int kRowsPerSum = 32;

struct Kernels {
    // Squared radius of every ball of these rows, each once, for the base set: n x n_balls.
    void (*radii)(KeepPanel, const Labels&, const Question&, const Variations&,
                  const std::int32_t* rows, int n_rows, int n_threads, double* out);
    // For each candidate and, last, the base set itself: the sums over every kRowsPerSum of the
    // `rows` of both terms (n_sums x (n_candidates + 1) x 2), and upper bounds of the squared radii
    // (n_rows x n_balls x (n_candidates + 1)). `limits` (n x n_balls) must bound the radii of
    // the base set from above; a row whose balls turn out larger is done again.
    void (*scan)(KeepPanel, const Labels&, const Question&, const Variations&,
                 const double* limits, const std::int32_t* rows, int n_rows, int n_threads,
                 double* sums, float* radii);
    // Gives everything within limits[r] (squared) of rows[r], each r once, in any order of them.
    // Without those of its group; gaps and group may be null.
    void (*orders)(KeepPanel, const double* x, int n, int m, const double* gaps,
                   const std::int32_t* group, const double* limits, const std::int32_t* rows,
                   int n_rows, int n_threads, TakeOrder, void* context);
    // Weight and squared radius of the ball of each class around each row (n_rows x n_classes), as
    // the risk needs them. The radius is infinite where the order ends before the ball is complete,
    // -1 where the class has nobody else.
    void (*grow)(const Orders&, const Labels&, const Question&, int n_threads, double* weight,
                 double* r2);
};

extern const Kernels kBaselineKernels, kAvx2Kernels, kAvx512Kernels;
void keep_baseline(const Panel&, const int*, int, const float*, int, std::int32_t**, int*);
void keep_avx2(const Panel&, const int*, int, const float*, int, std::int32_t**, int*);
void keep_avx512(const Panel&, const int*, int, const float*, int, std::int32_t**, int*);

// Each feature alone, by sorting: sums are n_features x 2, radii n x n_balls x n_features; gaps may be null.
void scan_lines(const Labels&, const Question&, const double* x, const double* gaps, int n_features,
                int n_threads, double* sums, float* radii);

int n_balls(const Labels&, const Question&);

// The cheapest way to move p onto q (n_pairs x n_classes each, rows of equal totals) where moving
// from s to t costs the metric distance (n_classes x n_classes). Throws std::runtime_error if that
// takes more than `steps_per_class` steps for a class.
void transport_costs(const double* p, const double* q, const double* distance, int n_pairs,
                     int n_classes, int steps_per_class, double* out);

// Discrete features by column; samples whose level is 0 are left out. Coarser levels of all features
// (grains 1, 2, ...) are maps from the levels, one after the other: those of feature j begin at
// map_first[j] in each.
struct Levels {
    int n, n_features;
    const std::int64_t* first;     // n_features + 1
    const std::int32_t *row, *level;
    const std::int32_t* n_levels;  // (n_grains + 1) x n_features
    const std::int32_t* coarse;    // n_grains x n_maps
    const std::int64_t* map_first;
    std::int64_t n_maps;
};

struct ClassTarget {
    int n_classes;
    const std::int32_t* code;  // one class per sample; else null
    const double* weight;      // n x n_classes, not negative; else null
};

enum MetricKind { kTree = 0, kTransport = 1, kInformation = 2 };

struct ClassMetric {
    MetricKind kind;
    int n_edges;                      // of the tree
    const double* edge_weight;
    const std::int32_t* above_first;  // the edges above class s: above[above_first[s]] ...
    const std::int32_t* above;
    const double* distance;           // transport: n_classes x n_classes
};

// A feature, and those that it is judged against, at the given grain.
struct Judged {
    int feature, grain, n_against;
    const std::int32_t* against;
};

// Logarithms of 0!, 1!, ...: as many as there may be samples in a cell.
struct LogFactorials {
    const double* values;
    std::size_t size;
};

// For each, the sum of n_gx times the divergence and, of whole counts, its mean by chance: n_asked x 2.
void judge_features(const Levels&, const ClassTarget&, const ClassMetric&, const LogFactorials&,
                    const Judged*, int n_asked, bool with_null, int n_threads, double* sums);

// The mean of the sum over permutations of the feature within the groups, by n_keys x n keys.
double judge_permuted(const Levels&, const ClassTarget&, const ClassMetric&, const Judged&,
                      const double* keys, int n_keys);

// Calls work(context, task, worker) for every task; any worker may do any task, so that the result
// must not depend on which. Threads that cannot be started are done without. If a task throws, all
// workers stop, and the first exception is thrown again here.
void run_tasks(int n_tasks, int n_threads, void (*work)(void*, int, int), void* context);

// So many workers at most: their numbers are 0, 1, ...
int n_workers(int n_tasks, int n_threads);

// To be called in all work that can be long, with about the number of operations (nanoseconds)
// since the last call: throws if the work is to stop.
void check_stop(std::size_t operations);

// While it lives, the work of this thread asks `watch` about every 50 ms; it throws to stop the work.
class Watching {
public:
    explicit Watching(void (*watch)());
    ~Watching();
    Watching(const Watching&) = delete;
    Watching& operator=(const Watching&) = delete;

private:
    struct Watch* before_;  // of the thread: work may be started from inside `watch`
};

}  // namespace tamis
