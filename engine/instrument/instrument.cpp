#include "instrument/instrument.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "cfg/control_flow_graph.h"
#include "core/worded.h"
#include "instrument/access_groups.h"
#include "instrument/calls.h"
#include "instrument/snippets.h"
#include "ptx/opcode_table.h"

namespace lanescope::instrument {

const char* to_string(Pass pass) {
  switch (pass) {
    case Pass::memory: return "memory";
    case Pass::block_entries: return "block entries";
    case Pass::operations: return "operations";
  }
  return "memory";
}

namespace {

using ptx::Category;
using ptx::Function;
using ptx::Instruction;
using ptx::Module;
using ptx::Operand;

// Names of the recorded copies of functions, and of the plain copy's labels.
std::string recorded_name(const std::string& function) { return function + "_lanescope_recorded"; }
std::string plain_label(const std::string& label) { return label + "_lanescope_plain"; }

// redux.sync came with sm_80.
bool has_redux(const std::string& target) {
  int number = 0;
  const std::size_t digits = target.find('_') + 1;  // sm_90, sm_90a, sm_100
  std::from_chars(target.data() + digits, target.data() + target.size(), number);
  return number >= 80;
}

// The functions with a body that `kernel` calls by name, however deep; and those only reachable through tables.
struct Reach {
  std::set<std::string> by_name;
  std::vector<std::string> through_tables;
};

void note_symbols(const Operand& operand, std::vector<std::string>& names) {
  if (operand.kind == Operand::Kind::symbol) names.push_back(operand.name);
  for (const Operand& element : operand.elements) note_symbols(element, names);
}

Reach reach(const Module& module, const Function& kernel) {
  Reach found;
  std::vector<const Function*> open{&kernel};
  while (!open.empty()) {
    const Function* function = open.back();
    open.pop_back();
    for (const Instruction& instruction : function->instructions) {
      std::vector<std::string> names;
      for (const Operand& operand : instruction.operands) note_symbols(operand, names);
      for (const std::string& name : names) {
        const Function* callee = module.find_function(name);
        if (callee && !callee->is_declaration && found.by_name.insert(name).second) open.push_back(callee);
      }
    }
  }
  std::set<std::string> tables;
  for (const ptx::Variable& variable : module.variables)
    for (const auto& reference : variable.references)
      if (const Function* target = module.find_function(reference.symbol); target && !target->is_declaration)
        tables.insert(reference.symbol);
  found.through_tables.assign(tables.begin(), tables.end());
  return found;
}

// Writes one function of the instrumented module.
class Writer {
 public:
  Writer(const Module& module, Pass pass, Instrumented& out, const std::set<std::string>& recorded)
      : module_(module), pass_(pass), out_(out), recorded_(recorded),
        places_(out.atomic_places ? Places::atomic : Places::registers) {}

  Diagnostics take_errors() { return std::move(errors_); }

  // The kernel: prologue, recorded body, plain body.
  std::string kernel(const Function& function) {
    Function shell = shell_of(function);
    shell.parameters.push_back({.name = buffer_parameter, .type = ptx::Type::u64});
    shell.parameters.push_back({.name = places_parameter, .type = ptx::Type::u64});
    shell.parameters.push_back({.name = control_parameter, .type = ptx::Type::b8, .elements = sizeof(Control), .alignment = 8, .is_array = true});
    for (ptx::BranchTargets copy : function.branch_targets) {
      copy.name = plain_label(copy.name);
      for (std::string& label : copy.labels) label = plain_label(label);
      shell.branch_targets.push_back(std::move(copy));
    }
    const std::string entry = "$lanescope_entry_plain";
    std::string body = register_declarations() + kernel_prologue(entry, places_);
    body += recorded_body(function, shell.variables);
    body += entry + ":\n" + plain_body(function);
    return splice(shell, body);
  }

  // The recorded copy of a called function.
  std::string function(const Function& function) {
    Function shell = head_of(function);
    const std::string body = recorded_body(function, shell.variables);
    return splice(shell, register_declarations() + (places_ == Places::registers ? take_places() : function_prologue()) + body);
  }
  // Its name, parameters and results.
  Function head_of(const Function& function) const {
    Function head = shell_of(function);
    head.name = recorded_name(function.name);
    if (places_ == Places::registers) add_places(head);
    return head;
  }

 private:
  // A function without its code, to print its head and declarations from.
  Function shell_of(const Function& function) const {
    Function shell = function;
    for (ptx::CallTargets& targets : shell.call_targets)
      for (std::size_t i = 0, plain = targets.functions.size(); i < plain; ++i)
        if (recorded_.contains(targets.functions[i])) targets.functions.push_back(recorded_name(targets.functions[i]));
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

  // `variables`: what its calls need is added.
  std::string recorded_body(const Function& function, std::vector<ptx::Variable>& variables) {
    const bool returns_places = places_ == Places::registers && !function.is_entry;
    std::map<std::string, std::string> results;  // of calls, by their plain names
    const cfg::ControlFlowGraph graph = cfg::build(function);
    std::vector<AccessGroup> groups;
    if (pass_ == Pass::memory) groups = access_groups(module_, function, graph, errors_);
    auto group = groups.begin();
    std::string text;
    for (std::int32_t i = 0; i < size(function); ++i) {
      text += labels_at(function, i, [](const std::string& name) { return name; });
      const std::int32_t block = graph.block_of[static_cast<std::size_t>(i)];
      if (pass_ == Pass::block_entries && graph.blocks[static_cast<std::size_t>(block)].first == i)
        text += one_record({.function = function.name, .instruction = i, .basic_block = block, .kind = trace::EventKind::block_entry}, "");
      const Instruction& instruction = function.instructions[static_cast<std::size_t>(i)];
      if (group != groups.end() && group->at == i) text += accesses_record(*group++);
      if (pass_ == Pass::operations) text += operation_record(function, instruction, i);
      if (returns_places && instruction.opcode == ptx::Opcode::ret) text += give_places_back(function);
      if (places_ == Places::registers && calls_recorded(instruction)) {
        HandingCall call = handing_call(*module_.find_function(instruction.operands.front().name), instruction, i);
        variables.insert(variables.end(), call.variables.begin(), call.variables.end());
        if (!call.plain_result.empty()) results[call.plain_result] = call.result;
        text += call.before + ptx::print(module_, function, calling_recorded(call.call)) + "\n" + call.after;
        continue;
      }
      text += ptx::print(module_, function, reading_results(calling_recorded(instruction), results)) + "\n";
    }
    const std::string end = labels_at(function, size(function), [](const std::string& name) { return name; });
    const bool returned = end.empty() && size(function) > 0 && function.instructions.back().opcode == ptx::Opcode::ret;
    return text + end + (returns_places && !returned ? give_places_back(function) : "");
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

  static std::int32_t size(const Function& function) {
    return static_cast<std::int32_t>(function.instructions.size());
  }

  bool calls_recorded(const Instruction& instruction) const {
    return instruction.opcode == ptx::Opcode::call && recorded_.contains(instruction.operands.front().name);
  }

  // What reads a call's result reads it from where the recorded call leaves it.
  static Instruction reading_results(Instruction instruction, const std::map<std::string, std::string>& results) {
    for (Operand& operand : instruction.operands)
      if (const auto found = results.find(operand.name); operand.kind == Operand::Kind::address && found != results.end()) operand.name = found->second;
    return instruction;
  }

  // Direct calls and function addresses in recorded code lead to recorded code.
  Instruction calling_recorded(const Instruction& instruction) const {
    Instruction copy = instruction;
    for (Operand& operand : copy.operands)
      if (operand.kind == Operand::Kind::symbol && recorded_.contains(operand.name))
        operand.name = recorded_name(operand.name);
    return copy;
  }

  std::string make_record(RecordGroup group, const std::vector<RecordSite>& sites, const std::string& guard,
                          const std::vector<LaneWord>& words) {
    group.first_site = static_cast<std::int32_t>(out_.sites.size());
    group.sites = static_cast<std::int32_t>(sites.size());
    out_.sites.insert(out_.sites.end(), sites.begin(), sites.end());
    out_.groups.push_back(group);
    const int index = static_cast<int>(out_.groups.size()) - 1;
    return record(index, group, guard, words, places_, out_.clocks);
  }

  std::string one_record(const RecordSite& site, const std::string& guard, bool by_active_lanes = false) {
    return make_record({.by_active_lanes = by_active_lanes}, {site}, guard, {});
  }

  std::string accesses_record(const AccessGroup& group) {
    RecordGroup record{.words = static_cast<std::int32_t>(group.words.size())};
    if (record.words == 3) record.words = 4;  // stores are of 1, 2 or 4 words
    record.has_upper = std::any_of(group.words.begin(), group.words.end(), [](const LaneWord& word) { return word.has_upper(); });
    return make_record(record, group.sites, group.guard, group.words);
  }

  std::string operation_record(const Function& function, const Instruction& instruction, std::int32_t index) {
    RecordSite site{.function = function.name, .instruction = index};
    const std::string guard = guard_of(function, instruction);
    switch (ptx::info(instruction.opcode).category) {
      case Category::barrier: site.kind = trace::EventKind::barrier; break;
      case Category::shuffle: return shuffle_record(function, instruction, site, guard);
      case Category::vote: site.kind = trace::EventKind::vote; break;
      case Category::warp:
        site.kind = instruction.opcode == ptx::Opcode::bar_warp_sync ? trace::EventKind::barrier : trace::EventKind::vote;
        break;
      case Category::branch:
        if (guard.empty()) return {};
        site.kind = trace::EventKind::branch;
        break;
      case Category::load:
      case Category::store:
      case Category::atomic:
      case Category::reduction:
      case Category::async_copy:
        return {};
      default:
        if (guard.empty()) return {};
        site.kind = trace::EventKind::guarded;
    }
    return one_record(site, guard, site.kind == trace::EventKind::branch || site.kind == trace::EventKind::guarded);
  }

  std::string shuffle_record(const Function& function, const Instruction& instruction, RecordSite site, const std::string& guard) {
    site.kind = trace::EventKind::shuffle;
    const auto& operands = instruction.operands;  // destination(s), a, b, c[, mask]
    const bool sync = instruction.opcode == ptx::Opcode::shfl_sync;
    const std::size_t c = operands.size() - (sync ? 2 : 1);
    const Operand& b_operand = operands[c - 1];
    const Operand& c_operand = operands[c];
    site.constant_operands = b_operand.kind == Operand::Kind::integer && c_operand.kind == Operand::Kind::integer;
    if (site.constant_operands) {
      site.b = static_cast<std::uint32_t>(b_operand.integer);
      site.c = static_cast<std::uint32_t>(c_operand.integer);
      return one_record(site, guard);
    }
    return make_record({.words = 2}, {site}, guard, {{.source = text_of(function, b_operand)}, {.source = text_of(function, c_operand)}});
  }

  static std::string text_of(const Function& function, const Operand& operand) {
    return operand.kind == Operand::Kind::reg ? function.registers[operand.reg].name : fmt::format("{}", operand.integer);
  }

  const Module& module_;
  Pass pass_;
  Instrumented& out_;
  const std::set<std::string>& recorded_;
  Places places_;
  Diagnostics errors_;
};

}  // namespace

Result<Instrumented> instrument(const Module& module, const std::string& mangled_kernel, Pass pass) {
  const Function* kernel = module.find_function(mangled_kernel);
  if (!kernel || !kernel->is_entry)
    return Diagnostic{.code = "instrument.no_such_kernel", .place = {module.name},
                      .message = worded("The module has no kernel {}.", mangled_kernel),
                      .cure = "Use the mangled name that the compiler gave."};
  Instrumented out{.kernel = mangled_kernel, .pass = pass};
  const Reach called = reach(module, *kernel);
  out.atomic_places = !can_hand_places_on(module, *kernel, called.by_name);
  out.clocks = !out.atomic_places && has_redux(module.target);
  for (const std::string& name : called.through_tables)
    if (!called.by_name.contains(name)) out.unrecorded_functions.push_back(name);

  Module shell = module;
  // Other kernels are left out; called functions are kept plain and get a recorded copy.
  std::erase_if(shell.functions, [](const Function& function) { return function.is_entry; });
  if (out.atomic_places)
    shell.variables.push_back({.name = published_variable, .space = ptx::Space::global, .type = ptx::Type::b8,
                               .elements = published_bytes, .alignment = 8, .dimensions = {published_bytes}});
  // Recorded copies are declared first: they may call each other in any order.
  std::string declarations, bodies;
  Writer writer(module, pass, out, called.by_name);
  for (const std::string& name : called.by_name) {
    Function head = writer.head_of(*module.find_function(name));
    head.is_declaration = true;
    head.linkage.clear();
    shell.functions.push_back(head);
    bodies += writer.function(*module.find_function(name)) + "\n";
  }
  bodies += writer.kernel(*kernel);
  if (Diagnostics errors = writer.take_errors(); !errors.empty()) return errors;
  out.ptx = ptx::print(shell) + "\n" + bodies + "\n";
  return out;
}

}  // namespace lanescope::instrument
