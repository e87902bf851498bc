#pragma once
// Machine code that makes a number differ from the model's though the program is the same: what is tried again, what
// waits, convergence barriers that are handed from call to call, words of local memory, the driver's functions. Pure.
// Internal to job/.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "core/worded.h"
#include "job/witness/verify.h"
#include "trace/trace.h"

namespace lanescope::job {

// What one of verify's numbers counts: "global_load.requests" → loads of global memory.
struct AccessClass {
  trace::MemorySpace space{};
  SassAccess::Kind kind{};
};
AccessClass class_of_number(const std::string& number);
SassAccess::Kind kind_of(trace::Operation operation);

// Lines of the PTX that hold an instruction, by function; in order.
using PtxLines = std::vector<std::vector<int>>;

// The first of its kind; null when there is none.
const compile::SassInstruction* find_instruction(const compile::Sass& sass, SassAccess::Kind kind);
// The first call of a function that is the driver's and not the kernel's; null when there is none.
const compile::SassInstruction* call_of_driver(const compile::Sass& sass);

// Requests that l1tex counts for a local access of this many bytes per lane: one per 4 bytes (see explain_by_words()).
constexpr std::uint64_t local_requests(int bytes) {
  return bytes < 8 ? 1 : static_cast<std::uint64_t>(bytes) / 4;
}

// A loop: the instructions from where a branch leads back to, to that branch. Indices into Sass::instructions.
struct SassLoop {
  std::size_t first = 0, last = 0;
};
// (More than a loop may lie between: ptxas puts what is seldom run behind all else, and jumps back from there.)
std::vector<SassLoop> loops_of(const compile::Sass& sass);

// Ways through the instructions of one function: calls return.
class SassFlow {
 public:
  explicit SassFlow(const compile::Sass& sass);
  // Whether some way leads from the instruction back to it. Also true where a jump's targets are not known.
  bool comes_again(std::size_t instruction) const;

 private:
  static constexpr std::size_t nowhere = ~std::size_t{0}, anywhere = nowhere - 1;
  struct Next {
    std::size_t after = nowhere, jump = nowhere;
  };
  std::vector<Next> next_;  // by instruction
};

// Global loads and atomics of a loop whose end is another thread's doing: a compare-and-swap tried until it wins, or a
// strong load repeated. `lines_that_part`: where the kernel's own record has more or fewer accesses than the model,
// when there is one; all must lie in that loop. `more`: more were counted than the model has; fewer can be timing only
// where the record, when there is one, has other accesses of some lane too (`changed`). Empty when the machine code
// gives no reason.
struct Waited {
  std::optional<std::vector<int>> lines_that_part;
  std::optional<bool> changed;
  bool more = true;
};
Wording explain_waiting(const std::string& number, const compile::Sass& sass, const Waited& waited);

// What a number of requests or sectors can be when each lane makes the accesses of this trace, whoever runs with it:
// from all lanes of a warp together to each alone. None for other numbers, and when the trace does not hold every
// event.
struct Bounds {
  std::uint64_t low = 0, high = 0;
  bool contain(std::uint64_t value) const { return low <= value && value <= high; }
};
std::optional<Bounds> bounds_of(const std::string& number, const trace::Trace& interpreted);

// Lanes that part in called functions (the machine code keeps a convergence barrier in a register while another
// function runs), or that leave a barrier (BREAK). Only where each lane is known to make the same accesses
// (RecordComparison::only_regrouped). Empty when the machine code has neither, or one of the values is out of bounds.
Wording explain_meeting_elsewhere(const compile::Sass& sass, const std::vector<std::uint64_t>& values,
                                  const std::optional<Bounds>& bounds);

// Counters of local requests, whose unit is not the model's: local memory holds the first words of a warp's lanes side
// by side, then their second words, and the hardware counts a request for each (measured on an H200: an STL.128 is 4 by
// any number of lanes), and none for a generic instruction that some lanes make to global memory. Empty when what is
// worked out so from the trace is not `counted`.
Wording explain_by_words(const std::string& number, const trace::Trace& interpreted, const compile::Sass& sass,
                         std::uint64_t counted);

// Functions of the driver that the kernel calls (vprintf, malloc): called and not defined in its PTX. "vprintf,
// malloc"; mostly empty.
std::string functions_outside(const std::string& ptx);
// Accesses of theirs that are counted; `counted` is more than the kernel's own. Empty when the machine code has no such
// call.
Wording explain_outside(const std::string& functions, const compile::Sass& sass);

}  // namespace lanescope::job
