#pragma once
// All blocks of a launch in the order of a schedule, on one thread.

#include <functional>

#include "sim/warp/device_printf.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

struct ScheduledBlocks {
  Clusters clusters;                           // of blocks
  bool cooperative = false;                    // all are resident; else as many as the schedule says
  std::function<bool(std::uint32_t)> records;  // whether a block's events are kept
  std::function<void()> done;                  // after each block
};
// False when the worker stopped: it knows why. Events go to `store` in the order of blocks, what the kernel prints to
// `printed` in that of their ends.
bool run_scheduled(Worker& worker, Schedule& schedule, const ScheduledBlocks& blocks, EventStore& store,
                   PrintedText& printed);

}  // namespace lanescope::sim
