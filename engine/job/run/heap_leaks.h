#pragma once
// What kernels allocated and nobody freed.

#include "core/diagnostic.h"
#include "sim/memory/device_heap.h"

namespace lanescope::job {

// Notes (memory.heap_leak) at the lines that allocated it, those of the most bytes first, a few at most.
Diagnostics heap_leaks(const sim::DeviceHeap& heap);

}  // namespace lanescope::job
