#pragma once
// Machine code that makes a number differ from the model's although the program is the same: retries, waits,
// convergence barriers that are passed between calls, words of local memory, driver functions. Pure. Internal to job/.

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

// Explains global loads and atomics in a loop that another thread ends: a compare-and-swap that is retried until it
// succeeds, or a repeated strong load. Also explains any access in a loop that waits for a phase of an mbarrier object,
// if the record shows that only such accesses differ. `lines_that_part`: lines where the kernel's own record, if there
// is one, has more or fewer accesses than the model; all must lie in that loop. `more`: the count is higher than the
// model's. A lower count can be timing only if the record, if there is one, also shows other accesses of some lane
// (`changed`). Empty if the machine code gives no reason.
struct Waited {
  std::optional<std::vector<int>> lines_that_part;
  std::optional<bool> changed;
  bool more = true;
};
Wording explain_waiting(Number number, const SassCode& sass, const Waited& waited);

// The range of a number if each lane makes the accesses of this trace in any grouping: from all lanes of a warp
// together to each lane alone. nullopt if the trace does not hold every event.
std::optional<Bounds> bounds_of(Number number, const trace::Trace& interpreted);

// Explains lanes that diverge in called functions (the machine code keeps a convergence barrier in a register during a
// call) or leave a barrier (BREAK). Requires that each lane makes the same accesses (RecordComparison::only_regrouped).
// Empty if the machine code has neither, or if one of the values is out of bounds.
Wording explain_meeting_elsewhere(const SassCode& sass, const std::vector<std::uint64_t>& values,
                                  const std::optional<Bounds>& bounds);

// Explains counts of local requests, whose unit differs from the model's. Local memory stores the first words of a
// warp's lanes side by side, then their second words, and so on. The hardware counts one request per word (measured on
// an H200: an STL.128 is 4 for any number of lanes), and none for a generic instruction whose other lanes access global
// memory. Empty if the number computed in this way is not `counted`.
Wording explain_by_words(Number number, const trace::Trace& interpreted, const SassCode& sass, std::uint64_t counted);

// Explains accesses of PtxFacts::functions_outside that are counted; `counted` exceeds the kernel's own accesses. Empty
// if the machine code has no such call.
Wording explain_outside(const std::string& functions, const SassCode& sass);

}  // namespace lanescope::job
