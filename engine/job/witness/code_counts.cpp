#include "job/witness/code_counts.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "job/witness/sass_account.h"

namespace lanescope::job {
namespace {

using Kind = SassAccess::Kind;
using trace::MemorySpace;

// The metrics, and where each belongs. An instruction accesses one space in an execution, a generic one perhaps several
// in different executions; those are told apart by the metric.
enum class CodeMetric : std::uint8_t { global, local, shared, copies, lanes, sectors, wavefronts, ideal_wavefronts };
constexpr const char* code_metrics[] = {
    "smsp__sass_inst_executed_op_global",
    "smsp__sass_inst_executed_op_local",
    "smsp__sass_inst_executed_op_shared",
    "smsp__sass_inst_executed_op_ldgsts",
    "smsp__sass_thread_inst_executed_pred_on",
    "smsp__sass_sectors_mem_global",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
};

// An asynchronous copy loads from global memory and stores to shared memory.
bool is_of_class(AccessClass wanted, Kind kind, MemorySpace space) {
  if (kind == Kind::compare_and_swap) kind = Kind::atomic;
  if (kind == Kind::async_copy) return wanted.kind == Kind::load && wanted.space == MemorySpace::global;
  return kind == wanted.kind && (space == wanted.space || space == MemorySpace::none);
}

std::uint64_t count_in_code(Number number, const MachineInstruction& instruction, const CodeCount& count) {
  switch (number.quantity) {
    case Quantity::requests:
      return class_of(number).space == MemorySpace::local ? count.executions * local_requests(instruction.access.bytes)
                                                          : count.executions;
    case Quantity::sectors:
      return count.sectors;
    case Quantity::conflicts:
      return count.wavefronts - std::min(count.wavefronts, count.ideal_wavefronts);
  }
  return 0;
}

std::uint64_t count_in_model(Number number, const trace::MemoryTotals& totals) {
  trace::Totals one;
  one.memory[static_cast<std::size_t>(number.memory_class)] = totals;
  return value_of(number, one);
}

Wording line_told(const LineCount& one) {
  if (!one.first) return worded("line {}: 0 for {}, for ptxas left no instruction of it", one.line, one.interpreted);
  if (!one.in_ptx)
    return worded("line {}: {} that the PTX does not have ({} at 0x{:x})", one.line, one.counted, one.first->text,
                  one.first->address);
  return worded("line {}: {} for {} ({} at 0x{:x})", one.line, one.counted, one.interpreted, one.first->text,
                one.first->address);
}

std::uint64_t difference_of(const LineCount& one) {
  return std::max(one.counted, one.interpreted) - std::min(one.counted, one.interpreted);
}

}  // namespace

std::vector<std::string> metrics_of_code() {
  return {std::begin(code_metrics), std::end(code_metrics)};
}

std::vector<CodeCount> code_counts(const gpu::CountedInstructions& counted, const SassCode& sass,
                                   const std::string& kernel) {
  std::map<std::uint32_t, std::size_t> at;
  for (std::size_t i = 0; i < sass.instructions.size(); ++i) at[sass.instructions[i].address] = i;
  std::vector<CodeCount> counts(sass.instructions.size());
  for (const gpu::CountedInstructions::Instruction& one : counted.instructions) {
    const auto found = at.find(one.address);
    if (one.function != kernel || found == at.end() || one.values.size() != std::size(code_metrics)) continue;
    const SassAccess access = sass.instructions[found->second].access;
    using enum CodeMetric;
    const auto value = [&](CodeMetric metric) { return one.values[static_cast<std::size_t>(metric)]; };
    CodeCount& count = counts[found->second];
    count.executions = access.kind == Kind::async_copy       ? value(copies)
                       : access.space == MemorySpace::global ? value(global)
                       : access.space == MemorySpace::local  ? value(local)
                       : access.space == MemorySpace::shared ? value(shared)
                                                             : value(global) + value(local) + value(shared);
    count.lanes = value(lanes);
    count.sectors = value(sectors);
    count.wavefronts = value(wavefronts);
    count.ideal_wavefronts = value(ideal_wavefronts);
  }
  return counts;
}

std::vector<LineCount> by_line(Number number, const trace::Trace& interpreted, const SassCode& sass,
                               const std::vector<CodeCount>& counts) {
  const AccessClass wanted = class_of(number);
  std::map<int, int> line_of;                       // indexed by PTX line: those of the class
  std::map<std::pair<int, bool>, LineCount> lines;  // indexed by source line and in_ptx
  const auto of = [&](int line, bool in_ptx) -> LineCount& {
    LineCount& one = lines[{line, !in_ptx}];
    one.line = line;
    one.in_ptx = in_ptx;
    return one;
  };
  for (const trace::Site& site : interpreted.sites) {
    if (site.kind != trace::EventKind::memory || !is_of_class(wanted, kind_of(site.operation), site.space)) continue;
    line_of[site.ptx_line] = site.line;
    of(site.line, true).interpreted += count_in_model(number, interpreted.totals.sites[site.id].memory);
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const MachineInstruction& instruction = sass.instructions[i];
    const SassAccess access = instruction.access;
    if (access.kind == Kind::none || !is_of_class(wanted, access.kind, access.space)) continue;
    const auto found = line_of.find(instruction.ptx_line);
    LineCount& one = found == line_of.end() ? of(instruction.line, false) : of(found->second, true);
    one.counted += count_in_code(number, instruction, counts[i]);
    if (!one.first) one.first = &instruction;
  }
  std::vector<LineCount> list;
  for (auto& [key, one] : lines) list.push_back(one);
  return list;
}

Wording explain_by_code_counts(Number number, const trace::Trace& interpreted, const SassCode& sass,
                               const std::vector<CodeCount>& counts, std::uint64_t counted) {
  std::vector<LineCount> lines = by_line(number, interpreted, sass, counts);
  std::uint64_t in_code = 0, in_model = 0;
  for (const LineCount& one : lines) {
    in_code += one.counted;
    in_model += one.interpreted;
  }
  if (in_code != counted || in_model != value_of(number, interpreted.totals)) return {};
  std::erase_if(lines, [](const LineCount& one) { return one.counted == one.interpreted; });
  if (lines.empty()) return {};
  std::ranges::stable_sort(lines, std::greater(), difference_of);
  constexpr std::size_t most = 3;
  std::vector<Wording> shown;
  for (const LineCount& one : lines)
    if (shown.size() < most) shown.push_back(line_told(one));
  if (lines.size() > most) shown.push_back(worded("and {} further lines", lines.size() - most));
  return worded(
      "counted for each machine instruction, the kernel makes exactly {}. The machine code differs from the PTX in {}",
      counted, joined(shown, "{}; {}"));
}

}  // namespace lanescope::job
