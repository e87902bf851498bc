#pragma once
// One line of a program's text, to be quoted.

#include <string>
#include <string_view>

namespace lanescope {

enum class Comments : bool { left_out, kept };

// Line 1, 2, … without the blanks at both ends, and without its `// comment` where that is not wanted (what looks like
// one within quotation marks is none). Empty where there is no such line.
std::string source_line(std::string_view source, int line, Comments comments = Comments::kept);

}  // namespace lanescope
