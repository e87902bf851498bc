#pragma once
// Machine code that makes a number differ from the model's though the program is the same: what is tried again, what
// waits, convergence barriers that are handed from call to call, words of local memory, the driver's functions. Pure.
// Internal to job/.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/worded.h"
#include "job/sass/bounds.h"
#include "job/sass/number.h"
#include "job/sass/sass_code.h"
#include "trace/trace.h"

namespace lanescope::job {

// Global loads and atomics of a loop whose end is another thread's doing: a compare-and-swap tried until it wins, or a
// strong load repeated; and any access of a loop that waits for a phase of an mbarrier object, where the record shows
// that only such accesses part. `lines_that_part`: where the kernel's own record has more or fewer accesses than the
// model, when there is one; all must lie in that loop. `more`: more were counted than the model has; fewer can be
// timing only where the record, when there is one, has other accesses of some lane too (`changed`). Empty when the
// machine code gives no reason.
struct Waited {
  std::optional<std::vector<int>> lines_that_part;
  std::optional<bool> changed;
  bool more = true;
};
Wording explain_waiting(Number number, const SassCode& sass, const Waited& waited);

// What a number can be when each lane makes the accesses of this trace, whoever runs with it:
// from all lanes of a warp together to each alone. None when the trace does not hold every
// event.
std::optional<Bounds> bounds_of(Number number, const trace::Trace& interpreted);

// Lanes that part in called functions (the machine code keeps a convergence barrier in a register while another
// function runs), or that leave a barrier (BREAK). Only where each lane is known to make the same accesses
// (RecordComparison::only_regrouped). Empty when the machine code has neither, or one of the values is out of bounds.
Wording explain_meeting_elsewhere(const SassCode& sass, const std::vector<std::uint64_t>& values,
                                  const std::optional<Bounds>& bounds);

// Counters of local requests, whose unit is not the model's: local memory holds the first words of a warp's lanes side
// by side, then their second words, and the hardware counts a request for each (measured on an H200: an STL.128 is 4 by
// any number of lanes), and none for a generic instruction that some lanes make to global memory. Empty when what is
// worked out so from the trace is not `counted`.
Wording explain_by_words(Number number, const trace::Trace& interpreted, const SassCode& sass, std::uint64_t counted);

// Accesses of functions_outside() that are counted; `counted` is more than the kernel's own. Empty when the machine
// code has no such call.
Wording explain_outside(const std::string& functions, const SassCode& sass);

}  // namespace lanescope::job
