#pragma once
// An outcome as text: a heading, its numbers, the cost per line, buffers and checks.

#include <string>

#include "job/run/job.h"
#include "job/run/schedules.h"

namespace lanescope::cli {

// "stride_copy · grid 64 × 1 × 1 · block 256 × 1 × 1 · sm_90, NVRTC 13.0.88 · interpreted".
std::string heading(const trace::Trace& trace);
// The numbers of classes that had a request.
std::string numbers_table(const trace::Trace& trace, bool nsight);
// One group per source line with one row per PTX instruction that accesses memory, branches or communicates. `source`,
// the text of the file `name`, may be empty.
std::string sites_table(const trace::Trace& trace, const std::string& name, const std::string& source);
std::string buffers_table(const std::vector<job::BufferSummary>& buffers);
std::string checks_list(const std::vector<job::CheckResult>& checks);
// How many events were kept and how many were not.
std::string events_line(const trace::Trace& trace);

// The complete report.
std::string report(const job::Outcome& outcome, bool nsight);

// The races of a run, each with its two accesses and how to order them.
std::string races_text(const job::Outcome& outcome);
// The results of other orders, how far they are apart, and races that the standard order did not show.
std::string schedules_text(const job::ScheduleReport& report);

}  // namespace lanescope::cli
