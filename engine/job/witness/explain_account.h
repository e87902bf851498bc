#pragma once
// Explanations of a number that follow its accesses from PTX to SASS, one by one. Pure. Internal to job/.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/worded.h"
#include "job/witness/sass_account.h"

namespace lanescope::job {

// A run's number, explained by where its accesses are left in the machine code: by the model's company of lanes, by the
// company that they have in the kernel's own record (`recorded`: its trace, may be null), or access by access by one
// between these two. Empty when none gives `counted`.
Wording explain_by_account(Number number, const trace::Trace& interpreted, const trace::Trace* recorded,
                           const SassCode& sass, CountedBy by, std::uint64_t counted,
                           const std::vector<RecordComparison>& records, const PtxLines& instruction_lines);

// Why l1tex may count more than the kernel's own instructions make: functions of the driver that it calls (`outside`:
// functions_outside()), generic accesses that reach local memory too. Empty when the machine code gives no reason.
Wording beyond_instructions(Number number, const trace::Trace& interpreted, const SassCode& sass,
                            const std::string& outside);

// The same as explain_by_account() of a number that was counted a second time, by instruction: `by_instruction`, with
// the names of those counters. `beyond`: beyond_instructions().
Wording explain_by_instruction(Number number, const trace::Trace& interpreted, const trace::Trace* recorded,
                               const SassCode& sass, std::uint64_t counted, std::uint64_t by_instruction,
                               const std::string& counters, const Wording& beyond,
                               const std::vector<RecordComparison>& records, const PtxLines& instruction_lines);

// Conflicts of stores to shared memory, where the kernel also copies to it (cp.async): the hardware counts these apart.
// `wavefronts`: what it counted of copies. On an H200 they were those that their banks take where lanes copy side by
// side, and up to one for each lane where not. Empty when the stores alone do not make `counted`, or the copies not
// `wavefronts`.
Wording explain_copies(Number number, const trace::Trace& interpreted, const SassCode& sass, std::uint64_t counted,
                       std::optional<std::uint64_t> wavefronts);

}  // namespace lanescope::job
