#include "job/witness/circumstances.h"

#include "core/worded.h"

namespace lanescope::job {
namespace {

// Atomics take effect in an order that the hardware chooses. A kernel that uses an atomic's result as an index stores
// to other places in each run. The GPU itself shows this: two runs of the plain kernel differ.
Wording why_unrepeatable(const trace::Trace& interpreted, const GpuRun& plain) {
  if (!plain.same_start)
    return "two runs of the earlier launches on this GPU left different memory: the input of this launch varies from "
           "run to run";
  if (plain.repeatable) return {};
  for (const trace::Site& site : interpreted.sites)
    if (site.operation == trace::Operation::atomic && site.space != trace::MemorySpace::shared)
      return worded(
          "two runs of the unmodified kernel on this GPU gave different results: the order in which `{}` (line {}) "
          "takes effect depends on timing, and the kernel uses its result",
          site.opcode, site.line);
  return {};
}

// Requires that each lane entered as often as in the model. This holds if lanes only reconverge elsewhere, because all
// of them are still recorded. A recording that lost entries proves nothing.
Wording entries_that_part(const std::vector<RecordComparison>& records) {
  for (const RecordComparison& one : records)
    if (one.pass == instrument::Pass::block_entries && one.only_regrouped && !one.differences.empty())
      return worded("{} entries into basic blocks in the model, {} on the GPU ({})", one.interpreted, one.recorded,
                    one.differences.front());
  return {};
}

Wording accesses_regrouped(const std::vector<RecordComparison>& records) {
  for (const RecordComparison& one : records)
    if (one.pass == instrument::Pass::memory && one.only_regrouped && !one.differences.empty())
      return one.differences.front();
  return {};
}

std::optional<std::vector<int>> lines_that_part(const std::vector<RecordComparison>& records) {
  for (const RecordComparison& one : records)
    if (one.pass == instrument::Pass::memory && one.dropped == 0) return one.lines_that_part;
  return std::nullopt;
}

std::optional<bool> accesses_changed(const std::vector<RecordComparison>& records) {
  for (const RecordComparison& one : records)
    if (one.pass == instrument::Pass::memory && one.dropped == 0) return !one.changed_sites.empty();
  return std::nullopt;
}

}  // namespace

Circumstances circumstances_of(const std::vector<RecordComparison>& records, const trace::Trace& interpreted,
                               const GpuRun& plain) {
  Circumstances known;
  known.entries = entries_that_part(records);
  known.regrouped = accesses_regrouped(records);
  known.unrepeatable = why_unrepeatable(interpreted, plain);
  known.lines_that_part = lines_that_part(records);
  known.changed = accesses_changed(records);
  known.records = records;
  return known;
}

}  // namespace lanescope::job
