#pragma once
// Finds line breaks: after a word, and between Chinese characters, but never before a closing mark, after an opening
// mark, or between a number and its unit.

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace lanescope::gui {

std::size_t letter_bytes(unsigned char first);  // size of the UTF-8 character that begins with this byte
unsigned codepoint(std::string_view text, std::size_t at);
bool must_not_begin_a_line(unsigned codepoint);
bool must_not_end_a_line(unsigned codepoint);

// The end of the next piece that must stay on one line; `at` must not be a space.
std::size_t piece_end(std::string_view text, std::size_t at);

// Where to break a line of code of which `fits` bytes fit (0 < fits < size): after a space, else before a name or a
// number; within a name only if the line would otherwise be too short.
std::size_t code_break(std::string_view code, std::size_t fits);

// Splits a text into lines that are at most `width` wide if possible, without spaces at their ends. `measure` returns
// the width of a piece.
std::vector<std::string_view> lines_of(std::string_view text, float width,
                                       const std::function<float(std::string_view)>& measure);

}  // namespace lanescope::gui
