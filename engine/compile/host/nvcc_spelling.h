#pragma once
// What nvcc takes because g++'s preprocessor reads a file first, or because g++'s extensions are on, written as NVRTC
// takes it.

#include <string>

namespace lanescope::compile {

// `extern "C"__global__`: NVRTC reads a literal with a suffix; the blank before "C" goes behind it. `(struct point){x,
// y}` and `(point){x, y}`, where C++ can mean nothing else: `point {x, y}`, which makes the same object. Lines, columns
// behind the change and the length stay. True: there was something to change.
bool spell_for_nvrtc(std::string& text);

// A backslash with white space between it and the end of its line joins two lines for g++, not for NVRTC: it goes to
// the end. Lines and length stay. Not done in a text with raw strings. True: there was something to change.
bool join_lines_for_nvrtc(std::string& text);

}  // namespace lanescope::compile
