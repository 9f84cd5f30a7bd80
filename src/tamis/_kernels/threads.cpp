#include <atomic>
#include <thread>
#include <vector>

#include "api.hpp"

namespace tamis {

void run_tasks(int n_tasks, int n_threads, void (*work)(void*, int, int), void* context) {
    std::atomic<int> next{0};
    auto worker = [&](int id) {
        for (int task; (task = next.fetch_add(1)) < n_tasks;) work(context, task, id);
    };
    std::vector<std::thread> others;
    for (int id = 1; id < n_threads && id < n_tasks; ++id) others.emplace_back(worker, id);
    worker(0);
    for (auto& thread : others) thread.join();
}

}  // namespace tamis
