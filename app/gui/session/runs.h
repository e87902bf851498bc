#pragma once
// The runs of what is selected, here and on the learner's own GPU, and which of their results is shown: the launch, and
// whether the interpreter's or the GPU's recording. Work happens off the frame; drain() brings the results in.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "gui/session/changes.h"
#include "gui/session/gpu_runs.h"
#include "gui/session/run_result.h"
#include "gui/session/selection.h"
#include "gui/session/worker.h"

namespace lanescope::gui {

class Runs {
 public:
  // Without `gpus` there is the interpreter alone.
  Runs(const Selection& selection, Changes& changes, const std::function<void()>& wake,
       std::shared_ptr<GpuBackend> gpus);
  // Called around each change of what is shown() of the variant on screen, but for one of the selection.
  std::function<void()> before_change = [] {}, after_change = [] {};

  void run();            // of the compared variant too, as below
  void run_if_needed();  // unless shown and wanted agree, or a run of it is under way
  void stop();
  Worker::Status running() const;
  bool fast() const;  // the last run was quick enough to run while dragging

  // The last good result of this variant; null before the first. Pictures and numbers come from here only: the
  // interpreter's, or, where the learner asked for it and it is there, what the GPU recorded.
  const RunResult* shown() const;
  bool shows_recorded() const { return recorded() != nullptr; }
  // What is shown does not belong to the text and controls on screen (which must then be said beside every number).
  bool stale() const { return stale(selection_.variant_index()); }
  // The same of any variant of the lesson on screen, always the interpreter's.
  const RunResult* shown(std::size_t variant) const;
  // Of one of its launches, from 1; null where there is no such launch or it was repeated zero times.
  const RunResult* shown(std::size_t variant, int launch) const;
  bool stale(std::size_t variant) const;
  // shown(variant), to be kept beyond the frame.
  std::shared_ptr<const RunResult> keep(std::size_t variant) const;

  // The launch of shown() that pictures and numbers are of, from 1, and how many there are. Lessons say which opens.
  int launch() const { return launch(selection_.variant_index()); }
  int launch(std::size_t variant) const { return launch_of(shown(variant), variant, launches_); }
  int launch_count() const { return launch_count(selection_.variant_index()); }
  int launch_count(std::size_t variant) const;
  void set_launch(int launch);  // clamped; one that was repeated zero times is passed over

  // The same of what is compared, the interpreter's: the variant's own results where it has nothing else of its own;
  // of a recording, the launch of it that is on screen. There must be a comparison. Null before the first run.
  std::shared_ptr<const RunResult> compared_run() const;
  bool compared_stale() const;
  const Diagnostics& compared_problems() const;
  int compared_launch() const;
  void set_compared_launch(int launch);

  // Of the last run of this variant, when it failed: errors, with their place. Else empty.
  const Diagnostics& problems() const { return problems(selection_.variant_index()); }
  const Diagnostics& problems(std::size_t variant) const;
  // Those; of a run that came to its end, what is wrong with its result, and then what the compiler and the interpreter
  // remarked on, while it is of what is on screen.
  const Diagnostics& remarks() const;
  // Text was edited since those problems were found.
  bool problems_outdated() const;

  // ---- the learner's own GPU. A run goes to it as soon as the interpreter has run.
  const GpuRuns& gpus() const { return gpus_; }
  void choose_device(const std::string& wish);    // see GpuRuns::wish()
  void look_elsewhere(const std::string& place);  // see GpuRuns::look_elsewhere()
  void choose_cache(gpu::CacheState cache);
  // What it said of this variant, on the device and with the state of L2 that are chosen; null when nothing.
  const GpuResult* gpu() const { return gpu(selection_.variant_index()); }
  const GpuResult* gpu(std::size_t variant) const;
  // It does not belong to what is shown (and must be labelled so).
  bool gpu_stale() const { return gpu_stale(selection_.variant_index()); }
  bool gpu_stale(std::size_t variant) const;
  // What it said of the launch on screen: null while that is not there. They are stale when gpu_stale() says so.
  const job::Agreement* agreement() const;
  const RunResult* gpu_recording() const;
  Worker::Status gpu_running() const;
  int gpu_launch_under_way() const { return gpus_.launch_under_way("gpu"); }  // see GpuRuns::launch_under_way()
  void stop_gpu() { gpus_.stop(); }
  // Pictures and numbers of the recording in the interpreter's place, whenever there is one.
  void show_recorded(bool wanted);
  // Times the kernel that is shown() over a control; see gpu_sweep().
  void measure_sweep(const std::string& control);
  void stop_measuring() { gpus_.stop_sweep(); }
  const GpuSweep* gpu_sweep(const std::string& control) const;  // null: of another kernel or control

  void drain();
  bool idle() const { return runner_.idle() && gpus_.idle(); }

 private:
  struct Problem {
    RunKey key;
    Diagnostics diagnostics;
  };
  void start(const char* slot, std::size_t variant);
  void start_if_needed(const char* slot, std::size_t variant);
  void arrived(std::shared_ptr<const RunResult> result);
  void keep_few_launches(const VariantId& newest);  // of saved runs
  bool compares_recording() const { return selection_.comparison() != nullptr && selection_.comparison()->recorded; }
  // The same of a comparison that runs something of its own.
  bool compares_own() const {
    return selection_.comparison() != nullptr && selection_.comparison()->has_own() && !compares_recording();
  }
  // The variant beside the one on screen that needs a run as any other does.
  std::optional<std::size_t> second() const {
    return compares_own() || selection_.compared() == selection_.variant_index() ? std::nullopt : selection_.compared();
  }
  void start_own();
  void start_own_if_needed();
  void own_arrived(std::shared_ptr<const RunResult> result);
  void run_on_gpu_if_needed();
  // Does it between the two calls, and marks the change.
  template <typename Change>
  void change(const Change& what);
  const RunResult* recorded() const;  // the recording that takes the interpreter's place
  int launch_of(const RunResult* whole, std::size_t variant, const std::map<VariantId, int>& chosen) const;

  const Selection& selection_;
  Changes& changes_;
  std::map<VariantId, std::shared_ptr<const RunResult>> results_;
  std::map<VariantId, Problem> problems_;
  std::vector<VariantId> saved_launches_;  // of saved runs, that there are results of; the newest last
  // Of what was compared last with something of its own: its last good result, and why the last one failed.
  std::shared_ptr<const RunResult> own_result_;
  std::optional<Problem> own_problem_;
  std::map<VariantId, int> launches_, compared_launches_;  // that were chosen, alone or as A, and as B
  std::map<std::string, RunKey> running_keys_;             // by slot
  double last_run_seconds_ = 0;
  bool recorded_wanted_ = false;
  bool gpu_again_ = false;  // the run under way was asked for: the GPU runs too, whatever it said before
  // Last: their threads end before what their completions touch.
  Worker runner_;
  GpuRuns gpus_;
};

template <typename Change>
void Runs::change(const Change& what) {
  before_change();
  what();
  after_change();
  changes_.mark();
}

}  // namespace lanescope::gui
