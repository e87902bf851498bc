#pragma once
// An outcome as text: a heading, its numbers, the cost of each line, buffers and checks.

#include <string>

#include "job/run/job.h"
#include "job/run/schedules.h"

namespace lanescope::cli {

// "stride_copy · grid 64 × 1 × 1 · block 256 × 1 × 1 · sm_90, NVRTC 13.0.88 · interpreted".
std::string heading(const trace::Trace& trace);
// The numbers of classes in which something happened.
std::string numbers_table(const trace::Trace& trace, bool nsight);
// One group a source line, one row a PTX instruction that touches memory, branches or communicates. `source`, the text
// of the file `name`, may be empty.
std::string sites_table(const trace::Trace& trace, const std::string& name, const std::string& source);
std::string buffers_table(const std::vector<job::BufferSummary>& buffers);
std::string checks_list(const std::vector<job::CheckResult>& checks);
// What was kept of the events and what was not.
std::string events_line(const trace::Trace& trace);

// All of it.
std::string report(const job::Outcome& outcome, bool nsight);

// The races that a run found, each with its two accesses and what would order them.
std::string races_text(const job::Outcome& outcome);
// The results that other orders ended in, how far they lie apart, and races that the standard order did not show.
std::string schedules_text(const job::ScheduleReport& report);

}  // namespace lanescope::cli
