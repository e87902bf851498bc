#include "job/witness/code_counts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "job/witness/sass_account.h"
#include "metrics/recompute.h"
#include "metrics/request_cost.h"

namespace lanescope::job {
namespace {

using Kind = SassAccess::Kind;
using trace::MemorySpace;

enum class CodeMetric : std::uint8_t {
  global,
  local,
  shared,
  distributed,
  copies,
  lanes,
  sectors,
  wavefronts,
  ideal_wavefronts
};
constexpr const char* code_metrics[] = {
    "smsp__sass_inst_executed_op_global",
    "smsp__sass_inst_executed_op_local",
    "smsp__sass_inst_executed_op_shared",
    "smsp__sass_inst_executed_op_dshared",
    "smsp__sass_inst_executed_op_ldgsts",
    "smsp__sass_thread_inst_executed_pred_on",
    "smsp__sass_sectors_mem_global",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
};

CodeCount count_of(const SassAccess& access, const std::vector<std::uint64_t>& values) {
  using enum CodeMetric;
  const auto value = [&](CodeMetric metric) { return values[static_cast<std::size_t>(metric)]; };
  CodeCount count;
  count.global = access.kind == Kind::async_copy ? value(copies) : value(CodeMetric::global);
  count.local = value(CodeMetric::local);
  count.shared = value(CodeMetric::shared);
  count.distributed = value(CodeMetric::distributed);
  count.lanes = value(CodeMetric::lanes);
  count.wavefronts = value(CodeMetric::wavefronts);
  count.ideal_wavefronts = value(CodeMetric::ideal_wavefronts);
  const bool several =
      access.space == MemorySpace::none && count.global > 0 && count.local + count.shared + count.distributed > 0;
  if (access.kind != Kind::async_copy && !several) count.sectors = value(CodeMetric::sectors);
  return count;
}

std::optional<std::uint64_t> count_in_code(Number number, const MachineInstruction& instruction,
                                           const CodeCount& count) {
  const MemorySpace space = class_of(number).space;
  const std::uint64_t executions = count.executions(space);
  switch (number.quantity) {
    case Quantity::requests:
      return space == MemorySpace::local ? executions * local_requests(instruction.access.bytes) : executions;
    case Quantity::sectors:
      return executions == 0 ? 0 : count.sectors;
    case Quantity::conflicts:
      return count.wavefronts - std::min(count.wavefronts, count.ideal_wavefronts);
  }
  return {};
}

std::uint64_t count_of_class(Number number, const trace::MemoryTotals& of_class) {
  trace::Totals one;
  one.memory[static_cast<std::size_t>(number.memory_class)] = of_class;
  return value_of(number, one);
}

// Of each site, indexed by its number; empty if the trace does not tell.
std::map<std::uint32_t, std::uint64_t> counts_in_model(Number number, const trace::Trace& trace) {
  std::map<std::uint32_t, std::uint64_t> counts;
  const AccessClass wanted = class_of(number);
  const auto counts_for = [&](const trace::Site& site) {
    return site.kind == trace::EventKind::memory && is_of_class(wanted, kind_of(site.operation), site.space);
  };
  if (metrics::events_are_complete(trace)) {
    std::map<std::uint32_t, trace::MemoryTotals> sums;
    for (const trace::Site& site : trace.sites)
      if (counts_for(site)) sums[site.id] = {};
    for (const trace::WarpEvent& event : trace.events)
      if (const auto sum = sums.find(event.site); sum != sums.end() && event.kind == trace::EventKind::memory) {
        const trace::Operation operation = trace.sites[event.site].operation;
        if (trace::class_of(event.space, operation) == number.memory_class)
          metrics::add(sum->second, metrics::cost(trace, event), event.executed, operation);
      }
    for (const auto& [site, sum] : sums) counts[site] = count_of_class(number, sum);
    return counts;
  }
  for (const trace::Site& site : trace.sites) {
    if (!counts_for(site)) continue;
    if (site.space == MemorySpace::none) return {};  // its sum is over all spaces
    counts[site.id] = count_of_class(number, trace.totals.sites[site.id].memory);
  }
  return counts;
}

Wording line_told(const LineCount& one) {
  const std::uint64_t counted = one.counted.value_or(0);
  if (!one.first)
    return worded("line {}: 0 instead of {}, because ptxas removed the access", one.line, one.interpreted);
  if (!one.in_ptx)
    return worded("line {}: {} that are no accesses in the PTX ({} at 0x{:x})", one.line, counted, one.first->text,
                  one.first->address);
  return worded("line {}: {} instead of {} ({} at 0x{:x})", one.line, counted, one.interpreted, one.first->text,
                one.first->address);
}

std::uint64_t distance(std::uint64_t a, std::uint64_t b) {
  return std::max(a, b) - std::min(a, b);
}

// Empty if none differs.
Wording lines_that_differ(std::vector<LineCount> lines) {
  const auto difference_of = [](const LineCount& one) { return distance(one.counted.value_or(0), one.interpreted); };
  std::erase_if(lines, [](const LineCount& one) { return one.counted == one.interpreted; });
  std::ranges::stable_sort(lines, std::greater(), difference_of);
  constexpr std::size_t most = 3;
  const std::size_t named = lines.size() == most + 1 ? most + 1 : std::min(most, lines.size());
  std::vector<Wording> shown;
  for (std::size_t i = 0; i < named; ++i) shown.push_back(line_told(lines[i]));
  if (named < lines.size()) shown.push_back(worded("and {} other lines", lines.size() - named));
  return shown.empty() ? Wording() : joined(shown, "{}; {}");
}

struct Sums {
  std::uint64_t interpreted = 0;
  std::optional<std::uint64_t> counted = 0;
};
Sums sums_of(const std::vector<LineCount>& lines) {
  Sums sums;
  for (const LineCount& one : lines) {
    sums.interpreted += one.interpreted;
    sums.counted = sums.counted && one.counted ? std::optional(*sums.counted + *one.counted) : std::nullopt;
  }
  return sums;
}

// Of copies to shared memory, CUPTI counts the executions and not the sectors. Gives their lines the model's sectors if
// they are executed as often as in the model. Returns the sum of these sectors.
std::uint64_t complete_copies(std::vector<LineCount>& lines, const std::vector<LineCount>& requests) {
  std::uint64_t completed = 0;
  if (lines.size() != requests.size()) return completed;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    LineCount& one = lines[i];
    const bool is_copy = one.first && one.first->access.kind == Kind::async_copy && one.in_ptx;
    if (one.counted || !is_copy || requests[i].counted != requests[i].interpreted) continue;
    one.counted = one.interpreted;
    completed += one.interpreted;
  }
  return completed;
}

// Generic accesses of a class some of whose lanes reached local memory, and others global memory.
struct MixedAccesses {
  std::uint64_t accesses = 0, lanes = 0;
  std::uint64_t requests = 0;  // to the space of the class
  const MachineInstruction* first = nullptr;
};
MixedAccesses mixed_accesses(AccessClass wanted, const SassCode& sass, const std::vector<CodeCount>& counts) {
  MixedAccesses mixed;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const SassAccess access = sass.instructions[i].access;
    const std::uint64_t both = std::min(counts[i].global, counts[i].local);
    if (access.space != MemorySpace::none || !is_of_class(wanted, access.kind, access.space) || both == 0) continue;
    if (!mixed.first) mixed.first = &sass.instructions[i];
    mixed.accesses += both;
    mixed.requests += wanted.space == MemorySpace::local ? both * local_requests(access.bytes) : both;
    mixed.lanes += counts[i].lanes;
  }
  return mixed;
}

std::uint64_t accesses_of(const CodeCount& count) {
  return std::max({count.global, count.local, count.shared, count.distributed});
}

// The first access in a row after the barrier that its lanes execute in more executions than the barrier has in the
// model; null if there is none.
const MachineInstruction* executed_apart(std::size_t barrier, const trace::SiteTotals& model, const SassCode& sass,
                                         const std::vector<CodeCount>& counts) {
  for (std::size_t i = barrier + 1; i < counts.size(); ++i) {
    const MachineInstruction& one = sass.instructions[i];
    for (const char* leads_away : {"BRA", "BRX", "EXIT", "CALL", "RET", "BSYNC", "WARPSYNC", "BAR"})
      if (one.is(leads_away)) return nullptr;
    if (counts[i].lanes > model.executed_lanes) return nullptr;
    if (counts[i].lanes == model.executed_lanes && accesses_of(counts[i]) > model.executions) return &one;
  }
  return nullptr;
}

}  // namespace

std::uint64_t CodeCount::executions(MemorySpace space) const {
  switch (space) {
    case MemorySpace::global:
      return global;
    case MemorySpace::local:
      return local;
    case MemorySpace::shared:
      return shared;
    case MemorySpace::distributed:
      return distributed;
    default:
      return 0;
  }
}

std::vector<std::string> metrics_of_code() {
  return {std::begin(code_metrics), std::end(code_metrics)};
}

std::vector<CodeCount> code_counts(const gpu::CountedInstructions& counted, const SassCode& sass,
                                   const std::string& kernel) {
  std::map<std::uint32_t, std::size_t> at;
  for (std::size_t i = 0; i < sass.instructions.size(); ++i) at[sass.instructions[i].address] = i;
  std::vector<CodeCount> counts(sass.instructions.size());
  for (const gpu::CountedInstructions::Instruction& one : counted.instructions)
    if (const auto found = at.find(one.address);
        one.function == kernel && found != at.end() && one.values.size() == std::size(code_metrics))
      counts[found->second] = count_of(sass.instructions[found->second].access, one.values);
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
  const auto in_model = counts_in_model(number, interpreted);
  if (in_model.empty() && value_of(number, interpreted.totals) > 0) return {};
  for (const auto& [site, value] : in_model) {
    line_of[interpreted.sites[site].ptx_line] = interpreted.sites[site].line;
    of(interpreted.sites[site].line, true).interpreted += value;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const MachineInstruction& instruction = sass.instructions[i];
    const SassAccess access = instruction.access;
    if (!is_of_class(wanted, access.kind, access.space)) continue;
    const auto found = line_of.find(instruction.ptx_line);
    LineCount& one = found == line_of.end() ? of(instruction.line, false) : of(found->second, true);
    const auto value = count_in_code(number, instruction, counts[i]);
    one.counted = one.counted && value ? std::optional(*one.counted + *value) : std::nullopt;
    if (!one.first) one.first = &instruction;
  }
  std::vector<LineCount> list;
  for (auto& [key, one] : lines) list.push_back(one);
  return list;
}

Wording explain_by_code_counts(Number number, const trace::Trace& interpreted, const SassCode& sass,
                               const std::vector<CodeCount>& counts, std::uint64_t counted) {
  std::vector<LineCount> lines = by_line(number, interpreted, sass, counts);
  const Number requests{number.memory_class, Quantity::requests};
  const std::uint64_t of_copies =
      number.quantity == Quantity::sectors ? complete_copies(lines, by_line(requests, interpreted, sass, counts)) : 0;
  const Sums sums = sums_of(lines);
  if (sums.counted != counted || sums.interpreted != value_of(number, interpreted.totals)) return {};
  const Wording differing = lines_that_differ(std::move(lines));
  if (of_copies > 0 && !differing.empty())
    return worded(
        "counted for each machine instruction, with the model's {} sectors of copies to shared memory, which cannot be "
        "counted so, the kernel makes exactly {}; the lines that differ: {}",
        of_copies, counted, differing);
  if (differing.empty())
    return "counted for each machine instruction, every line makes as many as in the model; the lanes are grouped "
           "differently only while the kernel records itself";
  return worded("counted for each machine instruction, the kernel makes exactly {}; the lines that differ: {}", counted,
                differing);
}

Wording explain_drivers_by_code_counts(Number number, const trace::Trace& interpreted, const SassCode& sass,
                                       const std::vector<CodeCount>& counts, std::uint64_t counted,
                                       const Wording& drivers) {
  std::vector<LineCount> lines = by_line(number, interpreted, sass, counts);
  const Sums sums = sums_of(lines);
  if (drivers.empty() || !sums.counted || *sums.counted >= counted ||
      sums.interpreted != value_of(number, interpreted.totals))
    return {};
  const Wording differing = lines_that_differ(std::move(lines));
  if (differing.empty())
    return worded("counted for each machine instruction, the kernel itself makes {}, as in the model; {}",
                  *sums.counted, drivers);
  return worded("counted for each machine instruction, the kernel itself makes {}; the lines that differ: {}; {}",
                *sums.counted, differing, drivers);
}

Wording explain_turns_by_code_counts(Number number, const trace::Trace& interpreted, const SassCode& sass,
                                     const std::vector<CodeCount>& counts, std::uint64_t counted,
                                     std::optional<std::uint64_t> witness) {
  const AccessClass wanted = class_of(number);
  if (number.quantity != Quantity::sectors || (wanted.kind != Kind::atomic && wanted.kind != Kind::reduction))
    return {};
  const Sums sums = sums_of(by_line(number, interpreted, sass, counts));
  std::uint64_t lanes = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (is_of_class(wanted, sass.instructions[i].access.kind, sass.instructions[i].access.space))
      lanes += counts[i].lanes;
  if (!sums.counted || *sums.counted != witness.value_or(*sums.counted) || counted <= *sums.counted || counted > lanes)
    return {};
  return worded(
      "counted for each machine instruction, these accesses have {} sectors and {} lanes; the hardware serves lanes "
      "with the same address one after another, and counts the sectors each time",
      *sums.counted, lanes);
}

Wording explain_mixed_by_code_counts(Number number, const trace::Trace& interpreted, const SassCode& sass,
                                     const std::vector<CodeCount>& counts, std::uint64_t counted) {
  const AccessClass wanted = class_of(number);
  const bool global = wanted.space == MemorySpace::global, of_requests = number.quantity == Quantity::requests;
  if (!(global && number.quantity != Quantity::conflicts) && !(wanted.space == MemorySpace::local && of_requests))
    return {};
  const Number requests{number.memory_class, Quantity::requests};
  std::vector<LineCount> lines = by_line(requests, interpreted, sass, counts);
  const Sums sums = sums_of(lines);
  if (!sums.counted || sums.interpreted != value_of(requests, interpreted.totals)) return {};
  const MixedAccesses mixed = mixed_accesses(wanted, sass, counts);
  const Wording differing = lines_that_differ(std::move(lines));
  if (!mixed.first || (!of_requests && !differing.empty())) return {};
  const std::uint64_t own = of_requests ? *sums.counted : value_of(number, interpreted.totals);
  if (distance(own, counted) > (of_requests ? mixed.requests : mixed.lanes)) return {};
  const Wording why = worded(
      "the counter differs, because in {} generic accesses some lanes reach local memory and others global "
      "memory ({} at 0x{:x}, line {})",
      mixed.accesses, mixed.first->text, mixed.first->address, mixed.first->line);
  if (differing.empty())
    return worded("counted for each machine instruction, the kernel makes the {} requests of the model; {}",
                  *sums.counted, why);
  return worded("counted for each machine instruction, the kernel makes {} requests; the lines that differ: {}; {}",
                *sums.counted, differing, why);
}

Wording vote_of_lanes_apart(const trace::Trace& interpreted, const SassCode& sass,
                            const std::vector<CodeCount>& counts) {
  const auto votes = [](const MachineInstruction& one) {
    return one.is("BAR") && one.text.find(".RED.") != std::string::npos;
  };
  if (std::ranges::none_of(sass.instructions, votes)) return {};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const MachineInstruction& barrier = sass.instructions[i];
    if (!barrier.is("BAR")) continue;
    for (const trace::Site& site : interpreted.sites) {
      if (site.kind != trace::EventKind::barrier || site.ptx_line != barrier.ptx_line) continue;
      const trace::SiteTotals& model = interpreted.totals.sites[site.id];
      const MachineInstruction* const next = executed_apart(i, model, sass, counts);
      if (!next) continue;
      return worded(
          "on the GPU, lanes of the same warp leave a barrier apart ({} at 0x{:x}, line {}: {} executions in the "
          "model, "
          "and {} of {} at 0x{:x} by the same lanes); a vote at a barrier, as of __syncthreads_or(), then reaches only "
          "the lanes that are together",
          barrier.text, barrier.address, site.line, model.executions,
          accesses_of(counts[static_cast<std::size_t>(next - sass.instructions.data())]), next->text, next->address);
    }
  }
  return {};
}

}  // namespace lanescope::job
