#include "instrument/instrument.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "cfg/control_flow_graph.h"
#include "core/worded.h"
#include "instrument/access_groups.h"
#include "instrument/calls.h"
#include "instrument/shared_block.h"
#include "instrument/snippets.h"
#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"

namespace lanescope::instrument {

const char* to_string(Pass pass) {
  switch (pass) {
    case Pass::memory:
      return "memory";
    case Pass::block_entries:
      return "block entries";
    case Pass::operations:
      return "operations";
  }
  return "memory";
}

namespace {

// Matrix instructions that access no memory. wmma.load and wmma.store belong to the same category but do.
bool is_product(ptx::Opcode opcode) {
  return opcode == ptx::opcodes::mma || opcode == ptx::opcodes::wmma_mma || opcode == ptx::opcodes::movmatrix ||
         opcode == ptx::opcodes::wgmma;
}

// Asynchronous copies that a warp requests itself; their accesses are recorded in Pass::memory.
bool is_access(ptx::Opcode opcode) {
  return opcode == ptx::opcodes::cp_async || opcode == ptx::opcodes::st_async || opcode == ptx::opcodes::red_async;
}

using ptx::Category;
using ptx::Function;
using ptx::Instruction;
using ptx::Module;
using ptx::Operand;

// The label's name in the plain copy of the code.
std::string plain_label(const std::string& label) {
  return label + "_lanescope_plain";
}

// Writes one function of the instrumented module.
class Writer {
 public:
  Writer(const Module& module, Pass pass, Instrumented& out, const Calls& calls)
      : module_(module), pass_(pass), out_(out), calls_(calls) {}

  Diagnostics take_errors() { return std::move(errors_); }

  // The kernel: prologue, recorded body, plain body.
  std::string kernel(const Function& function, int most_registers) {
    Function shell = shell_of(function);
    // The assembler refuses a register limit on a kernel that may call a function needing more registers, if it cannot
    // tell which function is called. Such a kernel is recorded without the limit, at lower occupancy.
    const auto limits_registers = [](const std::string& directive) {
      return directive.starts_with(".minnctapersm") || directive.starts_with(".maxnreg");
    };
    if (calls_.any_through_pointer())
      std::erase_if(shell.directives, limits_registers);
    else if (most_registers > 0 && std::none_of(shell.directives.begin(), shell.directives.end(), limits_registers))
      shell.directives.push_back(".maxnreg " + std::to_string(most_registers));
    shell.parameters.push_back({.name = buffer_parameter, .type = ptx::Type::u64});
    shell.parameters.push_back({.name = places_parameter, .type = ptx::Type::u64});
    shell.parameters.push_back({.name = control_parameter,
                                .type = ptx::Type::b8,
                                .elements = sizeof(Control),
                                .alignment = 8,
                                .is_array = true});
    for (ptx::BranchTargets copy : function.branch_targets) {
      copy.name = plain_label(copy.name);
      for (std::string& label : copy.labels) label = plain_label(label);
      shell.branch_targets.push_back(std::move(copy));
    }
    const std::string entry = "$lanescope_entry_plain";
    std::string body = register_declarations() + kernel_prologue(entry);
    body += recorded_body(function, shell);
    body += entry + ":\n" + plain_body(function);
    return splice(shell, body);
  }

  // The recorded copy of a called function.
  std::string function(const Function& function) {
    Function shell = head_of(function);
    const std::string body = recorded_body(function, shell);
    return splice(shell, register_declarations() + take_places() + body);
  }
  // The function's name, parameters and results, without its code.
  Function head_of(const Function& function) const {
    Function head = shell_of(function);
    add_places(head, module_);
    return head;
  }

 private:
  // The function without its code; used to print its signature and declarations.
  Function shell_of(const Function& function) const {
    Function shell = function;
    shell.instructions.clear();
    shell.labels.clear();
    shell.pragmas.clear();
    return shell;
  }

  std::string splice(const Function& shell, const std::string& body) const {
    std::string text = ptx::print(module_, shell);
    const std::size_t end = text.rfind('}');
    return text.substr(0, end) + body + text.substr(end);
  }

  // Adds the declarations that the function's calls need to `shell`.
  std::string recorded_body(const Function& function, Function& shell) {
    const bool returns_places = !function.is_entry;
    std::map<std::string, std::string> results;  // of calls, indexed by their plain names
    const cfg::ControlFlowGraph graph = cfg::build(function);
    std::vector<AccessGroup> groups;
    if (pass_ == Pass::memory) groups = access_groups(module_, function, graph, errors_);
    auto group = groups.begin();
    std::string text;
    for (std::int32_t i = 0; i < size(function); ++i) {
      text += labels_at(function, i, [](const std::string& name) { return name; });
      const std::int32_t block = graph.block_of[static_cast<std::size_t>(i)];
      if (pass_ == Pass::block_entries && graph.blocks[static_cast<std::size_t>(block)].first == i)
        text += one_record(
            {.function = function.name, .instruction = i, .basic_block = block, .kind = trace::EventKind::block_entry},
            "");
      const Instruction& instruction = function.instructions[static_cast<std::size_t>(i)];
      if (group != groups.end() && group->at == i) text += accesses_record(*group++);
      if (pass_ == Pass::operations) text += operation_record(function, instruction, i);
      if (returns_places && instruction.opcode == ptx::opcodes::ret) text += give_places_back(function);
      if (const std::vector<const Function*> callees = calls_.callees(function, instruction); !callees.empty()) {
        HandingCall call = handing_call(callees, module_, function, instruction, i);
        shell.variables.insert(shell.variables.end(), call.variables.begin(), call.variables.end());
        shell.call_prototypes.insert(shell.call_prototypes.end(), call.prototypes.begin(), call.prototypes.end());
        if (!call.plain_result.empty()) results[call.plain_result] = call.result;
        text += call.before + ptx::print(module_, function, call.call) + "\n" + call.after;
        continue;
      }
      text += ptx::print(module_, function, reading_results(instruction, results)) + "\n";
    }
    const std::string end = labels_at(function, size(function), [](const std::string& name) { return name; });
    const bool returned = end.empty() && size(function) > 0 && returns(function.instructions.back());
    // Reaching the end of a function is also a return. In a kernel the plain copy follows, so a `ret` is needed.
    if (returned) return text + end;
    return text + end + (returns_places ? give_places_back(function) : "") + "\tret;\n";
  }

  std::string plain_body(const Function& function) const {
    std::string text;
    for (std::int32_t i = 0; i < size(function); ++i) {
      text += labels_at(function, i, plain_label);
      Instruction copy = function.instructions[static_cast<std::size_t>(i)];
      for (Operand& operand : copy.operands)
        if (operand.kind == Operand::Kind::label) operand.name = plain_label(operand.name);
      text += ptx::print(module_, function, copy) + "\n";
    }
    return text + labels_at(function, size(function), plain_label);
  }

  template <typename Rename>
  static std::string labels_at(const Function& function, std::int32_t index, Rename&& rename) {
    std::string text;
    for (const ptx::Label& label : function.labels)
      if (label.target == index) text += rename(label.name) + ":\n";
    for (const ptx::Pragma& pragma : function.pragmas)
      if (pragma.at == index) text += fmt::format("\t.pragma \"{}\";\n", pragma.text);
    return text;
  }

  static bool returns(const Instruction& instruction) {
    return instruction.opcode == ptx::opcodes::ret && !instruction.guard.present();
  }
  static std::int32_t size(const Function& function) { return static_cast<std::int32_t>(function.instructions.size()); }

  // Renames the result of a call where it is read: a recorded call returns it in another variable.
  static Instruction reading_results(Instruction instruction, const std::map<std::string, std::string>& results) {
    for (Operand& operand : instruction.operands)
      if (const auto found = results.find(operand.name);
          operand.kind == Operand::Kind::address && found != results.end())
        operand.name = found->second;
    return instruction;
  }

  std::string make_record(RecordGroup group, const std::vector<RecordSite>& sites, const std::string& guard,
                          const std::vector<LaneWord>& words) {
    group.first_site = static_cast<std::int32_t>(out_.sites.size());
    group.sites = static_cast<std::int32_t>(sites.size());
    out_.sites.insert(out_.sites.end(), sites.begin(), sites.end());
    out_.groups.push_back(group);
    const int index = static_cast<int>(out_.groups.size()) - 1;
    return pass_ == Pass::block_entries ? entry_record(index, out_.clocks)
                                        : record(index, group, guard, words, out_.clocks);
  }

  std::string one_record(const RecordSite& site, const std::string& guard, bool by_active_lanes = false) {
    return make_record({.by_active_lanes = by_active_lanes}, {site}, guard, {});
  }

  std::string accesses_record(const AccessGroup& group) {
    RecordGroup record{.words = static_cast<std::int32_t>(group.words.size())};
    if (record.words == 3) record.words = 4;  // a store has 1, 2 or 4 words
    record.has_upper =
        std::any_of(group.words.begin(), group.words.end(), [](const LaneWord& word) { return word.has_upper(); });
    int uppers = 0;
    for (std::size_t i = 0; record.many() && i < group.words.size(); ++i) {
      const LaneWord& word = group.words[i];
      if (word.has_upper())
        record.upper_of[i] = word.upper_as < 0 ? static_cast<std::uint8_t>(uppers++)
                                               : record.upper_of[static_cast<std::size_t>(word.upper_as)];
    }
    record.short_header = record.has_upper && group.guard.empty() && (record.words == 1 || uppers == 1);
    return make_record(record, group.sites, group.guard, group.words);
  }

  std::string operation_record(const Function& function, const Instruction& instruction, std::int32_t index) {
    RecordSite site{.function = function.name, .instruction = index};
    const std::string guard = guard_of(function, instruction);
    switch (ptx::info(instruction.opcode).category) {
      case Category::barrier:
        site.kind = trace::EventKind::barrier;
        break;
      case Category::shuffle:
        return shuffle_record(function, instruction, site, guard);
      case Category::vote:
        site.kind = trace::EventKind::vote;
        break;
      case Category::warp:
        site.kind =
            instruction.opcode == ptx::opcodes::bar_warp_sync ? trace::EventKind::barrier : trace::EventKind::vote;
        break;
      case Category::tensor:
        if (is_product(instruction.opcode)) {
          site.kind = trace::EventKind::matrix;
          break;
        }
        if (guard.empty()) return {};
        site.kind = trace::EventKind::guarded;
        break;
      case Category::branch:
        if (guard.empty()) return {};
        site.kind = trace::EventKind::branch;
        break;
      case Category::load:
      case Category::store:
      case Category::atomic:
      case Category::reduction:
        return {};
      case Category::async_copy:
        if (is_access(instruction.opcode)) return {};
        [[fallthrough]];
      default:
        if (guard.empty()) return {};
        site.kind = trace::EventKind::guarded;
    }
    return one_record(site, guard, site.kind == trace::EventKind::branch || site.kind == trace::EventKind::guarded);
  }

  std::string shuffle_record(const Function& function, const Instruction& instruction, RecordSite site,
                             const std::string& guard) {
    site.kind = trace::EventKind::shuffle;
    const auto& operands = instruction.operands;  // destination(s), a, b, c[, mask]
    const bool sync = instruction.opcode == ptx::opcodes::shfl_sync;
    const std::size_t c = operands.size() - (sync ? 2 : 1);
    const Operand& b_operand = operands[c - 1];
    const Operand& c_operand = operands[c];
    site.constant_operands = b_operand.kind == Operand::Kind::integer && c_operand.kind == Operand::Kind::integer;
    if (site.constant_operands) {
      site.b = static_cast<std::uint32_t>(b_operand.integer);
      site.c = static_cast<std::uint32_t>(c_operand.integer);
      return one_record(site, guard);
    }
    return make_record({.words = 2}, {site}, guard,
                       {{.source = text_of(function, b_operand)}, {.source = text_of(function, c_operand)}});
  }

  static std::string text_of(const Function& function, const Operand& operand) {
    return operand.kind == Operand::Kind::reg ? function.registers[operand.reg].name
                                              : fmt::format("{}", operand.integer);
  }

  const Module& module_;
  Pass pass_;
  Instrumented& out_;
  const Calls& calls_;
  Diagnostics errors_;
};

}  // namespace

Result<Instrumented> instrument(const Module& plain, const std::string& mangled_kernel, Pass pass, int most_registers) {
  const Function* kernel = plain.find_function(mangled_kernel);
  if (!kernel || !kernel->is_entry)
    return Diagnostic{.code = "instrument.no_such_kernel",
                      .place = {plain.name},
                      .message = worded("The module has no kernel {}.", mangled_kernel),
                      .cure = "Use the mangled name that the compiler gave."};
  const Module module = with_one_shared_block(plain, *kernel);
  kernel = module.find_function(mangled_kernel);
  Instrumented out{.kernel = mangled_kernel, .pass = pass};
  const Calls calls(module, *kernel);
  if (Diagnostics refusals = calls.refusals(); !refusals.empty()) return refusals;
  out.clocks = architecture_of(module.target) >= 80;  // redux.sync

  Module shell = module;
  // Other kernels are dropped. Called functions stay unchanged, and each also gets a recorded copy.
  std::erase_if(shell.functions, [](const Function& function) { return function.is_entry; });
  // Recorded copies are declared first because they may call each other in any order.
  std::string declarations, bodies;
  Writer writer(module, pass, out, calls);
  for (const std::string& name : calls.recorded()) {
    Function head = writer.head_of(*module.find_function(name));
    head.is_declaration = true;
    head.linkage.clear();
    shell.functions.push_back(head);
    bodies += writer.function(*module.find_function(name)) + "\n";
  }
  bodies += writer.kernel(*kernel, most_registers);
  if (Diagnostics errors = writer.take_errors(); !errors.empty()) return errors;
  out.ptx = ptx::print(shell) + "\n" + bodies + "\n";
  return out;
}

}  // namespace lanescope::instrument
