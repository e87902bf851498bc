#pragma once
// Parses parameters and variables, at module level and in bodies.

#include "ptx/module.h"
#include "ptx/reader.h"

namespace lanescope::ptx {

// The name of an element of a vector register: of %v, "%v$x", "%v$y", …
std::string element_name(std::string_view vector, char element);

// `(.param .u64 a, .param .align 8 .b8 b[16], .reg .u32 c)`; the current token is the parenthesis. Sets the offsets.
// Names may be `_` (in prototypes).
bool parse_parameters(Reader& reader, std::vector<Parameter>& list);

// Size of the parameter block of `list` in bytes.
std::uint64_t bytes_of(const std::vector<Parameter>& list);

// Parses what follows `.global`, `.shared`, …: `.align 4 .v4 .b8 a[8] = {…}, b;`. Appends to `list`; `names` receives
// the token of each name.
bool parse_variables(Reader& reader, Space space, const std::string& linkage, std::vector<Variable>& list,
                     std::vector<Token>& names);

}  // namespace lanescope::ptx
