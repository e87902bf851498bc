// Decodes mov.v2 and mov.v4, which move element by element.

#include <cstring>

#include "ptx/named_opcodes.h"
#include "sim/decode/decoder.h"

namespace lanescope::sim {

using ptx::Operand;
using ptx::Type;

bool is_vector_move(const ptx::Instruction& instruction) {
  return instruction.opcode == ptx::opcodes::mov && instruction.vector_width > 1;
}

namespace {

constexpr std::uint32_t element_place = 32 * 8;  // bytes in the frame, for one element of all lanes

// The slots of a move to a place in the frame.
class ToPlace : public OperandSlots {
 public:
  ToPlace(OperandSlots& slots, std::uint32_t place) : slots_(slots), place_(place) {}
  std::uint32_t read(const Operand& operand, Type type) override { return slots_.read(operand, type); }
  std::uint32_t write(const Operand&) override { return place_; }
  int register_bytes(const Operand& operand, Type type) const override { return slots_.register_bytes(operand, type); }
  std::uint32_t carry() const override { return slots_.carry(); }

 private:
  OperandSlots& slots_;
  std::uint32_t place_;
};

// Moves `extra` elements of `flags` bytes per lane from their places at `c` to the registers.
template <bool is_full>
void from_places(std::byte* registers, const Operation& operation, std::uint32_t mask) {
  const std::uint32_t to[] = {operation.dst, operation.dst2, operation.a, operation.b};
  const std::uint32_t bytes = operation.flags;
  for (std::uint32_t element = 0; element < operation.extra; ++element)
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      if (is_full || (mask >> lane & 1) != 0)
        std::memcpy(registers + to[element] + lane * bytes,
                    registers + operation.c + element * element_place + lane * bytes, bytes);
}

}  // namespace

// All elements are read before the first is written: `mov.v2.u32 {a, b}, {b, a};` exchanges them.
bool FunctionDecoder::decode_vector_move(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  static const Instruction unguarded;
  const auto &to = instruction.operands[0].elements, &from = instruction.operands[1].elements;
  const int bytes = slot_bytes_of(instruction.type);
  if (to.size() != from.size() || to.size() != instruction.vector_width || bytes == 0 || bytes > 8) return false;
  Operation last;
  std::uint32_t* const registers[] = {&last.dst, &last.dst2, &last.a, &last.b};
  for (std::size_t i = 0; i < to.size(); ++i) {
    ToPlace slots(layout_, moved_ + static_cast<std::uint32_t>(i) * element_place);
    Instruction move;
    move.opcode = ptx::opcodes::mov;
    move.modifiers = {ptx::name_of(instruction.type)};
    move.type = move.source_type = instruction.type;
    move.operands = {to[i], from[i]};
    Operation operation;
    if (!select_alu(move, slots, operation)) return false;
    append_alu(operation, unguarded, index, block);
    *registers[i] = layout_.write(to[i]);
  }
  last.full = from_places<true>;
  last.masked = from_places<false>;
  last.c = moved_;
  last.flags = static_cast<std::uint8_t>(bytes);
  last.extra = static_cast<std::uint32_t>(to.size());
  append_alu(last, instruction, index, block);
  return true;
}

}  // namespace lanescope::sim
