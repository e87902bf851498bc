#pragma once
// Parses a SASS instruction into its parts.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

// "LDG.E.64 R2, desc[UR4][R2.64+0x10]", as in SassInstruction::text: without the guard. Accepts any text.
struct SassParts {
  std::string opcode;                  // "LDG"
  std::vector<std::string> modifiers;  // "E", "64"
  std::vector<std::string> operands;   // "R2", "desc[UR4][R2.64+0x10]"
  std::string place;   // the memory operand: "[UR4][R2.64+0x10]", from the first bracket to the last; empty: none
  std::string target;  // the label that it names: ".L_x_5" for "BRA `(.L_x_5)"; empty: none

  bool has(std::string_view modifier) const;
  // True if some modifier begins with `lead`, or contains `part`: "CAS" and "CAST", "U16" and "F16".
  bool has_modifier_beginning(std::string_view lead) const;
  bool has_modifier_containing(std::string_view part) const;
};
SassParts parse_sass(std::string_view text);

// Only SassParts::opcode, without a copy.
std::string_view sass_opcode(std::string_view text);

}  // namespace lanescope::compile
