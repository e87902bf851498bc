#pragma once
// A launch that runs again, as far as it is asked to. Internal to sim's replays.

#include <optional>

#include "sim/launch_run.h"
#include "sim/memory/device_memory_copy.h"
#include "sim/replay.h"

namespace lanescope::sim {

class Replay {
 public:
  Replay(const Program& program, const LaunchRequest& request);
  Diagnostics& problems() { return problems_; }  // of the request
  // False where it was cancelled.
  bool run_to(Recorder::Watch* watch, Recorder::Listener* listener);

 private:
  LaunchRequest request_;
  std::optional<DeviceMemoryCopy> memory_;
  LaunchResult result_;
  Diagnostics problems_;
  std::optional<LaunchRun> run_;
};

Recorder::Watch watch_of(const Step& step);
inline constexpr Step no_step{~0u, ~0u, ~0u};  // that no launch comes to
Diagnostic no_such_event(const Step& step);
Step step_of(const Recorder::Heard& event);
// Whether an event can touch these bytes at all.
bool concerns(const Recorder::Heard& event, const WatchedBytes& bytes);
// Whether an access of the site changes memory of that space.
bool writes_memory(const trace::Site& site, trace::MemorySpace space);

}  // namespace lanescope::sim
