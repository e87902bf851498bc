#pragma once
// Computes verify's verdict on one number from all evidence. Pure. Internal to job/.

#include <cstdint>
#include <optional>

#include "core/worded.h"
#include "job/witness/reasons.h"
#include "job/witness/verify.h"

namespace lanescope::job {

// Read only if bank conflicts differ.
inline constexpr const char* arbitration_counter = "l1tex__data_bank_conflicts_type_arbitration.sum";
inline constexpr const char* wavefront_counters[] = {
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"};
// Those leave out the instructions that move matrices (LDSM, STSM), which the bank-conflict counter includes.
inline constexpr const char* matrix_counters[] = {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum",
                                                  "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_stsm.sum"};

// Counters that explain why the bank-conflict counter exceeds the kernel's own conflicts: the wavefronts of the
// accesses, counted per instruction, the conflicts from arbitration between L1's clients, and the bank-conflict counter
// itself in that other run of the kernel.
struct ConflictCounts {
  std::optional<std::uint64_t> wavefronts, arbitration, again;
  bool has_matrices = false;  // `wavefronts` includes the matrix counter's
};
// What the interpreter says of the same accesses.
struct InterpretedConflicts {
  std::uint64_t wavefronts = 0, conflicts = 0;
};
// Evidence that the conflicts beyond the interpreted ones do not come from the kernel; empty if there is none.
// `number`: conflicts of shared_load, shared_store or shared_atomic.
Wording explain_conflicts(Number number, const InterpretedConflicts& interpreted, const ConflictCounts& counts);

// Compares all witnesses that have a value. `number`: the row's. If they differ, the first of reasons() that explains
// it becomes the evidence.
void judge(AgreementRow& row, Number number, const trace::Trace& interpreted, const SassCode& sass,
           const Circumstances& known, const Beside& beside);

}  // namespace lanescope::job
