#pragma once
// Runs on the GPU that the learner chose, and their results. All work happens on a separate thread; drain() fetches the
// results, stage by stage.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/session/gpu_backend.h"
#include "gui/session/run_result.h"
#include "gui/session/worker.h"

namespace lanescope::gui {

// What a GPU said of a launch, as far as it has come: recorded and counted after those before it have run there. Where
// it is repeated: of the first time.
struct GpuLaunch {
  bool done = false, stopped = false;  // of a launch after the first, which is asked for by itself; by the learner
  std::optional<gpu::KernelAttributes> attributes;
  std::optional<job::Agreement> agreement;
  std::shared_ptr<const RunResult> recorded;  // null: the launch was not recorded whole
  Diagnostics problems;                       // of a launch after the first
};

// What a GPU said of one run, as far as it has come. It belongs to the run in `key`, on this device, with this state of
// L2.
struct GpuResult {
  RunKey key;
  gpu::Device device;
  gpu::CacheState cache{};
  job::GpuStage stage{};  // under way; done at the end, however it came
  bool stopped = false;   // by the learner: what is missing was not measured
  bool ran = false;       // the next four are known, and the first launch's attributes
  bool same_result = false, repeatable = true;
  Wording first_difference;
  std::vector<job::CheckResult> checks;  // the lesson's, of the GPU's own result
  double bytes = 0;                      // that the algorithm must move; 0 = not said
  std::optional<gpu::Timing> timing;     // with at least one sample
  // Launch 1, 2, …; nothing for those that were not asked for. The first is asked for by the run itself.
  std::vector<std::optional<GpuLaunch>> launches{GpuLaunch{}};
  Diagnostics problems;  // why it ended early

  GpuLaunch& first() { return *launches.front(); }
  const GpuLaunch& first() const { return *launches.front(); }
  // Of a launch of the run; null while it is not there.
  const GpuLaunch* launch(int number) const;
  const job::Agreement* agreement_of(int launch) const;
  const RunResult* recording_of(int launch) const;
  const gpu::KernelAttributes* attributes_of(int launch) const;
};

// "NVIDIA H200, driver 580.159.04": must be shown with each of its numbers.
Wording label_of(const gpu::Device& device);

// A control's values on the GPU: each a run of its own.
struct GpuSweep {
  RunKey base;  // without the swept control
  std::string control;
  gpu::Device device;
  gpu::CacheState cache{};
  struct Point {
    std::int64_t value = 0;
    gpu::Timing timing;
  };
  std::vector<Point> points;  // those that have arrived, in order
  std::size_t wanted = 0, done = 0;
  bool running = false;
  Diagnostics problems;  // of the first value that failed
};

class GpuRuns {
 public:
  // `backend` may be null: then there are no GPUs to look for.
  GpuRuns(std::shared_ptr<GpuBackend> backend, std::function<void()> wake);
  ~GpuRuns();  // ends what runs, and does not wait for a GPU

  bool looking() const { return looking_; }  // for GPUs: the first moments
  const std::vector<gpu::Device>& devices() const { return devices_; }
  const Diagnostics& missing() const { return missing_; }  // why there are none; empty with no backend

  // The GPUs of another machine, "ssh:lab3", join devices(); runs then go to the first of them. The last place that was
  // asked for; what ssh or Slurm says meanwhile; why it failed.
  void look_elsewhere(const std::string& place);
  const std::string& place() const { return place_; }
  bool looking_elsewhere() const { return looking_elsewhere_; }
  const std::string& heard() const { return heard_; }
  const Diagnostics& unreachable() const { return unreachable_; }

  // The one that runs go to; null: the interpreter alone.
  const gpu::Device* chosen() const;
  // "" = a GPU when there is one, "cpu", or the name() of one; a name that is not there counts as "".
  const std::string& wish() const { return wish_; }
  void choose(const std::string& wish) { wish_ = wish; }
  static std::string name(const gpu::Device& device);  // "NVIDIA H200 #0"
  gpu::CacheState cache() const { return cache_; }
  void set_cache(gpu::CacheState cache) { cache_ = cache; }

  // Whether a result answers what a run now would ask.
  bool fits(const GpuResult& result, const RunKey& key) const;
  // What is about to be interpreted is compiled for the GPU beside; `lesson` must stay where it is.
  void prepare(const lesson::Lesson& lesson, const RunKey& key);
  // Starts what the interpreter has run; a run under way in the same slot gives way. `lesson` must stay where it is.
  void start(const std::string& slot, const lesson::Lesson& lesson, std::shared_ptr<const RunResult> interpreted);
  // Unless what there is fits, or is under way, or is known to fail. Where the run as a whole has come to its end, the
  // witnesses of `launch` are asked for, likewise.
  void start_if_needed(const std::string& slot, const lesson::Lesson& lesson,
                       const std::shared_ptr<const RunResult>& interpreted, int launch = 1);
  void cancel(const std::string& slot);
  void stop();  // all of them; what has arrived stays
  const GpuResult* result(const std::string& lesson, const std::string& variant) const;
  Worker::Status status(const std::string& slot) const { return worker_.status(slot); }
  // Which launch a slot is at work on: 1 for a run as a whole, 0 for nothing.
  int launch_under_way(const std::string& slot) const;

  // Times the kernel for these values of a control; the lesson must stay where it is.
  void sweep(const lesson::Lesson& lesson, RunKey base, const std::string& control, std::vector<std::int64_t> values);
  void stop_sweep();
  const GpuSweep& sweep() const { return sweep_; }
  bool fits(const GpuSweep& sweep, const RunKey& key, const std::string& control) const;

  bool drain();  // true when something arrived
  bool idle() const { return worker_.idle(); }
  // Called, from drain(), when a result has changed: before and after, since what is on screen may be the one that
  // goes.
  std::function<void()> before_change, after_change;

 private:
  void look_for_devices();
  // `ticket`: of the request that it answers; one that was replaced is not heard any more.
  void arrived(const std::string& slot, std::uint64_t ticket, std::shared_ptr<const GpuResult> result);
  void start_launch(const std::string& slot, const std::shared_ptr<const RunResult>& interpreted,
                    const GpuResult& whole, int launch);
  void arrived(const std::string& slot, std::uint64_t ticket, const RunKey& key, int launch, GpuLaunch said);
  void sweep_point(const lesson::Lesson& lesson, std::size_t index, std::vector<std::int64_t> values);

  std::shared_ptr<GpuBackend> backend_;
  bool looking_ = false;
  std::vector<gpu::Device> devices_;
  Diagnostics missing_;
  std::string place_, heard_;
  bool looking_elsewhere_ = false;
  Diagnostics unreachable_;
  std::string wish_;
  gpu::CacheState cache_ = gpu::CacheState::flushed;
  std::map<VariantId, std::shared_ptr<const GpuResult>> results_;
  struct Wanted {
    RunKey key;
    std::string device;
    gpu::CacheState cache{};
    int launch = 1;
    friend bool operator==(const Wanted&, const Wanted&) = default;
  };
  struct UnderWay {
    Wanted wanted;
    std::uint64_t ticket = 0;
  };
  std::map<std::string, UnderWay> under_way_;  // by slot, until the last answer was drained
  std::uint64_t tickets_ = 0;
  GpuSweep sweep_;
  Worker worker_;  // last: its thread ends before what its completions touch
};

}  // namespace lanescope::gui
