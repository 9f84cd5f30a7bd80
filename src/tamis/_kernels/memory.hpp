// Arrays for code that is compiled once per CPU level. The allocator lives in the level's own
// namespace, so that no function compiled for a newer CPU is ever shared with the baseline
// (the linker keeps one copy of equal templates), and it aligns to a cache line.
#pragma once
#include <cstddef>
#include <new>
#include <vector>

namespace tamis {
inline namespace TAMIS_LEVEL {

template <class T>
struct Aligned {
    using value_type = T;
    Aligned() = default;
    template <class U>
    Aligned(const Aligned<U>&) {}
    T* allocate(std::size_t n) {
        return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(64)));
    }
    void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
    bool operator==(const Aligned&) const { return true; }
    bool operator!=(const Aligned&) const { return false; }
};

template <class T>
using Array = std::vector<T, Aligned<T>>;

}  // namespace TAMIS_LEVEL
}  // namespace tamis
