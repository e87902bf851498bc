#pragma once
// The results of one run, ready to be shown: computed off the frame, never changed afterwards, shared by pointer. A
// result carries the key of what was run, so that the window can tell whether it still belongs to what is on screen.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile/compiler.h"
#include "diagram/views.h"
#include "job/run/job.h"
#include "job/run/one_launch.h"
#include "job/run/wrong_result.h"
#include "metrics/report.h"

namespace lanescope::gui {

struct OpenRun;  // gui/session/open_run.h

using VariantId = std::pair<std::string, std::string>;  // a lesson's id, and of one of its variants

// Everything that a lesson run depends on.
struct RunKey {
  std::string lesson, variant, source;
  std::map<std::string, std::int64_t> controls;
  friend bool operator==(const RunKey&, const RunKey&) = default;
};

// One kind of instruction on a CUDA line, summed over the launch.
struct LineEntry {
  std::string opcode;
  trace::EventKind kind{};
  trace::Operation operation{};
  trace::SiteTotals totals;
};
struct LineCost {
  int line = 0;
  std::vector<LineEntry> entries;
};

// What the code panel's margin tells about a line.
enum class Heat : std::uint8_t { sectors_per_request, wavefronts_per_request, lanes, executions };
struct HeatValue {
  bool any = false;
  double value = 0;  // the worst entry of the line; lanes: the fraction of lanes that executed
  double ideal = 0;  // what that entry could have; lanes: 1
  const LineEntry* worst = nullptr;
};
HeatValue heat_of(const LineCost& line, Heat heat);

struct PtxLine {
  int number = 0;     // in the PTX text, from 1
  int cuda_line = 0;  // in the learner's file; 0 = none
  std::string text;
};

struct RunResult {
  std::uint64_t serial = 0;  // no two results have the same
  RunKey key;
  job::Outcome outcome;
  std::vector<metrics::Measurement> numbers;
  std::vector<LineCost> lines;          // in order of line
  std::vector<PtxLine> ptx;             // of the kernel, without directives
  diagram::PhaseWork phase_work;        // of a cooperative launch, else empty
  diagram::RunningSum running_sum;      // of a kernel that writes one down, else empty
  std::vector<job::WrongResult> wrong;  // what its checks found wrong, and the writes to go to
  Diagnostics remarks;                  // that, and what the compiler and the interpreter remarked on
  double seconds = 0;                   // from asking to here: our own time, never a kernel's

  // Of a variant of several launches: 1 for the run as a whole, whose pictures and numbers are those of its first
  // launch. A later launch is a result of its own, whose outcome has that launch alone; its repeats are summed, and its
  // steps are those of the first of them.
  int launch = 1, repeats = 1;
  bool first_repeat_alone = false;  // recorded on a GPU: numbers, too, are of the first of the repeats
  // Of the run as a whole: of launch 1, 2, …; nullptr when there is no such launch or it was repeated zero times.
  const RunResult* of_launch(int number) const;
  int launch_count() const { return static_cast<int>(launches.size()); }
  std::vector<std::shared_ptr<const RunResult>> launches{nullptr};  // the first is this result itself, not kept here

  const LineCost* line(int number) const;
};

// What this key runs, of this variant of its lesson: the code and the values on screen.
Result<job::Request> request_of(const lesson::Lesson& lesson, const lesson::Variant& variant, const RunKey& key);

// What a run is made for. All but the first are computed beside what the learner asked for: on one core, and given up
// early.
enum class RunFor : std::uint8_t {
  screen,
  quotes,  // numbers that a text quotes, with what their marks need
  totals   // whole launches alone: no events, no look at what the buffers hold
};

// Compiles, runs and prepares. Never throws. The outcome may be incomplete: see its diagnostics.
std::shared_ptr<const RunResult> make_result(const lesson::Lesson& lesson, const RunKey& key, sim::Progress& progress,
                                             RunFor purpose = RunFor::screen);

// The same of a launch of a saved run.
std::shared_ptr<const RunResult> make_result(const OpenRun& run, const RunKey& key, sim::Progress& progress);

// The same made of an outcome that is there already: what a GPU recorded of the run in `key`.
std::shared_ptr<const RunResult> result_of(job::Outcome outcome, const RunKey& key);
// Of one of its launches, the first time that it is launched.
std::shared_ptr<const RunResult> result_of_launch(job::Outcome outcome, const RunKey& key,
                                                  const job::WhichLaunch& which);

// A number of this result as lesson texts quote it; nullopt when it does not apply.
std::optional<double> quoted_number(const RunResult& result, const lesson::NumberReference& reference);

// How much an event has to show: waste or conflicts before plain accesses, accesses before exchanges, anything before
// nothing.
std::int64_t event_weight(const trace::Trace& trace, const trace::WarpEvent& event);

// The event that a picture of this warp should start with: where most moved or waited for nothing.
std::size_t most_telling_step(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp);

}  // namespace lanescope::gui
