#pragma once
// Finds data races by happens-before, independent of the result under this schedule.
//
// Model: "PTX ISA", chapter "Memory Consistency Model".
//  * Within a thread, program order. Lanes of a warp are threads like any others: the interpreter runs them together,
//    but this does not order them.
//  * bar.sync, bar.red and bar.arrive order arrivals before departures; bar.warp.sync orders its members. Shuffles,
//    votes, matches and warp reductions synchronise but do not order memory ("CUDA C++ Programming Guide", warp shuffle
//    functions).
//  * A release pattern (a fence, then a strong write; or a release) is observed by an acquire pattern (a strong read,
//    then a fence; or an acquire) at the same location, within the scopes of both. Atomics, volatile, relaxed and
//    ordered accesses are strong. A chain of atomics passes a release on.
//  * Two fence.sc (on GPUs since sm_70 also membar: __threadfence()) within each other's scope execute in some order,
//    which orders what is before the first and after the second. It counts where it cannot be the other one: a strong
//    write follows the first fence in happens-before, a strong read observes it, and the second fence follows the read.
//    In the other order, the read would happen before the write whose value it gets. So a fence.sc may stand before the
//    barrier and the flag be set by another thread after it. A fence.acq_rel may not: it is part of a release only with
//    a write by its own thread. Followed through barriers of the block and the warp and one observation, no further.
//  * An arrival at an mbarrier object happens before a wait that finds the arrival's phase, or a later one, complete.
//    The same holds for the arrival and the wait of barrier.cluster.
//  * An asynchronous copy writes at an undefined time until its thread waits for it, or until any thread has waited for
//    the phase of the mbarrier object on which it completes. From then on it counts as done by its thread where it was
//    started. A bulk copy also reads at an undefined time.
//  * Proxies do not take part in this order. But a bulk copy or product that reads shared memory which threads wrote,
//    with no fence.proxy.async of any thread in between, is told separately (unfenced()).
//  * Shared memory of another block of the cluster must not be used before that block is known to have started. And the
//    block's end must be known to come after the access: at its end all its threads have exited, and one of them must
//    know of the access.
//  * The end of the launch orders everything.
// A race: two accesses of different threads to a common byte, at least one of them a write, unordered, and not both
// strong, of one size and within each other's scope.
// Three things that the model calls races are none here. Two of them the hardware's atomics make safe:
//  * The first read of a compare-and-swap loop (sim/races/swap_loops.h) counts as strong, and does not race with stores
//    to a part of its word.
//  * A compare-and-swap of 32 bits that would change one byte or half only does not access the rest. Atomics on bytes
//    are made so.
//  * Collectives of a tile of several warps exchange values through shared memory that only NVIDIA's header uses. The
//    header relies on shuffles and votes to order the lanes of a warp there, and no change of the user's code could.

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/clusters.h"
#include "sim/decode/decode.h"
#include "sim/memory/memory.h"
#include "sim/races/race.h"
#include "sim/races/race_clocks.h"
#include "sim/races/race_shadow.h"

namespace lanescope::sim {

class RaceDetector {
 public:
  static constexpr std::int64_t default_budget_bytes = 512ll << 20;
  static constexpr std::size_t most_races = 64;  // in the report

  // `shared_end`: bytes of shared memory of each block.
  RaceDetector(const Program& program, const trace::Launch& launch, const GlobalMemory& memory,
               std::uint32_t shared_end, std::int64_t budget_bytes = default_budget_bytes);

  // Accesses of lanes after which access() does nothing; 0 = never.
  void watch_up_to(std::uint64_t accesses) { watched_at_most_ = accesses; }
  void stop() { report_.stopped = true; }
  bool has_seen_enough() const { return report_.stopped; }

  void begin_block(std::uint32_t block);
  // All its threads have exited; other blocks of its cluster may continue.
  void block_exits(std::uint32_t block);
  // Nothing of the block is used any more.
  void end_block(std::uint32_t block);

  // One memory instruction of a warp, just before it is executed. Addresses are in `space` (shared or global).
  struct Request {
    std::uint32_t block = 0, warp = 0, site = 0, executed = 0;
    static constexpr std::uint32_t own = 0xffffffffu;
    std::uint32_t owner = own;  // for shared memory: the block whose memory it is
    trace::MemorySpace space{};
    std::uint32_t width = 4;                 // bytes per lane
    std::array<std::uint32_t, 32> widths{};  // for the read of an asynchronous copy; 0 = `width`
    std::array<std::uint64_t, 32> addresses{};
    bool asynchronous = false;  // the write of cp.async; both sides of a bulk copy
    bool reads_only = false;    // the read of cp.async or of a bulk copy
    bool in_bulk = false;
    std::uint8_t reduces = 0;  // the write of a bulk reduction: bytes of an element, each of which is atomic
    bool of_product = false;   // a read by a product of a warpgroup
    bool is_object = false;    // an operation on an mbarrier object; the calls below order it
    static constexpr std::uint32_t groups = 0xffffffffu;
    std::uint32_t tracker = groups;   // for a bulk copy: the mbarrier object on which it completes, or in a group
    std::uint32_t tracker_owner = 0;  // the block in whose shared memory this object is
    // For stores: the bytes that a lane will write and those that are there, to tell whether a race matters.
    const MemoryOp* store = nullptr;
    const MemoryOp* swap = nullptr;  // for a compare-and-swap
    const std::byte* registers = nullptr;
    std::uintptr_t memory = 0;  // host address that corresponds to address 0, modulo 2^64; 0 = not known
  };
  void access(const Request& request);
  // The last access() read, by the asynchronous proxy, a word that a thread wrote with no fence.proxy.async since then:
  // the site of that write. A fence by any thread counts, so a missing one may go unnoticed, but none is missed
  // wrongly.
  std::optional<std::uint32_t> unfenced() const { return unfenced_; }
  // An allocation of the device heap is freed: it will not be accessed any more.
  void forget(const Region& region);

  void sync_lanes(std::uint32_t block, std::uint32_t warp, std::uint32_t lanes) {
    of(block).clocks.sync_lanes(warp, lanes);
  }
  void arrive(std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, std::uint32_t barrier, bool waits) {
    of(block).clocks.arrive(warp, lanes, barrier, waits);
  }
  // An mbarrier object is named by its address in the shared memory of `owner`. For the cluster's barrier, the owner is
  // the cluster's first block.
  static constexpr std::uint32_t cluster_object = 0xfffffffeu;
  // For the products of this warp's warpgroup: reaching one is an arrival.
  static constexpr std::uint32_t first_product_object = 0xfffffff0u;
  static std::uint32_t product_object(std::uint32_t warp) { return first_product_object + warp / warps_of_warpgroup; }
  static bool is_product_object(std::uint32_t object) { return (object & ~7u) == first_product_object; }
  void begin_object(std::uint32_t block, std::uint32_t object) { of(block).objects.erase(object); }
  void arrive_at_object(std::uint32_t block, std::uint32_t warp, std::uint32_t lane, std::uint32_t owner,
                        std::uint32_t object, bool releases);
  void copies_arrive(std::uint32_t block, std::uint32_t warp, std::uint32_t lane, std::uint32_t object);
  void next_phase(std::uint32_t owner, std::uint32_t object);
  // A wait has found a phase complete.
  void phase_awaited(std::uint32_t block, std::uint32_t warp, std::uint32_t lane, std::uint32_t owner,
                     std::uint32_t object, bool acquires);
  // A wait of this warp ends: the products of all but its latest `groups` groups are complete, in the four warps.
  void products_awaited(std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, std::uint32_t groups);
  void open(std::uint32_t block, std::uint32_t barrier) { of(block).clocks.open(barrier); }
  // A fence, or a commit or wait of asynchronous copies.
  void order(std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, const OrderOp& operation);

  // `trace` is that of this launch; its sites tell which instructions are on the same line. Allocations of the device
  // heap that have races become buffers of it.
  RaceReport take_report(trace::Trace& trace);

 private:
  struct Block {
    Block(std::uint32_t index, std::uint32_t warps, std::uint64_t shared) : clocks(index, warps), shadow(shared) {}
    BlockClocks clocks;
    ShadowMemory shadow;
    std::unordered_map<std::uint32_t, ObjectClocks> objects;
    // By word of shared memory: the last write of a thread, as fence count and site + 1. Empty unless the program has
    // readers of the asynchronous proxy.
    struct PlainWrite {
      std::uint32_t fences = 0, site = 0;
    };
    std::vector<PlainWrite> plain_writes;
    bool used_by_others = false;  // other blocks use its shared memory
  };
  // How the accesses of a site order, according to its instruction.
  struct SiteOrder {
    bool strong = false, acquires = false, releases = false, narrow = false;
    bool before_swap = false;  // the first read of a compare-and-swap loop
    bool swaps = false;        // a compare-and-swap
    bool of_tile = false;      // code of cooperative groups' own, for tiles
    std::uint8_t unit = 4;     // bytes that are accessed atomically
    ShadowAccess::Kind kind = ShadowAccess::none;
  };
  // The releases that can be observed at one location.
  struct Location {
    GridClock of_grid, of_block;             // by the scope of the release
    SequentialFences sequential;             // every fence.sc that happened before what is observed here
    std::uint32_t block = 0;                 // the block of both `of_block`
    std::uint32_t thread = 0, in_block = 0;  // those of the last plain release
  };
  // The access being checked.
  struct Mine {
    const Request& request;
    Block& block;
    const SiteOrder& order;
    ShadowMemory& shadow;
    std::int32_t buffer = -1;
    std::uint32_t owner = 0;  // as in Request
    std::uint64_t base = 0;   // address of the first byte of the memory
    std::uint32_t lane = 0;
    std::uint64_t address = 0;  // of the lane
    ShadowAccess access;        // of the lane, for the current word
  };

  Block& of(std::uint32_t block);
  static SiteOrder order_of(const ptx::Instruction& instruction);
  static bool is_code_of_tiles(const ptx::Module& module, const ptx::Instruction& instruction);
  enum class Step { check, insert, both };
  void check_lane(Mine& mine, std::uint32_t lane, Step step);
  // `may_drop`: earlier accesses that this one takes the place of are forgotten.
  void check_word(Mine& mine, ShadowCell& cell, std::uint64_t word, bool may_drop);
  static bool takes_the_place_of(const Mine& mine, const ShadowAccess& earlier);
  void drop_settled(const Mine& mine, ShadowCell& cell);
  void insert(Mine& mine, ShadowCell& cell);
  bool add(ShadowCell& cell, std::vector<ShadowAccess> ShadowMore::*list, const Mine& mine);
  void prune(const Mine& mine, std::vector<ShadowAccess>& list);
  ShadowMore* more(ShadowCell& cell);
  bool ordered(const Mine& mine, const ShadowAccess& earlier, std::uint32_t& lane) const;
  bool conflicts(const Mine& mine, const ShadowAccess& earlier) const;
  bool meets_in_tile(const Mine& mine, const ShadowAccess& earlier) const;
  bool wrote_it_too(const Mine& mine, const ShadowAccess& earlier) const;
  bool reads_its_own_value(const Mine& mine, const ShadowCell& cell, const ShadowAccess& earlier, std::uint32_t lane,
                           std::uint64_t word) const;
  bool found(Mine& mine, const ShadowCell& cell, const ShadowAccess& earlier, std::uint32_t lane, std::uint64_t word);
  bool in_one_cluster(std::uint32_t a, std::uint32_t b) const { return clusters_.cluster(a) == clusters_.cluster(b); }
  void check_begun(Mine& mine);
  void note_proxy(const Request& request, Block& owner, ShadowAccess::Kind kind);
  void report_end(const ShadowAccess& access, std::uint32_t thread, std::uint32_t owner, std::uint64_t word);
  Race* place_in_report(RaceKind kind, RaceCure cure, std::uint32_t one, std::uint32_t other);
  void report(RaceKind kind, RaceCure cure, const Mine& mine, const RaceAccess& first, std::uint64_t address,
              std::uint32_t bytes);
  void merge_lines(const std::vector<trace::Site>& sites);
  bool writes_what_is_there(const Mine& mine, std::uint64_t word, std::uint32_t bytes) const;
  static RaceAccess access_of(const Mine& mine);
  bool collisions(const Request& request, Mine& mine);
  void synchronise(const Mine& mine, std::uint64_t address, std::uint32_t lane);
  void note_copy(const Mine& mine, std::uint64_t first, std::uint32_t width);
  void finish_copies(Block& block, std::uint32_t warp, std::uint32_t lane, const OrderOp& operation);
  void finish_copy(std::uint32_t warp, const WarpClocks::Copy& copy, std::uint32_t clock);

  const GlobalMemory& memory_;
  const std::uint32_t shared_end_;
  const Clusters clusters_;
  std::uint32_t warps_;  // per block
  ShadowBudget budget_;
  std::vector<SiteOrder> sites_;
  std::vector<ShadowMemory> regions_;                   // by Region::index
  std::map<std::int32_t, trace::Buffer> heap_buffers_;  // likewise: those with races
  std::unordered_map<std::uint32_t, std::unique_ptr<Block>> blocks_;
  Block* last_ = nullptr;
  std::unordered_map<std::uint64_t, Location> locations_;
  std::unordered_map<std::uint64_t, std::size_t> known_;  // pairs of sites → index in the report, or npos
  bool has_async_readers_ = false;                        // bulk copies from shared memory, products of a warpgroup
  std::uint32_t proxy_fences_ = 0;                        // executed so far
  std::optional<std::uint32_t> unfenced_;
  std::uint64_t watched_at_most_ = 0;  // accesses of lanes; 0 = all
  RaceReport report_;
};

}  // namespace lanescope::sim
