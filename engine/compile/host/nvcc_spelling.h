#pragma once
// Rewrites source text that nvcc accepts (because of g++'s preprocessor or extensions) into a form that NVRTC accepts.

#include <string>
#include <string_view>

namespace lanescope::compile {

// `extern "C"__global__`: NVRTC reads this as a literal with a suffix, so the space before "C" moves behind it.
// `(struct point){x, y}` and `(point){x, y}`, if C++ allows no other meaning, become `point {x, y}`, which makes the
// same object. Lines, columns after the change and the length stay the same. Returns true if something changed.
bool spell_for_nvrtc(std::string& text);

// A backslash followed by white space at the end of a line joins two lines in g++, but not in NVRTC: it moves to the
// end of the line. Lines and length stay the same. Texts with raw strings are left unchanged. Returns true if something
// changed.
bool join_lines_for_nvrtc(std::string& text);

// `exp(x)` behind `using namespace std;`: if both CUDA and libcu++ declare the function, which to NVRTC is ambiguous,
// the call gets `::` before it. With g++'s library both names are the same function. `line` and `column`: where the
// compiler tells it of the function `name`. Returns true if the text has changed.
bool call_cudas_own(std::string& text, std::string_view name, int line, int column);

}  // namespace lanescope::compile
