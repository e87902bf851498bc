#pragma once
// The results of one run, ready to be shown: computed off the frame, immutable, shared by pointer. A result has the key
// of its run, so that the window can tell whether it still matches what is on screen.

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

struct OpenRun;     // gui/programs/open_run.h
struct KernelFile;  // gui/forms/kernel_file.h

using VariantId = std::pair<std::string, std::string>;  // a lesson's id and a variant's id

// All inputs of a lesson's run.
struct RunKey {
  std::string lesson, variant, source;
  std::map<std::string, std::int64_t> controls;
  // Of a kernel file: its form, by job::text_of(). Of a lesson: the task whose launch it is; empty: the variant's own.
  std::string launch;
  // The text that recordings of a lesson may be of; empty if the launch is not the variant's own.
  const std::string& text_to_record() const {
    static const std::string none;
    return launch.empty() ? source : none;
  }
  friend bool operator==(const RunKey&, const RunKey&) = default;
};

// One kind of instruction on a CUDA line, summed over the launch.
struct LineEntry {
  std::string opcode;
  trace::EventKind kind{};
  trace::Operation operation{};
  trace::SiteTotals totals;
  double lanes = -1;  // the fraction of a warp's lanes that execute it; a branch is executed by those that reach it,
                      // whether they jump or not. < 0: not known
};
struct LineCost {
  int line = 0;
  std::vector<LineEntry> entries;
};

// The value that the code panel's margin shows for each line.
enum class Heat : std::uint8_t { sectors_per_request, wavefronts_per_request, lanes, executions };
struct HeatValue {
  bool any = false;
  double value = 0;  // of the line's worst entry; lanes: the fraction of lanes that executed
  double ideal = 0;  // the ideal of that entry; lanes: 1
  const LineEntry* worst = nullptr;
};
HeatValue heat_of(const LineCost& line, Heat heat);

struct PtxLine {
  int number = 0;     // in the PTX text, from 1
  int cuda_line = 0;  // in the learner's file; 0 = none
  std::string text;
};

struct RunResult {
  std::uint64_t serial = 0;  // unique per result
  RunKey key;
  job::Outcome outcome;
  std::vector<metrics::Measurement> numbers;
  std::vector<LineCost> lines;          // in order of line number
  std::vector<PtxLine> ptx;             // of the kernel, without directives
  diagram::PhaseWork phase_work;        // for a cooperative launch, else empty
  diagram::RunningSum running_sum;      // for a kernel that records one, else empty
  std::vector<job::WrongResult> wrong;  // elements that its checks found wrong, and their writes
  Diagnostics remarks;                  // the wrong results, then remarks of the compiler and the interpreter
  double seconds = 0;                   // from the request to the result: this program's time, never a kernel's

  // For a variant with several launches: 1 for the run as a whole, whose pictures and numbers are those of its first
  // launch. A later launch is a result of its own: its outcome has only that launch, its repeats are summed, and its
  // steps are those of the first repeat.
  int launch = 1, repeats = 1;
  bool first_repeat_alone = false;  // recorded on a GPU: numbers are also only those of the first repeat
  // For the run as a whole: the result of launch 1, 2, …; nullptr if it does not exist or was repeated zero times.
  const RunResult* of_launch(int number) const;
  int launch_count() const { return static_cast<int>(launches.size()); }
  // The first launch is this result itself and is not stored here.
  std::vector<std::shared_ptr<const RunResult>> launches{nullptr};

  const LineCost* line(int number) const;

  // Where this launch stopped with an error; null: it ran to its end. Its steps, numbers and lines are those up to
  // there, and it has no checks.
  const trace::FaultPlace* fault() const;
  bool stopped = false;  // that was no error: the learner stopped it
  // The launch of the whole run that has a fault(); 0: none.
  int faulty_launch() const;
  // The step at which it stopped, among its warp's kept events. nullopt: no step of that warp was kept.
  std::optional<std::size_t> fault_step() const;
  // That step is the last one that the warp took, and not only the last one that was kept.
  bool reaches_fault() const;
};

// The number at each line that is farthest from its ideal over the whole launch; sectors per request if none is.
Heat farthest_from_ideal(const RunResult& result);

// The request for this key: this variant of its lesson with the code and the values on screen.
Result<job::Request> request_of(const lesson::Lesson& lesson, const lesson::Variant& variant, const RunKey& key);

// The purpose of a run. All but the first run beside the learner's own, on one core, and give up early.
enum class RunFor : std::uint8_t {
  screen,
  quotes,  // numbers that a text quotes, and what their marks need
  totals   // only whole launches: no events, no check of the buffers
};

// Compiles, runs and prepares. Never throws. The outcome may be incomplete: see its diagnostics.
std::shared_ptr<const RunResult> make_result(const lesson::Lesson& lesson, const RunKey& key, sim::Progress& progress,
                                             RunFor purpose = RunFor::screen);

// The same for a launch of a saved run, and its request. Errors: those of device::SavedRun::launch().
std::shared_ptr<const RunResult> make_result(const OpenRun& run, const RunKey& key, sim::Progress& progress);
Result<job::Request> request_of(const OpenRun& run, const lesson::Variant& variant);

// The same for a kernel of an open file, and its request. Errors: those of job::request_of().
std::shared_ptr<const RunResult> make_result(const KernelFile& file, const RunKey& key, sim::Progress& progress);
Result<job::Request> request_of(const KernelFile& file, const RunKey& key);

// The same from an existing outcome: what a GPU recorded of the run `key`.
std::shared_ptr<const RunResult> result_of(job::Outcome outcome, const RunKey& key);
// The same for one of its launches, its first execution.
std::shared_ptr<const RunResult> result_of_launch(job::Outcome outcome, const RunKey& key,
                                                  const job::WhichLaunch& which);

// A number of this result as lesson texts quote it; nullopt if it is not applicable.
std::optional<double> quoted_number(const RunResult& result, const lesson::NumberReference& reference);

// How interesting an event is: waste or conflicts before plain accesses, accesses before exchanges, anything before
// nothing.
std::int64_t event_weight(const trace::Trace& trace, const trace::WarpEvent& event);

// The event that a picture of this warp starts with: the one that moves or waits for most in vain.
std::size_t most_telling_step(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp);

}  // namespace lanescope::gui
