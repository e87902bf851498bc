// What the blocks of a cluster do together: their barrier, and accesses to each other's shared memory.

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/worded.h"
#include "sim/memory/address_space.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

// ---- shared memory of the cluster -------------------------------------------------------------------

std::uint64_t Worker::shared_memory() const {
  return address_space::shared_window + (std::uint64_t{block_->rank} << address_space::rank_shift);
}

template <Mode mode>
bool Worker::cluster_address(const Operation& operation, std::uint32_t active) {
  const ClusterAddressOp& op = frame_->code->cluster_addresses[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (current().guard.present() && !guarded_event<mode>(op.site, active, executed)) return false;
  const std::uint64_t window = op.generic ? address_space::shared_window : 0;
  const std::uint32_t blocks = context_.clusters.blocks();
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    const std::uint64_t address = read_slot(registers_ + op.address, lane, op.bytes) - window;
    if (op.rank == 0) {
      write_slot(registers_ + op.dst, lane, 4, address_space::rank_of(address));
      continue;
    }
    const std::uint64_t rank = read_slot(registers_ + op.rank, lane, 4);
    if (rank >= blocks) {
      fail(current(), "cluster.no_such_block",
           worded("{}: names block {} of its cluster, which has {} block{}", who(lane), rank, blocks,
                  blocks == 1 ? "" : "s"),
           "Name a rank below cluster.num_blocks(), and launch with clusters of that many blocks.");
      return false;
    }
    if (address >= address_space::shared_window_bytes) {
      fail(current(), "cluster.not_shared",
           worded("{}: asks for the place of 0x{:x} in another block, but that is not an address in shared memory",
                  who(lane), address + window),
           "Pass the address of a __shared__ variable.");
      return false;
    }
    write_slot(registers_ + op.dst, lane, op.bytes,
               window + (rank << address_space::rank_shift) + address_space::within_block(address));
  }
  return true;
}

// The block of the cluster whose shared memory contains this address of the shared window. If this instruction cannot
// reach such a block, sets the fault and returns nullptr.
BlockState* Worker::owner_of(std::uint32_t site, trace::Operation operation, std::uint64_t bytes, bool whole_cluster,
                             int lane, std::uint64_t address) {
  const std::uint64_t rank = address_space::rank_of(address);
  if (rank == block_->rank) return block_;
  if (rank >= std::max<std::size_t>(block_->cluster.size(), 1)) {
    access_fault({site, operation, bytes}, trace::MemorySpace::shared, lane, address, "memory.out_of_bounds");
    return nullptr;
  }
  BlockState* const owner = block_->cluster[rank];
  const Dim3 at = context_.launch.grid.at(owner->index);
  const ptx::Instruction& instruction = *context_.program.site_instruction[site];
  if (!whole_cluster) {
    fail(instruction, "cluster.own_block_only",
         worded("{}: the address 0x{:x} lies in the shared memory of block ({}, {}, {}), but this instruction reaches "
                "only that of its own block",
                who(lane), address, at.x, at.y, at.z),
         "Use the pointer that map_shared_rank() gives as a plain pointer, or write .shared::cluster in PTX.");
    return nullptr;
  }
  if (owner->done()) {
    fail(instruction, "cluster.block_exited",
         worded("{}: uses the shared memory of block ({}, {}, {}), which has exited: undefined behaviour", who(lane),
                at.x, at.y, at.z),
         "Put cluster.sync() at the end of the kernel, so that no block exits while others use its shared memory.");
    return nullptr;
  }
  return owner;
}

// An access to shared memory by a block of a larger cluster. It is one request in the block's own memory and one in
// that of all others, however many blocks it accesses. (So an H200 counts: cluster_gather and cluster_histogram in
// tests/cases/witnesses/.)
template <Mode mode>
bool Worker::access_in_cluster(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed) {
  alignas(64) std::array<std::uint64_t, 32> addresses{};
  std::uint32_t own = 0;
  LaneMask{executed}.for_each([&](int lane) {
    const std::uint64_t address = address_of(*pattern_, executed, lane);
    addresses[static_cast<std::size_t>(lane)] = address;
    if (address_space::rank_of(address) == block_->rank) own |= 1u << lane;
  });
  if (own != 0) {
    find_shared_pattern(*block_, addresses, own);
    if (!access_shared_of_block<mode>(memory, active, own)) return false;
  }
  return own == executed || access_shared_of_others<mode>(memory, active, executed & ~own, addresses);
}

void Worker::find_shared_pattern(const BlockState& owner, const std::array<std::uint64_t, 32>& addresses,
                                 std::uint32_t lanes) {
  const std::uint64_t base = std::uint64_t{owner.rank} << address_space::rank_shift;
  lanes_.pattern64(reinterpret_cast<const std::byte*>(addresses.data()), 0 - base, lanes, in_block_);
  pattern_ = &in_block_;
}

template <Mode mode>
bool Worker::access_shared_of_others(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed,
                                     const std::array<std::uint64_t, 32>& addresses) {
  struct Part {
    BlockState* owner = nullptr;
    std::uint32_t lanes = 0;
  };
  std::array<Part, most_blocks_of_a_cluster> parts;
  std::size_t count = 0;
  for (std::uint32_t left = executed; left != 0; left &= ~parts[count++].lanes) {
    const int first = LaneMask{left}.lowest();
    const std::uint64_t address = addresses[static_cast<std::size_t>(first)];
    Part& part = parts[count];
    part.owner = owner_of(memory.site, memory.operation, memory.width, memory.whole_cluster, first, address);
    if (part.owner == nullptr) return false;
    LaneMask{left}.for_each([&](int lane) {
      const std::uint64_t other = addresses[static_cast<std::size_t>(lane)];
      if (address_space::rank_of(other) == part.owner->rank) part.lanes |= 1u << lane;
    });
    find_shared_pattern(*part.owner, addresses, part.lanes);
    if (!check_shared_of(*part.owner, memory, part.lanes)) return false;
  }
  lanes_.pattern64(reinterpret_cast<const std::byte*>(addresses.data()), 0, executed, in_block_);
  if (!record<mode>(memory.site, trace::MemorySpace::distributed, active, executed, in_block_, memory.width))
    return false;
  for (const Part& part : std::span(parts).first(count)) {
    find_shared_pattern(*part.owner, addresses, part.lanes);
    transfer_shared_of(*part.owner, memory, part.lanes);
  }
  if (mode != Mode::plain) remark_distributed(memory.site);
  return true;
}

void Worker::remark_distributed(std::uint32_t site) {
  if (has_remarked("count.distributed")) return;
  remarks_[site] = {block_->index,
                    {Severity::note, "count.distributed", context_.place(*context_.program.site_instruction[site]),
                     "accesses to the shared memory of other blocks are counted separately, as requests and bytes "
                     "(distributed_load and "
                     "so on); how many sectors or wavefronts they take is not known",
                     ""}};
}

// Other blocks may still use the cluster's barrier, so the blocks of a cluster leave the race detector together.
void Worker::block_ended(BlockState& block) {
  if (races_ == nullptr) return;
  if (block.cluster.empty()) return races_->end_block(block.index);
  races_->block_exits(block.index);
  if (!std::ranges::all_of(block.cluster, [](const BlockState* other) { return other->done(); })) return;
  for (const BlockState* other : block.cluster) races_->end_block(other->index);
}

// ---- the barrier of the cluster ---------------------------------------------------------------------

namespace {

std::span<BlockState* const> all_of_cluster(BlockState* const& block) {
  return block->cluster.empty() ? std::span<BlockState* const>(&block, 1) : block->cluster;
}

}  // namespace

// The barrier waits for "all the threads of the cluster". Exited threads count as arrived.
bool Worker::cluster_is_complete() const {
  std::uint32_t arrived = 0;
  for (const BlockState* block : all_of_cluster(block_))
    for (const Warp& warp : block->warps) {
      const std::uint32_t lanes = block->cluster_barrier.arrived[warp.index];
      if ((warp.live & ~lanes) != 0) return false;
      arrived |= lanes;
    }
  return arrived != 0;
}

void Worker::complete_cluster_phase() {
  if (!cluster_is_complete()) return;
  progressed_ = true;
  const auto blocks = all_of_cluster(block_);
  for (BlockState* block : blocks) block->cluster_barrier.arrived.fill(0);
  if (races_ != nullptr) races_->next_phase(blocks.front()->index, RaceDetector::cluster_object);
}

template <Mode mode>
Worker::Then Worker::cluster_barrier(const Operation& operation, std::uint32_t active) {
  const ClusterBarrierOp& op = frame_->code->cluster_barriers[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  const bool first = !std::exchange(warp_->stack.back().waiting, false);
  if (executed == 0) return Then::next;
  if (first && !vote_event<mode>(op.site, trace::EventKind::barrier, active, executed, 0)) return Then::stop;
  std::uint32_t& arrived = block_->cluster_barrier.arrived[warp_->index];
  std::uint32_t& owing = block_->cluster_barrier.owing[warp_->index];
  const std::uint32_t wrong = op.waits ? executed & ~owing : executed & owing;
  if (wrong != 0) {
    fail(current(), "barrier.cluster_order",
         op.waits
             ? worded("{}: waits at the cluster's barrier without having arrived there", who(LaneMask{wrong}.lowest()))
             : worded("{}: arrives at the cluster's barrier again before it has waited there",
                      who(LaneMask{wrong}.lowest())),
         "Let each thread arrive once and then wait once, in turns.");
    return Then::stop;
  }
  const std::uint32_t object_of = all_of_cluster(block_).front()->index;
  if (!op.waits) {
    arrived |= executed;
    owing |= executed;
    if (races_ != nullptr)
      LaneMask{executed}.for_each([&](int lane) {
        races_->arrive_at_object(block_->index, warp_->index, static_cast<std::uint32_t>(lane), object_of,
                                 RaceDetector::cluster_object, op.ordered);
      });
    complete_cluster_phase();
    return Then::next;
  }
  complete_cluster_phase();  // the last missing threads may have exited
  if ((executed & arrived) != 0) {
    note_wait(op.site, RaceDetector::cluster_object, executed & arrived);
    return Then::again;
  }
  owing &= ~executed;
  if (races_ != nullptr)
    LaneMask{executed}.for_each([&](int lane) {
      races_->phase_awaited(block_->index, warp_->index, static_cast<std::uint32_t>(lane), object_of,
                            RaceDetector::cluster_object, true);
    });
  return Then::next;
}

template Worker::Then Worker::cluster_barrier<Mode::plain>(const Operation&, std::uint32_t);
template Worker::Then Worker::cluster_barrier<Mode::totals>(const Operation&, std::uint32_t);
template Worker::Then Worker::cluster_barrier<Mode::events>(const Operation&, std::uint32_t);
template bool Worker::cluster_address<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::cluster_address<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::cluster_address<Mode::events>(const Operation&, std::uint32_t);
template bool Worker::access_in_cluster<Mode::plain>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access_in_cluster<Mode::totals>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access_in_cluster<Mode::events>(const MemoryOp&, std::uint32_t, std::uint32_t);

}  // namespace lanescope::sim
