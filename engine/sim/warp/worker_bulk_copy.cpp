// cp.async.bulk: copies of many bytes by one thread, which complete on an mbarrier or in a group. A copy happens at
// once. It is no request of the warp: the hardware's copy engine moves the bytes, past the units that count requests.

#include <cstring>
#include <utility>

#include "core/worded.h"
#include "sim/memory/address_space.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

using trace::MemorySpace;
using CopyWay = BulkCopyOp::Way;

// What a lane's copy reads, or writes.
struct Worker::BulkSide {
  int lane = 0;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  bool global = false, writes = false;
};

namespace {

constexpr std::uint64_t bulk_granule = 16;  // bytes: of addresses and sizes

AddressPattern of_one_lane(std::uint64_t address) {
  AddressPattern pattern;
  pattern.first = pattern.low = pattern.high = address;
  pattern.affine = true;
  return pattern;
}

}  // namespace

// Whether the bytes lie in one buffer, or in shared memory, and may be read or written.
bool Worker::find_bulk_side(const BulkCopyOp& op, BulkSide& side) {
  const MemorySpace space = side.global ? MemorySpace::global : MemorySpace::shared;
  const auto fault = [&](const char* code) {
    access_fault({op.site, side.writes ? trace::Operation::store : trace::Operation::load, side.bytes}, space,
                 side.lane, side.address, code);
    return false;
  };
  if (side.address % bulk_granule != 0) {
    fail(
        *context_.program.site_instruction[op.site], "memory.bulk_copy",
        worded("{}: a bulk copy {} {} address 0x{:x}, which is not a multiple of 16", who(side.lane),
               side.writes ? "writes to" : "reads from", trace::to_string(space), side.address),
        "Align both sides of the copy to 16 bytes: alignas(16) for shared memory, and whole 16 bytes from the start of "
        "a buffer.");
    return false;
  }
  if (side.bytes == 0) return true;
  if (!side.global) {
    const bool inside = side.bytes <= context_.shared_bytes && side.address <= context_.shared_bytes - side.bytes;
    if (!inside) return fault("memory.out_of_bounds");
    if (!side.writes && !block_->shared_written.any(side.address, side.bytes)) return fault("memory.uninitialised");
    return true;
  }
  const Region* region = context_.memory.find(side.address);
  if (region == nullptr || !region->holds(side.address, side.address, side.bytes))
    return fault(side.address < address_space::null_bytes ? "memory.null" : "memory.out_of_bounds");
  if (side.writes && region->kind == RegionKind::constant) return fault("memory.write_to_constant");
  const WrittenOverlay& written = written_[region->index];
  if (!side.writes && !written.complete() && !written.any(side.address - region->address, side.bytes))
    return fault("memory.uninitialised");
  return true;
}

// Where the bytes lie in this program; others are told that they are used.
std::byte* Worker::take_bulk_side(const BulkSide& side) {
  if (!side.global) {
    if (side.writes) block_->shared_written.mark(side.address, side.bytes);
    return block_->shared.data() + side.address;
  }
  const Region& region = *context_.memory.find(side.address);
  const std::uint32_t mask = 1u << side.lane;
  const AddressPattern pattern = of_one_lane(side.address);
  if (sets_ != nullptr)
    sets_->mark(side.writes ? AccessSets::Use::write : AccessSets::Use::read, region, pattern, mask, side.bytes);
  if (side.writes) {
    context_.writes.before_write(region, side.address, side.bytes);
    WrittenOverlay& written = written_[region.index];
    if (!written.complete()) written.mark(side.address - region.address, side.bytes);
  }
  return reinterpret_cast<std::byte*>(region.host() + side.address);
}

bool Worker::copy_in_bulk(const BulkCopyOp& op, int lane) {
  const auto place = [&](const BulkCopyOp::Place& at) { return address_in(at.slot, at.offset, at.wide, lane); };
  const auto bytes = static_cast<std::uint32_t>(read_slot(registers_ + op.bytes, lane, 4));
  if (bytes % bulk_granule != 0) {
    fail(*context_.program.site_instruction[op.site], "memory.bulk_copy",
         worded("{}: a bulk copy of {} bytes; its size must be a multiple of 16", who(lane), bytes),
         "Copy whole 16 bytes, and the rest with plain loads and stores.");
    return false;
  }
  BulkSide from{lane, place(op.from), bytes, op.way == CopyWay::to_shared || op.way == CopyWay::prefetch, false};
  if (op.way == CopyWay::prefetch) return from.address % bulk_granule == 0 || find_bulk_side(op, from);
  BulkSide to{lane, place(op.to), bytes, op.way == CopyWay::to_global, true};
  const bool completes = op.way != CopyWay::to_global;
  const std::uint64_t object = completes ? place(op.mbarrier) : 0;
  if (!find_bulk_side(op, from) || !find_bulk_side(op, to)) return false;
  if (completes && !is_mbarrier(op.site, object, lane)) return false;
  const auto tracker = completes ? static_cast<std::uint32_t>(object) : Poll::no_mbarrier;
  if (races_ != nullptr && bytes != 0) {
    watch_bulk_side(op, from, tracker);
    watch_bulk_side(op, to, tracker);
  }
  if (bytes != 0) std::memmove(take_bulk_side(to), take_bulk_side(from), bytes);
  return !completes || complete_on(op.site, object, bytes, lane);
}

void Worker::watch_bulk_side(const BulkCopyOp& op, const BulkSide& side, std::uint32_t mbarrier) {
  RaceDetector::Request request;
  request.block = block_->index;
  request.warp = warp_->index;
  request.site = op.site;
  request.width = side.bytes;
  request.addresses[static_cast<std::size_t>(side.lane)] = side.address;
  request.space = side.global ? MemorySpace::global : MemorySpace::shared;
  request.executed = 1u << side.lane;
  request.reads_only = !side.writes;
  // Its reads are over once the bytes have come, which the same wait tells.
  request.asynchronous = true;
  request.in_bulk = true;
  request.tracker = mbarrier;
  races_->access(request);
}

void Worker::remark_not_counted(std::uint32_t site) {
  if (has_remarked("count.bulk_copy")) return;
  remarks_[site] = {
      block_->index,
      {Severity::note, "count.bulk_copy", context_.place(*context_.program.site_instruction[site]),
       "bulk copies (cp.async.bulk) are not among the requests, sectors and bytes: no warp requests them, "
       "and the counters of an H200 leave them out too",
       ""}};
}

template <Mode mode>
Worker::Wait Worker::bulk_copy(const Operation& operation, std::uint32_t active) {
  const BulkCopyOp& op = frame_->code->bulk_copies[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (schedule_ != nullptr && executed != 0 && preempt()) return Wait::preempted;
  if (op.guarded && !guarded_event<mode>(op.site, active, executed)) return Wait::stop;
  if (executed == 0) return Wait::done;
  for (std::uint32_t left = executed; left != 0; left &= left - 1)
    if (!copy_in_bulk(op, LaneMask{left}.lowest())) return Wait::stop;
  if (op.way != CopyWay::prefetch && mode != Mode::plain) remark_not_counted(op.site);
  return Wait::done;
}

template Worker::Wait Worker::bulk_copy<Mode::plain>(const Operation&, std::uint32_t);
template Worker::Wait Worker::bulk_copy<Mode::totals>(const Operation&, std::uint32_t);
template Worker::Wait Worker::bulk_copy<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
