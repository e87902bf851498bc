// Subtracts what a stopped launch did not execute. Entering a basic block counts all its instructions at once, which is
// right only if every warp ends normally.

#include "sim/warp/worker.h"

namespace lanescope::sim {

void Worker::stop_behind_fault(Warp& warp) {
  if (!fault_ || warp.stack.empty()) return;
  Path& path = warp.stack.back();
  const std::vector<Operation>& operations = path.frame->code->operations;
  if (operation_ < operations.data() || operation_ >= operations.data() + operations.size()) return;
  path.next = operation_ + 1;
  path.entering = false;
}

void Worker::discount_unexecuted(const BlockState& block) {
  for (const Warp& warp : block.warps) {
    if (!warp.started) continue;
    for (const Path& path : warp.stack) {
      if (path.entering || path.mask == 0 || path.next == nullptr) continue;
      const FunctionCode& code = *path.frame->code;
      const BlockCode& entered = code.blocks[static_cast<std::size_t>(path.block)];
      const auto operation = static_cast<std::size_t>(path.next - code.operations.data());
      const std::int32_t end = entered.first_instruction + static_cast<std::int32_t>(entered.instructions);
      const std::int32_t next = operation < code.operations.size() ? code.instruction_of[operation] : end;
      if (next < entered.first_instruction || next >= end) continue;  // it had finished the block
      recorder_.not_executed({code.index, path.block, next, static_cast<std::uint32_t>(end - next),
                              static_cast<std::uint32_t>(LaneMask{path.mask}.count())});
    }
  }
}

}  // namespace lanescope::sim
