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
constexpr std::uint64_t local_word_bytes = 4;
std::uint64_t position_in_local(std::uint64_t offset, int lane) {
  return interleaved_in_local(offset, local_word_bytes, lane);
}

// The lanes' places for accesses of `width` bytes. Calculated for all lanes, executed or not, so that the loop needs no
// branch. `low` and `high` are bounds.
void interleave(const AddressPattern& offsets, std::uint32_t executed, std::uint64_t width, AddressPattern& places) {
  const int lowest = LaneMask{executed}.lowest();
  const std::uint64_t piece = std::max(width, local_word_bytes);
  places.first = interleaved_in_local(offsets.first, piece, lowest);
  places.low = interleaved_in_local(offsets.low, piece, 0);
  places.high = interleaved_in_local(offsets.high, piece, 31);
  places.bits = offsets.bits | piece;
  places.halves = false;
  places.affine = offsets.affine && offsets.stride == 0;
  places.stride = places.affine && (executed & (executed - 1)) != 0 ? static_cast<std::int64_t>(piece) : 0;
  if (places.affine) return;
  if (offsets.affine) {
    const auto stride = static_cast<std::uint64_t>(offsets.stride);
    std::uint64_t offset = offsets.first - stride * static_cast<std::uint64_t>(lowest);
    for (int lane = 0; lane < 32; ++lane, offset += stride)
      places.relative[lane] = interleaved_in_local(offset, piece, lane) - places.first;
  } else {
    for (int lane = 0; lane < 32; ++lane)
      places.relative[lane] = interleaved_in_local(offsets.first + offsets.relative[lane], piece, lane) - places.first;
  }
}

// Bit 4 · l for each of 16 lanes l.
constexpr std::uint64_t bit_per_word(std::uint32_t lanes) {
  std::uint64_t bits = lanes & 0xffffu;
  bits = (bits | bits << 24) & 0x000000ff000000ffu;
  bits = (bits | bits << 12) & 0x000f000f000f000fu;
  bits = (bits | bits << 6) & 0x0303030303030303u;
  return (bits | bits << 3) & 0x1111111111111111u;
}
static_assert(bit_per_word(0xffff) == 0x1111111111111111u && bit_per_word(0x8421) == 0x1000010000100001u);

// What an access touches of each word, and whether all lanes access the same offset.
struct TouchedLocally {
  explicit TouchedLocally(const MemoryOp& memory, const AddressPattern& pattern)
      : same_offset(pattern.affine && pattern.stride == 0),
        chunk(std::min<std::uint64_t>(memory.width, local_word_bytes)),
        bytes((std::uint64_t{1} << chunk) - 1) {}
  bool same_offset;
  std::uint64_t chunk;  // bytes
  std::uint64_t bytes;  // bit i: byte i of the chunk
};

// Calls visit(word of the map, its bits that are touched, the bits in lowest place of each touched word) for an access
// of all lanes to one offset.
template <typename Visit>
[[gnu::always_inline]] inline void visit_local_rows(const TouchedLocally& touched, std::uint64_t offset,
                                                    std::uint64_t width, std::uint32_t executed, Visit&& visit) {
  const std::uint64_t bits = touched.bytes << offset % local_word_bytes;
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t lowest = bit_per_word(executed >> 16 * half);
    if (lowest == 0) continue;
    std::uint64_t word = offset / local_word_bytes * 2 + static_cast<std::uint64_t>(half);
    for (std::uint64_t byte = 0; byte < width; byte += touched.chunk, word += 2) visit(word, lowest * bits, lowest);
  }
}

}  // namespace

bool Worker::check_local_bounds(const MemoryOp& memory, std::uint32_t executed) {
  const AddressPattern& pattern = *pattern_;
  const std::uint64_t width = memory.width, lane_bytes = warp_->local.lane_bytes;  // width is a power of 2
  const auto fits = [&](std::uint64_t address) { return lane_bytes >= width && address <= lane_bytes - width; };
  if (fits(pattern.high) && ((pattern.first | pattern.bits) & (width - 1)) == 0) return true;
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    const std::uint64_t address = address_of(pattern, executed, lane);
    if (fits(address) && (address & (width - 1)) == 0) continue;
    memory_fault(memory, MemorySpace::local, lane, address,
                 fits(address) ? "memory.misaligned" : "memory.out_of_bounds");
    return false;
  }
  return true;
}

// A read of bytes that were never written is a fault, or gives the value that the launch request states.
bool Worker::check_local_written(const MemoryOp& memory, std::uint32_t executed) {
  LocalMemory& local = warp_->local;
  const TouchedLocally touched(memory, *pattern_);
  if (touched.same_offset) {
    std::uint64_t missing = 0;
    visit_local_rows(touched, pattern_->first, memory.width, executed,
                     [&](std::uint64_t word, std::uint64_t bits, std::uint64_t lowest) {
                       std::uint64_t written = local.written.word(word) & bits;
                       written |= written >> 2;
                       written |= written >> 1;
                       missing |= lowest & ~written;
                     });
    if (missing == 0) return true;
  }
  const std::optional<std::byte> unwritten = context_.request.unwritten;
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    const std::uint64_t offset = address_of(*pattern_, executed, lane);
    bool any = false;
    for (std::uint64_t byte = 0; byte < memory.width; byte += touched.chunk) {
      const std::uint64_t at = position_in_local(offset + byte, lane);
      const bool written = (local.written.word(at / 64) & touched.bytes << at % 64) != 0;
      if (!written && unwritten)
        std::fill_n(local.bytes.begin() + static_cast<std::ptrdiff_t>(at), touched.chunk, *unwritten);
      any |= written || (unwritten && !context_.request.unwritten_is_a_warning);
    }
    if (any || unwritten_read(memory, MemorySpace::local, lane, offset)) continue;
    return false;
  }
  return true;
}

void Worker::mark_local_written(const MemoryOp& memory, std::uint32_t executed) {
  WrittenMap& written = warp_->local.written;
  const TouchedLocally touched(memory, *pattern_);
  if (touched.same_offset)
    return visit_local_rows(
        touched, pattern_->first, memory.width, executed,
        [&](std::uint64_t word, std::uint64_t bits, std::uint64_t) { written.mark_word(word, bits); });
  LaneMask{executed}.for_each([&](int lane) {
    const std::uint64_t offset = address_of(*pattern_, executed, lane);
    for (std::uint64_t byte = 0; byte < memory.width; byte += touched.chunk) {
      const std::uint64_t at = position_in_local(offset + byte, lane);
      written.mark_word(at / 64, touched.bytes << at % 64);
    }
  });
}

// Each element is within a word, so it is moved where it lies. second_pattern_ has the places for the whole width.
void Worker::transfer_local_words(const MemoryOp& memory, std::uint32_t executed) {
  AddressPattern& places = second_pattern_;
  if (memory.width > local_word_bytes) interleave(*pattern_, executed, local_word_bytes, places);
  const auto bytes = reinterpret_cast<std::uintptr_t>(warp_->local.bytes.data());
  for (std::uint32_t e = 0; e < memory.elements; ++e) {
    const std::uintptr_t host = bytes + position_in_local(std::uint64_t{e} * memory.element_bytes, 0);
    if (memory.operation == trace::Operation::load)
      memory.load(registers_ + memory.value[e], host, places, executed);
    else
      memory.store(registers_ + memory.value[e], host, places, executed);
  }
}

// Through a copy in which each lane's bytes are contiguous.
void Worker::transfer_local_copied(const MemoryOp& memory, std::uint32_t executed) {
  LocalMemory& local = warp_->local;
  const TouchedLocally touched(memory, *pattern_);
  alignas(64) std::byte staged[32 * 32];
  const auto each_chunk = [&](auto&& move) {
    LaneMask{executed}.for_each([&](int lane) {
      const std::uint64_t offset = address_of(*pattern_, executed, lane);
      std::byte* const copy = staged + static_cast<std::uint64_t>(lane) * 32;
      for (std::uint64_t byte = 0; byte < memory.width; byte += touched.chunk)
        move(copy + byte, local.bytes.data() + position_in_local(offset + byte, lane));
    });
  };
  const bool words = touched.chunk == local_word_bytes;  // then the length is a constant
  if (memory.operation != trace::Operation::store) {
    each_chunk(
        [&](std::byte* copy, const std::byte* at) { std::memcpy(copy, at, words ? local_word_bytes : touched.chunk); });
  }
  AddressPattern in_copy;
  in_copy.affine = true;
  in_copy.stride = (executed & (executed - 1)) != 0 ? 32 : 0;
  in_copy.first = static_cast<std::uint64_t>(LaneMask{executed}.lowest()) * 32;
  transfer(memory, reinterpret_cast<std::uintptr_t>(staged), in_copy, executed, false);
  if (memory.operation != trace::Operation::load)
    each_chunk(
        [&](const std::byte* copy, std::byte* at) { std::memcpy(at, copy, words ? local_word_bytes : touched.chunk); });
}

// The request is counted at the addresses that the hardware gives the lanes' pieces (core/local_memory.h). The bytes
// themselves are stored by words (LocalMemory), whatever the width.
template <Mode mode>
bool Worker::access_local(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed) {
  if (!check_local_bounds(memory, executed)) {
    interleave(*pattern_, executed, memory.width, second_pattern_);
    return failed_access<mode>(memory, MemorySpace::local, active, executed, second_pattern_);
  }
  const bool is_load = memory.operation == trace::Operation::load;
  const bool is_atomic = !is_load && memory.operation != trace::Operation::store;
  if (is_atomic) remark_atomic_on_local(memory.site, LaneMask{executed}.lowest(), pattern_->first);
  if ((is_load || is_atomic) && !check_local_written(memory, executed)) return false;
  interleave(*pattern_, executed, memory.width, second_pattern_);
  if (!record<mode>(memory.site, MemorySpace::local, active, executed, second_pattern_, memory.width)) return false;
  if (!is_load) mark_local_written(memory, executed);
  if (!is_atomic && memory.element_bytes <= local_word_bytes)
    transfer_local_words(memory, executed);
  else
    transfer_local_copied(memory, executed);
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
