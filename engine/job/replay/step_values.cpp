#include "job/replay/step_values.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "job/replay/names.h"
#include "job/run/again.h"
#include "job/values/register_meaning.h"
#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"

namespace lanescope::job {
namespace {

using ptx::Operand;
using ptx::RegisterId;
using ptx::Type;
using Width = ptx::OperandRole::Width;

bool names_register(const Operand& operand, RegisterId reg) {
  if (operand.kind == Operand::Kind::vector)
    return std::ranges::any_of(operand.elements, [&](const Operand& one) { return names_register(one, reg); });
  return operand.kind == Operand::Kind::reg && operand.reg == reg;
}

// The only instruction that writes the register; null if there are none or several, or if it is guarded.
const ptx::Instruction* only_writer(const ptx::Function& function, RegisterId reg) {
  const ptx::Instruction* found = nullptr;
  for (const ptx::Instruction& i : function.instructions) {
    const auto written = static_cast<std::size_t>(ptx::destination_count(i));
    for (std::size_t o = 0; o < std::min(written, i.operands.size()); ++o) {
      if (!names_register(i.operands[o], reg)) continue;
      if (found != nullptr || i.guard.present()) return nullptr;
      found = &i;
    }
  }
  return found;
}

// "threadIdx.x"; empty for special registers without a name in CUDA C++.
std::string name_in_cuda(ptx::SpecialRegister special) {
  using Special = ptx::SpecialRegister;
  constexpr std::pair<Special, const char*> names[] = {
      {Special::tid_x, "threadIdx.x"},  {Special::tid_y, "threadIdx.y"},  {Special::tid_z, "threadIdx.z"},
      {Special::ntid_x, "blockDim.x"},  {Special::ntid_y, "blockDim.y"},  {Special::ntid_z, "blockDim.z"},
      {Special::ctaid_x, "blockIdx.x"}, {Special::ctaid_y, "blockIdx.y"}, {Special::ctaid_z, "blockIdx.z"},
      {Special::nctaid_x, "gridDim.x"}, {Special::nctaid_y, "gridDim.y"}, {Special::nctaid_z, "gridDim.z"}};
  for (const auto& [which, name] : names)
    if (which == special) return name;
  return {};
}

Type bits_of(Type declared) {
  switch (ptx::bytes_of(declared)) {
    case 1:
      return Type::b8;
    case 2:
      return Type::b16;
    case 4:
      return Type::b32;
    case 16:
      return Type::b128;
    default:
      return declared == Type::pred ? Type::pred : Type::b64;
  }
}

bool is_whole(Type type) {
  return type >= Type::u8 && type <= Type::s64;
}

class StepReader {
 public:
  StepReader(const Outcome& outcome, int launch, const Again& again, const sim::Step& step, const sim::StepState& state)
      : trace_(*outcome.trace_of(launch)),
        module_(sim::module_of(*again.program)),
        kernel_(sim::kernel_of(*again.program)),
        names_(outcome, launch, *again.program),
        state_(state) {
    const trace::Site& site = trace_.sites[state.site];
    made_.step = step;
    made_.site = state.site;
    made_.line = site.file == outcome.request.source.name ? site.line : 0;
    made_.active = state.active, made_.executed = state.executed;
    made_.done = state.done;
    if (site.kind == trace::EventKind::block_entry) return;
    function_ = module_.find_function(trace_.functions[static_cast<std::size_t>(site.function)]);
    instruction_ = &function_->instructions[static_cast<std::size_t>(site.instruction)];
    made_.instruction = instruction_text(module_, *function_, *instruction_);
    if (state.memory_known) read_access(site);
    read_operands();
  }

  StepValues take() { return std::move(made_); }

 private:
  // ---- the access
  void read_access(const trace::Site& site) {
    AccessValues& access = made_.access.emplace_back();
    access.space = state_.space;
    access.operation = site.operation;
    access.addresses = state_.addresses;
    const std::optional<Type> held = type_in_memory(site);
    std::uint64_t bytes = std::min<std::uint64_t>(site.element_width == 0 ? site.width : site.element_width, 8);
    if (held) bytes = static_cast<std::uint64_t>(ptx::bytes_of(*held));
    memory_type_ = held.value_or(Type::none);
    const Type declared = instruction_->type;
    access.type = held                                                                            ? *held
                  : ptx::is_float(declared) && ptx::bytes_of(declared) == static_cast<int>(bytes) ? declared
                  : bytes == 1                                                                    ? Type::b8
                  : bytes == 2                                                                    ? Type::b16
                  : bytes == 4                                                                    ? Type::b32
                                                                                                  : Type::b64;
    for (std::uint64_t at = 0; at + bytes <= site.width; at += bytes) {
      AccessValues::Element& element = access.elements.emplace_back();
      state_.executed.for_each([&](int lane) {
        const auto l = static_cast<std::size_t>(lane);
        element.names[l] = names_.at(state_.space, state_.addresses[l] + at).text;
        std::memcpy(&element.before[l], state_.memory_before[l].data() + at, bytes);
        std::memcpy(&element.after[l], state_.memory_after[l].data() + at, bytes);
        const std::uint32_t of_element = ((1u << bytes) - 1) << at;
        if ((state_.written_before[l] & of_element) != 0) element.has_before.bits |= 1u << lane;
        if ((state_.written_after[l] & of_element) != 0) element.has_after.bits |= 1u << lane;
      });
    }
  }

  // The element type of the buffers, if all lanes agree and the access covers whole elements.
  std::optional<Type> type_in_memory(const trace::Site& site) const {
    std::optional<Type> found;
    bool one = true;
    state_.executed.for_each([&](int lane) {
      const Type type = names_.at(state_.space, state_.addresses[static_cast<std::size_t>(lane)]).type;
      one = one && type != Type::none && (!found || *found == type);
      found = type;
    });
    if (!one || !found) return std::nullopt;
    const int bytes = ptx::bytes_of(*found);
    return site.width % bytes == 0 && (site.element_width == 0 || site.element_width % bytes == 0) ? found
                                                                                                   : std::nullopt;
  }

  // ---- the operands
  void read_operands() {
    const ptx::Instruction& i = *instruction_;
    if (i.guard.present()) add_register(i.guard.predicate, false, {});
    const auto wanted = ptx::roles(i.opcode);
    const auto written = static_cast<std::size_t>(ptx::destination_count(i));
    std::size_t next = 0;
    for (std::size_t o = 0; o < i.operands.size(); ++o) {
      ptx::OperandRole role;
      role.width = i.operands[o].paired ? Width::predicate : Width::any;
      if (!i.operands[o].paired && next < wanted.size() && wanted[next].letter != '*' && wanted[next].letter != 'c')
        role = wanted[next++];
      // The result of this atomic is unused, so the interpreter does not compute it.
      if (o < written && trace_.sites[state_.site].operation == trace::Operation::reduction) continue;
      add(i.operands[o], o < written, role);
    }
  }

  void add(const Operand& operand, bool written, const ptx::OperandRole& role) {
    switch (operand.kind) {
      case Operand::Kind::reg:
        return add_register(operand.reg, written, role);
      case Operand::Kind::vector:
        for (const Operand& element : operand.elements) add(element, written, role);
        return;
      case Operand::Kind::address:
        if (operand.reg != ptx::no_register) add_address(operand.reg);
        for (const Operand& element : operand.elements) add(element, false, {.width = Width::any});
        return;
      default:
        return;
    }
  }

  void add_address(RegisterId reg) {
    const std::size_t before = made_.operands.size();
    add_register(reg, false, {.width = Width::any});
    if (made_.operands.size() == before) return;
    made_.operands.back().address = true;
    made_.operands.back().type = bits_of(function_->registers[reg].type);
  }

  void add_register(RegisterId reg, bool written, const ptx::OperandRole& role) {
    const ptx::Register& declared = function_->registers[reg];
    auto known = std::ranges::find(made_.operands, declared.name, &OperandValues::name);
    if (known != made_.operands.end()) {
      (written ? known->written : known->read) = true;
      known->address = false;
      return;
    }
    const sim::RegisterValues* before = find(state_.before, declared.name);
    const sim::RegisterValues* after = find(state_.after, declared.name);
    // Nothing reads or writes the register, so the interpreter left it out.
    if (before == nullptr || after == nullptr) return;
    OperandValues& made = made_.operands.emplace_back();
    made.name = declared.name;
    made.source = source_name_of(reg, 0);
    (written ? made.written : made.read) = true;
    made.before = before->lanes, made.after = after->lanes;
    made.type = type_of(reg, role, made);
  }

  static const sim::RegisterValues* find(const std::vector<sim::RegisterValues>& values, const std::string& name) {
    const auto found = std::ranges::find(values, name, &sim::RegisterValues::name);
    return found == values.end() ? nullptr : &*found;
  }

  // True if some active lane holds a value with its top bit set.
  bool top_bit(const OperandValues& values, int bytes) const {
    bool set = false;
    state_.active.for_each([&](int lane) {
      const auto l = static_cast<std::size_t>(lane);
      set |= ((values.before[l] | values.after[l]) >> (8 * bytes - 1) & 1) != 0;
    });
    return set;
  }

  Type type_of(RegisterId reg, const ptx::OperandRole& role, const OperandValues& values) const {
    const Type declared = function_->registers[reg].type;
    if (declared == Type::pred || ptx::is_float(declared) || is_whole(declared)) return declared;
    const int bytes = ptx::bytes_of(declared);
    if (!made_.access.empty() && role.width == Width::type && ptx::bytes_of(memory_type_) == bytes) return memory_type_;
    if (bytes == 4) {
      const Meaning meaning = meaning_of(*function_, reg);
      if (meaning.kind == Meaning::Kind::number)
        return meaning.sign_unclear && top_bit(values, bytes) ? Type::b32 : meaning.type;
      if (meaning.kind == Meaning::Kind::halves) return meaning.type == Type::f16 ? Type::f16x2 : Type::bf16x2;
    }
    Type said = role.width == Width::second_type                         ? instruction_->source_type
                : role.width == Width::type || role.width == Width::wide ? instruction_->type
                                                                         : Type::none;
    if (role.width == Width::wide && instruction_->wide && ptx::bytes_of(said) == 4 && bytes == 8)
      said = ptx::is_signed(said) ? Type::s64 : Type::u64;
    if (ptx::bytes_of(said) != bytes || (!ptx::is_float(said) && !is_whole(said))) return bits_of(declared);
    if (instruction_->space == ptx::Space::param && is_pointer(reg)) return bits_of(declared);
    // PTX uses the same instructions to add and multiply signed and unsigned numbers.
    return is_whole(said) && top_bit(values, bytes) ? bits_of(declared) : said;
  }

  // True if some instruction uses the register as an address. PTX passes a pointer as .u64.
  bool is_pointer(RegisterId reg) const {
    return std::ranges::any_of(function_->instructions, [&](const ptx::Instruction& i) {
      if (i.opcode == ptx::opcodes::cvta)
        return i.operands.size() > 1 && i.operands[1].kind == Operand::Kind::reg && i.operands[1].reg == reg;
      return std::ranges::any_of(i.operands,
                                 [&](const Operand& o) { return o.kind == Operand::Kind::address && o.reg == reg; });
    });
  }

  // The source's name of a register; only if the register never holds another value.
  std::string source_name_of(RegisterId reg, int depth) const {
    const ptx::Instruction* writer = only_writer(*function_, reg);
    if (writer == nullptr || writer->operands.size() < 2 || function_ != module_.find_function(kernel_.name)) return {};
    const Operand& from = writer->operands[1];
    if (writer->opcode == ptx::opcodes::mov && from.kind == Operand::Kind::special) return name_in_cuda(from.special);
    if (writer->opcode == ptx::opcodes::cvta && from.kind == Operand::Kind::reg && depth < 4)
      return source_name_of(from.reg, depth + 1);
    if (writer->opcode != ptx::opcodes::ld || writer->space != ptx::Space::param ||
        from.kind != Operand::Kind::address || from.symbol_table != Operand::SymbolTable::parameter ||
        from.integer != 0 || writer->vector_width != 1)
      return {};
    const auto index = static_cast<std::size_t>(from.symbol);
    const std::uint64_t bytes = kernel_.parameters[index].bytes();
    return bytes == static_cast<std::uint64_t>(ptx::bytes_of(writer->type)) ? names_.parameter(index) : "";
  }

  const trace::Trace& trace_;
  const ptx::Module& module_;
  const ptx::Function& kernel_;
  const PlaceNames names_;
  const sim::StepState& state_;
  const ptx::Function* function_ = nullptr;
  const ptx::Instruction* instruction_ = nullptr;
  Type memory_type_ = Type::none;
  StepValues made_;
};

}  // namespace

std::string instruction_text(const ptx::Module& module, const ptx::Function& function,
                             const ptx::Instruction& instruction) {
  std::string text = ptx::print(module, function, instruction);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  text.erase(0, text.find_first_not_of(" \t\n"));
  return text;
}

Result<StepValues> step_values(const Outcome& outcome, int launch, const Again& again, const sim::Step& step) {
  Result<sim::StepState> state = sim::state_at(*again.program, again.request, step);
  if (!state) return state.take_errors();
  return StepReader(outcome, launch, again, step, *state).take();
}

Result<StepValues> step_values(const Outcome& outcome, int launch, const sim::Step& step, sim::Progress* progress) {
  Result<Again> again = prepare_again(outcome, launch, Repeat::first, progress);
  if (!again) return again.take_errors();
  return step_values(outcome, launch, *again, step);
}

}  // namespace lanescope::job
