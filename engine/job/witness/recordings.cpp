#include "job/witness/recordings.h"

#include <algorithm>
#include <future>
#include <memory>

#include "core/worded.h"
#include "job/witness/gpu_fault.h"
#include "metrics/recompute.h"

namespace lanescope::job {
namespace {

// Joins the traces of several passes. In each warp the events of the passes follow one after another and are
// renumbered.
trace::Trace joined_traces(std::vector<trace::Trace> passes) {
  trace::Trace whole = std::move(passes.front());
  for (std::size_t i = 1; i < passes.size(); ++i) {
    const auto addresses = static_cast<std::uint32_t>(whole.addresses.size());
    const auto lanes = static_cast<std::uint32_t>(whole.source_lanes.size());
    for (trace::WarpEvent event : passes[i].events) {
      if (event.side != trace::WarpEvent::no_side)
        event.side += event.kind == trace::EventKind::shuffle ? lanes : addresses;
      whole.events.push_back(event);
    }
    whole.addresses.insert(whole.addresses.end(), passes[i].addresses.begin(), passes[i].addresses.end());
    whole.source_lanes.insert(whole.source_lanes.end(), passes[i].source_lanes.begin(), passes[i].source_lanes.end());
  }
  std::stable_sort(whole.events.begin(), whole.events.end(), [](const trace::WarpEvent& a, const trace::WarpEvent& b) {
    return std::pair(a.block, a.warp) < std::pair(b.block, b.warp);
  });
  for (std::size_t i = 0; i < whole.events.size(); ++i) {
    trace::WarpEvent& event = whole.events[i];
    const bool first = i == 0 || whole.events[i - 1].block != event.block || whole.events[i - 1].warp != event.warp;
    event.sequence = first ? 0 : whole.events[i - 1].sequence + 1;
  }
  return whole;
}

Diagnostic incomplete(const RecordComparison& comparison, std::uint32_t blocks, std::uint32_t grid) {
  const Wording dropped = comparison.dropped ? worded("; {} events did not fit", comparison.dropped) : "";
  return {.severity = Severity::warning,
          .code = "gpu.recording_incomplete",
          .message = worded("Recording of {} stopped after {} of {} blocks and {} launches{}.",
                            to_string(comparison.pass), blocks, grid, comparison.launches, dropped),
          .cure = "The recorded numbers are not shown. Choose a smaller size to see them."};
}

}  // namespace

// Compares one pass while the GPU records the next.
void add_recordings(Agreement& agreement, std::optional<trace::Trace>& recorded, const Outcome& interpreted,
                    const GpuRun& plain, gpu::Session& session, const RecordingLimits& limits,
                    const std::function<bool()>& goes_on) {
  struct Pending {
    std::unique_ptr<GpuRecording> recording;
    // Declared last because it uses the recording and must be destroyed first.
    std::future<RecordComparison> comparison;
  };
  agreement.recording_kept_result = true;
  // Otherwise events that the interpreter did not keep would look like events that only the GPU had.
  const bool comparable =
      interpreted.first().trace.events_dropped == 0 && interpreted.first().trace.blocks_not_chosen == 0;
  if (!comparable)
    agreement.diagnostics.push_back(
        {.severity = Severity::warning,
         .code = "gpu.events_not_kept",
         .message = worded("The interpreter did not keep all of its events ({} did not fit, {} "
                           "blocks were not selected), so the records are not compared one by "
                           "one; the numbers are.",
                           interpreted.first().trace.events_dropped, interpreted.first().trace.blocks_not_chosen),
         .cure = "Choose all blocks, a smaller size, or a larger event budget."});
  const auto grid =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(interpreted.first().trace.launch.grid.count(), UINT32_MAX));
  bool whole = true;
  std::vector<Pending> passes;
  for (const auto pass : {instrument::Pass::memory, instrument::Pass::block_entries, instrument::Pass::operations}) {
    if (!goes_on()) {
      whole = false;
      break;
    }
    Result<GpuRecording> made = record_on_gpu(interpreted, plain, session, pass, 0, grid, limits);
    if (!made) {
      whole = false;
      for (Diagnostic& error : after_the_interpreter(made.take_errors(), interpreted))
        agreement.diagnostics.push_back(std::move(error));
      continue;
    }
    passes.push_back({std::make_unique<GpuRecording>(std::move(*made)), {}});
    Pending& one = passes.back();
    one.comparison = std::async(std::launch::async, [&interpreted, recording = one.recording.get(), pass] {
      return compare_with(interpreted, *recording, pass);
    });
  }
  std::vector<trace::Trace> traces;
  for (Pending& one : passes) {
    const RecordComparison comparison = one.comparison.get();
    if (comparable) agreement.records.push_back(comparison);
    agreement.recording_kept_result = agreement.recording_kept_result && one.recording->same_result;
    if (one.recording->blocks < grid || comparison.dropped > 0) {
      whole = false;
      agreement.diagnostics.push_back(incomplete(comparison, one.recording->blocks, grid));
    }
    traces.push_back(std::move(one.recording->trace));
  }
  if (!whole) return;
  trace::Trace memory = traces.front();
  memory.totals = metrics::recompute_totals(joined_traces(std::move(traces)));
  recorded = std::move(memory);
}

}  // namespace lanescope::job
