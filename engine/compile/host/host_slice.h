#pragma once
// Keeps only what a file's kernels need. A file for nvcc may contain any host code. If removing refused code does not
// converge, this removes everything that no kernel reaches by name.

#include <cstddef>
#include <string>
#include <vector>

namespace lanescope::compile {

// Replaces bytes of `text` by blanks. Keeps line ends and the directives #if, #else, #endif and #define, which may
// extend beyond the range.
void blank_out(std::string& text, std::size_t begin, std::size_t end);

// Blanks unneeded declarations at namespace scope in `texts` (a source and its headers, together). Needed are kernels,
// declarations with __device__, __constant__ or __shared__, and everything that these mention by name, directly or
// indirectly, through macros too. Adds the names of blanked declarations to `left_out`. Leaves a text with unbalanced
// braces unchanged. False: there was nothing to blank.
bool leave_out_unreached(const std::vector<std::string*>& texts, std::vector<std::string>& left_out);

}  // namespace lanescope::compile
