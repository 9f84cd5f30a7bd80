// The parts of the module that stand in files of their own.
#pragma once
#include <nanobind/nanobind.h>

namespace tamis {
void bind_blanket(nanobind::module_&);
}  // namespace tamis
