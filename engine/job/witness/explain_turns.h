#pragma once
// Conflicts of atomics on shared memory, by what the machine code shows of each: where ptxas makes a loop, where it
// combines the lanes' operands first, where each lane has a turn of its own (docs/glossary.md, "Turn"). A row of
// reasons(). Internal to job/.

#include "core/worded.h"
#include "job/witness/reasons.h"

namespace lanescope::job {

// Whether the number is of these conflicts, and only the counter differs.
bool counts_shared_atomics(const Case& one);

// Empty unless the machine code makes the counted number, or at most it where a 16-bit atomic is a loop that repeats.
Wording turns_of_the_code(const Case& one);

}  // namespace lanescope::job
