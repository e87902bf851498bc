#pragma once
// Lists such as the arguments of a call.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

// Which marks are brackets: in a list of types, < and > too, unlike in one of expressions.
enum class ListOf { expressions, types };

// The parts of `text` between commas outside brackets, trimmed; none if the text is blank.
std::vector<std::string> comma_list(std::string_view text, ListOf of = ListOf::expressions);

}  // namespace lanescope
