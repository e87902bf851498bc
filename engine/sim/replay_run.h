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
  const Clusters& clusters() const { return clusters_; }

 private:
  LaunchRequest request_;
  std::optional<DeviceMemoryCopy> memory_;
  LaunchResult result_;
  Diagnostics problems_;
  Clusters clusters_;
  std::optional<LaunchRun> run_;
};

Recorder::Watch watch_of(const Step& step);
inline constexpr Step no_step{~0u, ~0u, ~0u};  // that no launch comes to
Diagnostic no_such_event(const Step& step);
Step step_of(const Recorder::Heard& event);
// Bytes of global memory, or of one block's shared memory, whichever block of its cluster accesses them.
class WatchedMemory {
 public:
  // Of distributed memory: an address of the cluster's window, as the block `bytes.block` uses it.
  WatchedMemory(const WatchedBytes& bytes, const Clusters& clusters);
  std::uint64_t begin() const { return bytes_.address; }
  std::uint64_t end() const { return bytes_.address + bytes_.bytes; }
  std::uint64_t size() const { return bytes_.bytes; }
  // What the addresses of an event are too high by, to be compared with begin() and end(); those of lanes that access
  // other blocks then lie outside. Nothing: it cannot touch these bytes.
  std::optional<std::uint64_t> base_of(const Recorder::Heard& event) const;

 private:
  WatchedBytes bytes_;
  Clusters clusters_;
};
// Whether an access of the site changes memory of that space.
bool writes_memory(const trace::Site& site, trace::MemorySpace space);

}  // namespace lanescope::sim
