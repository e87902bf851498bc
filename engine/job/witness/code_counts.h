#pragma once
// The hardware's counts of each machine instruction, beside the interpreter's of the access in PTX that it comes from.
// Pure. Internal to job/.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/worded.h"
#include "gpu/gpu.h"
#include "job/sass/number.h"
#include "job/sass/sass_code.h"
#include "trace/trace.h"

namespace lanescope::job {

// What one machine instruction did, summed over the launch. An instruction without accesses has only zeros.
struct CodeCount {
  // Executions by a warp in which at least one lane accesses this space. A generic access may reach several.
  std::uint64_t global = 0, local = 0, shared = 0, distributed = 0;
  std::uint64_t lanes = 0;  // whose guard was true
  // Of global memory. nullopt: CUPTI counts them otherwise than the hardware does: for copies to shared memory, and for
  // generic accesses whose lanes reach several spaces.
  std::optional<std::uint64_t> sectors;
  std::uint64_t wavefronts = 0, ideal_wavefronts = 0;  // of shared memory
  std::uint64_t executions(trace::MemorySpace space) const;
};

// CUPTI's SASS metrics that code_counts() needs, for Session::count_instructions().
std::vector<std::string> metrics_of_code();
// Indexed like `sass.instructions`. `kernel`: its mangled name; instructions of other functions are left out.
std::vector<CodeCount> code_counts(const gpu::CountedInstructions& counted, const SassCode& sass,
                                   const std::string& kernel);

// A number of one source line: as interpreted, and as counted for the machine instructions of that line.
struct LineCount {
  int line = 0;
  // False: the machine instructions come from no access of this class in the PTX, such as a saved register.
  bool in_ptx = true;
  std::uint64_t interpreted = 0;
  std::optional<std::uint64_t> counted = 0;   // nullopt: not counted for some of them (CodeCount::sectors)
  const MachineInstruction* first = nullptr;  // the first of them; null: ptxas left none
};
// In the order of lines. `counts`: code_counts(). Empty if the trace does not tell what each line did.
std::vector<LineCount> by_line(Number number, const trace::Trace& interpreted, const SassCode& sass,
                               const std::vector<CodeCount>& counts);

// Tells where the machine code makes another number than the PTX, or that only the recording does. Empty unless the
// counts of the instructions add up to `counted`, and to the interpreter's number without the machine code's changes.
// The caller must know that the PTX makes the interpreter's accesses on the GPU too.
Wording explain_by_code_counts(Number number, const trace::Trace& interpreted, const SassCode& sass,
                               const std::vector<CodeCount>& counts, std::uint64_t counted);
// Explains sectors of atomics and reductions, of which the counter counts those of lanes with the same address several
// times: at most once for each lane. Empty if the instructions' own sectors are not those of `witness`; without one,
// their own sectors are taken as they are.
Wording explain_turns_by_code_counts(Number number, const trace::Trace& interpreted, const SassCode& sass,
                                     const std::vector<CodeCount>& counts, std::uint64_t counted,
                                     std::optional<std::uint64_t> witness);
// Explains a number of which the counter includes more than the instructions of the kernel, because it calls functions
// of the driver. `drivers`: explain_outside(). Empty if the kernel's own instructions make as many or more.
Wording explain_drivers_by_code_counts(Number number, const trace::Trace& interpreted, const SassCode& sass,
                                       const std::vector<CodeCount>& counts, std::uint64_t counted,
                                       const Wording& drivers);
// Explains requests to global and local memory, and sectors of global memory, where the counter differs from the counts
// of the instructions, because lanes of one generic access reach both: the counter takes such an access for either.
// Empty if there are too few of them.
Wording explain_mixed_by_code_counts(Number number, const trace::Trace& interpreted, const SassCode& sass,
                                     const std::vector<CodeCount>& counts, std::uint64_t counted);

// Tells that lanes of a warp leave a barrier apart, in a kernel that votes at barriers. Then an H200 gave each lane the
// vote of those only that were together with it (ptxas 13.0.88, after a recursive function). Empty if no barrier is
// followed by an access that its lanes execute in more executions, or if the kernel does not vote. CUPTI's counting of
// all executions (smsp__sass_inst_executed) brought such lanes together, so the barrier's own executions are not known.
Wording vote_of_lanes_apart(const trace::Trace& interpreted, const SassCode& sass,
                            const std::vector<CodeCount>& counts);

}  // namespace lanescope::job
