#include "ptx/register_part.h"

#include <iterator>

#include "ptx/opcode.h"

namespace lanescope::ptx {
namespace {
constexpr const char* part_names[] = {"", "b0", "b1", "b2", "b3", "h0", "h1"};
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

}  // namespace lanescope::ptx
