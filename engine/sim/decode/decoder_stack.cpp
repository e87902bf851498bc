// Decodes alloca, stacksave and stackrestore.

#include <algorithm>
#include <bit>

#include "ptx/named_opcodes.h"
#include "sim/decode/decoder.h"

namespace lanescope::sim {

bool FunctionDecoder::decode_stack(const ptx::Instruction& instruction, std::int32_t index, std::int32_t block) {
  const auto& operands = instruction.operands;
  StackOp op;
  op.kind = instruction.opcode == ptx::opcodes::stacksave      ? StackOp::Kind::save
            : instruction.opcode == ptx::opcodes::stackrestore ? StackOp::Kind::restore
                                                               : StackOp::Kind::allocate;
  op.bytes = static_cast<std::uint8_t>(ptx::bytes_of(instruction.type));
  for (std::size_t i = 0; i < std::min<std::size_t>(operands.size(), 2); ++i)
    if (layout_.register_bytes(operands[i], instruction.type) != op.bytes) return false;
  if (op.kind != StackOp::Kind::restore) op.dst = layout_.write(operands[0]);
  if (op.kind != StackOp::Kind::save)
    op.value = layout_.read(operands[op.kind == StackOp::Kind::allocate ? 1 : 0], instruction.type);
  if (op.kind == StackOp::Kind::allocate && operands.size() > 2) {
    op.alignment = static_cast<std::uint64_t>(operands[2].integer);
    if (!std::has_single_bit(op.alignment) || op.alignment > 128) return false;
  }
  op.site = guarded_site(instruction, index, block);
  code_.stacks.push_back(op);
  append(Code::stack, code_.stacks.size() - 1, instruction, index);
  return true;
}

}  // namespace lanescope::sim
