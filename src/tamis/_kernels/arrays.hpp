// Arrays that cross between Python and the kernels, and what holds while a kernel runs.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <limits>
#include <memory>
#include <new>

#include "api.hpp"

namespace tamis {

namespace nb = nanobind;

template <class T, std::size_t N>
using Input = nb::ndarray<const T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;
using Matrix = Input<double, 2>;
using Vector = Input<double, 1>;
using Long = Input<std::int64_t, 1>;
using Indices = Input<std::int32_t, 1>;
using IndexMatrix = Input<std::int32_t, 2>;

template <class T, std::size_t N>
using Output = nb::ndarray<nb::numpy, T, nb::ndim<N>>;

// Room for an answer, to be handed over to Python.
template <class T, std::size_t N>
class Room {
public:
    explicit Room(std::array<std::size_t, N> shape) : shape_(shape), data_(new T[size_of(shape)]) {}

    T* data() { return data_.get(); }

    Output<T, N> give() {
        nb::capsule owner(data_.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
        return Output<T, N>(data_.release(), N, shape_.data(), owner);
    }

private:
    std::array<std::size_t, N> shape_;
    std::unique_ptr<T[]> data_;

    static std::size_t size_of(const std::array<std::size_t, N>& shape) {
        std::size_t size = 1;
        for (std::size_t extent : shape) {
            if (extent && size > std::numeric_limits<std::size_t>::max() / extent) throw std::bad_alloc();
            size *= extent;
        }
        return size;
    }
};

// Python runs signal handlers, of Ctrl-C for one, when asked to, in its main thread only.
inline void run_signal_handlers() {
    nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

inline bool in_main_thread() {
    static const nb::handle main_thread =
        nb::object(nb::module_::import_("threading").attr("main_thread")).release();
    return nb::cast<unsigned long>(main_thread().attr("ident")) == PyThread_get_thread_ident();
}

// While it lives, other threads of Python run; an exception of a signal handler ends the work. Other
// threads than the main one are spared the asking, since Python ends those that ask after its own end.
class Released {
    Watching watching_{in_main_thread() ? run_signal_handlers : nullptr};
    nb::gil_scoped_release released_;
};

}  // namespace tamis
