#pragma once
// Runs one request in many legal orders of blocks, warps and lanes, and finds the distinct results and the unordered
// accesses.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "job/run/job.h"
#include "job/run/race_text.h"

namespace lanescope::job {

// A buffer whose contents differ from those of the standard order.
struct ScheduleDifference {
  int argument = 0;
  std::string name;
  std::uint64_t elements = 0;      // number of elements that differ
  std::uint64_t first = 0;         // index of the first one
  double value = 0, standard = 0;  // its value, and the value in the standard order
};

// A result that some orders gave. Two runs have the same result if every buffer holds the same bytes, or if both ended
// with the same error.
struct ScheduleResult {
  std::uint32_t runs = 0;
  std::uint32_t first_seed = 0;        // 0 = the standard order
  std::vector<BufferSummary> buffers;  // after the run
  std::optional<Diagnostic> error;     // if the run did not complete
  // Differences from the standard order's result. Empty if that run failed, or if its buffers are too large to keep
  // (largest_kept_bytes).
  std::vector<ScheduleDifference> differences;
};
inline constexpr std::uint64_t largest_kept_bytes = 64ull << 20;

// The range of the sum of a buffer's elements over all completed runs. For a buffer of one element: of its value.
struct BufferSpread {
  int argument = 0;
  std::string name;
  std::uint64_t count = 0;         // elements
  std::uint32_t distinct = 0;      // number of different contents
  double lowest = 0, highest = 0;  // sums in double
  // For a floating-point buffer of one element, if exactly one other floating-point buffer was only read: the sum of
  // that buffer's elements in double, in order. For comparison only; the kernel may compute something else.
  std::optional<double> reference;
  std::string reference_name;
};

struct ScheduleRace {
  sim::Race race;
  int launch = 1;
  std::uint32_t seed = 0;  // of the run that found it first
  std::uint32_t runs = 0;  // number of runs that found it
  RaceText text, chinese;
};

// The conclusion from all runs together.
enum class ScheduleVerdict : std::uint8_t {
  ordered,  // every two accesses were ordered or both atomic, and every order gave the same result
  // Every two accesses were ordered, but results differ: by the order of atomics and other strong accesses.
  atomics,
  lucky,      // a race, although every tried order gave the same result: not seen is not safe
  racing,     // a race, and results differ
  failing,    // no race, but some order did not complete
  unwatched,  // no race was found, but not all accesses could be watched
  nothing     // not even the standard order could run
};

struct ScheduleReport {
  std::uint32_t asked = 0;              // seeds 1 … asked run after the standard order
  std::uint32_t done = 0;               // number of these that ran; fewer if cancelled
  std::vector<ScheduleResult> results;  // most frequent first
  std::vector<BufferSpread> spreads;    // for the buffers that some run changed
  std::vector<ScheduleRace> races;      // from all runs; empty and `complete` = all accesses were ordered in every run
  bool complete = true;                 // all accesses were watched
  bool race_found() const;              // notes do not count
  ScheduleVerdict verdict() const;
  Diagnostics problems;  // why nothing could run
};

// Runs the standard order and the seeds 1 … `schedules`, each with the race detector. The same seed always gives the
// same result. `progress->cancel` ends it early. `after_each` receives the number of seeds that are done.
ScheduleReport run_schedules(Request request, const lesson::Variant* variant, std::uint32_t schedules,
                             sim::Progress* progress = nullptr,
                             const std::function<void(std::uint32_t)>& after_each = {});

}  // namespace lanescope::job
