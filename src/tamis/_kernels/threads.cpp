// Tasks over threads, and whether to go on with them.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <vector>

#include "api.hpp"

namespace tamis {

using Clock = std::chrono::steady_clock;

// What this thread looks at to know whether to stop.
struct Watch {
    void (*ask)() = nullptr;
    const std::atomic<bool>* stop = nullptr;  // of the tasks that it works on
    std::size_t operations = 0;               // since the last look
    Clock::time_point next{};                 // when to ask again
};

namespace {

constexpr std::size_t kOperations = std::size_t(1) << 20;  // about a millisecond between looks
constexpr auto kBetween = std::chrono::milliseconds(50);

struct Stopped {};  // thrown by a worker because another one has thrown

thread_local Watch here;

// Ends when all its threads have.
struct Crew {
    std::vector<std::thread> threads;
    ~Crew() {
        for (auto& thread : threads) thread.join();
    }
};

class Tasks {
public:
    Tasks(int n_tasks, void (*work)(void*, int, int), void* context)
        : n_tasks_(n_tasks), work_(work), context_(context) {}

    void run(int n_workers) {
        {
            Crew others;
            others.threads.reserve(n_workers);
            for (int id = 1; id < n_workers; ++id) {
                try {
                    others.threads.emplace_back([this, id] { take(id); });
                } catch (const std::exception&) {  // no more threads to be had: fewer do the same
                    break;
                }
            }
            const std::atomic<bool>* before = here.stop;
            take(0);
            here.stop = before;
        }
        if (first_) std::rethrow_exception(first_);
    }

private:
    const int n_tasks_;
    void (*const work_)(void*, int, int);
    void* const context_;
    std::atomic<int> next_{0};
    std::atomic<bool> stop_{false};
    std::exception_ptr first_;  // written by the worker that sets stop_, read when all have ended

    void take(int worker) noexcept {
        here.stop = &stop_;
        try {
            for (int task; !stop_ && (task = next_.fetch_add(1)) < n_tasks_;) {
                check_stop(1000);
                work_(context_, task, worker);
            }
        } catch (const Stopped&) {
        } catch (...) {
            if (!stop_.exchange(true)) first_ = std::current_exception();
        }
    }
};

}  // namespace

int n_workers(int n_tasks, int n_threads) { return std::max(1, std::min(n_tasks, n_threads)); }

void run_tasks(int n_tasks, int n_threads, void (*work)(void*, int, int), void* context) {
    Tasks(n_tasks, work, context).run(n_workers(n_tasks, n_threads));
}

void check_stop(std::size_t operations) {
    Watch& watch = here;
    watch.operations += operations;
    if (watch.operations < kOperations) return;
    watch.operations = 0;
    if (watch.stop && *watch.stop) throw Stopped();
    if (!watch.ask) return;
    auto now = Clock::now();
    if (now < watch.next) return;
    watch.next = now + kBetween;
    watch.ask();
}

Watching::Watching(void (*watch)()) : before_(new Watch(here)) {
    here = Watch{watch, nullptr, 0, Clock::now() + kBetween};
}

Watching::~Watching() {
    here = *before_;
    delete before_;
}

}  // namespace tamis
