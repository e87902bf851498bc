#include "sim/warp/warp.h"

#include <algorithm>
#include <cstring>

namespace lanescope::sim {

void LocalMemory::reserve(std::uint64_t wanted_lane_bytes) {
  if (wanted_lane_bytes <= lane_bytes) return;
  lane_bytes = (wanted_lane_bytes + 15) / 16 * 16;
  if (lane_bytes * 32 <= bytes.size()) return;
  // Twice the space each time, because deep calls come here at every level.
  const std::uint64_t room = std::max(lane_bytes * 32, std::uint64_t{2} * bytes.size());
  bytes.resize(room);
  WrittenMap larger(room, 0);
  larger.merge(written.words());
  written = std::move(larger);
}

void LocalMemory::renew(std::uint64_t begin, std::uint64_t count, int lane) {
  for (std::uint64_t word = begin / 4; word < (begin + count) / 4; ++word) {
    const std::uint64_t at = (word * 32 + static_cast<std::uint64_t>(lane)) * 4;
    written.forget(at, 4);
    std::memset(bytes.data() + at, 0, 4);
  }
}

std::size_t Warp::subtree_end(std::size_t root) const {
  std::size_t end = root + 1;
  while (end < stack.size() && stack[end].level > stack[root].level) ++end;
  return end;
}

std::uint32_t Warp::arrived(std::size_t join) const {
  std::uint32_t missing = 0;
  const std::size_t end = subtree_end(join);
  for (std::size_t i = join + 1; i < end; ++i)
    if (stack[i].level == stack[join].level + 1) missing |= stack[i].mask;
  return stack[join].mask & live & ~missing;
}

void Warp::bring_to_top(std::size_t leaf) {
  for (std::uint32_t level = 0; level <= stack[leaf].level; ++level) {
    // The subtree of this level that contains the leaf.
    std::size_t root = leaf;
    while (stack[root].level > level) --root;
    const std::size_t end = subtree_end(root);
    // Its siblings above it.
    std::size_t last = end;
    while (last < stack.size() && stack[last].level >= level) ++last;
    std::rotate(stack.begin() + static_cast<std::ptrdiff_t>(root), stack.begin() + static_cast<std::ptrdiff_t>(end),
                stack.begin() + static_cast<std::ptrdiff_t>(last));
    leaf += last - end;
  }
}

std::uint8_t Warp::ahead(const Path& path) const {
  const FunctionCode& code = *path.frame->code;
  // A path in the middle of a basic block is after the instruction before `next`, which is a call.
  const std::int32_t at =
      path.entering ? code.blocks[static_cast<std::size_t>(path.block)].first_instruction
                    : code.instruction_of[static_cast<std::size_t>(path.next - 1 - code.operations.data())] + 1;
  std::uint8_t found = code.ahead[static_cast<std::size_t>(at)];
  for (const Frame* frame = path.frame; frame->caller != nullptr; frame = frame->caller) {
    const FunctionCode& caller = *frame->caller->code;
    found |= caller.ahead[static_cast<std::size_t>(frame->call->instruction - caller.source->instructions.data()) + 1];
  }
  return found;
}

const BarrierOp* Warp::aligned_barrier_below(std::size_t join) const {
  const std::size_t end = subtree_end(join);
  for (std::size_t i = join + 1; i < end; ++i) {
    if (stack[i].state != Path::State::at_barrier) continue;
    const BarrierOp& barrier = stack[i].frame->code->barriers[(stack[i].next - 1)->index];
    if (barrier.aligned) return &barrier;
  }
  return nullptr;
}

bool Warp::may_overtake(std::size_t join) {
  const BarrierOp* barrier = aligned_barrier_below(join);
  if (barrier == nullptr) return true;
  const std::uint8_t to_come = ahead(stack[join]);
  if ((to_come & Ahead::barrier) != 0) return false;
  if ((to_come & Ahead::effect) != 0) passed_barrier = {barrier->site, arrived(join)};
  return true;
}

bool Warp::switch_path() {
  for (std::size_t i = stack.size(); i-- > 0;) {
    if (!is_leaf(i) || stack[i].state != Path::State::runnable || stack[i].spun) continue;
    if (arrived(i) == 0) continue;  // all its lanes have exited
    bring_to_top(i);
    return true;
  }
  // The innermost join at which some lanes have arrived. They continue alone.
  for (std::size_t i = stack.size(); i-- > 0;) {
    if (is_leaf(i)) continue;
    const std::uint32_t lanes = arrived(i);
    if (lanes == 0 || !may_overtake(i)) continue;
    leave_join(i, lanes, false);
    return true;
  }
  for (Path& path : stack) path.spun = false;
  return false;
}

void Warp::leave_join(std::size_t join, std::uint32_t lanes, bool overtakes) {
  Path alone = stack[join];
  alone.mask = lanes;
  alone.spun = false;
  alone.overtakes |= overtakes;
  if (alone.frame != nullptr) ++alone.frame->users;
  stack[join].mask &= ~lanes;
  for (Path& path : stack) path.spun = false;
  const std::size_t end = subtree_end(join);
  stack.insert(stack.begin() + static_cast<std::ptrdiff_t>(end), alone);
  bring_to_top(end);
}

bool Warp::let_overtake() {
  for (std::size_t i = stack.size(); i-- > 0;) {
    if (is_leaf(i) || stack[i].overtakes) continue;
    const std::uint32_t lanes = arrived(i);
    const BarrierOp* const barrier = lanes == 0 ? nullptr : aligned_barrier_below(i);
    if (barrier == nullptr) continue;
    overtaken = {barrier->site, lanes};
    leave_join(i, lanes, true);
    return true;
  }
  return false;
}

}  // namespace lanescope::sim
