#pragma once
// A warp: its register frames, and the stack of paths that its lanes take.
//
// Reconvergence. A path runs with its mask until it comes to its reconvergence point, where it ends. When its lanes
// disagree on a branch, the path itself waits at the branch's reconvergence point (it becomes a join), and one new path
// for each way goes on top of it, one level deeper. The topmost path runs. A join's lanes that are in no path above it
// have arrived. A call works the same way: the caller's path waits behind the call.
//
// Paths of one join stand side by side, each followed by the deeper ones that it waits for (its subtree). Subtrees of
// one join may change places at any time: that is how a path that spins or waits at a barrier lets others of its warp
// run, as independent thread scheduling does. Where nothing else can run, the lanes that have arrived at a join leave
// it without the others. But where those wait at an aligned barrier, only if no barrier lies ahead of them: then they
// exit, and a barrier waits for the threads that have not exited ("CUDA C++ Programming Guide", compute
// capability 7.x). Whether they return before the barrier or go past it cannot be told from PTX: a compiler joins equal
// ends, `if (c) { o = 0; return; } __syncthreads(); o = 1;`.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/lane_mask.h"
#include "sim/decode/decode.h"
#include "sim/memory/written_map.h"
#include "sim/warp/recorder.h"

namespace lanescope::sim {

// One activation of a function: a register file. Lives as long as a path refers to it.
struct Frame {
  const FunctionCode* code = nullptr;
  std::byte* file = nullptr;     // the worker's
  Frame* caller = nullptr;       // which it keeps alive
  const CallOp* call = nullptr;  // in the caller
  std::uint32_t users = 0;
  std::uint32_t depth = 0;
  std::uint64_t local_base = 0;  // of its variables, in local memory
  bool own = false;              // the kernel's, of the warps with one number (Worker::own_frames_)
};

struct Path {
  enum class State : std::uint8_t {
    runnable,
    at_barrier,  // waits for the block
    at_exchange  // a .sync instruction at `next`, some of whose lanes are not there yet
  };
  const Operation* next = nullptr;
  Frame* frame = nullptr;
  std::uint32_t mask = 0;
  std::int32_t block = 0;                      // basic block of `next`
  std::int32_t reconvergence = cfg::no_block;  // basic block where the path ends; no_block: where its function does
  std::uint32_t level = 0;                     // joins below it
  bool entering = false;                       // `next` starts a basic block that was not entered yet
  bool spun = false;                           // had its turn since the others of the warp had theirs
  bool waiting = false;                        // `next` is a wait that it has begun, and tries again
  State state = State::runnable;
  std::uint8_t barrier = 0;
};

// Lane-private memory: word w of lane l at byte (w × 32 + l) × 4, so that lanes at one offset lie side by side.
struct LocalMemory {
  std::vector<std::byte> bytes;
  WrittenMap written;
  std::uint64_t lane_bytes = 0;  // of each lane; `bytes` and `written` may have room for more
  void reserve(std::uint64_t wanted_lane_bytes);
};

// The last access at which a path may be waiting for another thread: a repetition means that it spins.
struct Poll {
  std::uint32_t site = no_site;
  std::uint64_t seen = 0;  // of addresses and values
  std::uint32_t repeats = 0;
  std::uint32_t repeats_of_path = 0;  // since another path of the warp had its turn
  std::uint32_t quiet_turns = 0;      // at whose end nothing was polled since the one before
  bool since_jump = false;            // polled since the last jump back
  // Of a wait for a phase of an mbarrier: the object in shared memory. What is seen is then its state, by whatever
  // site.
  static constexpr std::uint32_t no_mbarrier = 0xffffffffu;
  std::uint32_t mbarrier = no_mbarrier;

  void saw(bool same) {
    repeats = same ? repeats + 1 : 0;
    repeats_of_path = same ? repeats_of_path + 1 : 0;
    quiet_turns = 0;
    since_jump = true;
  }
  // To be called at the end of a quantum, which may come anywhere between two looks: whether the warp did anything but
  // look again at the same.
  bool end_quantum() { return repeats == 0 || ++quiet_turns > 1; }
};

// The last instruction by which a warp asked for the time.
struct ClockWait {
  const Operation* at = nullptr;
  std::uint64_t asked = 0;    // the block's instructions then
  std::uint32_t repeats = 0;  // with hardly an instruction in between
};

struct Warp {
  std::uint32_t index = 0;     // in its block
  std::uint32_t block = 0;     // linear
  std::uint32_t existing = 0;  // lanes that exist
  std::uint32_t live = 0;      // that have not exited
  bool started = false;
  bool preempted = false;  // its turn ended before an access, which comes next
  bool blocked = false;    // no path can run before a barrier opens
  std::vector<Path> stack;
  LocalMemory local;
  Poll poll;
  std::uint32_t waited_turns = 0;  // of a wait of limited time
  ClockWait clock_wait;
  const ptx::Instruction* last_exit = nullptr;
  bool fenced_product = false;  // came to wgmma.fence
  struct Passed {
    std::uint32_t site = no_site, lanes = 0;
  } passed_barrier;  // to be remarked on

  std::uint32_t sequence = 0;  // of its next event
  trace::WarpEvent* event_next = nullptr;
  trace::WarpEvent* event_limit = nullptr;
  std::vector<trace::WarpEvent*> segments;  // the recorder's; all full but the last

  bool finished() const { return started && stack.empty(); }
  // The index one past the subtree of the path at `root`.
  std::size_t subtree_end(std::size_t root) const;
  // Lanes of the join at `join` that are in no path above it.
  std::uint32_t arrived(std::size_t join) const;
  // Makes the path at `leaf` the topmost by changing the places of subtrees.
  void bring_to_top(std::size_t leaf);
  // Lets another path than the topmost run: one that did not spin, else lanes that have arrived at a join. False when
  // there is none; then `spun` marks are cleared.
  bool switch_path();
  // Notes it in passed_barrier where they do anything that others could see on their way to the end.
  bool may_overtake(std::size_t join);
  const BarrierOp* aligned_barrier_below(std::size_t join) const;
  // What lies ahead of a join, up to the kernel's end: Ahead.
  std::uint8_t ahead(const Path& join) const;
  bool is_leaf(std::size_t i) const { return i + 1 == stack.size() || stack[i + 1].level <= stack[i].level; }
};

}  // namespace lanescope::sim
