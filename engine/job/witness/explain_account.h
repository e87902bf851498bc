#pragma once
// Explanations of a number that follow its accesses from PTX to SASS one by one. Pure. Internal to job/.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/worded.h"
#include "job/witness/sass_account.h"

namespace lanescope::job {

// Explains a run's number by the accesses that remain in the machine code: with the lane grouping of the model, with
// that of the kernel's own record (`recorded`: its trace, may be null), or with a grouping between the two for each
// access. Empty if none of them gives `counted`.
Wording explain_by_account(Number number, const trace::Trace& interpreted, const trace::Trace* recorded,
                           const SassCode& sass, CountedBy by, std::uint64_t counted,
                           const std::vector<RecordComparison>& records, const PtxLines& instruction_lines);

// Why l1tex may count more than the kernel's own instructions: driver functions that it calls (`outside`:
// PtxFacts::functions_outside), or generic accesses that also reach local memory. Empty if the machine code shows
// neither.
Wording beyond_instructions(Number number, const trace::Trace& interpreted, const SassCode& sass,
                            const std::string& outside);

// The same as explain_by_account() for a number that was also counted per instruction: `by_instruction`, and the names
// of those counters. `beyond`: the result of beyond_instructions().
Wording explain_by_instruction(Number number, const trace::Trace& interpreted, const trace::Trace* recorded,
                               const SassCode& sass, std::uint64_t counted, std::uint64_t by_instruction,
                               const std::string& counters, const Wording& beyond,
                               const std::vector<RecordComparison>& records, const PtxLines& instruction_lines);

// Explains conflicts of stores to shared memory in a kernel that also copies to it (cp.async), which the hardware
// counts separately. `wavefronts`: the counted wavefronts of the copies. On an H200 these were the conflicts of their
// banks if lanes copy to neighbouring places, and up to one per lane if not. Empty if the stores alone do not give
// `counted`, or the copies do not give `wavefronts`.
Wording explain_copies(Number number, const trace::Trace& interpreted, const SassCode& sass, std::uint64_t counted,
                       std::optional<std::uint64_t> wavefronts);

}  // namespace lanescope::job
