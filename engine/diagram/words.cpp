#include "diagram/words.h"

#include <array>
#include <cmath>

#include "fmt/format.h"

namespace lanescope::diagram {
namespace {

// Length in bytes of the character that starts here.
std::size_t character_bytes(std::string_view text, std::size_t at) {
  std::size_t length = 1;
  while (at + length < text.size() && (static_cast<unsigned char>(text[at + length]) & 0xc0) == 0x80) ++length;
  return length;
}

// Advance widths of Inter SemiBold from space to tilde, in hundredths of an em, rounded up. Regular is narrower.
constexpr std::array<std::uint8_t, 95> inter_widths{
    25, 31, 40, 65, 65, 85, 67, 22,  40,  40, 55, 68, 30, 47, 30, 38, 67, 49, 63, 66, 67, 64, 65, 59,
    65, 65, 30, 30, 68, 68, 68, 55,  100, 73, 66, 75, 73, 61, 59, 76, 75, 28, 57, 68, 57, 91, 75, 78,
    65, 78, 66, 65, 67, 74, 73, 101, 70,  71, 66, 40, 38, 40, 49, 47, 50, 58, 64, 58, 64, 60, 38, 63,
    62, 27, 27, 57, 27, 90, 62, 61,  63,  63, 40, 55, 39, 61, 58, 84, 57, 58, 57, 40, 36, 40, 68};

float em_of(char character) {
  if (character >= ' ' && character <= '~') return static_cast<float>(inter_widths[character - ' ']) / 100;
  return 0.83f;  // an ellipsis; dashes and signs are narrower
}

// Chinese characters and their punctuation are as wide as they are high in every font.
bool is_square(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  return first >= 0xe3 && first <= 0xef;  // from U+3000 on
}

}  // namespace

double rounded_percent(double exact) {
  const double shown = std::round(exact * 10) / 10;
  if (shown >= 100 && exact < 100) return 99.9;
  if (shown <= 0 && exact > 0) return 0.1;
  return shown;
}

std::string percent(double part, double whole) {
  if (!(whole > 0)) return "–";
  std::string digits = fmt::format("{:.1f}", rounded_percent(100 * part / whole));
  if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
  return digits + " %";
}

std::string hex(std::uint64_t address) {
  return fmt::format("{:#x}", address);
}

std::string ratio_text(double ratio) {
  if (ratio == 1) return "1.00 ×";
  int decimals = ratio >= 100 ? 0 : ratio >= 10 ? 1 : 2;
  for (double part = ratio; part < 0.1 && decimals < 6; part *= 10) ++decimals;
  if (ratio < 1 && ratio * 8 == std::floor(ratio * 8) && ratio * 4 != std::floor(ratio * 4))
    decimals = 3;  // 1/8 is not 0.12
  constexpr int most_decimals = 4;
  std::string digits = fmt::format("{:.{}f}", ratio, decimals);
  while (digits.starts_with("1.") && digits.find_first_not_of('0', 2) == std::string::npos && decimals < most_decimals)
    digits = fmt::format("{:.{}f}", ratio, ++decimals);
  return digits + " ×";
}

float text_width(std::string_view text, float size, Face face) {
  float ems = 0;
  for (std::size_t at = 0; at < text.size(); at += character_bytes(text, at))
    ems += is_square(text, at) ? 1.0f : face == Face::mono ? 0.6f : em_of(text[at]);
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
