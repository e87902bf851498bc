#include "diagram/words.h"

#include <cmath>
#include <vector>

#include "fmt/format.h"

namespace lanescope::diagram {
namespace {

struct Run {
  int first = 0, last = 0;
};

std::vector<Run> runs_of(LaneMask lanes) {
  std::vector<Run> runs;
  lanes.for_each([&](int lane) {
    if (!runs.empty() && runs.back().last == lane - 1) {
      runs.back().last = lane;
    } else {
      runs.push_back({lane, lane});
    }
  });
  return runs;
}

// Lengths of the character that starts here, in bytes.
std::size_t character_bytes(std::string_view text, std::size_t at) {
  std::size_t length = 1;
  while (at + length < text.size() &&
         (static_cast<unsigned char>(text[at + length]) & 0xc0) == 0x80)
    ++length;
  return length;
}

// In ems; Inter's semibold, rounded up.
float em_of(char character) {
  constexpr std::string_view narrow = "iljI|.,:;'!`", slim = "frt()[]{} -/\\\"", wide = "mMwW%@";
  if (narrow.find(character) != std::string_view::npos) return 0.31f;
  if (slim.find(character) != std::string_view::npos) return 0.42f;
  if (wide.find(character) != std::string_view::npos) return 0.95f;
  if (character >= 'A' && character <= 'Z') return 0.75f;
  if (character >= '0' && character <= '9') return 0.66f;
  return 0.61f;
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t number, std::string_view thing) {
  if (number == 1) return fmt::format("1 {}", thing);
  const bool hissing = thing.ends_with("s") || thing.ends_with("ch") || thing.ends_with("sh") ||
                       thing.ends_with("x");
  return fmt::format("{} {}{}", grouped(number), thing, hissing ? "es" : "s");
}

std::string percent(double part, double whole) {
  if (!(whole > 0)) return "–";
  const double exact = 100 * part / whole;
  double shown = std::round(exact * 10) / 10;
  if (shown >= 100 && exact < 100) shown = 99.9;
  if (shown <= 0 && exact > 0) shown = 0.1;
  std::string digits = fmt::format("{:.1f}", shown);
  if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
  return digits + " %";
}

std::string hex(std::uint64_t address) {
  return fmt::format("{:#x}", address);
}

std::string lane_set(LaneMask lanes) {
  const std::vector<Run> runs = runs_of(lanes);
  if (runs.size() > 4) return counted(static_cast<std::uint64_t>(lanes.count()), "lane");
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i > 0) text += i + 1 == runs.size() ? " and " : ", ";
    text += std::to_string(runs[i].first);
    if (runs[i].last > runs[i].first)
      text += (runs[i].last > runs[i].first + 1 ? "–" : " and ") + std::to_string(runs[i].last);
  }
  // "2 and 3 and 7" is clumsy.
  if (text.find(" and ") != text.rfind(" and ")) {
    std::size_t at = 0;
    while ((at = text.find(" and ")) != text.rfind(" and ")) text.replace(at, 5, ", ");
  }
  return text;
}

std::string lanes_named(LaneMask lanes) {
  if (runs_of(lanes).size() > 4) return lane_set(lanes);
  return (lanes.count() == 1 ? "lane " : "lanes ") + lane_set(lanes);
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

float text_width(std::string_view text, float size, Face face) {
  float ems = 0;
  for (std::size_t at = 0; at < text.size(); at += character_bytes(text, at))
    ems += face == Face::mono ? 0.6f : em_of(text[at]);
  return ems * size;
}

std::string fitted(std::string_view text, float width, float size, Face face) {
  if (text_width(text, size, face) <= width) return std::string(text);
  const float ellipsis = text_width("…", size, face);
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t next = end + character_bytes(text, end);
    if (text_width(text.substr(0, next), size, face) + ellipsis > width) break;
    end = next;
  }
  return end == 0 ? std::string() : std::string(text.substr(0, end)) + "…";
}

}  // namespace lanescope::diagram
