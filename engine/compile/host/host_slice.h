#pragma once
// Keeps only what a file's kernels need. A file written for nvcc may contain any host code. If removing what the
// compiler refuses does not converge, everything is removed that no kernel reaches by name.

#include <cstddef>
#include <string>
#include <vector>

namespace lanescope::compile {

// Turns bytes of `text` into blanks; its lines stay, and so do #if, #else, #endif and #define, which may reach beyond.
void blank_out(std::string& text, std::size_t begin, std::size_t end);

// Blanks in `texts` (a source and headers of it, together) each declaration at namespace scope that is neither a kernel
// nor annotated __device__, __constant__ or __shared__, and whose name none of these mentions, nor what they mention in
// turn, macros included. Their names are added to `left_out`. A text whose braces do not pair is left as it is. False:
// there was nothing to blank.
bool leave_out_unreached(const std::vector<std::string*>& texts, std::vector<std::string>& left_out);

}  // namespace lanescope::compile
