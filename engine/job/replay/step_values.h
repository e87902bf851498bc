#pragma once
// Time travel: what the operands of a step's instruction hold, before and after, and what its access reads or writes.
// By running the launch again (sim/replay.h): nothing is kept of the run itself.

#include <array>
#include <string>
#include <vector>

#include "core/lane_mask.h"
#include "job/run/job.h"
#include "ptx/module.h"
#include "sim/replay.h"

namespace lanescope::job {

using LaneValues = std::array<std::uint64_t, 32>;  // raw bits, by lane

// A register that the instruction names. Not among them are numbers that stand in the instruction itself, and what an
// atomic returns to nobody.
struct OperandValues {
  std::string name;    // as in the PTX: "%r4"; "%tid.x"
  std::string source;  // what the source calls exactly this value: "in", "threadIdx.x"; else empty
  bool read = false, written = false;
  bool address = false;  // it only says where the access goes
  // What the bits are: what the memory holds that they come from or go to, else what the PTX tells; b16, b32 or b64
  // where nothing does, and where it does not tell whether a set top bit is a sign.
  ptx::Type type = ptx::Type::none;
  LaneValues before{}, after{};
};

// What a memory access reads or writes, element for element of each lane.
struct AccessValues {
  trace::MemorySpace space{};
  trace::Operation operation{};
  ptx::Type type = ptx::Type::none;  // as above
  struct Element {
    std::array<std::string, 32> names;  // "in[56]", of executed lanes; see PlaceNames
    LaneValues before{}, after{};       // in memory
  };
  std::vector<Element> elements;  // one, or those of a vector
  std::array<std::uint64_t, 32> addresses{};
};

struct StepValues {
  sim::Step step;
  std::uint32_t site = 0;   // of the launch's trace
  int line = 0;             // of the learner's file; 0: in another
  std::string instruction;  // as printed: "st.global.f32 [%rd8], %f3;"; empty where a warp enters a basic block
  LaneMask active, executed;
  // False: the instruction waits for other threads first (a barrier that is not open), or ends in a fault; then nothing
  // is known of `after`, which is what was before.
  bool done = false;
  std::vector<OperandValues> operands;  // in the order of the instruction, each register once; a guard first
  std::vector<AccessValues> access;     // one, or none
};

// Of launch 1, 2, … (its first repeat). Call it off the frame; `progress` cancels it. Errors: those of sim::state_at()
// and launch_again().
Result<StepValues> step_values(const Outcome& outcome, int launch, const sim::Step& step,
                               sim::Progress* progress = nullptr);

// On one line, as printed.
std::string instruction_text(const ptx::Module& module, const ptx::Function& function,
                             const ptx::Instruction& instruction);

struct Again;  // job/run/again.h
// The same of a launch that is ready.
Result<StepValues> step_values(const Outcome& outcome, int launch, const Again& again, const sim::Step& step);

}  // namespace lanescope::job
