#pragma once
// Memory that kernels allocated and never freed.

#include "core/diagnostic.h"
#include "sim/memory/device_heap.h"

namespace lanescope::job {

// Notes (memory.heap_leak) at the lines that allocated it: a few at most, the largest first.
Diagnostics heap_leaks(const sim::DeviceHeap& heap);

}  // namespace lanescope::job
