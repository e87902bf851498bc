#pragma once
// Computes verify's verdict on one number from all evidence. Pure. Internal to job/.

#include <cstdint>
#include <optional>

#include "core/worded.h"
#include "job/witness/reasons.h"
#include "job/witness/verify.h"

namespace lanescope::job {

// Counted only where bank conflicts differ.
inline constexpr const char* arbitration_counter = "l1tex__data_bank_conflicts_type_arbitration.sum";
inline constexpr const char* wavefront_counters[] = {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                                     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"};

// Counters that tell why the one of bank conflicts may hold more than the kernel's own: how many wavefronts the
// accesses took, counted by instruction, and how many conflicts came of L1's clients meeting.
struct ConflictCounts {
  std::optional<std::uint64_t> wavefronts, arbitration;
};
// Evidence that conflicts counted beyond the interpreted ones are none of the kernel's; empty when there is none.
// `number`: conflicts of shared_load or shared_store.
Wording explain_conflicts(Number number, std::uint64_t interpreted_wavefronts, const ConflictCounts& counts);

// Every witness that has a value takes part. `number`: the row's. Where they part, the first of reasons() that explains
// it is the evidence.
void judge(AgreementRow& row, Number number, const trace::Trace& interpreted, const SassCode& sass,
           const Circumstances& known, const Beside& beside);

}  // namespace lanescope::job
