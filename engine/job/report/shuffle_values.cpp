#include "job/report/shuffle_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>
#include <span>

#include <fmt/format.h>

#include "job/run/again.h"
#include "job/values/register_meaning.h"
#include "ptx/named_opcodes.h"
#include "sim/alu/half.h"

namespace lanescope::job {
namespace {

using ptx::Operand;
using ptx::RegisterId;
using ptx::Type;

Diagnostic no_shuffle(const char* why) {
  return {Severity::error, "value.no_shuffle", {}, why, "Choose a shuffle of the trace."};
}

bool moves_lanes(const ptx::Instruction& i) {
  return i.opcode == ptx::opcodes::shfl || i.opcode == ptx::opcodes::shfl_sync;
}

bool is_register(const Operand& operand, RegisterId reg) {
  return operand.kind == Operand::Kind::reg && operand.reg == reg && !operand.paired;
}

// Destination, value, lane or offset, clamp, members; without the destination's predicate.
std::vector<const Operand*> operands_of(const ptx::Instruction& shuffle) {
  std::vector<const Operand*> operands;
  for (const Operand& operand : shuffle.operands)
    if (!operand.paired) operands.push_back(&operand);
  return operands;
}

// Four significant digits, or all digits before the point if there are more: "30720", "0.1235", "1.235e9".
std::string value_as_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e4 && size < 1e7) return fmt::format("{:.{}g}", value, size < 1e5 ? 6 : 7);
  std::string text = fmt::format("{:.4g}", value);
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    if (text[e + 1] == '+') text.erase(e + 1, 1);
    const std::size_t digits = text.find_first_of("0123456789", e);
    while (text[digits] == '0' && digits + 1 < text.size()) text.erase(digits, 1);
  }
  return text;
}

std::string half_text(std::uint64_t bits, Type type) {
  const auto half = static_cast<std::uint16_t>(bits);
  return value_as_text(double{type == Type::f16 ? sim::half_to_float(half) : sim::bfloat_to_float(half)});
}

std::string value_as_text(std::uint64_t bits, Type type) {
  const auto low = static_cast<std::uint32_t>(bits);
  switch (type) {
    case Type::f32:
      return value_as_text(double{std::bit_cast<float>(low)});
    case Type::f64:
      return value_as_text(std::bit_cast<double>(bits));
    case Type::s32:
      return fmt::format("{}", static_cast<std::int32_t>(low));
    case Type::u32:
      return fmt::format("{}", low);
    case Type::s64:
      return fmt::format("{}", static_cast<std::int64_t>(bits));
    case Type::u64:
      return fmt::format("{}", bits);
    default:
      return fmt::format("{:08x}", low);
  }
}

// The element type of all buffers, if they have the same.
std::optional<sim::ElementType> type_of_buffers(const Outcome& outcome) {
  std::set<sim::ElementType> types;
  for (const sim::Argument& argument : outcome.arguments)
    if (argument.is_buffer) types.insert(argument.type);
  return types.size() == 1 ? std::optional(*types.begin()) : std::nullopt;
}

// A value that is only moved between memory locations: PTX moves even a float as u32, so the buffers decide.
Meaning moved_from(const Outcome& outcome) {
  const auto type = type_of_buffers(outcome);
  if (type == sim::ElementType::f32) return {Meaning::Kind::number, Type::f32};
  if (type == sim::ElementType::i32) return {Meaning::Kind::number, Type::s32};
  if (type == sim::ElementType::u32) return {Meaning::Kind::number, Type::u32};
  if (type == sim::ElementType::f16) return {Meaning::Kind::halves, Type::f16};
  if (type == sim::ElementType::bf16) return {Meaning::Kind::halves, Type::bf16};
  return {};
}
Type whole_moved_from(const Outcome& outcome) {
  const auto type = type_of_buffers(outcome);
  if (type == sim::ElementType::f64) return Type::f64;
  if (type == sim::ElementType::i64) return Type::s64;
  return type == sim::ElementType::u64 ? Type::u64 : Type::none;
}

const sim::RegisterValues* find(const std::vector<sim::RegisterValues>& values, const std::string& name) {
  const auto found = std::ranges::find(values, name, &sim::RegisterValues::name);
  return found == values.end() ? nullptr : &*found;
}

// True if another shuffle moves the other word between the same lanes, so that both together move `whole`.
bool has_partner(const ptx::Function& function, std::size_t index, const Meaning& word) {
  const auto& code = function.instructions;
  const ptx::Instruction& shuffle = code[index];
  const std::vector<const Operand*> own = operands_of(shuffle);
  const auto takes = [&](const ptx::Instruction& i) {  // mov.b64 {low, high}, whole
    return i.opcode == ptx::opcodes::mov && i.operands.size() == 2 && is_register(i.operands[1], word.whole) &&
           i.operands[0].kind == Operand::Kind::vector &&
           is_register(i.operands[0].elements[word.high ? 1 : 0], own[1]->reg);
  };
  const auto taken = std::ranges::find_if(code, takes);
  if (taken == code.end() || own[0]->kind != Operand::Kind::reg) return false;
  const Operand& other_value = taken->operands[0].elements[word.high ? 0 : 1];
  const auto makes = [&](const Operand& other) {  // mov.b64 from both destinations
    return std::ranges::any_of(code, [&](const ptx::Instruction& i) {
      return i.opcode == ptx::opcodes::mov && i.operands.size() == 2 && i.operands[1].kind == Operand::Kind::vector &&
             i.operands[1].elements.size() == 2 &&
             is_register(i.operands[1].elements[word.high ? 1 : 0], own[0]->reg) && other.kind == Operand::Kind::reg &&
             is_register(i.operands[1].elements[word.high ? 0 : 1], other.reg);
    });
  };
  const auto same = [](const Operand& a, const Operand& b) {
    return a.kind == b.kind &&
           (a.kind == Operand::Kind::reg ? a.reg == b.reg : a.kind == Operand::Kind::integer && a.integer == b.integer);
  };
  // The two shuffles are in one straight line of code, and nothing between them writes the operands that select lanes.
  const auto near = [&](std::size_t at) {
    for (std::size_t i = std::min(at, index) + 1; i < std::max(at, index); ++i) {
      if (code[i].opcode == ptx::opcodes::bra || code[i].operands.empty()) return false;
      for (std::size_t o = 2; o < own.size(); ++o)
        if (own[o]->kind == Operand::Kind::reg && is_register(code[i].operands[0], own[o]->reg)) return false;
    }
    return std::ranges::none_of(function.labels, [&](const ptx::Label& label) {
      const auto target = static_cast<std::size_t>(label.target);
      return target > std::min(at, index) && target <= std::max(at, index);
    });
  };
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (at == index || !moves_lanes(code[at]) || code[at].shuffle != shuffle.shuffle || code[at].guard.present())
      continue;
    const std::vector<const Operand*> other = operands_of(code[at]);
    if (other.size() != own.size() || !same(*other[1], other_value) || !makes(*other[0]) || !near(at)) continue;
    bool alike = true;
    for (std::size_t o = 2; o < own.size(); ++o) alike &= same(*other[o], *own[o]);
    if (alike) return true;
  }
  return false;
}

// The texts to print for each lane, and their kind.
struct Read {
  diagram::Moved what = diagram::Moved::bits;
  Type type = Type::none;
  std::array<std::string, 32> texts;
};

Read read_words(const Meaning& word, const sim::RegisterValues& given, const sim::RegisterValues* whole, LaneMask lanes,
                bool partner) {
  Read made;
  const bool of_double = word.type == Type::f64, of_integer = word.type == Type::s64 || word.type == Type::u64;
  bool known = whole != nullptr && partner && (of_double || of_integer);
  lanes.for_each([&](int lane) {
    const auto at = static_cast<std::size_t>(lane);
    if (!known) return;
    // The register may have been written since.
    known = static_cast<std::uint32_t>(whole->lanes[at] >> (word.high ? 32 : 0)) ==
            static_cast<std::uint32_t>(given.lanes[at]);
    known &= !word.sign_unclear || whole->lanes[at] >> 63 == 0;
  });
  using diagram::Moved;
  if (known) {
    made.what = of_double ? (word.high ? Moved::high_of_double : Moved::low_of_double)
                          : (word.high ? Moved::high_of_integer : Moved::low_of_integer);
    made.type = word.type;
  } else if (of_double) {
    made.what = word.high ? Moved::high_bits_of_double : Moved::low_bits_of_double;
  }
  for (std::size_t lane = 0; lane < 32; ++lane)
    made.texts[lane] =
        known ? value_as_text(whole->lanes[lane], word.type) : value_as_text(given.lanes[lane], Type::none);
  return made;
}

Read read(const Meaning& meaning, const sim::RegisterValues& given, LaneMask lanes) {
  using Kind = Meaning::Kind;
  Read made;
  bool top_bit = false;
  lanes.for_each([&](int lane) { top_bit |= (given.lanes[static_cast<std::size_t>(lane)] >> 31 & 1) != 0; });
  const bool known =
      meaning.kind == Kind::halves || (meaning.kind == Kind::number && !(meaning.sign_unclear && top_bit));
  if (known) {
    made.type = meaning.type;
    made.what = meaning.kind == Kind::number ? diagram::Moved::number
                : meaning.twice              ? diagram::Moved::half_twice
                                             : diagram::Moved::halves;
  }
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t bits = given.lanes[lane];
    if (made.what == diagram::Moved::halves)
      made.texts[lane] = half_text(bits, made.type) + " | " + half_text(bits >> 16, made.type);
    else
      made.texts[lane] =
          made.what == diagram::Moved::half_twice ? half_text(bits, made.type) : value_as_text(bits, made.type);
  }
  return made;
}

void write_values(ShuffleValues& made, const trace::Trace& trace, const trace::WarpEvent& event, const Read& given) {
  made.what = given.what, made.type = given.type;
  std::size_t at = event.side;
  event.executed.for_each([&](int lane) {
    const std::uint8_t source = event.affine() ? std::uint8_t{0xff} : trace.source_lanes[at++];
    const auto to = static_cast<std::size_t>(lane);
    made.before[to] = given.texts[to];
    if (source >= 32)
      made.after[to] = made.before[to];
    else
      made.after[to] = event.executed.test(source) ? given.texts[source] : "?";
  });
}

}  // namespace

Result<ShuffleValues> shuffle_values(const Outcome& outcome, const trace::WarpEvent& event, int launch) {
  const LaunchOutcome* of = outcome.launch(launch);
  if (of == nullptr) return no_shuffle("There is no such launch.");
  const trace::Trace& trace = of->trace;
  const std::string& mangled = of->mangled_kernel;
  if (event.kind != trace::EventKind::shuffle) return no_shuffle("This event is not a shuffle.");
  const Result<ptx::Module> module = ptx::parse(of->ptx, outcome.request.source.name + ".ptx");
  if (!module) return module.errors();
  const trace::Site& site = trace.sites[event.site];
  const ptx::Function* function = module->find_function(mangled);
  if (function == nullptr || site.function < 0 ||
      trace.functions[static_cast<std::size_t>(site.function)] != function->name ||
      static_cast<std::size_t>(site.instruction) >= function->instructions.size())
    return no_shuffle("The shuffle is not in the kernel itself.");
  const ptx::Instruction& shuffle = function->instructions[static_cast<std::size_t>(site.instruction)];
  const std::vector<const Operand*> operands = operands_of(shuffle);
  if (!moves_lanes(shuffle) || operands.size() < 4 || operands[1]->kind != Operand::Kind::reg)
    return no_shuffle("The instruction has no value in a register.");

  const Result<Again> again = prepare_again(outcome, launch);
  if (!again) return again.errors();
  const auto values = sim::values_at(*again->program, again->request, event.block, event.warp, event.sequence);
  if (!values) return values.errors();

  ShuffleValues made;
  const auto name_of = [&](const Operand& operand) { return function->registers[operand.reg].name; };
  const auto held_by_first = [&](const Operand& operand, std::uint64_t otherwise) {
    if (operand.kind == Operand::Kind::integer) return static_cast<std::uint64_t>(operand.integer);
    if (operand.kind != Operand::Kind::reg || event.executed.empty()) return otherwise;
    const auto* held = find(*values, name_of(operand));
    return held == nullptr ? otherwise : held->lanes[static_cast<std::size_t>(event.executed.lowest())];
  };
  // PTX ISA, shfl.sync: bits 8–12 of operand c hold the mask that splits the warp into segments.
  made.width = 32 - static_cast<int>(held_by_first(*operands[3], 0x1f) >> 8 & 0x1f);
  if (operands.size() > 4)
    made.members.bits = static_cast<std::uint32_t>(held_by_first(*operands[4], LaneMask::all().bits));

  made.before.fill("–"), made.after.fill("–");
  const sim::RegisterValues* given = find(*values, name_of(*operands[1]));
  if (given == nullptr) {
    made.before.fill({}), made.after.fill({});
    return made;
  }
  Meaning meaning = meaning_of(*function, operands[1]->reg);
  if (meaning.kind == Meaning::Kind::moved) meaning = moved_from(outcome);
  if (meaning.kind == Meaning::Kind::word) {
    if (meaning.type == Type::b64) meaning.type = whole_moved_from(outcome);
    const bool partner =
        !shuffle.guard.present() && has_partner(*function, static_cast<std::size_t>(site.instruction), meaning);
    const auto* whole = find(*values, function->registers[meaning.whole].name);
    write_values(made, trace, event, read_words(meaning, *given, whole, event.executed, partner));
  } else {
    write_values(made, trace, event, read(meaning, *given, event.executed));
  }
  return made;
}

}  // namespace lanescope::job
