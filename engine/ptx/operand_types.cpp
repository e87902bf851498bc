#include "ptx/operand_types.h"

#include "core/worded.h"
#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"

namespace lanescope::ptx {
namespace {

using Kind = Operand::Kind;
using Width = OperandRole::Width;

// What an operand must be: a predicate, or a value of `bytes` bytes. 0 bytes: any size.
struct Wanted {
  bool predicate = false;
  bool or_wider = false;
  int bytes = 0;
  Type type = Type::none;  // of numbers; none: any type
};

Wanted of_type(Type type, bool or_wider) {
  return {type == Type::pred, or_wider, bytes_of(type), type};
}

bool is_untyped(Type type) {
  return type >= Type::b8 && type <= Type::b128;
}

// "Operand Size Exceeding Instruction-Type Size": a real number may lie in a wider register only without a type.
bool may_be_wider(Type used, const Wanted& wanted) {
  if (!wanted.or_wider) return false;
  if (!is_float(wanted.type)) return true;
  const bool widens =
      wanted.type == Type::f16 || wanted.type == Type::f16x2 || wanted.type == Type::f32 || wanted.type == Type::f64;
  return widens && is_untyped(used);
}

Wanted wanted(const Instruction& instruction, const OperandRole& role) {
  switch (role.width) {
    case Width::type:
      return of_type(instruction.type, role.or_wider);
    case Width::second_type:
      return of_type(instruction.source_type, role.or_wider);
    case Width::wide: {
      Wanted result = of_type(instruction.type, false);
      if (instruction.wide) result.bytes *= 2;
      return result;
    }
    case Width::predicate:
      return {true, false, 0, Type::pred};
    case Width::bits32:
      return {false, false, 4, Type::b32};
    case Width::cas:
      return instruction.atomic == AtomicOp::cas ? of_type(instruction.type, false) : Wanted{};
    case Width::any:
      break;
  }
  return {};
}

Wording describe(const Wanted& wanted) {
  if (wanted.predicate) return "a predicate";
  return wanted.or_wider && !is_float(wanted.type) ? worded("{} bits or more", 8 * wanted.bytes)
                                                   : worded("{} bits wide", 8 * wanted.bytes);
}

Wording register_problem(const Register& used, const Wanted& wanted) {
  if (!wanted.predicate && wanted.bytes == 0) return {};
  const bool is_predicate = used.type == Type::pred;
  const int bytes = bytes_of(used.type);
  const bool fits = wanted.predicate ? is_predicate
                                     : !is_predicate && (may_be_wider(used.type, wanted) ? bytes >= wanted.bytes
                                                                                         : bytes == wanted.bytes);
  if (fits) return {};
  return worded("'{}' is .{}, but this operand must be {}", used.name, name_of(used.type), describe(wanted));
}

// What is wrong, and what to do; nothing is wrong if the message is empty.
struct Problem {
  Wording message, cure = {};
};

Problem literal_problem(const Operand& literal, Type wanted) {
  if (wanted == Type::none || (literal.kind != Kind::integer && literal.kind != Kind::real)) return {};
  const bool is_full_float = wanted == Type::f32 || wanted == Type::f64;
  const char* const by_register = "Move the bits of the number to a register first: mov.b16 %h, 0x3c00.";
  if (literal.kind == Kind::integer) {
    if (!is_float(wanted)) return {};
    return {worded("an integer cannot be .{}", name_of(wanted)),
            is_full_float ? "Write a real number, as 1.0, or its bits, as 0f3F800000." : by_register};
  }
  if (is_full_float) return {};
  if (is_float(wanted)) return {worded("a real number cannot be .{}", name_of(wanted)), by_register};
  if (!is_untyped(wanted)) return {worded("a real number cannot be .{}", name_of(wanted))};
  if (bytes_of(literal.type) == bytes_of(wanted)) return {};
  return {worded("a real number of {} bits cannot be .{}", 8 * bytes_of(literal.type), name_of(wanted)),
          "Give the number by its bits: 0f3F800000 has 32, and 0d3FF0000000000000 and 1.0 have 64."};
}

Problem problem(const Function& function, const Operand& operand, const Wanted& wanted) {
  if (operand.kind == Kind::reg) return {register_problem(function.registers[operand.reg], wanted)};
  return literal_problem(operand, wanted.type);
}

Wording address_problem(const Function& function, const Operand& address) {
  if (address.reg == no_register) return {};
  const Register& base = function.registers[address.reg];
  if (bytes_of(base.type) == 4 || bytes_of(base.type) == 8) return {};
  return worded("'{}' is .{}, but an address has 32 or 64 bits", base.name, name_of(base.type));
}

// A load, store or atomic moves as many elements as .v2, .v4 or .v8 states, and so does mov with .v2 or .v4. Another
// mov packs or unpacks all bits of its type.
Problem vector_problem(const Function& function, const Instruction& instruction, const Operand& vector, Wanted wanted) {
  const auto count = static_cast<int>(vector.elements.size());
  if (instruction.opcode == opcodes::mov && instruction.vector_width == 1) {
    const bool is_special = vector.elements.front().kind == Kind::special;  // such as %tid, of four numbers
    if ((count != 2 && count != 4) || wanted.bytes < count * (is_special ? 2 : 1))
      return {worded(".{} cannot be split into {} parts", name_of(instruction.type), count)};
    wanted.bytes /= count;
    wanted.type = Type::none;
  } else if (instruction.opcode == opcodes::cvt && instruction.type == Type::other) {
    if (count != 4) return {worded("{} elements, but the instruction moves {}", count, 4)};  // to .e4m3x4 and its like
  } else if (info(instruction.opcode).category != Category::tensor && count != instruction.vector_width) {
    return {worded("{} elements, but the instruction moves {}", count, instruction.vector_width)};
  }
  for (const Operand& element : vector.elements)
    if (Problem found = problem(function, element, wanted); !found.message.empty()) return found;
  return {};
}

}  // namespace

std::optional<OperandProblem> operand_problem(const Function& function, const Instruction& instruction) {
  const auto wanted_roles = roles(instruction.opcode);
  std::size_t next = 0;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    OperandRole role;
    if (operand.paired) {
      role.width = Width::predicate;
    } else {
      if (next == wanted_roles.size()) break;
      role = wanted_roles[next++];
    }
    if (role.letter == '*' || role.letter == 'c') break;
    const Wanted need = wanted(instruction, role);
    Problem found;
    if (operand.kind == Kind::address) {
      found.message = address_problem(function, operand);
    } else if (operand.kind == Kind::vector) {
      found = vector_problem(function, instruction, operand, need);
    } else {
      found = problem(function, operand, need);
      if (found.message.empty() && (role.letter == 'D' || role.letter == 'A') && instruction.vector_width > 1)
        found.message = worded("this operand must be a vector of {}", instruction.vector_width);
    }
    if (!found.message.empty()) return OperandProblem{i, std::move(found.message), std::move(found.cure)};
  }
  return std::nullopt;
}

}  // namespace lanescope::ptx
