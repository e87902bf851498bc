#include "sim/tensor/sparse.h"

namespace lanescope::sim {

namespace {

// Columns that one choice, 4 bits of metadata, concerns.
int columns_per_choice(const TensorOp& op) {
  const int bits = bits_of(op.a.element);
  return bits == 4 ? 8 : bits == 32 ? 2 : 4;
}

struct BitPlace {
  int lane = 0, shift = 0;
};

// Where the choice for columns `choice` × columns_per_choice() … of a row is. Of each four lanes, all, two or one have
// metadata. With 8-bit and 4-bit types, a lane's metadata is for one row; else the upper half is for the row 8 below.
BitPlace bit_place(const TensorOp& op, int row, int choice) {
  constexpr int choices_per_word = 8;
  const int group = row % 8 * 4, lower = row / 8, choices = op.b.k / columns_per_choice(op);
  if (bits_of(op.a.element) <= 8)
    return {group + 2 * (op.selector + choice / choices_per_word) + lower, choice % choices_per_word * 4};
  const int lanes = choices / 4;
  return {group + op.selector * lanes + choice / 4, lower * 16 + choice % 4 * 4};
}

// The two columns, or pairs of columns, of a choice; for tf32, only the first counts. False if it is undefined.
bool is_defined(const TensorOp& op, std::uint32_t choice) {
  const std::uint32_t first = choice & 3, second = choice >> 2;
  if (op.a.element == Element::tf32) return choice == 0b0100 || choice == 0b1110;
  return op.ordered ? first < second : first != second;
}

}  // namespace

int selectors_of(const TensorOp& op) {
  const int choices = op.b.k / columns_per_choice(op);
  return bits_of(op.a.element) <= 8 ? 16 / choices : 4 / (choices / 4);
}

SparseColumns columns_of(const TensorOp& op, const LaneValues& metadata) {
  SparseColumns columns;
  const int per = columns_per_choice(op), choices = op.b.k / per;
  for (int row = 0; row < op.a.m; ++row)
    for (int i = 0; i < choices; ++i) {
      const BitPlace at = bit_place(op, row, i);
      const auto word = static_cast<std::uint32_t>(metadata[static_cast<std::size_t>(at.lane)]);
      const std::uint32_t choice = word >> at.shift & 15, first = choice & 3, second = choice >> 2;
      if (!is_defined(op, choice) && columns.lane < 0) {
        columns.lane = at.lane;
        columns.word = word;
        columns.choice = choice;
      }
      const auto add = [&](std::uint32_t column) {
        columns.column.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(i * per) + column));
      };
      if (per == 2) {
        add(first / 2);
      } else if (per == 4) {
        add(first);
        add(second);
      } else {
        for (const std::uint32_t pair : {first, second}) {
          add(2 * pair);
          add(2 * pair + 1);
        }
      }
    }
  return columns;
}

}  // namespace lanescope::sim
