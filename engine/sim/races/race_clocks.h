#pragma once
// Vector clocks of a launch, compressed along its hierarchy: what each thread knows to have happened before.
//
// Every thread counts its own releases: its clock. A thread knows another up to clock c when everything that the other
// did at clocks ≤ c happened before what the thread does next. Threads of one warp are kept in a 32 × 32 table; the
// rest of the block in an array that is shared by all who left the same barrier; other blocks in a list, which stays
// empty unless blocks synchronise.

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lanescope::sim {

using ThreadClocks = std::vector<std::uint32_t>;                        // by thread of the block
using BlockClock = std::shared_ptr<const ThreadClocks>;                 // null: nothing is known
using GridEntries = std::vector<std::pair<std::uint32_t, BlockClock>>;  // sorted by block
using GridClock = std::shared_ptr<const GridEntries>;

// The least that covers both; shares where one covers the other.
BlockClock join(const BlockClock& a, const BlockClock& b);
GridClock join(const GridClock& a, const GridClock& b);
// The clock of one block in it, or nullptr.
const ThreadClocks* find(const GridClock& clock, std::uint32_t block);

// A release and acquire through memory: what lane-private fences have prepared.
struct LaneFences {
  GridClock released_block, released_grid;  // by the last fence of at least block, and grid, scope
  GridClock observed_block, observed_grid;  // by strong reads since; a fence makes them known
};

struct WarpClocks {
  std::array<std::uint32_t, 32> now;                      // each lane's own clock
  std::array<std::array<std::uint32_t, 32>, 32> known{};  // [lane][other lane of the warp]
  std::array<BlockClock, 32> block;
  std::array<GridClock, 32> grid;
  std::unique_ptr<std::array<LaneFences, 32>> fences;
  // Asynchronous copies: groups committed, and what is under way; of cp.async, of bulk copies in groups, and what
  // the products of a warpgroup read.
  struct Copy {
    std::uint8_t lane = 0;
    bool reads = false;        // of a bulk copy: what it reads
    std::int32_t region = -1;  // of global memory; −1: shared
    std::uint32_t bytes = 0;
    std::uint32_t group = 0;
    std::uint64_t address = 0;  // in its memory
    std::uint32_t block = 0;    // that copies
    std::uint32_t owner = 0;    // of shared memory: the block whose it is
  };
  struct Flight {
    std::array<std::uint32_t, 32> groups{};  // committed, by lane
    std::vector<Copy> copies;
  };
  Flight flight, bulk_flight, product_flight;
  std::uint32_t position = 0;  // requests since the warp's last barrier
  WarpClocks() { now.fill(1); }
};

// An mbarrier object, or the barrier of a cluster.
struct ObjectClocks {
  struct Tracked {
    std::uint32_t warp = 0;
    WarpClocks::Copy copy;
  };
  GridClock arrived, over;               // handed over in this phase; in all phases that are over
  std::vector<Tracked> tracked, landed;  // asynchronous copies, likewise
};

// One opening of a barrier.
struct BarrierClocks {
  ThreadClocks threads;
  BlockClock joined;
  GridClock grid;
  std::vector<std::uint32_t> waiting;  // lanes by warp
};

// All threads of one block.
class BlockClocks {
 public:
  BlockClocks(std::uint32_t block, std::uint32_t warps);

  std::uint32_t block() const { return block_; }
  WarpClocks& warp(std::uint32_t warp) { return *warps_[warp]; }
  // Whether `warp`'s `lane` knows what the thread `other` of `other_block` did at `clock`.
  bool knows(std::uint32_t warp, std::uint32_t lane, std::uint32_t other_block, std::uint32_t other,
             std::uint32_t clock) const {
    const WarpClocks& mine = *warps_[warp];
    if (other_block != block_) {
      const ThreadClocks* theirs = find(mine.grid[lane], other_block);
      return theirs != nullptr && (*theirs)[other] >= clock;
    }
    if (other / 32 == warp) return other % 32 == lane || mine.known[lane][other % 32] >= clock;
    const BlockClock& clocks = mine.block[lane];
    return clocks != nullptr && (*clocks)[other] >= clock;
  }

  void sync_lanes(std::uint32_t warp, std::uint32_t lanes);
  void arrive(std::uint32_t warp, std::uint32_t lanes, std::uint32_t barrier, bool waits);
  void open(std::uint32_t barrier);

  // What a release by this thread would hand over; its clock goes on.
  GridClock release(std::uint32_t warp, std::uint32_t lane);
  void acquire(std::uint32_t warp, std::uint32_t lane, const GridClock& what);

 private:
  std::uint32_t block_;
  std::vector<std::unique_ptr<WarpClocks>> warps_;
  std::array<BarrierClocks, 16> barriers_;
};

}  // namespace lanescope::sim
