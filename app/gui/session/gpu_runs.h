#pragma once
// Runs on the GPU that the learner chose, and their results. A separate thread does all work; drain() fetches the
// results stage by stage.

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

// The GPU's results for a launch so far. It is recorded and counted after the earlier launches have run there. For a
// repeated launch: its first repeat.
struct GpuLaunch {
  // For a launch after the first, which is requested separately; stopped: by the learner.
  bool done = false, stopped = false;
  std::optional<gpu::KernelAttributes> attributes;
  std::optional<job::Agreement> agreement;
  std::shared_ptr<const RunResult> recorded;  // null: the launch was not recorded completely
  Diagnostics problems;                       // for a launch after the first
};

// The GPU's results for a run so far. They belong to the run `key` on this device with this state of L2.
struct GpuResult {
  RunKey key;
  gpu::Device device;
  gpu::CacheState cache{};
  job::GpuStage stage{};  // current stage; `done` at the end in any case
  bool stopped = false;   // by the learner: the rest was not measured
  bool ran = false;       // the next four members and the first launch's attributes are known
  bool same_result = false, repeatable = true;
  Wording first_difference;
  std::vector<job::CheckResult> checks;  // the lesson's checks of the GPU's own result
  double bytes = 0;                      // bytes that the algorithm must move; 0 = not given
  std::optional<gpu::Timing> timing;     // with at least one sample
  // Launch 1, 2, …; nullopt for those that were not requested. The run itself requests the first.
  std::vector<std::optional<GpuLaunch>> launches{GpuLaunch{}};
  Diagnostics problems;  // why it ended early

  GpuLaunch& first() { return *launches.front(); }
  const GpuLaunch& first() const { return *launches.front(); }
  // Results for a launch of the run; null if not available yet.
  const GpuLaunch* launch(int number) const;
  const job::Agreement* agreement_of(int launch) const;
  const RunResult* recording_of(int launch) const;
  const gpu::KernelAttributes* attributes_of(int launch) const;
};

// "NVIDIA H200, driver 580.159.04": must be shown with each of its numbers.
Wording label_of(const gpu::Device& device);

// A sweep over a control's values on the GPU: one run per value.
struct GpuSweep {
  RunKey base;  // without the swept control
  std::string control;
  gpu::Device device;
  gpu::CacheState cache{};
  struct Point {
    std::int64_t value = 0;
    gpu::Timing timing;
  };
  std::vector<Point> points;  // the points so far, in order
  std::size_t wanted = 0, done = 0;
  bool running = false;
  Diagnostics problems;  // of the first value that failed
};

class GpuRuns {
 public:
  // `backend` may be null: then no GPUs are searched.
  GpuRuns(std::shared_ptr<GpuBackend> backend, std::function<void()> wake);
  ~GpuRuns();  // ends current work without waiting for a GPU

  bool looking() const { return looking_; }  // searching for GPUs, right after the start
  const std::vector<gpu::Device>& devices() const { return devices_; }
  const Diagnostics& missing() const { return missing_; }  // why there are none; empty without a backend

  // Adds the GPUs of another machine, "ssh:lab3", to devices(); runs then use the first of them. The next functions
  // return the last requested place, the messages of ssh or Slurm meanwhile, and the error.
  void look_elsewhere(const std::string& place);
  const std::string& place() const { return place_; }
  bool looking_elsewhere() const { return looking_elsewhere_; }
  const std::string& heard() const { return heard_; }
  const Diagnostics& unreachable() const { return unreachable_; }

  // The GPU that runs use; null: only the interpreter.
  const gpu::Device* chosen() const;
  // "" = a GPU if there is one, "cpu", or the name() of one; an unknown name counts as "".
  const std::string& wish() const { return wish_; }
  void choose(const std::string& wish) { wish_ = wish; }
  static std::string name(const gpu::Device& device);  // "NVIDIA H200 #0"
  gpu::CacheState cache() const { return cache_; }
  void set_cache(gpu::CacheState cache) { cache_ = cache; }

  // True if the result is what a run with this key would give now.
  bool fits(const GpuResult& result, const RunKey& key) const;
  // Compiles for the GPU what is about to be interpreted. `make_request` is called off the frame.
  void prepare(std::function<Result<job::Request>()> make_request);
  // Starts the run that the interpreter completed; cancels current work in the same slot. `lesson` must stay at its
  // address.
  void start(const std::string& slot, const lesson::Lesson& lesson, std::shared_ptr<const RunResult> interpreted);
  // The same, unless a result fits, is being computed or is known to fail. If the whole run is done, requests the
  // witnesses of `launch` in the same way.
  void start_if_needed(const std::string& slot, const lesson::Lesson& lesson,
                       const std::shared_ptr<const RunResult>& interpreted, int launch = 1);
  void cancel(const std::string& slot);
  void stop();  // stops all; results so far stay
  const GpuResult* result(const std::string& lesson, const std::string& variant) const;
  Worker::Status status(const std::string& slot) const { return worker_.status(slot); }
  // The launch that a slot works on: 1 for a run as a whole, 0 for nothing.
  int launch_under_way(const std::string& slot) const;

  // Times the kernel for these values of a control. The lesson must stay at its address.
  void sweep(const lesson::Lesson& lesson, RunKey base, const std::string& control, std::vector<std::int64_t> values);
  void stop_sweep();
  const GpuSweep& sweep() const { return sweep_; }
  bool fits(const GpuSweep& sweep, const RunKey& key, const std::string& control) const;

  bool drain();  // true if a result arrived
  bool idle() const { return worker_.idle(); }
  // Called from drain() before and after a result changes, because the result on screen may be replaced.
  std::function<void()> before_change, after_change;

 private:
  void look_for_devices();
  // `ticket`: of the request; answers to a replaced request are ignored.
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
  Worker worker_;  // declared last, so that its thread ends before the members that its completions use
};

}  // namespace lanescope::gui
