#pragma once
// Vector clocks of a launch, compressed along its hierarchy. They tell what each thread knows to have happened before.
//
// Every thread counts its own releases; this is its clock. A thread knows another one up to clock c if everything that
// the other one did at clocks ≤ c happened before what the thread does next. The clocks of a warp's own threads are in
// a 32 × 32 table. Those of the rest of the block are in an array, shared by all threads that left the same barrier.
// Those of other blocks are in a list, which stays empty unless blocks synchronise.

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

// The least clock that covers both. Shares one of them if it covers the other.
BlockClock join(const BlockClock& a, const BlockClock& b);
GridClock join(const GridClock& a, const GridClock& b);
// The clocks of one block in it, or nullptr.
const ThreadClocks* find(const GridClock& clock, std::uint32_t block);

// What threads had done before a fence.sc of theirs. `of_block`: of at least block scope, by threads of this block;
// `of_grid`: of grid scope.
struct SequentialFences {
  GridClock of_block, of_grid;
  bool empty() const { return of_block == nullptr && of_grid == nullptr; }
  void add(const SequentialFences& other) {
    of_block = join(of_block, other.of_block);
    of_grid = join(of_grid, other.of_grid);
  }
};

// State for releases and acquires through memory: what the fences of a lane have prepared.
struct LaneFences {
  SequentialFences before;                  // every fence.sc that happened before what the lane does next
  SequentialFences observed;                // every one that happened before a strong write that has been observed
  GridClock released_block, released_grid;  // released by the last fence of at least block scope, and of grid scope
  GridClock observed_block, observed_grid;  // observed by strong reads since then; a fence makes it known
};

struct WarpClocks {
  std::array<std::uint32_t, 32> now;                      // each lane's own clock
  std::array<std::array<std::uint32_t, 32>, 32> known{};  // [lane][other lane of the warp]
  std::array<BlockClock, 32> block;
  std::array<GridClock, 32> grid;
  std::unique_ptr<std::array<LaneFences, 32>> fences;
  LaneFences& fences_of(std::uint32_t lane) {
    if (fences == nullptr) fences = std::make_unique<std::array<LaneFences, 32>>();
    return (*fences)[lane];
  }
  // Asynchronous copies: committed groups and pending copies. For cp.async, for bulk copies in groups, and for the
  // reads of a warpgroup's products.
  struct Copy {
    std::uint8_t lane = 0;
    bool reads = false;        // for a bulk copy: this is its source
    std::int32_t region = -1;  // for global memory; −1: shared
    std::uint32_t bytes = 0;
    std::uint32_t group = 0;
    std::uint64_t address = 0;  // in its memory
    std::uint32_t block = 0;    // the block that copies
    std::uint32_t owner = 0;    // for shared memory: the block whose memory it is
  };
  struct Flight {
    std::array<std::uint32_t, 32> groups{};  // number of committed groups, by lane
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
  GridClock arrived, over;               // released in this phase; released in all completed phases
  std::vector<Tracked> tracked, landed;  // asynchronous copies, likewise
};

// The least clock that covers many clocks of one block's threads, which mostly differ in what they know of that block.
class GatheredClock {
 public:
  void add(const GridClock& what, std::uint32_t block);
  GridClock all(std::uint32_t block) const;

 private:
  ThreadClocks own_;  // of the block itself; empty: nothing
  GridClock others_;
  GridClock last_;  // the latest addition
};

// What the threads that reach a barrier know of fences.
struct GatheredFences {
  GatheredClock before_of_block, before_of_grid, observed_of_block, observed_of_grid;
  void add(const WarpClocks& warp, std::uint32_t lane, std::uint32_t block);
};

// One use of a barrier, until it opens.
struct BarrierClocks {
  ThreadClocks threads;
  BlockClock joined;
  GridClock grid;
  GatheredFences fences;
  std::vector<std::uint32_t> waiting;  // lanes by warp
};

// All threads of one block.
class BlockClocks {
 public:
  BlockClocks(std::uint32_t block, std::uint32_t warps);

  std::uint32_t block() const { return block_; }
  WarpClocks& warp(std::uint32_t warp) { return *warps_[warp]; }
  // Whether `lane` of `warp` knows what thread `other` of `other_block` did at `clock`.
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

  // What a release by this thread publishes. Advances its clock.
  GridClock release(std::uint32_t warp, std::uint32_t lane);
  void acquire(std::uint32_t warp, std::uint32_t lane, const GridClock& what);

 private:
  // The latest join: the threads that have left a barrier know the same, and then often acquire the same.
  template <typename Clock>
  struct Joined {
    Clock a, b, both;
    const Clock& operator()(const Clock& one, const Clock& other) {
      if (one == other) return one;
      if (one != a || other != b) a = one, b = other, both = join(one, other);
      return both;
    }
  };

  std::uint32_t block_;
  std::vector<std::unique_ptr<WarpClocks>> warps_;
  Joined<GridClock> grids_;
  Joined<BlockClock> blocks_;
  std::array<BarrierClocks, 16> barriers_;
};

}  // namespace lanescope::sim
