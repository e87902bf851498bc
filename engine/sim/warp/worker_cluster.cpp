// barrier.cluster.arrive and barrier.cluster.wait. A cluster is one block here, so they are a barrier of its threads.
// A thread may do other things between the two.

#include <utility>

#include "core/worded.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

bool Worker::check_cluster_rank(const Operation& operation, std::uint32_t active) {
  const ClusterRankOp& op = frame_->code->cluster_ranks[operation.index];
  for (std::uint32_t left = executed_lanes(operation, active); left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    const std::uint64_t rank = read_slot(registers_ + op.rank, lane, 4);
    if (rank == 0) continue;
    fail(current(), "cluster.no_such_block",
         worded("{}: names block {} of its cluster, but in the interpreter a cluster has one block", who(lane), rank),
         "Name only block 0, for example by cluster.block_rank(), and launch without clusters of several blocks.");
    return false;
  }
  return true;
}

// "All the threads of the cluster", of which those that have exited count as arrived.
bool Worker::cluster_is_complete() const {
  std::uint32_t arrived = 0;
  for (const Warp& warp : block_->warps) {
    const std::uint32_t lanes = block_->cluster.arrived[warp.index];
    if ((warp.live & ~lanes) != 0) return false;
    arrived |= lanes;
  }
  return arrived != 0;
}

void Worker::complete_cluster_phase() {
  if (!cluster_is_complete()) return;
  progressed_ = true;
  block_->cluster.arrived.fill(0);
  if (races_ != nullptr) races_->next_phase(block_->index, RaceDetector::cluster_object);
}

template <Mode mode>
Worker::Wait Worker::cluster_barrier(const Operation& operation, std::uint32_t active) {
  const ClusterBarrierOp& op = frame_->code->cluster_barriers[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  const bool first = !std::exchange(warp_->stack.back().waiting, false);
  if (executed == 0) return Wait::done;
  if (first && !vote_event<mode>(op.site, trace::EventKind::barrier, active, executed, 0)) return Wait::stop;
  std::uint32_t& arrived = block_->cluster.arrived[warp_->index];
  std::uint32_t& owing = block_->cluster.owing[warp_->index];
  const std::uint32_t wrong = op.waits ? executed & ~owing : executed & owing;
  if (wrong != 0) {
    fail(current(), "barrier.cluster_order",
         op.waits
             ? worded("{}: waits at the cluster's barrier without having arrived there", who(LaneMask{wrong}.lowest()))
             : worded("{}: arrives at the cluster's barrier again before it has waited there",
                      who(LaneMask{wrong}.lowest())),
         "Let each thread arrive once and then wait once, in turns.");
    return Wait::stop;
  }
  if (!op.waits) {
    arrived |= executed;
    owing |= executed;
    if (races_ != nullptr)
      LaneMask{executed}.for_each([&](int lane) {
        races_->arrive_at_object(block_->index, warp_->index, static_cast<std::uint32_t>(lane),
                                 RaceDetector::cluster_object, op.ordered);
      });
    complete_cluster_phase();
    return Wait::done;
  }
  complete_cluster_phase();  // the last that were missing may have exited
  if ((executed & arrived) != 0) {
    note_wait(op.site, RaceDetector::cluster_object, executed & arrived);
    return Wait::again;
  }
  owing &= ~executed;
  if (races_ != nullptr)
    LaneMask{executed}.for_each([&](int lane) {
      races_->phase_awaited(block_->index, warp_->index, static_cast<std::uint32_t>(lane), RaceDetector::cluster_object,
                            true);
    });
  return Wait::done;
}

template Worker::Wait Worker::cluster_barrier<Mode::plain>(const Operation&, std::uint32_t);
template Worker::Wait Worker::cluster_barrier<Mode::totals>(const Operation&, std::uint32_t);
template Worker::Wait Worker::cluster_barrier<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
