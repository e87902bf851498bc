#pragma once
// What is wrong with a source before it is compiled.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "compile/source.h"
#include "core/diagnostic.h"

namespace lanescope::compile {

// compile.not_text if the bytes are UTF-16, as its mark at their begin says: then no part of it can be read here.
std::optional<Diagnostic> refuse_utf16(const std::string& name, std::string_view text);

// Why a source is not given to the compiler: its size (8 MiB at most), its name, its definitions, its encoding, a zero
// byte, brackets nested too deep (2,000 levels at most).
std::optional<Diagnostic> refuse(const Source& source);

// Replaces a byte-order mark by spaces and each byte that is not UTF-8 by `?`: the compiler would otherwise skip what
// follows, including line ends. Returns the number of bytes replaced. Places stay valid.
std::size_t make_utf8(std::string& text);

// The warning about bytes that make_utf8() replaced.
Diagnostic not_utf8(const Source& source, std::size_t bytes);

}  // namespace lanescope::compile
