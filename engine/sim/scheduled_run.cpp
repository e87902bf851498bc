#include "sim/scheduled_run.h"

#include <algorithm>
#include <map>
#include <numeric>

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
      : worker_(worker), schedule_(schedule), blocks_(blocks), printed_(printed), order_(blocks.count) {
    std::iota(order_.begin(), order_.end(), 0u);
    shuffle(order_, schedule_);
    places_ = blocks.cooperative ? blocks.count : 1 + schedule_.below(std::min(blocks.count, most_resident));
  }

  bool run() {
    for (;;) {
      while (resident_.size() < places_ && next_ < order_.size()) {
        resident_.push_back(std::make_unique<BlockState>());
        worker_.start(*resident_.back(), order_[next_], blocks_.records(order_[next_]));
        ++next_;
      }
      if (resident_.empty()) return true;
      shuffle(resident_, schedule_);
      if (!pass()) return false;
    }
  }

  // What was kept, in the order of blocks.
  void hand_over(EventStore& store) {
    for (auto& block : resident_) {
      worker_.discount_unexecuted(*block);
      leave(*block);
    }
    for (auto& [index, warps] : kept_) worker_.recorder().end_block(warps, store);
  }

 private:
  // One turn for each resident block.
  bool pass() {
    const BlockState* stuck = nullptr;
    for (auto& block : resident_) {
      if (!worker_.advance(*block)) return false;
      if (!block->done() && !worker_.any_runnable(*block)) stuck = block.get();
    }
    if (stuck != nullptr) {
      worker_.diagnose_stuck(*stuck);
      return false;
    }
    idle_passes_ = worker_.progressed() ? 0 : idle_passes_ + 1;
    for (auto& block : resident_)
      if (block->done()) {
        leave(*block);
        blocks_.done();
      }
    std::erase_if(resident_, [](const auto& block) { return block->done(); });
    if (idle_passes_ <= Worker::max_idle_passes || resident_.empty()) return true;
    worker_.diagnose_deadlock(*resident_.front());
    return false;
  }

  void leave(BlockState& block) {
    printed_.add(block.printed, block.print_is_full);
    if (!block.record) return;
    const std::uint32_t finished = block.finished_warps;
    kept_[block.index] = std::move(block.warps);
    block.warps = std::vector<Warp>(finished);  // done() still holds
  }

  Worker& worker_;
  Schedule& schedule_;
  const ScheduledBlocks& blocks_;
  PrintedText& printed_;
  std::vector<std::uint32_t> order_;
  std::size_t places_ = 1, next_ = 0;
  std::vector<std::unique_ptr<BlockState>> resident_;
  std::map<std::uint32_t, std::vector<Warp>> kept_;
  std::uint32_t idle_passes_ = 0;
};

}  // namespace

bool run_scheduled(Worker& worker, Schedule& schedule, const ScheduledBlocks& blocks, EventStore& store,
                   PrintedText& printed) {
  worker.recorder().begin_events(store);
  ScheduledRun run(worker, schedule, blocks, printed);
  const bool completed = run.run();
  run.hand_over(store);
  return completed;
}

}  // namespace lanescope::sim
