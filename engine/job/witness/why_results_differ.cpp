// Why the result on a GPU differs from the interpreter's: reasons in order, each with its evidence.

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/worded.h"
#include "job/run/one_launch.h"
#include "job/run/race_text.h"
#include "job/sass/ptxas_notes.h"
#include "job/witness/verify.h"
#include "ptx/module.h"
#include "ptx/opcode_table.h"
#include "ptx/source_line.h"

namespace lanescope::job {

Wording first_race(const Outcome& interpreted) {
  const LaunchOutcome& first = interpreted.first();
  for (const sim::Race& race : first.races.races) {
    if (!sim::accuses(race.kind)) continue;
    const RaceText text = race_text(race, first.trace, interpreted.request);
    const int one = text.first_place.line, other = text.second_place.line;
    if (one == 0 || other == 0) return worded("the kernel has a data race, so its result depends on timing");
    if (one == other)
      return worded("the kernel has a data race (line {} with itself), so its result depends on timing", one);
    return worded("the kernel has a data race (lines {} and {}), so its result depends on timing", std::min(one, other),
                  std::max(one, other));
  }
  return {};
}

namespace {

// The source lines of the kernel's instructions, and of the functions it may call, for which `is` holds; 0: of none in
// the user's file.
template <typename Is>
std::set<int> lines_where(const ptx::Module& module, const Outcome& interpreted, Is&& is) {
  const std::string& source = interpreted.request.source.name;
  const bool of_ptx = source.ends_with(".ptx");
  std::set<int> lines;
  for (const ptx::Function& function : module.functions) {
    if (function.is_entry && function.name != interpreted.first().mangled_kernel) continue;
    for (const ptx::Instruction& one : function.instructions)
      if (is(one)) lines.insert(of_ptx ? one.ptx_line : ptx::line_in(module, one.source, source));
  }
  return lines;
}

std::string listed(std::set<int> lines) {
  lines.erase(0);
  if (lines.empty()) return "–";
  return fmt::format("{}", fmt::join(lines, ", "));
}

Wording of_atomic_sums(const trace::Trace& trace) {
  if (!rounds_by_order(trace)) return {};
  return worded("the kernel adds floating-point numbers atomically, so the order of the sum depends on timing");
}

bool reads_a_clock(const ptx::Instruction& one) {
  using enum ptx::SpecialRegister;
  return std::ranges::any_of(one.operands, [](const ptx::Operand& operand) {
    return operand.kind == ptx::Operand::Kind::special && operand.special >= clock && operand.special <= globaltimer_hi;
  });
}

Wording of_a_clock(const ptx::Module& module, const Outcome& interpreted) {
  const std::set<int> lines = lines_where(module, interpreted, reads_a_clock);
  if (lines.empty()) return {};
  return worded("the kernel reads a clock (line {}), which counts otherwise on a GPU", listed(lines));
}

// PTX defines the results of these within an error only. The interpreter gives those of compute capability 9.0, except
// for rsqrt of f64.
bool is_approximate(const ptx::Instruction& one, const gpu::Device& device) {
  if (device.major == 9)
    return std::string_view(ptx::name_of(one.opcode)) == "rsqrt" && one.type == ptx::Type::f64 && !one.has("ftz");
  return one.rounding == ptx::Rounding::approx || one.rounding == ptx::Rounding::full;
}

Wording of_approximations(const ptx::Module& module, const Outcome& interpreted, const gpu::Device& device) {
  std::set<std::string> opcodes;
  const std::set<int> lines = lines_where(module, interpreted, [&](const ptx::Instruction& one) {
    if (!is_approximate(one, device)) return false;
    opcodes.insert(fmt::format("{}.{}", ptx::name_of(one.opcode), one.has("full") ? "full" : "approx"));
    return true;
  });
  if (lines.empty()) return {};
  return worded("PTX leaves the last digits of {} open (line {})", fmt::format("{}", fmt::join(opcodes, ", ")),
                listed(lines));
}

}  // namespace

Wording why_results_differ(const Outcome& interpreted, const GpuRun& plain) {
  const LaunchOutcome& first = interpreted.first();
  if (Wording race = first_race(interpreted); !race.empty()) return race;
  const Wording order = of_atomic_sums(first.trace);
  if (!plain.repeatable && !order.empty()) return order;
  const Result<ptx::Module> module = ptx::parse(first.ptx, "kernel.ptx");
  if (!module) return {};
  if (Wording clock = of_a_clock(*module, interpreted); !clock.empty()) return clock;
  if (!plain.repeatable) return worded("two runs on the GPU gave different results: they depend on timing");
  if (Wording fused = fused_sums(ptxas_notes(interpreted.request.source, first.ptx, first.mangled_kernel, plain.sass));
      !fused.empty())
    return fused;
  if (Wording approximations = of_approximations(*module, interpreted, plain.device); !approximations.empty())
    return approximations;
  return order;
}

}  // namespace lanescope::job
