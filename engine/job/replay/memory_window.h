#pragma once
// Memory as a grid: the contents of a part of a buffer or of a block's shared memory just before and just after a step,
// and who accessed it before that.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "job/replay/shared_arrays.h"
#include "job/run/job.h"
#include "ptx/instruction.h"
#include "sim/replay_memory.h"

namespace lanescope::job {

// A memory that a launch works on.
struct NamedMemory {
  std::string name;                      // the name that PlaceNames gives it
  int argument = -1;                     // as in WrongElement; −1: shared memory, or a variable of the module
  trace::MemorySpace space{};            // global or shared
  ptx::Type type = ptx::Type::none;      // type of the elements; b8 … b64 if not known
  std::uint64_t address = 0, count = 0;  // address of the first element; number of elements
  std::int64_t pointer = 0;              // index of the element that the kernel's pointer points to, its [0]
  std::uint64_t row = 0;                 // elements per row if the lesson gives the count as a product, else 0
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(ptx::bytes_of(type)); }
  std::vector<SharedArray> arrays;                // that lie in it, of shared memory
  std::string element(std::int64_t index) const;  // "in[56]"; "tile[1][4]"; "tile + 148 B"
  // The index of "in[56]", "tile[1][4]", or "56" or "[56]", the one on the grid; none if there is no such element.
  std::optional<std::int64_t> find(std::string_view text) const;
  // Elements per row of the arrays that have several indices: 33 of tile[32][33].
  std::vector<std::int64_t> row_lengths() const;
};
// Buffers in the order of the parameters, then shared memory, then variables.
std::vector<NamedMemory> memories_of(const Outcome& outcome, int launch, const lesson::Variant* variant);

struct MemoryWindow {
  std::vector<NamedMemory> memories;
  std::size_t shown = 0;  // index in `memories`
  std::int64_t first = 0;
  sim::Step step;
  sim::MemoryState state;  // per element, from `first` on
  const NamedMemory& memory() const { return memories[shown]; }
  std::int64_t end() const { return first + static_cast<std::int64_t>(state.elements.size()); }
  bool has(std::int64_t index) const { return index >= first && index < end(); }
  std::uint64_t bits(std::int64_t index, bool after) const;
  // False: it was never written, and bits() mean nothing.
  bool has_contents(std::int64_t index, bool after) const {
    return after ? element(index).has_after : element(index).has_before;
  }
  const sim::MemoryState::Element& element(std::int64_t index) const {
    return state.elements[static_cast<std::size_t>(index - first)];
  }
  sim::WatchedBytes bytes_of(std::int64_t index) const;
};
// `name`: the memory to show. If it is empty or unknown: the one that the step accesses, else `otherwise`, else the
// last buffer. The window is clipped to the memory. `variant` may be null. Takes long: do not call it while a frame is
// drawn. Errors: those of step_values(), and memory.none.
struct WantedWindow {
  std::string name, otherwise;
  std::int64_t first = 0;
  std::uint64_t count = 0;
};
Result<MemoryWindow> memory_window(const Outcome& outcome, int launch, const sim::Step& step,
                                   const WantedWindow& wanted, const lesson::Variant* variant,
                                   sim::Progress* progress = nullptr);

}  // namespace lanescope::job
