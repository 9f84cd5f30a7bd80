// Arrays for code that is compiled once per CPU level. The allocator lives in the level's own
// namespace, so that no function compiled for a newer CPU is ever shared with the baseline
// (the linker keeps one copy of equal templates). It aligns to a cache line and does not clear
// numbers that nobody asked to be cleared.
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
    template <class U>
    void construct(U* p) {
        ::new (static_cast<void*>(p)) U;
    }
    template <class U, class... Args>
    void construct(U* p, Args&&... args) {
        ::new (static_cast<void*>(p)) U(static_cast<Args&&>(args)...);
    }
    bool operator==(const Aligned&) const { return true; }
    bool operator!=(const Aligned&) const { return false; }
};

template <class T>
using Array = std::vector<T, Aligned<T>>;

}  // namespace TAMIS_LEVEL
}  // namespace tamis
