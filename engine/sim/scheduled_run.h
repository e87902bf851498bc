#pragma once
// Runs all blocks of a launch in the order of a schedule, on one thread.

#include <functional>

#include "sim/warp/device_printf.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

struct ScheduledBlocks {
  Clusters clusters;                           // the clusters of the launch
  bool cooperative = false;                    // all blocks are resident; else as many as the schedule chooses
  std::function<bool(std::uint32_t)> records;  // whether a block's events are kept
  std::function<void()> done;                  // after each block
  std::function<void()> stopped;               // when the worker stopped, while the block where it stands is there
};
// False if the worker stopped; the worker knows the reason. Events are added to `store` in the order of blocks. Text
// that the kernel prints is added to `printed` in the order in which the blocks end.
bool run_scheduled(Worker& worker, Schedule& schedule, const ScheduledBlocks& blocks, EventStore& store,
                   PrintedText& printed);

}  // namespace lanescope::sim
