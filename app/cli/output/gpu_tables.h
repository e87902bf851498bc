#pragma once
// GPU results as text tables.

#include <string>

#include "job/witness/gpu_report.h"
#include "metrics/statistics.h"

namespace lanescope::cli {

// One row per number with the values of the three witnesses and the verdict; then the comparison of the records.
std::string agreement_table(const job::Agreement& agreement);

// What to call the range of a time: with too few samples it is not a 95 % interval.
const char* interval_name(const metrics::Interval& interval);

// "12.35 µs", "1.2 ms".
std::string seconds(double value);
// "12.35 µs ± 0.2 % (95 % interval 12.33 … 12.38, 140 samples, L2 flushed, SM clock 1,980 MHz)".
std::string time_sentence(const gpu::Timing& timing);

// Device, time, registers and occupancy, followed by the table above.
std::string gpu_section(const job::GpuReport& report);

}  // namespace lanescope::cli
