#include "job/replay/register_trail.h"

#include <algorithm>

#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"

namespace lanescope::job {
namespace {

using ptx::Operand;
using ptx::RegisterId;

template <typename Use>
void for_registers(const Operand& operand, const Use& use) {
  if ((operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::address) && operand.reg != ptx::no_register)
    use(operand.reg);
  for (const Operand& element : operand.elements) for_registers(element, use);
}

void add_step(RegisterTrail& trail, const RegisterTrail::Step& step) {
  const auto end = trail.steps.begin() + static_cast<std::ptrdiff_t>(trail.count);
  const auto at =
      std::find_if(trail.steps.begin(), end, [&](const auto& known) { return known.sequence <= step.sequence; });
  if (at != end && at->sequence == step.sequence) return;
  trail.more |= trail.count == RegisterTrail::most;
  if (at == trail.steps.end()) return;
  trail.count = std::min(trail.count + 1, RegisterTrail::most);
  std::move_backward(at, trail.steps.begin() + static_cast<std::ptrdiff_t>(trail.count) - 1,
                     trail.steps.begin() + static_cast<std::ptrdiff_t>(trail.count));
  *at = step;
}

bool is_result_of_call(const ptx::Instruction& i) {
  return i.opcode == ptx::opcodes::ld && i.operands.size() == 2 &&
         i.operands[1].symbol_table == Operand::SymbolTable::function && i.space == ptx::Space::param;
}

}  // namespace

RegisterTrails::RegisterTrails(const trace::Trace& trace, const ptx::Function& kernel, int lane)
    : trace_(trace), kernel_(kernel), lane_(lane), trails_(kernel.registers.size()) {}

bool RegisterTrails::concerns(const sim::WarpStep& step) const {
  return step.active.test(lane_) &&
         trace_.functions[static_cast<std::size_t>(trace_.sites[step.site].function)] == kernel_.name;
}

void RegisterTrails::hear(const sim::WarpStep& step) {
  if (!concerns(step)) return;
  const trace::Site& site = trace_.sites[step.site];
  if (site.kind == trace::EventKind::block_entry) {
    run_to(end_);
    next_ = site.instruction;
    end_ = next_ + site.instruction_count;
    return;
  }
  run_to(site.instruction);
  next_ = std::max(next_, site.instruction + 1);
  const bool computes = site.kind == trace::EventKind::guarded || site.kind == trace::EventKind::branch;
  const RegisterTrail::Step brought{step.sequence, step.site};
  if (step.executed.test(lane_)) execute(site.instruction, computes ? nullptr : &brought);
}

void RegisterTrails::stop_before(const sim::WarpStep& step) {
  if (concerns(step))
    run_to(trace_.sites[step.site].kind == trace::EventKind::block_entry ? end_ : trace_.sites[step.site].instruction);
}

// Executes the unguarded instructions. A guarded one is a step of its own, which tells whether the lane executes it.
void RegisterTrails::run_to(std::int32_t instruction) {
  for (; next_ < std::min(instruction, end_); ++next_)
    if (!kernel_.instructions[static_cast<std::size_t>(next_)].guard.present()) execute(next_, nullptr);
}

void RegisterTrails::execute(std::int32_t instruction, const RegisterTrail::Step* step) {
  const ptx::Instruction& i = kernel_.instructions[static_cast<std::size_t>(instruction)];
  const auto written = static_cast<std::size_t>(ptx::destination_count(i));
  RegisterTrail made;
  made.instruction = instruction;
  if (i.opcode == ptx::opcodes::call) {
    made.beyond = true;
    for (const Operand& result : i.call_results) for_registers(result, [&](RegisterId reg) { trails_[reg] = made; });
  }
  if (written == 0) return;
  if (step != nullptr) {
    add_step(made, *step);
  } else {
    made.beyond = is_result_of_call(i) || ptx::info(i.opcode).category == ptx::Category::tensor;
    for (std::size_t o = written; o < i.operands.size(); ++o)
      for_registers(i.operands[o], [&](RegisterId reg) {
        const RegisterTrail& from = trails_[reg];
        for (std::size_t k = 0; k < from.count; ++k) add_step(made, from.steps[k]);
        made.more |= from.more, made.beyond |= from.beyond;
      });
  }
  for (std::size_t o = 0; o < std::min(written, i.operands.size()); ++o)
    for_registers(i.operands[o], [&](RegisterId reg) { trails_[reg] = made; });
}

}  // namespace lanescope::job
