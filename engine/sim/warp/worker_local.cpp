// A warp's accesses to local memory, and its stack there.

#include <algorithm>
#include <cstring>

#include "core/local_memory.h"
#include "core/worded.h"
#include "sim/memory/address_space.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

using trace::MemorySpace;

namespace {

// The bytes of a lane's word w are contiguous. An access that is narrower than a word is within one.
std::uint64_t position_in_local(std::uint64_t offset, int lane) {
  return (offset / 4 * 32 + static_cast<std::uint64_t>(lane)) * 4 + offset % 4;
}

}  // namespace

// A read of bytes that were never written is a fault, or gives the value that the launch request states.
bool Worker::check_local_written(const MemoryOp& memory, const std::array<std::uint64_t, 32>& offsets,
                                 std::uint32_t executed) {
  LocalMemory& local = warp_->local;
  const std::optional<std::byte> unwritten = context_.request.unwritten;
  const std::uint64_t chunk = std::min<std::uint64_t>(memory.width, 4);
  const bool rows = pattern_->affine && pattern_->stride == 0 && executed == ~0u && chunk == 4;
  if (rows && local.written.all(position_in_local(offsets[0], 0), std::uint64_t{32} * memory.width)) return true;
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    const std::uint64_t offset = offsets[static_cast<std::size_t>(lane)];
    bool any = false;
    for (std::uint64_t byte = 0; byte < memory.width; byte += chunk) {
      const std::uint64_t at = position_in_local(offset + byte, lane);
      const bool written = local.written.any(at, chunk);
      if (!written && unwritten) std::fill_n(local.bytes.begin() + static_cast<std::ptrdiff_t>(at), chunk, *unwritten);
      any |= written || (unwritten && !context_.request.unwritten_is_a_warning);
    }
    if (any || unwritten_read(memory, MemorySpace::local, lane, offset)) continue;
    return false;
  }
  return true;
}

// The request is counted at the addresses that the hardware gives the lanes' pieces (core/local_memory.h). The bytes
// themselves are stored by words (LocalMemory), whatever the width.
template <Mode mode>
bool Worker::access_local(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed) {
  const AddressPattern& pattern = *pattern_;
  LocalMemory& local = warp_->local;
  const std::uint64_t width = memory.width;
  std::array<std::uint64_t, 32> offsets;
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    const std::uint64_t address = address_of(pattern, executed, lane);
    const bool fits = local.lane_bytes >= width && address <= local.lane_bytes - width;
    offsets[static_cast<std::size_t>(lane)] = address;
    if (fits && (address & (width - 1)) == 0) continue;  // a power of 2; 32 divisions would take half the time
    memory_fault(memory, MemorySpace::local, lane, address, fits ? "memory.misaligned" : "memory.out_of_bounds");
    return false;
  }
  const bool is_load = memory.operation == trace::Operation::load;
  const bool is_atomic = !is_load && memory.operation != trace::Operation::store;
  if (is_atomic) remark_atomic_on_local(memory.site, LaneMask{executed}.lowest(), pattern.first);
  const std::uint64_t piece = std::max<std::uint64_t>(width, 4);
  const auto counted = [&](int lane) {
    return interleaved_in_local(offsets[static_cast<std::size_t>(lane)], width, lane);
  };
  AddressPattern& interleaved = second_pattern_;
  interleaved.first = counted(LaneMask{executed}.lowest());
  interleaved.affine = pattern.affine && pattern.stride == 0;
  interleaved.halves = false;
  interleaved.stride = interleaved.affine && (executed & (executed - 1)) != 0 ? static_cast<std::int64_t>(piece) : 0;
  if (!interleaved.affine)
    LaneMask{executed}.for_each([&](int lane) { interleaved.relative[lane] = counted(lane) - interleaved.first; });

  const std::uint64_t chunk = std::min<std::uint64_t>(width, 4);
  const auto position = [&](int lane, std::uint64_t byte) {
    return position_in_local(offsets[static_cast<std::size_t>(lane)] + byte, lane);
  };
  if ((is_load || is_atomic) && !check_local_written(memory, offsets, executed)) return false;
  if (!record<mode>(memory.site, MemorySpace::local, active, executed, interleaved, memory.width)) return false;

  // Copies to a buffer in which each lane's bytes are contiguous, so that the usual transfer functions can be used.
  alignas(64) std::byte staged[32 * 32];
  AddressPattern in_copy;
  in_copy.affine = true;
  in_copy.stride = 32;
  in_copy.first = static_cast<std::uint64_t>(LaneMask{executed}.lowest()) * 32;
  if ((executed & (executed - 1)) == 0) in_copy.stride = 0;
  const auto host = reinterpret_cast<std::uintptr_t>(staged);
  // A whole warp's accesses to the same variable touch whole rows of words.
  const bool rows = interleaved.affine && executed == ~0u && chunk == 4;
  const auto each_chunk = [&](auto&& visit) {
    LaneMask{executed}.for_each([&](int lane) {
      for (std::uint64_t byte = 0; byte < width; byte += chunk)
        visit(staged + static_cast<std::uint64_t>(lane) * 32 + byte, position(lane, byte));
    });
  };
  if (is_load || is_atomic)
    each_chunk([&](std::byte* copy, std::uint64_t at) { std::memcpy(copy, local.bytes.data() + at, chunk); });
  transfer(memory, host, in_copy, executed, false);
  if (is_load) return true;
  each_chunk([&](const std::byte* copy, std::uint64_t at) {
    std::memcpy(local.bytes.data() + at, copy, chunk);
    if (!rows) local.written.mark(at, chunk);
  });
  if (rows) local.written.mark(position(0, 0), 32 * width);
  return true;
}

// ---- alloca -----------------------------------------------------------------------------------------

bool Worker::allocate_on_stack(const StackOp& op, int lane, std::uint64_t base, std::uint64_t& held) {
  const std::uint64_t bytes = read_slot(registers_ + op.value, lane, op.bytes);
  const std::uint64_t at = address_space::align_up(base + held, std::max<std::uint64_t>(op.alignment, 8));
  if (bytes > max_local_bytes || at + bytes > max_local_bytes) {
    fail(current(), "run.stack_overflow",
         worded("{}: allocates {} bytes of local memory above {}; a thread has {}", who(lane), bytes, at,
                max_local_bytes),
         "Allocate less, or use a buffer.");
    return false;
  }
  const std::uint64_t end = address_space::align_up(at + bytes, 8);
  warp_->local.reserve(end);
  warp_->local.renew(at, end - at, lane);
  held = end - base;
  write_slot(registers_ + op.dst, lane, op.bytes, at);
  return true;
}

template <Mode mode>
bool Worker::use_stack(const Operation& operation, std::uint32_t active) {
  const StackOp& op = frame_->code->stacks[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (op.site != no_site && !guarded_event<mode>(op.site, active, executed)) return false;
  if (frame_->allocated == nullptr) frame_->allocated = std::make_unique<std::array<std::uint64_t, 32>>();
  const std::uint64_t base = frame_->local_base + frame_->code->local_bytes;
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    std::uint64_t& held = (*frame_->allocated)[static_cast<std::size_t>(lane)];
    if (op.kind == StackOp::Kind::allocate) {
      if (!allocate_on_stack(op, lane, base, held)) return false;
    } else if (op.kind == StackOp::Kind::save) {
      write_slot(registers_ + op.dst, lane, op.bytes, base + held);
    } else {
      const std::uint64_t saved = read_slot(registers_ + op.value, lane, op.bytes);
      if (saved - base > held) {
        fail(current(), "run.bad_stack_pointer",
             worded("{}: restores the stack pointer 0x{:x}, which stacksave did not give", who(lane), saved),
             "Restore what stacksave gave in the same call of the function.");
        return false;
      }
      held = saved - base;
    }
  }
  return true;
}

template bool Worker::use_stack<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::use_stack<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::use_stack<Mode::events>(const Operation&, std::uint32_t);
template bool Worker::access_local<Mode::plain>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access_local<Mode::totals>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access_local<Mode::events>(const MemoryOp&, std::uint32_t, std::uint32_t);

}  // namespace lanescope::sim
