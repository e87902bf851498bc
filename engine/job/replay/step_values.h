#pragma once
// Time travel: the operands of a step's instruction before and after it, and what its access reads or writes. The
// launch runs again for this (sim/replay.h); the first run keeps no values.

#include <array>
#include <string>
#include <vector>

#include "core/lane_mask.h"
#include "job/run/job.h"
#include "ptx/module.h"
#include "sim/replay.h"

namespace lanescope::job {

using LaneValues = std::array<std::uint64_t, 32>;  // raw bits, indexed by lane

// A register that the instruction names. Immediate operands are left out, and so is the unused result of an atomic.
struct OperandValues {
  std::string name;    // as in the PTX: "%r4"; "%tid.x"
  std::string source;  // the source's name of exactly this value: "in", "threadIdx.x"; else empty
  bool read = false, written = false;
  bool address = false;  // used only as an address
  // The type of the bits: that of the memory they come from or go to, else what the PTX tells. b16, b32 or b64 if
  // neither tells, or if it is unclear whether a set top bit is a sign.
  ptx::Type type = ptx::Type::none;
  LaneValues before{}, after{};
};

// What a memory access reads or writes, per element of each lane.
struct AccessValues {
  trace::MemorySpace space{};
  trace::Operation operation{};
  ptx::Type type = ptx::Type::none;  // as above
  struct Element {
    std::array<std::string, 32> names;  // "in[56]", for executing lanes; see PlaceNames
    LaneValues before{}, after{};       // contents of memory
    // Executing lanes whose element was written or had contents before the launch. Those of other lanes mean nothing.
    LaneMask has_before, has_after;
  };
  std::vector<Element> elements;  // one, or those of a vector access
  std::array<std::uint64_t, 32> addresses{};
};

struct StepValues {
  sim::Step step;
  std::uint32_t site = 0;   // in the launch's trace
  int line = 0;             // of the learner's file; 0: in another file
  std::string instruction;  // as printed: "st.global.f32 [%rd8], %f3;"; empty when a warp enters a basic block
  LaneMask active, executed;
  // False: the instruction first waits for other threads (a barrier that is not complete), or ends in a fault. Then the
  // result is unknown, and `after` equals `before`.
  bool done = false;
  std::vector<OperandValues> operands;  // in the instruction's order, each register once; a guard comes first
  std::vector<AccessValues> access;     // at most one
};

// For launch 1, 2, … (its first repeat). Takes long: do not call it while a frame is drawn. `progress` cancels it.
// Errors: those of sim::state_at() and launch_again().
Result<StepValues> step_values(const Outcome& outcome, int launch, const sim::Step& step,
                               sim::Progress* progress = nullptr);

// The instruction as one line of PTX.
std::string instruction_text(const ptx::Module& module, const ptx::Function& function,
                             const ptx::Instruction& instruction);

struct Again;  // job/run/again.h
// The same for a launch that prepare_again() has prepared.
Result<StepValues> step_values(const Outcome& outcome, int launch, const Again& again, const sim::Step& step);

}  // namespace lanescope::job
