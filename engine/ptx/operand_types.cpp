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
  // Loads and conversions never widen real numbers.
  return {type == Type::pred, or_wider && !is_float(type), bytes_of(type), type};
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
  return wanted.or_wider ? worded("{} bits or more", 8 * wanted.bytes) : worded("{} bits wide", 8 * wanted.bytes);
}

Wording register_problem(const Register& used, const Wanted& wanted) {
  if (!wanted.predicate && wanted.bytes == 0) return {};
  const bool is_predicate = used.type == Type::pred;
  const int bytes = bytes_of(used.type);
  const bool fits = wanted.predicate
                        ? is_predicate
                        : !is_predicate && (wanted.or_wider ? bytes >= wanted.bytes : bytes == wanted.bytes);
  if (fits) return {};
  return worded("'{}' is .{}, but this operand must be {}", used.name, name_of(used.type), describe(wanted));
}

Wording problem(const Function& function, const Operand& operand, const Wanted& wanted) {
  if (operand.kind == Kind::reg) return register_problem(function.registers[operand.reg], wanted);
  if (operand.kind == Kind::real && wanted.type != Type::none && !is_float(wanted.type) &&
      (wanted.type < Type::b8 || wanted.type > Type::b128))
    return worded("a real number cannot be .{}", name_of(wanted.type));
  return {};
}

Wording address_problem(const Function& function, const Operand& address) {
  if (address.reg == no_register) return {};
  const Register& base = function.registers[address.reg];
  if (bytes_of(base.type) == 4 || bytes_of(base.type) == 8) return {};
  return worded("'{}' is .{}, but an address has 32 or 64 bits", base.name, name_of(base.type));
}

// A load, store or atomic moves as many elements as .v2, .v4 or .v8 states. mov packs or unpacks all bits of its type.
Wording vector_problem(const Function& function, const Instruction& instruction, const Operand& vector, Wanted wanted) {
  const auto count = static_cast<int>(vector.elements.size());
  if (instruction.opcode == opcodes::mov) {
    if ((count != 2 && count != 4) || wanted.bytes < count)
      return worded(".{} cannot be split into {} parts", name_of(instruction.type), count);
    wanted.bytes /= count;
    wanted.type = Type::none;
  } else if (info(instruction.opcode).category != Category::tensor && count != instruction.vector_width) {
    return worded("{} elements, but the instruction moves {}", count, instruction.vector_width);
  }
  for (const Operand& element : vector.elements)
    if (Wording message = problem(function, element, wanted); !message.empty()) return message;
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
    Wording message;
    if (operand.kind == Kind::address) {
      message = address_problem(function, operand);
    } else if (operand.kind == Kind::vector) {
      message = vector_problem(function, instruction, operand, need);
    } else {
      message = problem(function, operand, need);
      if (message.empty() && (role.letter == 'D' || role.letter == 'A') && instruction.vector_width > 1)
        message = worded("this operand must be a vector of {}", instruction.vector_width);
    }
    if (!message.empty()) return OperandProblem{i, std::move(message)};
  }
  return std::nullopt;
}

}  // namespace lanescope::ptx
