#pragma once
// One line of a program's text, for quoting.

#include <string>
#include <string_view>

namespace lanescope {

enum class Comments : bool { left_out, kept };

// Line 1, 2, … without surrounding white space and, if requested, without its `// comment` (a `//` within quotation
// marks is not one). Empty if there is no such line.
std::string source_line(std::string_view source, int line, Comments comments = Comments::kept);

}  // namespace lanescope
