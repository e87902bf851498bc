#pragma once
// The runs of the selection, in the interpreter and on the learner's GPU, and which result is shown: the launch, and
// the interpreter's or the GPU's recording. Work happens off the frame; drain() fetches the results.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "gui/forms/kernel_file.h"
#include "gui/session/changes.h"
#include "gui/session/gpu_runs.h"
#include "gui/session/run_result.h"
#include "gui/session/selection.h"
#include "gui/session/worker.h"

namespace lanescope::gui {

class Runs {
 public:
  // Without `gpus` there is only the interpreter.
  Runs(const Selection& selection, Changes& changes, const std::function<void()>& wake,
       std::shared_ptr<GpuBackend> gpus);
  // Called around each change of shown() for the variant on screen, except changes of the selection.
  std::function<void()> before_change = [] {}, after_change = [] {};

  void run();            // including the compared variant
  void run_if_needed();  // unless the shown run matches, or is being computed
  void stop();
  Worker::Status running() const;
  bool fast() const;  // the last run was fast enough to repeat while dragging

  // The last result of this variant; null before the first. Pictures and numbers only come from here: the interpreter's
  // result or, if the learner chose it and it exists, the GPU's recording. A run that ended in a fault is a result too,
  // up to there (RunResult::fault(); this must be shown beside every number); code that does not compile gives none.
  const RunResult* shown() const;
  // shown() and up to date, and the run came to its end.
  bool shows_whole() const {
    return shown() != nullptr && !stale() && shown(selection_.variant_index())->outcome.completed;
  }
  bool shows_recorded() const { return recorded() != nullptr; }
  // The result does not belong to the text and controls on screen (this must be shown beside every number).
  bool stale() const { return stale(selection_.variant_index()); }
  // The same for any variant of the lesson on screen, always the interpreter's.
  const RunResult* shown(std::size_t variant) const;
  // For one of its launches, from 1; null if it does not exist or was repeated zero times.
  const RunResult* shown(std::size_t variant, int launch) const;
  bool stale(std::size_t variant) const;
  // shown(variant), to keep beyond the frame.
  std::shared_ptr<const RunResult> keep(std::size_t variant) const;

  // The launch that pictures and numbers show, from 1, and the number of launches. Lessons define the first one shown.
  int launch() const { return launch(selection_.variant_index()); }
  int launch(std::size_t variant) const { return launch_of(shown(variant), variant, launches_); }
  int launch_count() const { return launch_count(selection_.variant_index()); }
  int launch_count(std::size_t variant) const;
  void set_launch(int launch);  // clamped; skips launches that were repeated zero times

  // The same for the compared run in the interpreter: the variant's own results if the comparison changes nothing; for
  // a recording, its launch on screen. There must be a comparison. Null before the first run.
  std::shared_ptr<const RunResult> compared_run() const;
  bool compared_stale() const;
  const Diagnostics& compared_problems() const;
  int compared_launch() const;
  void set_compared_launch(int launch);

  // The errors of the last run of this variant with their places; empty if it succeeded.
  const Diagnostics& problems() const { return problems(selection_.variant_index()); }
  const Diagnostics& problems(std::size_t variant) const;
  // Those errors or, for a run that completed and matches what is on screen, its wrong results followed by remarks of
  // the compiler and the interpreter.
  const Diagnostics& remarks() const;
  // For a saved run: why the text on screen did not become a program. They are shown until the next run.
  void refuse_text(Diagnostics problems);
  // The text was edited after those problems were found.
  bool problems_outdated() const;

  // ---- the learner's own GPU. A run starts there as soon as the interpreter is done.
  const GpuRuns& gpus() const { return gpus_; }
  void choose_device(const std::string& wish);    // see GpuRuns::wish()
  void look_elsewhere(const std::string& place);  // see GpuRuns::look_elsewhere()
  void choose_cache(gpu::CacheState cache);
  // Its results for this variant on the chosen device with the chosen state of L2; null if there are none.
  const GpuResult* gpu() const { return gpu(selection_.variant_index()); }
  const GpuResult* gpu(std::size_t variant) const;
  // The results do not belong to what is shown (and must be labelled so).
  bool gpu_stale() const { return gpu_stale(selection_.variant_index()); }
  bool gpu_stale(std::size_t variant) const;
  // Its results for the launch on screen; null if not available. They are stale if gpu_stale().
  const job::Agreement* agreement() const;
  const RunResult* gpu_recording() const;
  Worker::Status gpu_running() const;
  int gpu_launch_under_way() const { return gpus_.launch_under_way("gpu"); }  // see GpuRuns::launch_under_way()
  void stop_gpu() { gpus_.stop(); }
  // Shows the GPU's recording instead of the interpreter's result whenever there is one.
  void show_recorded(bool wanted);
  // Times the kernel that is shown() over a control; see gpu_sweep().
  void measure_sweep(const std::string& control);
  void stop_measuring() { gpus_.stop_sweep(); }
  const GpuSweep* gpu_sweep(const std::string& control) const;  // null: it belongs to another kernel or control

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
  void keep_few_launches(const VariantId& newest);  // for saved runs
  bool compares_recording() const { return selection_.comparison() != nullptr && selection_.comparison()->recorded; }
  // The same for a comparison that needs a run of its own.
  bool compares_own() const {
    return selection_.comparison() != nullptr && selection_.comparison()->has_own() && !compares_recording();
  }
  // The compared variant if it needs an ordinary run.
  std::optional<std::size_t> second() const {
    return compares_own() || selection_.compared() == selection_.variant_index() ? std::nullopt : selection_.compared();
  }
  bool is_unbuilt() const { return selection_.kernel_file() != nullptr && selection_.kernel_file()->of_program; }
  bool no_launch_to_compare(const RunKey& key);
  void start_own();
  void start_own_if_needed();
  void own_arrived(std::shared_ptr<const RunResult> result);
  void run_on_gpu_if_needed();
  // Makes the change between the two calls, and marks it.
  template <typename Change>
  void change(const Change& what);
  const RunResult* recorded() const;  // the recording that replaces the interpreter's result
  int launch_of(const RunResult* whole, std::size_t variant, const std::map<VariantId, int>& chosen) const;

  const Selection& selection_;
  Changes& changes_;
  std::map<VariantId, std::shared_ptr<const RunResult>> results_;
  std::map<VariantId, Problem> problems_;
  std::vector<VariantId> saved_launches_;  // launches of saved runs that have results; the newest last
  // For the last comparison with changes of its own: its last good result, and why the latest run failed.
  std::shared_ptr<const RunResult> own_result_;
  std::optional<Problem> own_problem_;
  std::map<VariantId, int> launches_, compared_launches_;  // the chosen launches, alone or as A, and as B
  std::map<VariantId, int> before_fault_;       // those chosen before a fault led to another one; 0: none was
  std::map<std::string, RunKey> running_keys_;  // by slot
  double last_run_seconds_ = 0;
  bool recorded_wanted_ = false;
  // The current run was requested explicitly: the GPU also runs, regardless of earlier results.
  bool gpu_again_ = false;
  // Declared last, so that their threads end before the members that their completions use.
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
