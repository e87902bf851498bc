#pragma once
// Reasons from the machine code alone: special loops, and instruction counts in PTX and SASS. Rows of reasons().
// Internal to job/.

#include "core/worded.h"
#include "job/witness/reasons.h"

namespace lanescope::job {

// grid.sync() of cooperative groups polls a word in memory.
bool spins_in_grid_sync(const Case& one);

bool changes_global_values_or_reads_them(const Case& one);
Wording half_atomic_loops(const Case& one);
// The sentence of it, about a 16-bit atomic of this line.
Wording half_atomic_is_a_loop(const MachineInstruction& swap, int line);
Wording grid_sync_spins(const Case& one);
// Reductions (no result) that ptxas turned into atomics, such as those before a fence that must wait for them.
Wording reductions_made_atomics(const Case& one);
Wording array_in_registers(const Case& one);
Wording registers_spilled(const Case& one);
Wording merged_into_wider(const Case& one);
Wording removed_or_merged(const Case& one);
Wording unrolled_or_duplicated(const Case& one);

}  // namespace lanescope::job
