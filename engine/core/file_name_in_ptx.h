#pragma once
// A file name between the quotes of PTX or of the disassembler's output, which are ASCII only.

#include <string>
#include <string_view>

namespace lanescope {

// "größe.cu" → gr\303\266\303\237e.cu; \" and \\ too.
std::string escaped_name(std::string_view name);
// The inverse. Unescaped characters beyond ASCII stay as they are.
std::string unescaped_name(std::string_view text);

// A name of the same length with `_` for each byte that is not ASCII.
std::string in_ascii(std::string name);

}  // namespace lanescope
