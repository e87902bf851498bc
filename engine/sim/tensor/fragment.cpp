#include "sim/tensor/fragment.h"

#include "ptx/named_opcodes.h"
#include "sim/tensor/tensor_words.h"

namespace lanescope::sim {

std::optional<FragmentAccess> fragment_access(const ptx::Instruction& instruction) {
  using Matrix = Fragment::Matrix;
  const TensorWords words = tensor_words(instruction);
  if (!words.known || words.types.size() != 1 || words.by_column.size() != 1 || instruction.operands.size() < 2)
    return std::nullopt;
  FragmentAccess access;
  access.is_load = instruction.opcode == ptx::opcodes::wmma_load;
  const Matrix matrix = instruction.has("a") ? Matrix::a : instruction.has("b") ? Matrix::b : Matrix::c;
  if (access.is_load ? matrix == Matrix::c && !instruction.has("c") : !instruction.has("d")) return std::nullopt;
  const Element element = words.types[0];
  if (matrix == Matrix::c ? !is_accumulator_of_wmma(words.shape, element) : !is_shape_of_wmma(words.shape, element))
    return std::nullopt;
  access.fragment = fragment_of(matrix, element, words.shape);
  access.by_column = words.by_column[0];
  // With elements narrower than a byte, only a by rows and b by columns.
  if (bits_of(element) < 8 && !is_together(access.fragment, access.by_column)) return std::nullopt;
  access.address = access.is_load ? 1 : 0;
  access.registers = access.is_load ? 0 : 1;
  const ptx::Space space = instruction.space;
  if (instruction.operands[access.address].kind != ptx::Operand::Kind::address ||
      (space != ptx::Space::shared && space != ptx::Space::global && space != ptx::Space::generic))
    return std::nullopt;
  if (instruction.operands.size() > 2) access.stride = 2;
  access.default_stride =
      static_cast<std::uint32_t>(access.by_column ? access.fragment.rows() : access.fragment.columns());
  access.requests = requests_of(access.fragment, access.by_column,
                                space == ptx::Space::shared && bits_of(element) == 16 && matrix != Matrix::c);
  return access;
}

}  // namespace lanescope::sim
