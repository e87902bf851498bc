#pragma once
// Computes verify's verdict on one number from all evidence. Pure. Internal to job/.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "core/worded.h"
#include "job/witness/record_comparison.h"
#include "job/witness/sass_evidence.h"
#include "job/witness/verify.h"
#include "trace/trace.h"

namespace lanescope::job {

// Counted only where bank conflicts differ.
inline constexpr const char* arbitration_counter = "l1tex__data_bank_conflicts_type_arbitration.sum";
inline constexpr const char* wavefront_counters[] = {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                                     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"};

// Evidence about a launch besides its numbers. Empty: no such evidence.
struct Circumstances {
  Wording entries;       // where the recorded block entries differ from the model's
  Wording regrouped;     // accesses that the GPU recorded with a different lane grouping; each lane makes the same ones
  Wording unrepeatable;  // why two runs of the unmodified kernel differ
  std::optional<std::vector<int>> lines_that_part;  // RecordComparison's, of the accesses
  std::optional<bool> changed;  // whether some lane made other accesses than in the model, where they were recorded
  std::string outside;          // functions_outside()
  const trace::Trace* recorded = nullptr;
  std::vector<RecordComparison> records;
  PtxLines instruction_lines;  // lines_of_instructions()
};

// Further counts of a number besides its counter.
struct Beside {
  Wording not_the_kernels;  // why more may have been counted than the kernel does; empty when there is no reason
  std::optional<std::uint64_t> by_instruction;  // the same of the kernel's own instructions
  std::string counters;                         // their names
  std::optional<std::uint64_t> copies;          // wavefronts of copies to shared memory
  std::optional<Agreed> requests;               // of a number of sectors: what became of its requests
};

// Every witness that has a value takes part. Explanations that follow each access come before those that only say why
// the numbers may differ.
void judge(AgreementRow& row, const trace::Trace& interpreted, const compile::Sass& sass, const Circumstances& known,
           const Beside& beside);

}  // namespace lanescope::job
