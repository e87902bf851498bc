#include "job/run/heap_leaks.h"

#include <algorithm>
#include <map>
#include <vector>

#include "core/worded.h"

namespace lanescope::job {

namespace {

constexpr std::size_t most_lines = 4;

struct LeakingLine {
  const sim::HeapAllocation* first = nullptr;
  std::uint64_t count = 0, bytes = 0;
};

}  // namespace

Diagnostics heap_leaks(const sim::DeviceHeap& heap) {
  std::map<std::uint32_t, LeakingLine> by_line;
  for (const auto& [address, allocation] : heap.allocations()) {
    LeakingLine& line = by_line[allocation.allocated.line];
    if (line.first == nullptr) line.first = &allocation;
    ++line.count;
    line.bytes += allocation.bytes();
  }
  std::vector<LeakingLine> lines;
  for (const auto& [number, line] : by_line) lines.push_back(line);
  std::ranges::stable_sort(lines, std::greater{}, &LeakingLine::bytes);
  lines.resize(std::min(lines.size(), most_lines));
  Diagnostics notes;
  for (const LeakingLine& line : lines) {
    const sim::HeapCall& by = line.first->allocated;
    notes.push_back(
        {Severity::note, "memory.heap_leak", heap.line(by).place,
         worded(
             "allocated in this line and never freed: {} byte{} in {} allocation{}, one of them by thread ({}, {}, {}) "
             "of block ({}, {}, {})",
             line.bytes, line.bytes == 1 ? "" : "s", line.count, line.count == 1 ? "" : "s", by.thread.x, by.thread.y,
             by.thread.z, by.block.x, by.block.y, by.block.z),
         "Free them in a kernel (free() or delete). The host cannot; on a GPU they stay until the program ends."});
  }
  return notes;
}

}  // namespace lanescope::job
