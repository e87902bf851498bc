#include "gui/kit/line_breaks.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/text.h"

namespace lanescope::gui {
namespace {

bool is_cjk(unsigned c) {
  return (c >= 0x2e80 && c < 0xa4d0) || (c >= 0xf900 && c < 0xfb00) || (c >= 0xff00 && c < 0xfff0);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// "87¹" without its footnote mark.
std::string_view without_note(std::string_view text) {
  for (const std::string_view mark : {"¹", "²", "³"})
    if (text.ends_with(mark)) text.remove_suffix(mark.size());
  return text;
}

// True if the space at `at` stands between a number and its unit.
bool before_unit(std::string_view text, std::size_t at) {
  if (at == 0 || text[at] != ' ') return false;
  if (const std::string_view number = without_note(text.substr(0, at)); number.empty() || !is_digit(number.back()))
    return false;
  std::string_view rest = text.substr(at + 1);
  std::size_t end = 0;
  while (end < rest.size() && rest[end] != ' ' && rest[end] != '\n' && !is_cjk(codepoint(rest, end)) &&
         std::string_view(",.;:!?)").find(rest[end]) == std::string_view::npos)
    end += letter_bytes(static_cast<unsigned char>(rest[end]));
  constexpr std::array<std::string_view, 16> units{"%",  "B",  "KiB", "MiB", "GiB",  "TiB",  "KB",  "MB",
                                                   "GB", "ns", "µs",  "ms",  "GB/s", "TB/s", "MHz", "×"};
  return std::ranges::find(units, without_note(rest.substr(0, std::min(end, rest.size())))) != units.end();
}

}  // namespace

std::size_t letter_bytes(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

unsigned codepoint(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned a = byte(at);
  if (a < 0x80) return a;
  if (a < 0xe0) return (a & 31u) << 6 | (byte(at + 1) & 63u);
  if (a < 0xf0) return (a & 15u) << 12 | (byte(at + 1) & 63u) << 6 | (byte(at + 2) & 63u);
  return (a & 7u) << 18 | (byte(at + 1) & 63u) << 12 | (byte(at + 2) & 63u) << 6 | (byte(at + 3) & 63u);
}

bool must_not_begin_a_line(unsigned c) {
  constexpr std::array<unsigned, 16> marks{0x3001, 0x3002, 0xff0c, 0xff1a, 0xff1b, 0xff01, 0xff1f, 0xff09,
                                           0x300b, 0x300d, 0x300f, 0x2019, 0x201d, 0x2026, 0x2014, 0xff05};
  return std::ranges::find(marks, c) != marks.end();
}

bool must_not_end_a_line(unsigned c) {
  constexpr std::array<unsigned, 8> marks{'(', '[', 0x2018, 0x201c, 0xff08, 0x300a, 0x300c, 0x300e};
  return std::ranges::find(marks, c) != marks.end();
}

std::size_t piece_end(std::string_view text, std::size_t at) {
  unsigned last = codepoint(text, at);
  std::size_t end = at + letter_bytes(static_cast<unsigned char>(text[at]));
  while (end < text.size() && text[end] != '\n') {
    const unsigned next = codepoint(text, end);
    if (next == ' ') {
      if (!before_unit(text, end)) break;
    } else if ((is_cjk(last) || is_cjk(next) || (must_not_begin_a_line(last) && must_not_end_a_line(next))) &&
               !must_not_begin_a_line(next) && !must_not_end_a_line(last)) {
      break;
    }
    last = next;
    end += letter_bytes(static_cast<unsigned char>(text[end]));
  }
  return std::min(end, text.size());
}

std::size_t code_break(std::string_view code, std::size_t fits) {
  const std::size_t space = code.rfind(' ', fits - 1), least = fits / 3;
  if (space != std::string_view::npos && space + 1 > least) return space + 1;
  std::size_t end = fits;
  while (end > least && (is_name_char(code[end - 1]) || !is_name_char(code[end]))) --end;
  return end > least ? end : fits;
}

std::vector<std::string_view> lines_of(std::string_view text, float width,
                                       const std::function<float(std::string_view)>& measure) {
  // Most texts fit in one line: then only the whole is measured.
  if (const std::size_t first = text.find_first_not_of(' ');
      first != std::string_view::npos && text.find('\n') == std::string_view::npos) {
    const std::string_view whole = text.substr(first, text.find_last_not_of(' ') + 1 - first);
    if (measure(whole) <= width) return {whole};
  }
  std::vector<std::string_view> lines;
  std::size_t start = 0, stop = 0;  // of the current line
  const auto finish = [&](std::size_t next) {
    lines.push_back(text.substr(start, stop - start));
    start = stop = next;
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      finish(at + 1);
      ++at;
      continue;
    }
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const std::size_t end = piece_end(text, at);
    if (stop > start && measure(text.substr(start, end - start)) > width) finish(at);
    if (stop == start) start = stop = at;
    // A piece that is wider than a line is broken at the end of the line.
    while (measure(text.substr(start, end - start)) > width) {
      std::size_t fits = start + letter_bytes(static_cast<unsigned char>(text[start]));
      while (fits < end) {
        const std::size_t next = fits + letter_bytes(static_cast<unsigned char>(text[fits]));
        if (measure(text.substr(start, next - start)) > width) break;
        fits = next;
      }
      if (fits >= end) break;
      stop = start + code_break(text.substr(start, end - start), fits - start);
      finish(stop);
    }
    stop = end;
    at = end;
  }
  if (stop > start || lines.empty()) finish(text.size());
  return lines;
}

}  // namespace lanescope::gui
