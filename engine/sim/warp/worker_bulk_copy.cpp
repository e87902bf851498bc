// cp.async.bulk: one thread copies many bytes; the copy completes on an mbarrier or in a group. It happens immediately.
// It is not a request of the warp: the hardware's copy engine moves the bytes, bypassing the units that count requests.

#include <cstring>
#include <string_view>
#include <utility>

#include "core/worded.h"
#include "sim/memory/address_space.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

using trace::MemorySpace;
using CopyWay = BulkCopyOp::Way;

// The source or the destination of one lane's copy.
struct Worker::BulkSide {
  int lane = 0;
  std::uint64_t address = 0;  // for shared memory: in the owner's
  std::uint32_t bytes = 0;
  bool global = false, writes = false;
  BlockState* owner = nullptr;  // the block whose shared memory it is
};

namespace {

constexpr std::uint64_t bulk_granule = 16;  // addresses and sizes are multiples of it, in bytes

}  // namespace

// Checks that the bytes are in one buffer or in shared memory, and may be read or written.
bool Worker::find_bulk_side(const BulkCopyOp& op, BulkSide& side) {
  const MemorySpace space = side.global ? MemorySpace::global : MemorySpace::shared;
  const bool distributed = side.owner != nullptr && side.owner != block_;
  const bool reads = !side.writes || op.reduce != nullptr;
  const auto fault = [&](const char* code) {
    const bool of_reading = !side.writes || std::string_view(code) == "memory.uninitialised";
    const std::uint64_t base = distributed ? std::uint64_t{side.owner->rank} << address_space::rank_shift : 0;
    access_fault({op.site, of_reading ? trace::Operation::load : trace::Operation::store, side.bytes},
                 distributed ? MemorySpace::distributed : space, side.lane, base + side.address, code);
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
    if (reads && !side.owner->shared_written.any(side.address, side.bytes)) return fault("memory.uninitialised");
    return true;
  }
  const Region* region = context_.memory.find(side.address);
  if (region == nullptr || !region->holds(side.address, side.address, side.bytes))
    return fault(side.address < address_space::null_bytes ? "memory.null" : "memory.out_of_bounds");
  if (side.writes && region->kind == RegionKind::constant) return fault("memory.write_to_constant");
  const WrittenOverlay& written = written_[region->index];
  if (reads && !written.complete() && !written.any(side.address - region->address, side.bytes))
    return fault("memory.uninitialised");
  return true;
}

// The bytes in host memory. Notes that they are used, for the comparison with other workers.
std::byte* Worker::take_bulk_side(const BulkSide& side) {
  if (!side.global) {
    if (side.writes) side.owner->shared_written.mark(side.address, side.bytes);
    return side.owner->shared.data() + side.address;
  }
  return take_global(*context_.memory.find(side.address), side.address, side.bytes, !side.writes, side.writes);
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
  BulkSide from{.lane = lane, .address = place(op.from), .bytes = bytes};
  from.global = op.way == CopyWay::to_shared || op.way == CopyWay::prefetch;
  if (op.way == CopyWay::prefetch) return from.address % bulk_granule == 0 || find_bulk_side(op, from);
  if (!from.global && !own_bulk_side(op, from, false)) return false;
  if (!find_bulk_side(op, from)) return false;
  const BulkSide to{
      .lane = lane, .address = place(op.to), .bytes = bytes, .global = op.way == CopyWay::to_global, .writes = true};
  const std::uint64_t object = to.global ? 0 : place(op.mbarrier);
  if (op.mask == 0) return copy_in_bulk_to(op, from, to, object);
  std::uint32_t ranks = 0;
  if (!find_ranks(op.site, op.mask, lane, ranks)) return false;
  // The copy goes to the same offset in each block, and completes on the mbarrier at the same offset.
  for (std::uint32_t left = ranks; left != 0; left &= left - 1) {
    const std::uint64_t base = static_cast<std::uint64_t>(LaneMask{left}.lowest()) << address_space::rank_shift;
    BulkSide there = to;
    there.address = base + address_space::within_block(to.address);
    if (!copy_in_bulk_to(op, from, there, base + address_space::within_block(object))) return false;
  }
  return true;
}

// The blocks of the cluster that a multicast copy goes to, one bit each.
bool Worker::find_ranks(std::uint32_t site, std::uint32_t mask, int lane, std::uint32_t& ranks) {
  ranks = static_cast<std::uint32_t>(read_slot(registers_ + mask, lane, 2));
  const std::uint32_t blocks = context_.clusters.blocks();
  if ((ranks >> blocks) == 0) return true;
  fail(*context_.program.site_instruction[site], "cluster.no_such_block",
       worded("{}: copies to the blocks of the mask 0x{:x}, but its cluster has {} block{}", who(lane), ranks, blocks,
              blocks == 1 ? "" : "s"),
       "Set only bits below cluster.num_blocks() in the mask.");
  return false;
}

// Finds the block whose shared memory contains the side's address, and makes it an address within that block.
bool Worker::own_bulk_side(const BulkCopyOp& op, BulkSide& side, bool whole_cluster) {
  side.owner = owner_of(op.site, side.writes ? trace::Operation::store : trace::Operation::load, side.bytes,
                        whole_cluster, side.lane, side.address);
  side.address = address_space::within_block(side.address);
  return side.owner != nullptr;
}

// `object` is the address of the mbarrier on which the copy completes. Used only if the copy writes to shared memory.
bool Worker::copy_in_bulk_to(const BulkCopyOp& op, const BulkSide& from, BulkSide to, std::uint64_t object) {
  const bool completes = !to.global;
  if (completes && !completes_in_same_block(op.site, to.address, object, to.lane)) return false;
  if (completes && !own_bulk_side(op, to, op.whole_cluster)) return false;
  if (!find_bulk_side(op, to)) return false;
  if (completes && !is_mbarrier(op.site, object, to.lane)) return false;
  if (races_ != nullptr && from.bytes != 0) {
    const auto tracker =
        completes ? static_cast<std::uint32_t>(address_space::within_block(object)) : Poll::no_mbarrier;
    const std::uint32_t tracker_owner = completes ? to.owner->index : block_->index;
    watch_bulk_side(op, from, tracker, tracker_owner);
    watch_bulk_side(op, to, tracker, tracker_owner);
  }
  if (from.bytes != 0) move_in_bulk(op, from, to);
  return !completes || complete_on(op.site, object, from.bytes, to.lane);
}

void Worker::move_in_bulk(const BulkCopyOp& op, const BulkSide& from, const BulkSide& to) {
  std::byte* const into = take_bulk_side(to);
  const std::byte* const bytes = take_bulk_side(from);
  if (op.reduce == nullptr) {
    std::memmove(into, bytes, from.bytes);
    return;
  }
  for (std::uint32_t i = 0; i < from.bytes; i += op.element_bytes)
    op.reduce(into + i, read_number(bytes + i, op.element_bytes), 0);
}

// "PTX ISA": the mbarrier object must be in the shared memory of the destination's block.
bool Worker::completes_in_same_block(std::uint32_t site, std::uint64_t address, std::uint64_t object, int lane) {
  if (address_space::rank_of(address) == address_space::rank_of(object)) return true;
  fail(*context_.program.site_instruction[site], "mbarrier.of_another_block",
       worded("{}: writes to shared memory of block {} of the cluster, and completes on an mbarrier of block {}",
              who(lane), address_space::rank_of(address), address_space::rank_of(object)),
       "Name an mbarrier of the block that the bytes go to: map both addresses to the same rank.");
  return false;
}

void Worker::watch_bulk_side(const BulkCopyOp& op, const BulkSide& side, std::uint32_t mbarrier,
                             std::uint32_t mbarrier_owner) {
  RaceDetector::Request request;
  request.block = block_->index;
  request.warp = warp_->index;
  request.site = op.site;
  request.width = side.bytes;
  request.addresses[static_cast<std::size_t>(side.lane)] = side.address;
  request.space = side.global ? MemorySpace::global : MemorySpace::shared;
  request.owner = side.owner != nullptr ? side.owner->index : block_->index;
  request.executed = 1u << side.lane;
  request.reads_only = !side.writes;
  request.reduces = side.writes ? op.element_bytes : std::uint8_t{0};
  // The wait that tells that the bytes have arrived also tells that they have been read.
  request.asynchronous = true;
  request.in_bulk = true;
  request.tracker = mbarrier;
  request.tracker_owner = mbarrier_owner;
  races_->access(request);
  remark_unfenced(op.site, side.lane);
}

// ---- st.async, red.async ----------------------------------------------------------------------------

template <Mode mode>
bool Worker::async_store(const Operation& operation, std::uint32_t active) {
  const AsyncStoreOp& op = frame_->code->async_stores[operation.index];
  const MemoryOp& memory = op.memory;
  const std::uint32_t executed = executed_lanes(operation, active);
  if (executed == 0) return true;
  const auto object_of = [&](int lane) {
    return address_in(op.mbarrier.slot, op.mbarrier.offset, op.mbarrier.wide, lane);
  };
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    const std::uint64_t address = address_in(memory.address, memory.offset, memory.address64, lane);
    if (!completes_in_same_block(memory.site, address, object_of(lane), lane)) return false;
    if (!is_mbarrier(memory.site, object_of(lane), lane)) return false;
    if (races_ != nullptr) watch_async_store(memory, address, object_of(lane), lane);
  }
  if (!access<mode>(memory, active, executed)) return false;
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    if (!complete_on(memory.site, object_of(lane), memory.width, lane)) return false;
  }
  return true;
}

void Worker::watch_async_store(const MemoryOp& memory, std::uint64_t address, std::uint64_t object, int lane) {
  RaceDetector::Request request;
  request.block = block_->index;
  request.warp = warp_->index;
  request.site = memory.site;
  request.width = memory.width;
  // A reduction is atomic, so it does not race with other reductions.
  request.asynchronous = memory.operation == trace::Operation::store;
  request.in_bulk = true;
  request.tracker = static_cast<std::uint32_t>(address_space::within_block(object));
  const BlockState* owner = owner_of(memory.site, memory.operation, memory.width, memory.whole_cluster, lane, object);
  request.tracker_owner = owner->index;  // not nullptr, since is_mbarrier() is true
  std::array<std::uint64_t, 32> addresses{};
  addresses[static_cast<std::size_t>(lane)] = address;
  watch_shared(request, addresses, 1u << lane);
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
Worker::Then Worker::bulk_copy(const Operation& operation, std::uint32_t active) {
  const BulkCopyOp& op = frame_->code->bulk_copies[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (schedule_ != nullptr && executed != 0 && preempt()) return Then::preempted;
  if (op.guarded && !guarded_event<mode>(op.site, active, executed)) return Then::stop;
  if (executed == 0) return Then::next;
  for (std::uint32_t left = executed; left != 0; left &= left - 1)
    if (!copy_in_bulk(op, LaneMask{left}.lowest())) return Then::stop;
  if (op.way != CopyWay::prefetch && mode != Mode::plain) remark_not_counted(op.site);
  return Then::next;
}

template Worker::Then Worker::bulk_copy<Mode::plain>(const Operation&, std::uint32_t);
template Worker::Then Worker::bulk_copy<Mode::totals>(const Operation&, std::uint32_t);
template Worker::Then Worker::bulk_copy<Mode::events>(const Operation&, std::uint32_t);
template bool Worker::async_store<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::async_store<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::async_store<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
