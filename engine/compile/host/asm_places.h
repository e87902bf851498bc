#pragma once
// Where NVRTC places the instructions of an `asm` statement over several lines.

#include <map>
#include <string_view>
#include <utility>

namespace lanescope::compile {

using LineAndColumn = std::pair<int, int>;  // from 1; columns count bytes

// NVRTC for Linux names the line of the last operand that it reads, NVRTC for Windows the keyword. For each `asm` whose
// last operand is on another line: the keyword's place → the first operand on that line.
std::map<LineAndColumn, LineAndColumn> asm_places(std::string_view source);

}  // namespace lanescope::compile
