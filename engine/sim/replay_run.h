#pragma once
// A launch that runs again, as far as requested. Internal to sim's replays.

#include <optional>

#include "sim/launch_run.h"
#include "sim/memory/device_memory_copy.h"
#include "sim/replay.h"

namespace lanescope::sim {

class Replay {
 public:
  Replay(const Program& program, const LaunchRequest& request);
  Diagnostics& problems() { return problems_; }  // of the request
  // False if it was cancelled.
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
inline constexpr Step no_step{~0u, ~0u, ~0u};  // a step that no launch reaches
Diagnostic no_such_event(const Step& step);
Step step_of(const Recorder::Heard& event);
// Bytes of global memory, or of one block's shared memory no matter which block of the cluster accesses them.
class WatchedMemory {
 public:
  // For distributed memory: an address of the cluster's window as used by the block `bytes.block`.
  WatchedMemory(const WatchedBytes& bytes, const Clusters& clusters);
  std::uint64_t begin() const { return bytes_.address; }
  std::uint64_t end() const { return bytes_.address + bytes_.bytes; }
  std::uint64_t size() const { return bytes_.bytes; }
  // Subtract this from the event's addresses to compare them with begin() and end(). nullopt: the event cannot access
  // these bytes.
  std::optional<std::uint64_t> base_of(const Recorder::Heard& event, std::uint64_t first_address) const;
  std::optional<std::uint64_t> base_of(const Recorder::Heard& event) const;

 private:
  WatchedBytes bytes_;
  Clusters clusters_;
};
// Whether an access of the site writes memory of that space.
bool writes_memory(const trace::Site& site, trace::MemorySpace space);

}  // namespace lanescope::sim
