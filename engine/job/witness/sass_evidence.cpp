#include "job/witness/sass_evidence.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.h"
#include "job/witness/sass_account.h"
#include "metrics/recompute.h"
#include "metrics/request_cost.h"
#include "ptx/module.h"
#include "ptx/opcode.h"

namespace lanescope::job {
namespace {

using Kind = SassAccess::Kind;

// "BRA `(.L_x_5)" → ".L_x_5"
std::string label_in(const std::string& text) {
  const std::size_t begin = text.find("(."), end = text.find(')', begin);
  return begin == std::string::npos || end == std::string::npos ? "" : text.substr(begin + 1, end - begin - 1);
}

// Where each label stands: the index of the instruction behind it.
std::map<std::string, std::size_t> labels_of(const compile::Sass& sass) {
  std::map<std::string, std::size_t> labels;
  for (std::size_t i = 0; i < sass.instructions.size(); ++i)
    if (!sass.instructions[i].label.empty()) labels[sass.instructions[i].label] = i;
  return labels;
}

bool reads_global(const compile::SassInstruction& instruction) {
  const SassAccess access = classify(instruction.text);
  return access.kind == Kind::load &&
         (access.space == trace::MemorySpace::global || access.space == trace::MemorySpace::none);
}

bool all_within(const std::vector<int>& lines, const compile::Sass& sass, SassLoop loop) {
  return std::all_of(lines.begin(), lines.end(), [&](int line) {
    return std::any_of(sass.instructions.begin() + static_cast<std::ptrdiff_t>(loop.first),
                       sass.instructions.begin() + static_cast<std::ptrdiff_t>(loop.last) + 1,
                       [&](const compile::SassInstruction& instruction) { return instruction.line == line; });
  });
}

}  // namespace

AccessClass class_of_number(const std::string& number) {
  using enum trace::MemorySpace;
  AccessClass out;
  out.space = number.starts_with("global") ? global : number.starts_with("local") ? local : shared;
  out.kind = contains(number, "_load")     ? Kind::load
             : contains(number, "_store")  ? Kind::store
             : contains(number, "_atomic") ? Kind::atomic
                                           : Kind::reduction;
  return out;
}

SassAccess::Kind kind_of(trace::Operation operation) {
  switch (operation) {
    case trace::Operation::load:
      return Kind::load;
    case trace::Operation::store:
      return Kind::store;
    case trace::Operation::atomic:
      return Kind::atomic;
    case trace::Operation::reduction:
      return Kind::reduction;
    case trace::Operation::async_copy:
      return Kind::async_copy;
    case trace::Operation::none:
      break;
  }
  return Kind::none;
}

const compile::SassInstruction* find_instruction(const compile::Sass& sass, SassAccess::Kind kind) {
  for (const compile::SassInstruction& instruction : sass.instructions)
    if (classify(instruction.text).kind == kind) return &instruction;
  return nullptr;
}

const compile::SassInstruction* call_of_driver(const compile::Sass& sass) {
  for (const compile::SassInstruction& instruction : sass.instructions)
    if (instruction.text.starts_with("CALL.ABS")) return &instruction;
  return nullptr;
}

std::vector<SassLoop> loops_of(const compile::Sass& sass) {
  const std::map<std::string, std::size_t> labels = labels_of(sass);
  std::vector<SassLoop> loops;
  for (std::size_t i = 0; i < sass.instructions.size(); ++i) {
    const compile::SassInstruction& instruction = sass.instructions[i];
    if (!instruction.text.starts_with("BRA")) continue;
    const auto target = labels.find(label_in(instruction.text));
    if (target != labels.end() && target->second < i) loops.push_back({target->second, i});
  }
  return loops;
}

SassFlow::SassFlow(const compile::Sass& sass) : next_(sass.instructions.size()) {
  const std::map<std::string, std::size_t> labels = labels_of(sass);
  for (std::size_t i = 0; i < next_.size(); ++i) {
    const compile::SassInstruction& instruction = sass.instructions[i];
    const std::string word = instruction.text.substr(0, instruction.text.find_first_of(" ."));
    const bool jumps = word == "BRA",
               may_jump = word == "BRX" || word == "BRXU" || word == "JMP" || word == "JMX" || word == "JMXU";
    const bool ends = jumps || may_jump || word == "EXIT" || word == "RET";
    // "BRA P2, `(.L_x_5)" and "BRA.DIV UR4, `(.L_x_5)" ask too.
    const bool always = instruction.predicate.empty() && !contains(instruction.text, ",");
    if (i + 1 < next_.size() && !(ends && always)) next_[i].after = i + 1;
    if (may_jump) next_[i].jump = anywhere;
    if (!jumps) continue;
    const auto target = labels.find(label_in(instruction.text));
    next_[i].jump = target == labels.end() ? anywhere : target->second;
  }
}

bool SassFlow::comes_again(std::size_t instruction) const {
  std::vector<bool> seen(next_.size());
  std::vector<std::size_t> left{instruction};
  while (!left.empty()) {
    const Next next = next_[left.back()];
    left.pop_back();
    for (const std::size_t to : {next.after, next.jump}) {
      if (to == instruction || to == anywhere) return true;
      if (to == nowhere || seen[to]) continue;
      seen[to] = true;
      left.push_back(to);
    }
  }
  return false;
}

Wording explain_waiting(const std::string& number, const compile::Sass& sass, const Waited& waited) {
  if (!waited.more && !waited.changed.value_or(true)) return {};
  const bool loads = number.starts_with("global_load."), atomics = number.starts_with("global_atomic.");
  if (!loads && !atomics) return {};
  for (const SassLoop loop : loops_of(sass)) {
    if (waited.lines_that_part && !all_within(*waited.lines_that_part, sass, loop)) continue;
    const auto first = sass.instructions.begin() + static_cast<std::ptrdiff_t>(loop.first),
               end = sass.instructions.begin() + static_cast<std::ptrdiff_t>(loop.last) + 1;
    const auto swap = std::find_if(
        first, end, [](const auto& instruction) { return classify(instruction.text).kind == Kind::compare_and_swap; });
    const auto load = std::find_if(first, end, reads_global);
    if (swap != end && (atomics || load != end))
      return worded(
          "a compare-and-swap loop retries until no other thread interferes, so the number of tries depends on "
          "timing: {} at 0x{:x}, line {}, in the loop from 0x{:x} to 0x{:x}",
          swap->text, swap->address, swap->line, first->address, (end - 1)->address);
    const auto strong = std::find_if(first, end, [](const auto& instruction) {
      return reads_global(instruction) && contains(instruction.text, ".STRONG");
    });
    if (loads && strong != end)
      return worded(
          "a loop polls memory until another thread has written it, so the number of reads depends on timing: {} at "
          "0x{:x}, line {}, in the loop from 0x{:x} to 0x{:x}",
          strong->text, strong->address, strong->line, first->address, (end - 1)->address);
  }
  return {};
}

std::optional<Bounds> bounds_of(const std::string& number, const trace::Trace& interpreted) {
  const AccessClass wanted = class_of_number(number);
  const bool sectors = number.ends_with(".sectors"), conflicts = number.ends_with(".bank_conflicts");
  if (!sectors && !conflicts && !number.ends_with(".requests")) return std::nullopt;
  if (!metrics::events_are_complete(interpreted)) return std::nullopt;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>, std::array<std::uint64_t, MemoryModel::lanes>>
      accesses;  // site, block, warp
  Bounds bounds;
  for (const trace::WarpEvent& event : interpreted.events) {
    const trace::Site& site = interpreted.sites[event.site];
    if (event.kind != trace::EventKind::memory || event.space != wanted.space || kind_of(site.operation) != wanted.kind)
      continue;
    const auto addresses = interpreted.lane_addresses(event);
    auto& of_lanes = accesses[{event.site, event.block, event.warp}];
    if (conflicts) {  // a lane alone has none; of lanes together at most one is served for nothing
      bounds.high += static_cast<std::uint64_t>(event.executed.count());
      continue;
    }
    event.executed.for_each([&](int lane) {
      ++of_lanes[static_cast<std::size_t>(lane)];
      bounds.high += sectors ? metrics::sector_cost(addresses, LaneMask::lane(lane), site.width).sectors : 1;
    });
  }
  // However many sectors: at least one a request.
  for (const auto& [place, of_lanes] : accesses) bounds.low += *std::max_element(of_lanes.begin(), of_lanes.end());
  return bounds;
}

Wording explain_meeting_elsewhere(const compile::Sass& sass, const std::vector<std::uint64_t>& values,
                                  const std::optional<Bounds>& bounds) {
  const auto find = [&](auto&& is) { return std::find_if(sass.instructions.begin(), sass.instructions.end(), is); };
  const auto kept = find([](const auto& instruction) {
    return instruction.text.starts_with("BMOV") && contains(instruction.text, ".CLEAR");
  });
  const auto call = find([](const auto& instruction) { return instruction.text.starts_with("CALL"); });
  const auto left = find([](const auto& instruction) { return instruction.text.starts_with("BREAK"); });
  const bool around_calls = kept != sass.instructions.end() && call != sass.instructions.end();
  if (!bounds || (!around_calls && left == sass.instructions.end())) return {};
  if (!std::all_of(values.begin(), values.end(), [&](std::uint64_t value) { return bounds->contain(value); }))
    return {};
  if (around_calls)
    return worded(
        "functions are called while lanes wait for each other, and {} (0x{:x}, line {}) keeps their convergence "
        "barrier in a register during the call: the GPU groups the lanes differently than the model, and "
        "differently again while recording. The GPU's record shows the same accesses per lane, which can make {} "
        "(all lanes of a warp together) to {} (each lane alone)",
        kept->text, kept->address, kept->line, bounds->low, bounds->high);
  return worded(
      "lanes that leave early remove themselves from the convergence barrier where the others wait ({} at 0x{:x}, "
      "line {}): the GPU groups the lanes differently than the model, and differently again while recording. The "
      "GPU's record shows the same accesses per lane, which can make {} (all lanes of a warp together) to {} (each "
      "lane alone)",
      left->text, left->address, left->line, bounds->low, bounds->high);
}

namespace {

// The largest SASS local access, for the evidence.
const compile::SassInstruction* widest_local(const compile::Sass& sass, SassAccess::Kind kind) {
  const compile::SassInstruction* widest = nullptr;
  for (const compile::SassInstruction& instruction : sass.instructions) {
    const SassAccess access = classify(instruction.text);
    if (access.kind != kind || access.space != trace::MemorySpace::local) continue;
    if (!widest || access.bytes > classify(widest->text).bytes) widest = &instruction;
  }
  return widest;
}

}  // namespace

Wording explain_by_words(const std::string& number, const trace::Trace& interpreted, const compile::Sass& sass,
                         std::uint64_t counted) {
  const AccessClass wanted = class_of_number(number);
  if (wanted.space != trace::MemorySpace::local || !number.ends_with(".requests")) return {};
  if (!metrics::events_are_complete(interpreted)) return {};
  std::uint64_t words = 0, shared_with_global = 0;
  const auto& events = interpreted.events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const trace::WarpEvent& event = events[i];
    const trace::Site& site = interpreted.sites[event.site];
    if (event.kind != trace::EventKind::memory || event.space != trace::MemorySpace::local ||
        kind_of(site.operation) != wanted.kind)
      continue;
    if (reaches_also(interpreted, i, trace::MemorySpace::global))
      ++shared_with_global;
    else
      words += local_requests(site.width);
  }
  const compile::SassInstruction* widest = widest_local(sass, wanted.kind);
  if (words != counted || !widest) return {};
  const Wording aside = shared_with_global == 0 ? Wording()
                                                : worded(
                                                      "; generic accesses that also reach global memory ({} of "
                                                      "them) are not counted there",
                                                      shared_with_global);
  return worded(
      "local memory interleaves the words of the lanes, so the hardware counts one request per 4 bytes of an access "
      "({} at 0x{:x}, line {}): {} for these accesses{}",
      widest->text, widest->address, widest->line, words, aside);
}

std::string functions_outside(const std::string& ptx) {
  const Result<ptx::Module> module = ptx::parse(ptx, "kernel.ptx");
  if (!module) return {};
  std::set<std::string> names;
  for (const ptx::Function& function : module->functions)
    for (const ptx::Instruction& instruction : function.instructions) {
      if (instruction.opcode != ptx::Opcode::call || instruction.operands.front().kind != ptx::Operand::Kind::symbol)
        continue;
      const ptx::Function* callee = module->find_function(instruction.operands.front().name);
      if (!callee || callee->is_declaration) names.insert(instruction.operands.front().name);
    }
  return fmt::format("{}", fmt::join(names, ", "));
}

Wording explain_outside(const std::string& functions, const compile::Sass& sass) {
  const compile::SassInstruction* call = call_of_driver(sass);
  if (functions.empty() || !call) return {};
  return worded(
      "{} is driver code, not the kernel's, and its accesses are counted too: called by {} at 0x{:x}, line {}",
      functions, call->text, call->address, call->line);
}

}  // namespace lanescope::job
