#include "sim/scheduled_run.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "sim/resident_cluster.h"

namespace lanescope::sim {

namespace {

constexpr std::uint32_t most_resident = 8;

template <typename T>
void shuffle(std::vector<T>& values, Schedule& schedule) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[schedule.below(static_cast<std::uint32_t>(i))]);
}

class ScheduledRun {
 public:
  ScheduledRun(Worker& worker, Schedule& schedule, const ScheduledBlocks& blocks, PrintedText& printed)
      : worker_(worker), schedule_(schedule), blocks_(blocks), printed_(printed), order_(blocks.clusters.count()) {
    std::iota(order_.begin(), order_.end(), 0u);
    shuffle(order_, schedule_);
    const std::uint32_t most = std::max(most_resident / blocks.clusters.blocks(), 1u);
    places_ =
        blocks.cooperative ? blocks.clusters.count() : 1 + schedule_.below(std::min(blocks.clusters.count(), most));
  }

  bool run() {
    for (;;) {
      while (clusters_.size() < places_ && next_ < order_.size()) {
        clusters_.push_back(std::make_unique<ResidentCluster>(blocks_.clusters, order_[next_++]));
        for (BlockState& block : clusters_.back()->blocks()) {
          worker_.start(block, block.index, blocks_.records(block.index));
          resident_.push_back(&block);
        }
      }
      if (resident_.empty()) return true;
      shuffle(resident_, schedule_);
      if (!pass()) return false;
    }
  }

  // Hands over the kept events in the order of blocks.
  void hand_over(EventStore& store) {
    for (BlockState* const block : resident_) worker_.discount_unexecuted(*block);
    for (auto& cluster : clusters_)
      for (BlockState& block : cluster->blocks()) leave(block);
    for (auto& [index, warps] : kept_) worker_.recorder().end_block(warps, store);
  }

 private:
  // One turn for each resident block.
  bool pass() {
    const BlockState* stuck = nullptr;
    for (BlockState* const block : resident_) {
      if (!worker_.advance(*block)) return false;
      if (!block->done() && !worker_.any_runnable(*block)) stuck = block;
    }
    if (stuck != nullptr) {
      worker_.diagnose_stuck(*stuck);
      return false;
    }
    idle_passes_ = worker_.progressed() ? 0 : idle_passes_ + 1;
    std::erase_if(resident_, [&](const BlockState* block) {
      if (block->done()) blocks_.done();
      return block->done();
    });
    // Other blocks of the cluster may still access a block's shared memory, so a block stays until its whole cluster is
    // done.
    std::erase_if(clusters_, [&](const auto& cluster) {
      if (!std::ranges::all_of(cluster->blocks(), &BlockState::done)) return false;
      for (BlockState& block : cluster->blocks()) leave(block);
      return true;
    });
    if (idle_passes_ <= Worker::max_idle_passes || resident_.empty()) return true;
    worker_.diagnose_deadlock(*resident_.front());
    return false;
  }

  void leave(BlockState& block) {
    printed_.add(block.printed, block.print_is_full);
    if (block.record) kept_[block.index] = std::move(block.warps);
  }

  Worker& worker_;
  Schedule& schedule_;
  const ScheduledBlocks& blocks_;
  PrintedText& printed_;
  std::vector<std::uint32_t> order_;
  std::size_t places_ = 1, next_ = 0;
  std::vector<std::unique_ptr<ResidentCluster>> clusters_;
  std::vector<BlockState*> resident_;  // blocks of these clusters that are not done
  std::map<std::uint32_t, std::vector<Warp>> kept_;
  std::uint32_t idle_passes_ = 0;
};

}  // namespace

bool run_scheduled(Worker& worker, Schedule& schedule, const ScheduledBlocks& blocks, EventStore& store,
                   PrintedText& printed) {
  worker.recorder().begin_events(store);
  ScheduledRun run(worker, schedule, blocks, printed);
  const bool completed = run.run();
  if (!completed) blocks.stopped();
  run.hand_over(store);
  return completed;
}

}  // namespace lanescope::sim
