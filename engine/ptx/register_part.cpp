#include "ptx/register_part.h"

#include <iterator>

#include "ptx/opcode.h"
#include "ptx/opcode_table.h"

namespace lanescope::ptx {
namespace {
constexpr const char* part_names[] = {"", "b0", "b1", "b2", "b3", "h0", "h1"};

// Operand::integer of a selector: the mark, which no RegisterPart has, the letter, the number of digits, and from
// bit 8 on four bits for each digit.
constexpr std::int64_t selector_mark = 0x80, selector_bytes = 0x40, selector_count = 0x0f;
}  // namespace

bool takes_parts(Opcode opcode) {
  switch (opcode) {
    case Opcode::vadd:
    case Opcode::vsub:
    case Opcode::vabsdiff:
    case Opcode::vmin:
    case Opcode::vmax:
    case Opcode::vshl:
    case Opcode::vshr:
    case Opcode::vmad:
    case Opcode::vset:
      return true;
    default:
      return false;
  }
}

const char* name_of(RegisterPart part) {
  return part_names[static_cast<std::size_t>(part)];
}

std::optional<RegisterPart> part_named(std::string_view name) {
  for (std::size_t i = 1; i < std::size(part_names); ++i)
    if (name == part_names[i]) return static_cast<RegisterPart>(i);
  return std::nullopt;
}

int video_lanes(Opcode opcode) {
  const OpcodeInfo& row = info(opcode);
  if (row.category != Category::video || takes_parts(opcode)) return 0;
  return std::string_view(row.mnemonic).back() == '4' ? 4 : 2;
}

LaneSelector selector_of(const Operand& operand) {
  LaneSelector selector;
  if (operand.kind != Operand::Kind::reg || (operand.integer & selector_mark) == 0) return selector;
  selector.count = static_cast<int>(operand.integer & selector_count);
  for (int k = 0; k < selector.count; ++k)
    selector.digits[k] = static_cast<int>((operand.integer >> (8 + 4 * k)) & 0xf);
  return selector;
}

std::string selector_text(const Operand& operand) {
  const LaneSelector selector = selector_of(operand);
  std::string text;
  if (selector.count == 0) return text;
  text = (operand.integer & selector_bytes) != 0 ? 'b' : 'h';
  for (int k = selector.count - 1; k >= 0; --k) text += static_cast<char>('0' + selector.digits[k]);
  return text;
}

std::optional<std::int64_t> selector_named(std::string_view name, Opcode opcode, std::size_t operand) {
  const int lanes = video_lanes(opcode), count = static_cast<int>(name.size()) - 1;
  if (lanes == 0 || operand > 2 || count < 1 || count > lanes || name[0] != (lanes == 4 ? 'b' : 'h'))
    return std::nullopt;
  const bool is_mask = operand == 0;
  if (!is_mask && count != lanes) return std::nullopt;
  std::int64_t bits = selector_mark | (lanes == 4 ? selector_bytes : 0) | count;
  int before = lanes;  // the lanes of a mask descend
  for (int k = count - 1, at = 1; k >= 0; --k, ++at) {
    const int digit = name[static_cast<std::size_t>(at)] - '0';
    if (digit < 0 || digit >= (is_mask ? before : 2 * lanes)) return std::nullopt;
    before = digit;
    bits |= std::int64_t{digit} << (8 + 4 * k);
  }
  return bits;
}

}  // namespace lanescope::ptx
