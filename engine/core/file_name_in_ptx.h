#pragma once
// A file's name between the quotes of PTX, or of the disassembler's output: ASCII alone.

#include <string>
#include <string_view>

namespace lanescope {

// "größe.cu" → gr\303\266\303\237e.cu; \" and \\ too.
std::string escaped_name(std::string_view name);
// The other way round. What stands there unescaped beyond ASCII stays as it is.
std::string unescaped_name(std::string_view text);

}  // namespace lanescope
