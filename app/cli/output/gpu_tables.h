#pragma once
// GPU results as text tables.

#include <functional>
#include <string>

#include "job/witness/gpu_report.h"
#include "metrics/statistics.h"

namespace lanescope::cli {

// One row per number with the values of the three witnesses and the verdict; then the comparison of the records.
std::string agreement_table(const job::Agreement& agreement);

// "95 % interval 12.33 … 12.38, 140 samples"; with too few samples it is a range, with one sample there is none.
std::string interval_text(const metrics::Interval& interval, const std::function<std::string(double)>& time);

// "12.35 µs", "1.2 ms".
std::string seconds(double value);
// "12.35 µs ± 0.2 % (95 % interval 12.33 … 12.38, 140 samples, L2 flushed, SM clock 1,980 MHz)".
std::string time_sentence(const gpu::Timing& timing);

// Device, time, registers and occupancy, followed by the table above.
std::string gpu_section(const job::GpuReport& report);

// If it is gpu.events_not_kept, the cure of a command that cannot keep more events of a launch. Returns whether it is.
bool cure_of_events_not_kept(Diagnostic& diagnostic);

}  // namespace lanescope::cli
