#include "job/shuffle_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>
#include <span>

#include <fmt/format.h>

namespace lanescope::job {
namespace {

using ptx::Operand;
using ptx::RegisterId;
using ptx::Type;

Diagnostic no_shuffle(const char* why) {
  return {Severity::error, "value.no_shuffle", {}, why, "Choose a shuffle of the trace."};
}

bool names(const Operand& operand, RegisterId reg) {
  return operand.kind == Operand::Kind::reg && operand.reg == reg && !operand.paired;
}

bool is_shuffle(const ptx::Instruction& i) {
  return i.opcode == ptx::Opcode::shfl || i.opcode == ptx::Opcode::shfl_sync;
}

bool tells(Type type) { return type == Type::f32 || type == Type::s32 || type == Type::u32; }

bool is_memory(const ptx::Instruction& i) { return i.opcode == ptx::Opcode::ld || i.opcode == ptx::Opcode::st; }

// A copy of its bits: what is known of one register is known of the others.
bool is_copy(const ptx::Instruction& i) {
  return i.opcode == ptx::Opcode::mov || (i.opcode == ptx::Opcode::selp && i.type != Type::f32 && i.type != Type::s32);
}

// As part of {a, b}; as the base of an address.
bool is_part(const Operand& operand, RegisterId reg) {
  return operand.kind == Operand::Kind::vector && std::ranges::any_of(operand.elements, [&](const Operand& o) { return names(o, reg); });
}
bool is_base(const Operand& operand, RegisterId reg) {
  return operand.kind == Operand::Kind::address && operand.reg == reg;
}

// What the instructions around a register tell of it.
struct Understood {
  Type type = Type::none;
  // Also by instructions that do not tell its type: as bits, an address, half of 64 bits, two halves in one.
  bool used_otherwise = false;
};

// Follows copies in both directions.
Understood search(const ptx::Function& function, RegisterId reg, std::set<RegisterId>& seen) {
  Understood found;
  if (!seen.insert(reg).second) return found;
  std::vector<RegisterId> copies;
  for (const ptx::Instruction& i : function.instructions) {
    if (is_shuffle(i) || i.operands.empty()) continue;
    for (const Operand& o : i.operands) found.used_otherwise |= is_base(o, reg) || (is_part(o, reg) && !is_memory(i));
    const auto at = std::ranges::find_if(i.operands, [&](const Operand& o) { return names(o, reg); });
    if (at == i.operands.end()) continue;
    if (is_copy(i)) {
      const std::size_t values = i.opcode == ptx::Opcode::selp ? 3 : i.operands.size();  // selp's last is a predicate
      for (const Operand& o : std::span(i.operands).first(std::min(values, i.operands.size()))) {
        if (o.kind == Operand::Kind::reg) copies.push_back(o.reg);
        found.used_otherwise |= o.kind == Operand::Kind::vector;
      }
      continue;
    }
    const Type type = at == i.operands.begin() ? i.type : i.source_type;
    if (tells(type) && !(type == Type::u32 && is_memory(i))) return {type, false};
    found.used_otherwise |= !is_memory(i);
  }
  for (const RegisterId other : copies) {
    const Understood there = search(function, other, seen);
    if (there.type != Type::none) return there;
    found.used_otherwise |= there.used_otherwise;
  }
  return found;
}

Understood understood(const ptx::Function& function, RegisterId reg) {
  std::set<RegisterId> seen;
  return search(function, reg, seen);
}

// Four digits, and no fewer than stand before the point: "30720", "0.1235", "1.235e9".
std::string text_of(float value) {
  const float size = std::abs(value);
  if (size >= 1e4f && size < 1e7f) return fmt::format("{:.{}g}", value, size < 1e5f ? 6 : 7);
  std::string text = fmt::format("{:.4g}", value);
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    if (text[e + 1] == '+') text.erase(e + 1, 1);
    const std::size_t digits = text.find_first_of("0123456789", e);
    while (text[digits] == '0' && digits + 1 < text.size()) text.erase(digits, 1);
  }
  return text;
}

// Of all 4-byte elements in the buffers, where they are of one type.
Type type_of_buffers(const Outcome& outcome) {
  std::set<sim::ElementType> types;
  for (const sim::Argument& argument : outcome.arguments)
    if (argument.is_buffer && sim::bytes_of(argument.type) == 4) types.insert(argument.type);
  if (types.size() != 1) return Type::none;
  return *types.begin() == sim::ElementType::f32   ? Type::f32
         : *types.begin() == sim::ElementType::i32 ? Type::s32
                                                   : Type::u32;
}

std::string text_of(std::uint64_t bits, Type type) {
  const auto low = static_cast<std::uint32_t>(bits);
  if (type == Type::f32) return text_of(std::bit_cast<float>(low));
  if (type == Type::s32) return fmt::format("{}", static_cast<std::int32_t>(low));
  return fmt::format("{}", low);
}

// What launch 2, 3, … is given: the buffers as the launches before it leave them.
Result<std::vector<sim::Argument>> arguments_of_later(const Outcome& outcome, int number) {
  const auto& launches = outcome.request.launches;
  const auto next = std::ranges::find(launches, number, &NextLaunch::number);
  if (next == launches.end()) return no_shuffle("There is no such launch.");
  Request before = outcome.request;
  before.launches.assign(launches.begin(), next);
  before.record.totals = before.record.events = false;
  before.races = false;
  Outcome ran = run(before);
  if (!ran.completed) return ran.diagnostics;
  std::vector<sim::Argument> arguments;
  for (const NextLaunch::Parameter& parameter : next->parameters) {
    if (parameter.buffer >= 0) {
      arguments.push_back(ran.arguments.at(static_cast<std::size_t>(parameter.buffer)));
      continue;
    }
    Result<sim::Argument> scalar = parse_argument(parameter.scalar);
    if (!scalar) return scalar.take_errors();
    arguments.push_back(std::move(*scalar));
  }
  return arguments;
}

Result<std::vector<sim::Argument>> arguments_of_first(const Request& request) {
  std::vector<sim::Argument> arguments;
  for (const ArgumentText& text : request.arguments) {
    Result<sim::Argument> argument = parse_argument(text);
    if (!argument) return argument.take_errors();
    arguments.push_back(std::move(*argument));
  }
  return arguments;
}

Result<sim::LaunchRequest> again(const Outcome& outcome, const trace::Trace& trace, int number) {
  const Request& request = outcome.request;
  Result<std::vector<sim::Argument>> arguments =
      number == 1 ? arguments_of_first(request) : arguments_of_later(outcome, number);
  if (!arguments) return arguments.take_errors();
  sim::LaunchRequest launch;
  launch.launch = trace.launch;
  launch.arguments = std::move(*arguments);
  launch.max_steps = request.max_steps;
  launch.threads = 1;
  launch.arch = request.arch;
  launch.schedule_seed = request.schedule_seed;
  launch.kernel_source_name = trace.kernel;
  launch.user_file = request.source.name;
  return launch;
}

const sim::RegisterValues* find(const std::vector<sim::RegisterValues>& values, const std::string& name) {
  const auto found = std::ranges::find(values, name, &sim::RegisterValues::name);
  return found == values.end() ? nullptr : &*found;
}

Type type_moved(const Outcome& outcome, const ptx::Function& function, const Operand& destination, const Operand& value) {
  Understood known = understood(function, value.reg);
  if (known.type == Type::none && destination.kind == Operand::Kind::reg) {
    const Understood got = understood(function, destination.reg);
    known = {got.type, known.used_otherwise || got.used_otherwise};
  }
  if (known.type != Type::none) return known.type;
  // A value that is only moved, from and to memory: the PTX calls a float, too, u32 there. Half of a double is no float.
  return known.used_otherwise ? Type::none : type_of_buffers(outcome);
}

void write_values(ShuffleValues& made, const trace::Trace& trace, const trace::WarpEvent& event, const sim::RegisterValues& given) {
  std::size_t at = event.side;
  event.executed.for_each([&](int lane) {
    const std::uint8_t source = event.affine() ? std::uint8_t{0xff} : trace.source_lanes[at++];
    const auto to = static_cast<std::size_t>(lane);
    made.before[to] = text_of(given.lanes[to], made.type);
    if (source >= 32) made.after[to] = made.before[to];
    else made.after[to] = event.executed.test(source) ? text_of(given.lanes[source], made.type) : "?";
  });
}

}  // namespace

Type understood_type(const ptx::Function& function, RegisterId reg) {
  return understood(function, reg).type;
}

Result<ShuffleValues> shuffle_values(const Outcome& outcome, const trace::WarpEvent& event, int launch) {
  if (outcome.trace_of(launch) == nullptr) return no_shuffle("There is no such launch.");
  const trace::Trace& trace = *outcome.trace_of(launch);
  const LaterLaunch* later = launch > 1 ? &outcome.later[static_cast<std::size_t>(launch) - 2] : nullptr;
  const std::string& mangled = later ? later->mangled_kernel : outcome.mangled_kernel;
  if (event.kind != trace::EventKind::shuffle) return no_shuffle("This event is no shuffle.");
  const Result<ptx::Module> module = ptx::parse(later ? later->ptx : outcome.ptx, outcome.request.source.name + ".ptx");
  if (!module) return module.errors();
  const trace::Site& site = trace.sites[event.site];
  const ptx::Function* function = module->find_function(mangled);
  if (function == nullptr || site.function < 0 ||
      trace.functions[static_cast<std::size_t>(site.function)] != function->name ||
      static_cast<std::size_t>(site.instruction) >= function->instructions.size())
    return no_shuffle("The shuffle is not in the kernel itself.");
  const ptx::Instruction& shuffle = function->instructions[static_cast<std::size_t>(site.instruction)];
  // Destination, perhaps its predicate, value, lane or offset, clamp, members.
  std::vector<const Operand*> operands;
  for (const Operand& operand : shuffle.operands)
    if (!operand.paired) operands.push_back(&operand);
  if (!is_shuffle(shuffle) || operands.size() < 4 || operands[1]->kind != Operand::Kind::reg)
    return no_shuffle("The instruction has no value in a register.");

  const Result<std::shared_ptr<const sim::Program>> program = sim::prepare(*module, mangled);
  if (!program) return program.errors();
  const Result<sim::LaunchRequest> request = again(outcome, trace, launch);
  if (!request) return request.errors();
  const auto values = sim::values_at(**program, *request, event.block, event.warp, event.sequence);
  if (!values) return values.errors();

  ShuffleValues made;
  const auto name_of = [&](const Operand& operand) { return function->registers[operand.reg].name; };
  const auto held_by_first = [&](const Operand& operand, std::uint64_t otherwise) {
    if (operand.kind == Operand::Kind::integer) return static_cast<std::uint64_t>(operand.integer);
    if (operand.kind != Operand::Kind::reg || event.executed.empty()) return otherwise;
    const auto* held = find(*values, name_of(operand));
    return held == nullptr ? otherwise : held->lanes[static_cast<std::size_t>(event.executed.lowest())];
  };
  // PTX ISA, shfl.sync: bits 8–12 of operand c hold the mask that splits the warp into sub-segments.
  made.width = 32 - static_cast<int>(held_by_first(*operands[3], 0x1f) >> 8 & 0x1f);
  if (operands.size() > 4)
    made.members.bits = static_cast<std::uint32_t>(held_by_first(*operands[4], LaneMask::all().bits));

  made.before.fill("–"), made.after.fill("–");
  const sim::RegisterValues* given = find(*values, name_of(*operands[1]));
  made.type = given == nullptr ? Type::none : type_moved(outcome, *function, *operands[0], *operands[1]);
  if (made.type == Type::none) made.before.fill({}), made.after.fill({});
  else write_values(made, trace, event, *given);
  return made;
}

}  // namespace lanescope::job
