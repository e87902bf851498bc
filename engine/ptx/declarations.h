#pragma once
// Parsing of parameters and variables, at module level and in bodies.

#include "ptx/module.h"
#include "ptx/reader.h"

namespace lanescope::ptx {

// `(.param .u64 a, .param .align 8 .b8 b[16])`; the current token is the parenthesis. Sets offsets. Names may be `_`
// (prototypes).
bool parse_parameters(Reader& reader, std::vector<Parameter>& list);

// The bytes that `list` takes, from its last parameter's offset.
std::uint64_t bytes_of(const std::vector<Parameter>& list);

// What follows `.global`, `.shared`, …: `.align 4 .v4 .b8 a[8] = {…}, b;`. Appends to `list`; `names` gets the token of
// each name.
bool parse_variables(Reader& reader, Space space, const std::string& linkage, std::vector<Variable>& list,
                     std::vector<Token>& names);

}  // namespace lanescope::ptx
