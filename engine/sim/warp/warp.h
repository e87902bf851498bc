#pragma once
// A warp: its register frames, and the stack of the paths of its lanes.
//
// Reconvergence. A path runs with its mask until it reaches its reconvergence point, where it ends. If its lanes
// diverge at a branch, the path itself waits at the branch's reconvergence point (it becomes a join), and one new path
// for each way goes on top of it, one level deeper. The topmost path runs. Lanes of a join that are in no path above it
// have arrived. A call works in the same way: the caller's path waits after the call.
//
// The paths of one join are siblings. Each is followed by the deeper paths that it waits for (its subtree). Subtrees of
// one join may change places at any time. This is how a path that spins or waits at a barrier lets other paths of its
// warp run, as with independent thread scheduling. If nothing else can run, the lanes that have arrived at a join leave
// it without the others. But if the others wait at an aligned barrier, the arrived lanes may leave only if no barrier
// is ahead of them, or if no other warp of the block can run and they meet none. Then they exit, and a barrier waits
// only for threads that have not exited ("CUDA C++ Programming Guide", compute capability 7.x). PTX does not tell
// whether they return before the barrier or bypass it, because a compiler merges equal ends: `if (c) { o = 0; return; }
// __syncthreads(); o = 1;`.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/lane_mask.h"
#include "sim/decode/decode.h"
#include "sim/memory/written_map.h"
#include "sim/warp/recorder.h"

namespace lanescope::sim {

// One activation of a function: a register file. Exists as long as a path refers to it.
struct Frame {
  const FunctionCode* code = nullptr;
  std::byte* file = nullptr;     // belongs to the worker
  Frame* caller = nullptr;       // kept alive by this frame
  const CallOp* call = nullptr;  // in the caller
  std::uint32_t users = 0;
  std::uint32_t depth = 0;
  std::uint64_t local_base = 0;  // of the frame's variables, in local memory
  bool own = false;              // the kernel's, shared by the warps with one number (Worker::own_frames_)
  // Bytes that each lane has above the frame's variables, by alloca; nullptr: none has any.
  std::unique_ptr<std::array<std::uint64_t, 32>> allocated;
  std::uint64_t local_end() const;  // the first byte of local memory that no lane uses
};

struct Path {
  enum class State : std::uint8_t {
    runnable,
    at_barrier,  // waits for the block
    at_exchange  // at a .sync instruction that some lanes have not reached yet
  };
  const Operation* next = nullptr;
  Frame* frame = nullptr;
  std::uint32_t mask = 0;
  std::int32_t block = 0;                      // basic block of `next`
  std::int32_t reconvergence = cfg::no_block;  // basic block where the path ends; no_block: it ends with its function
  std::uint32_t level = 0;                     // number of joins below it
  bool entering = false;                       // `next` starts a basic block that has not been entered yet
  bool spun = false;                           // it has had its turn since the other paths of the warp
  bool waiting = false;                        // `next` is a wait that has started and is tried again
  State state = State::runnable;
  bool overtakes = false;    // left others of its warp at a barrier, and may reach none
  std::uint8_t barrier = 0;  // for lanes that overtake: no_barrier
  static constexpr std::uint8_t no_barrier = 0xff;

  bool arrived() const { return entering && block == reconvergence; }
};

// Lane-private memory: word w of lane l is at byte (w × 32 + l) × 4, so lanes with the same offset are adjacent.
struct LocalMemory {
  std::vector<std::byte> bytes;
  WrittenMap written;
  std::uint64_t lane_bytes = 0;  // per lane; `bytes` and `written` may be larger
  void reserve(std::uint64_t wanted_lane_bytes);
  // Bytes that earlier calls left there no longer count as written. `begin` and `count` are multiples of 4.
  void renew(std::uint64_t begin, std::uint64_t count, int lane);
};

// The last access at which a path may be waiting for another thread. A repetition means that it spins.
struct Poll {
  std::uint32_t site = no_site;
  std::uint64_t seen = 0;  // hash of addresses and values
  std::uint32_t repeats = 0;
  std::uint32_t repeats_of_path = 0;  // since another path of the warp had its turn
  std::uint32_t quiet_turns = 0;      // turns in a row that ended without a poll since the previous one's end
  bool since_jump = false;            // polled since the last backward jump
  // For a wait for a phase of an mbarrier: the object in shared memory. `seen` is then its state, whatever the site.
  static constexpr std::uint32_t no_mbarrier = 0xffffffffu;
  std::uint32_t mbarrier = no_mbarrier;

  void saw(bool same) {
    repeats = same ? repeats + 1 : 0;
    repeats_of_path = same ? repeats_of_path + 1 : 0;
    quiet_turns = 0;
    since_jump = true;
  }
  // Call at the end of a quantum, which may be anywhere between two polls. Whether the warp did anything except poll
  // the same value.
  bool end_quantum() { return repeats == 0 || ++quiet_turns > 1; }
};

// The last instruction with which a warp read the clock.
struct ClockWait {
  const Operation* at = nullptr;
  std::uint64_t asked = 0;    // the block's instructions at that time
  std::uint64_t began = 0;    // the time at which the wait began
  std::uint32_t repeats = 0;  // with hardly any instructions in between, or none but a poll that saw nothing new
};

struct Warp {
  std::uint32_t index = 0;     // in its block
  std::uint32_t block = 0;     // linear
  std::uint32_t existing = 0;  // lanes that exist
  std::uint32_t live = 0;      // lanes that have not exited
  bool started = false;
  bool preempted = false;  // its turn ended before an access, which comes next
  bool blocked = false;    // no path can run before a barrier opens
  std::vector<Path> stack;
  LocalMemory local;
  Poll poll;
  std::uint32_t waited_turns = 0;  // in a wait with a time limit
  ClockWait clock_wait;
  const ptx::Instruction* last_exit = nullptr;
  bool fenced_product = false;  // executed wgmma.fence
  struct Passed {
    std::uint32_t site = no_site, lanes = 0;
  } passed_barrier;  // to be reported
  Passed overtaken;  // to be reported when such lanes exit

  std::uint32_t sequence = 0;  // of its next event
  trace::WarpEvent* event_next = nullptr;
  trace::WarpEvent* event_limit = nullptr;
  std::vector<trace::WarpEvent*> segments;  // belong to the recorder; all but the last are full

  bool finished() const { return started && stack.empty(); }
  // One past the subtree of the path at `root`.
  std::size_t subtree_end(std::size_t root) const;
  // Lanes of the join at `join` that are in no path above it.
  std::uint32_t arrived(std::size_t join) const;
  // Makes the path at `leaf` the topmost one, by exchanging subtrees.
  void bring_to_top(std::size_t leaf);
  // Lets another path than the topmost one run: one that did not spin, else lanes that have arrived at a join. If there
  // is none, clears the `spun` marks and returns false.
  bool switch_path();
  // Lets lanes that have arrived at a join leave it while others wait at an aligned barrier. False if there are none.
  bool let_overtake();
  // Sets passed_barrier if the lanes have an effect that others could see on their way to the end.
  bool may_overtake(std::size_t join);
  const BarrierOp* aligned_barrier_below(std::size_t join) const;
  void leave_join(std::size_t join, std::uint32_t lanes, bool overtakes);
  // What is ahead of a join, up to the kernel's end: Ahead.
  std::uint8_t ahead(const Path& join) const;
  bool is_leaf(std::size_t i) const { return i + 1 == stack.size() || stack[i + 1].level <= stack[i].level; }
};

}  // namespace lanescope::sim
