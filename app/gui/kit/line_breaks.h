#pragma once
// Finds line breaks: after a word, and between Chinese characters, but never before a closing mark, after an opening
// mark, or between a number and its unit.

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace lanescope::gui {

std::size_t letter_bytes(unsigned char first);  // of the UTF-8 character that begins so
unsigned codepoint(std::string_view text, std::size_t at);
bool must_not_begin_a_line(unsigned codepoint);
bool must_not_end_a_line(unsigned codepoint);

// The end of the next piece that must not be broken; `at` is no space.
std::size_t piece_end(std::string_view text, std::size_t at);

// Where a line of code is broken of which `fits` bytes fit (0 < fits < size): behind a space, else before a name or a
// number; only where that leaves too little on the line, within one.
std::size_t code_break(std::string_view code, std::size_t fits);

// The lines of a text, none wider than `width` where that can be had; spaces at their ends are left out. `measure`: the
// width of a piece of it.
std::vector<std::string_view> lines_of(std::string_view text, float width,
                                       const std::function<float(std::string_view)>& measure);

}  // namespace lanescope::gui
