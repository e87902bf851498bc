// What follows a stop: after a fault, or before the event for which a replay was made.

#include "ptx/opcode_table.h"
#include "sim/memory/memory.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

using trace::MemorySpace;

// After a fault of an access: whether it is also a fault of the lane that accesses this address of the space.
bool Worker::lane_fails(const MemoryOp& memory, MemorySpace space, std::uint64_t address) const {
  const std::uint64_t width = memory.width;
  if ((width & (width - 1)) == 0 && address % width != 0) return true;
  const bool unwritten = fault_->code == "memory.uninitialised";
  if (space == MemorySpace::shared || space == MemorySpace::local) {
    const bool shared = space == MemorySpace::shared;
    const std::uint64_t bytes = shared ? context_.shared_bytes : warp_->local.lane_bytes;
    const bool reserved = shared && context_.reserved_shared != 0 && address >= context_.reserved_shared;
    if (!reserved && (address > bytes || bytes - address < width)) return true;
    return shared && unwritten && !block_->shared_written.any(address, width);
  }
  const Region* region = context_.memory.find(address);
  if (region == nullptr || !region->holds(address, address, width)) return true;
  if (memory.operation != trace::Operation::load && region->kind == RegionKind::constant) return true;
  return unwritten && !written_[region->index].any(address - region->address, width);
}

template <Mode mode>
bool Worker::failed_access(const MemoryOp& memory, MemorySpace space, std::uint32_t active, std::uint32_t executed,
                           const AddressPattern& pattern) {
  LaneMask{executed}.for_each([&](int lane) {
    if (lane_fails(memory, space, address_of(*pattern_, executed, lane))) fault_place_->lanes.bits |= 1u << lane;
  });
  if constexpr (mode == Mode::events) {
    recorder_.failed_access_event(*warp_, memory.site, space, active, executed, pattern);
    fault_place_->sequence = warp_->sequence - 1;
    fault_place_->is_event = true;
  }
  return false;
}

template bool Worker::failed_access<Mode::plain>(const MemoryOp&, MemorySpace, std::uint32_t, std::uint32_t,
                                                 const AddressPattern&);
template bool Worker::failed_access<Mode::totals>(const MemoryOp&, MemorySpace, std::uint32_t, std::uint32_t,
                                                  const AddressPattern&);
template bool Worker::failed_access<Mode::events>(const MemoryOp&, MemorySpace, std::uint32_t, std::uint32_t,
                                                  const AddressPattern&);

void Worker::stop_behind_fault(Warp& warp) {
  if (!fault_ || warp.stack.empty()) return;
  Path& path = warp.stack.back();
  const std::vector<Operation>& operations = path.frame->code->operations;
  if (operation_ < operations.data() || operation_ >= operations.data() + operations.size()) return;
  path.next = operation_ + 1;
  path.entering = false;
}

namespace {

// The jump at the end of a basic block that falls through: it is no instruction of the kernel.
bool is_fall_through(const FunctionCode& code, std::size_t operation) {
  const Operation& one = code.operations[operation];
  const auto instruction = static_cast<std::size_t>(code.instruction_of[operation]);
  return one.kind == OperationKind::other && static_cast<Code>(one.code) == Code::jump &&
         ptx::info(code.source->instructions[instruction].opcode).category != ptx::Category::branch;
}

}  // namespace

// Entering a basic block counts all its instructions at once, which is right only if every warp ends normally.
void Worker::discount_unexecuted(const BlockState& block) {
  for (const Warp& warp : block.warps) {
    if (!warp.started) continue;
    for (const Path& path : warp.stack) {
      if (path.entering || path.mask == 0 || path.next == nullptr) continue;
      const FunctionCode& code = *path.frame->code;
      const BlockCode& entered = code.blocks[static_cast<std::size_t>(path.block)];
      auto operation = static_cast<std::size_t>(path.next - code.operations.data());
      // A path that overtook others of its warp stops at a barrier without having arrived.
      if (path.state == Path::State::at_barrier && path.barrier == Path::no_barrier) --operation;
      const std::int32_t end = entered.first_instruction + static_cast<std::int32_t>(entered.instructions);
      const bool inside = operation < code.operations.size() && !is_fall_through(code, operation);
      const std::int32_t next = inside ? code.instruction_of[operation] : end;
      if (next < entered.first_instruction || next >= end) continue;  // it had finished the block
      recorder_.not_executed({code.index, path.block, next, static_cast<std::uint32_t>(end - next),
                              static_cast<std::uint32_t>(LaneMask{path.mask}.count())});
    }
  }
}

void Worker::arrive_at_watched() {
  watched_ = frame_;
  if (const auto& arrived = recorder_.watched()->arrived) arrived(*this);
}

std::uint64_t Worker::watched_offset(int lane, std::uint32_t executed) const {
  return address_of(*pattern_, executed, lane);
}

bool Worker::finish_watched(const Recorder::Heard& event) {
  if (operation_ == nullptr) return true;  // the entry of a basic block
  const Operation& operation = *operation_;
  schedule_ = nullptr;  // so that no schedule ends this turn
  if (operation.kind == OperationKind::alu_guarded) {
    if (event.executed != 0) operation.masked(registers_, operation, event.executed);
    return true;
  }
  const FunctionCode& code = *frame_->code;
  switch (static_cast<Code>(operation.code)) {
    case Code::load:
    case Code::store:
    case Code::atomic:  // an access to several spaces is one event in each
      return access<Mode::plain>(memory_of(operation), event.active, event.executed);
    case Code::async_copy:
      return async_copy<Mode::plain>(operation, event.active);
    case Code::parameter_load:
      return parameter_load<Mode::plain>(operation, event.active);
    case Code::frame_load:
      return frame_access<Mode::plain>(operation, event.active, true);
    case Code::frame_store:
      return frame_access<Mode::plain>(operation, event.active, false);
    case Code::texture:
      return texture<Mode::plain>(operation, event.active);
    case Code::cluster_address:
      return cluster_address<Mode::plain>(operation, event.active);
    case Code::stack:
      return use_stack<Mode::plain>(operation, event.active);
    case Code::clock:
      return clock<Mode::plain>(operation, event.active);
    case Code::barrier:
      return code.barriers[operation.index].dst == 0;
    case Code::shuffle:
    case Code::vote:
    case Code::match:
    case Code::redux:
    case Code::activemask:
    case Code::elect:
    case Code::warp_barrier:
      return exchange<Mode::plain>(operation, event.active) == Then::next;
    case Code::tensor:
      return tensor<Mode::plain>(operation, event.active) == Then::next;
    default:  // does not change registers
      return true;
  }
}

}  // namespace lanescope::sim
