#include "job/sass/sass_code.h"

#include <algorithm>
#include <map>
#include <string>

namespace lanescope::job {
namespace {

using Kind = SassAccess::Kind;

// Maps each label to the index of the instruction after it.
std::map<std::string, std::size_t> labels_of(const SassCode& sass) {
  std::map<std::string, std::size_t> labels;
  for (std::size_t i = 0; i < sass.instructions.size(); ++i)
    if (!sass.instructions[i].label.empty()) labels[sass.instructions[i].label] = i;
  return labels;
}

int lane_bytes(const compile::SassParts& parts) {
  if (parts.has_modifier_beginning("128")) return 16;
  if (parts.has_modifier_beginning("64")) return 8;
  if (parts.has_modifier_containing("16") && !parts.has_modifier_containing("F16x2")) return 2;
  if (parts.has_modifier_beginning("U8") || parts.has_modifier_beginning("S8")) return 1;
  return 4;
}

}  // namespace

// Opcode names from the instruction set reference in "CUDA Binary Utilities".
SassAccess access_of(const compile::SassParts& parts) {
  using enum trace::MemorySpace;
  struct Row {
    std::string_view opcode;
    Kind kind;
    trace::MemorySpace space;
  };
  static constexpr Row rows[] = {
      {"LDGSTS", Kind::async_copy, global},
      {"LDG", Kind::load, global},
      {"LDGMC", Kind::load, global},
      {"LDS", Kind::load, shared},
      {"LDSM", Kind::load, shared},
      {"LDL", Kind::load, local},
      {"LD", Kind::load, none},
      {"STG", Kind::store, global},
      {"STS", Kind::store, shared},
      {"STSM", Kind::store, shared},
      {"STL", Kind::store, local},
      {"ST", Kind::store, none},
      {"ATOMS", Kind::atomic, shared},
      {"ATOMG", Kind::atomic, global},
      {"ATOM", Kind::atomic, none},
      {"REDG", Kind::reduction, global},
      {"RED", Kind::reduction, global},
  };
  const auto row = std::ranges::find(rows, std::string_view(parts.opcode), &Row::opcode);
  if (row == std::end(rows)) return {};
  const bool swaps = row->kind == Kind::atomic && parts.has_modifier_beginning("CAS");
  return {.kind = swaps ? Kind::compare_and_swap : row->kind, .space = row->space, .bytes = lane_bytes(parts)};
}

MachineInstruction::MachineInstruction(const compile::SassInstruction& listed)
    : compile::SassInstruction(listed), parts(compile::parse_sass(listed.text)), access(access_of(parts)) {}

SassCode::SassCode(const compile::Sass& sass)
    : instructions(sass.instructions.begin(), sass.instructions.end()), spill_store_bytes(sass.spill_store_bytes) {}

const MachineInstruction* find_instruction(const SassCode& sass, SassAccess::Kind kind) {
  for (const MachineInstruction& instruction : sass.instructions)
    if (instruction.access.kind == kind) return &instruction;
  return nullptr;
}

bool has_opcode(const SassCode& sass, std::string_view opcode) {
  return std::ranges::any_of(sass.instructions, [&](const MachineInstruction& one) { return one.is(opcode); });
}

const MachineInstruction* call_of_driver(const SassCode& sass) {
  for (const MachineInstruction& instruction : sass.instructions)
    if (instruction.is("CALL") && instruction.parts.has("ABS")) return &instruction;
  return nullptr;
}

std::vector<SassLoop> loops_of(const SassCode& sass) {
  const std::map<std::string, std::size_t> labels = labels_of(sass);
  std::vector<SassLoop> loops;
  for (std::size_t i = 0; i < sass.instructions.size(); ++i) {
    const MachineInstruction& instruction = sass.instructions[i];
    if (!instruction.is("BRA")) continue;
    const auto target = labels.find(instruction.parts.target);
    if (target != labels.end() && target->second < i) loops.push_back({target->second, i});
  }
  return loops;
}

SassFlow::SassFlow(const SassCode& sass) : next_(sass.instructions.size()) {
  const std::map<std::string, std::size_t> labels = labels_of(sass);
  for (std::size_t i = 0; i < next_.size(); ++i) {
    const MachineInstruction& instruction = sass.instructions[i];
    const std::string& word = instruction.parts.opcode;
    const bool jumps = word == "BRA",
               may_jump = word == "BRX" || word == "BRXU" || word == "JMP" || word == "JMX" || word == "JMXU";
    const bool ends = jumps || may_jump || word == "EXIT" || word == "RET";
    // "BRA P2, `(.L_x_5)" and "BRA.DIV UR4, `(.L_x_5)" are conditional too.
    const bool always = instruction.predicate.empty() && instruction.parts.operands.size() < 2;
    if (i + 1 < next_.size() && !(ends && always)) next_[i].after = i + 1;
    if (may_jump) next_[i].jump = anywhere;
    if (!jumps) continue;
    const auto target = labels.find(instruction.parts.target);
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

}  // namespace lanescope::job
