#pragma once
// Runs one request in many legal orders of blocks, warps and lanes: finds the distinct results and the unordered
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
  std::uint64_t elements = 0;      // that differ
  std::uint64_t first = 0;         // index of the first of them
  double value = 0, standard = 0;  // it, and what the standard order left there
};

// What some of the orders ended in. Two runs are of one result when every buffer holds the same bytes, or both ended
// with the same error.
struct ScheduleResult {
  std::uint32_t runs = 0;
  std::uint32_t first_seed = 0;        // 0 = the standard order
  std::vector<BufferSummary> buffers;  // afterwards
  std::optional<Diagnostic> error;     // of a run that did not come to its end
  // From the standard order's result; none where that failed, or its buffers are too large to be kept
  // (largest_kept_bytes).
  std::vector<ScheduleDifference> differences;
};
inline constexpr std::uint64_t largest_kept_bytes = 64ull << 20;

// How far the sums of a buffer's elements lie apart, over the runs that came to their end. A buffer of one element: its
// value.
struct BufferSpread {
  int argument = 0;
  std::string name;
  std::uint64_t count = 0;         // elements
  std::uint32_t distinct = 0;      // different contents
  double lowest = 0, highest = 0;  // sum in double
  // For a floating-point buffer of one element, where exactly one other floating-point buffer was only read: that one's
  // elements added up in double, in order. For comparison; whether the kernel adds them up is not known.
  std::optional<double> reference;
  std::string reference_name;
};

struct ScheduleRace {
  sim::Race race;
  int launch = 1;
  std::uint32_t seed = 0;  // of the run in which it was found first
  std::uint32_t runs = 0;  // that found it
  RaceText text, chinese;
};

// What the runs taken together say.
enum class ScheduleVerdict : std::uint8_t {
  ordered,    // every two accesses were ordered or both atomic, and every order gave the same
  atomics,    // every two accesses were ordered, and still results differ: by the order of atomics and other strong
              // accesses
  lucky,      // a race, though every order tried gave the same: not seen is not safe
  racing,     // a race, and results differ
  failing,    // no race, but some order did not come to its end
  unwatched,  // no race was found, but not everything could be watched
  nothing     // not even the standard order ran
};

struct ScheduleReport {
  std::uint32_t asked = 0;              // seeds 1 … asked, after the standard order
  std::uint32_t done = 0;               // of them; fewer when cancelled
  std::vector<ScheduleResult> results;  // most frequent first
  std::vector<BufferSpread> spreads;    // of the buffers that some run changed
  std::vector<ScheduleRace> races;      // from all runs; empty and `complete` = no two accesses were unordered in any
  bool complete = true;                 // nothing was left unwatched
  bool race_found() const;              // notes do not count
  ScheduleVerdict verdict() const;
  Diagnostics problems;  // why nothing could be run at all
};

// Runs the standard order and the seeds 1 … `schedules`, each with the race detector. The same seed gives the same
// result, always. `progress->cancel` ends it early; `after_each` is told how many seeds are done.
ScheduleReport run_schedules(Request request, const lesson::Variant* variant, std::uint32_t schedules,
                             sim::Progress* progress = nullptr,
                             const std::function<void(std::uint32_t)>& after_each = {});

}  // namespace lanescope::job
