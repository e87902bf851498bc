#pragma once
// What the registers of one lane were computed from, followed instruction by instruction while its warp runs.

#include <array>
#include <vector>

#include "ptx/module.h"
#include "sim/replay.h"
#include "trace/trace.h"

namespace lanescope::job {

// The steps of the warp that a register's value came from: loads, atomics, exchanges between lanes.
struct RegisterTrail {
  static constexpr std::size_t most = 8;
  struct Step {
    std::uint32_t sequence = 0, site = 0;
  };
  std::array<Step, most> steps{};  // newest first
  std::size_t count = 0;
  bool more = false;    // there are earlier steps
  bool beyond = false;  // the value also depends on a call's result or a matrix product, which are not followed
  std::int32_t instruction = -1;  // the kernel's instruction that wrote the register last; −1: none
};

class RegisterTrails {
 public:
  // `kernel` is the function whose registers are followed. It and `trace` must outlive this object.
  RegisterTrails(const trace::Trace& trace, const ptx::Function& kernel, int lane);
  // Call hear() for every step of the warp, in order, and stop_before() for the last one. That step is not executed:
  // the trails then describe the state just before it.
  void hear(const sim::WarpStep& step);
  void stop_before(const sim::WarpStep& step);
  const RegisterTrail& of(ptx::RegisterId reg) const { return trails_[reg]; }

 private:
  void run_to(std::int32_t instruction);  // exclusive
  void execute(std::int32_t instruction, const RegisterTrail::Step* step);
  bool concerns(const sim::WarpStep& step) const;

  const trace::Trace& trace_;
  const ptx::Function& kernel_;
  const int lane_;
  std::int32_t next_ = 0, end_ = 0;  // next instruction, and end of the basic block that the lane is in
  std::vector<RegisterTrail> trails_;
};

}  // namespace lanescope::job
