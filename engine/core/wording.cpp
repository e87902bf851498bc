#include "core/wording.h"

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/pattern.h"
#include "core/worded.h"

namespace lanescope {
namespace {

// A placeholder in a pattern: "{}", "{1}", "{:x}", "{1:x}".
struct Place {
  std::size_t end = 0;    // after its brace
  std::size_t value = 0;  // index of its value
  std::string_view form;  // ":x", or empty
};

// The placeholder that begins at the opening brace `at`; nullopt for "{{", which is not a placeholder. `next` counts
// "{}".
std::optional<Place> place_at(std::string_view pattern, std::size_t at, std::size_t& next) {
  if (pattern.substr(at + 1).starts_with('{')) return std::nullopt;
  const std::size_t close = pattern.find('}', at);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view inside = pattern.substr(at + 1, close - at - 1);
  Place place;
  place.end = close + 1;
  const auto [end, status] = std::from_chars(inside.data(), inside.data() + inside.size(), place.value);
  if (status != std::errc{}) place.value = next++;
  place.form = inside.substr(static_cast<std::size_t>(end - inside.data()));
  return place;
}

}  // namespace

std::vector<PatternPiece> pieces_of(const std::string& pattern) {
  std::vector<PatternPiece> pieces;
  std::string text;
  std::size_t next = 0;
  for (std::size_t at = 0; at < pattern.size();) {
    const char c = pattern[at];
    if (const std::optional<Place> place = c == '{' ? place_at(pattern, at, next) : std::nullopt; place) {
      if (!text.empty()) pieces.push_back({std::exchange(text, {}), "", -1});
      pieces.push_back({"", std::string(place->form), static_cast<int>(place->value)});
      at = place->end;
      continue;
    }
    text += c;
    const bool twice = (c == '{' || c == '}') && at + 1 < pattern.size() && pattern[at + 1] == c;
    at += twice ? 2 : 1;
  }
  if (!text.empty()) pieces.push_back({std::move(text), "", -1});
  return pieces;
}

std::string with_values(const std::string& pattern, const std::vector<std::string>& values) {
  std::string out;
  for (const PatternPiece& piece : pieces_of(pattern)) {
    const auto index = static_cast<std::size_t>(piece.value);
    if (piece.value < 0)
      out += piece.text;
    else if (index < values.size())
      out += values[index];
  }
  return out;
}

Wording wording::make(std::string_view pattern, fmt::format_args arguments, std::span<const Value> kinds) {
  std::vector<Wording> values(kinds.size());
  for (const PatternPiece& piece : pieces_of(std::string(pattern))) {
    if (piece.value < 0) continue;
    const auto index = static_cast<std::size_t>(piece.value);
    if (kinds[index].wording != nullptr) {
      values[index] = *kinds[index].wording;
      continue;
    }
    std::string text = fmt::vformat(fmt::format("{{{}{}}}", index, piece.form), arguments);
    values[index] = kinds[index].own_word ? Wording(text.c_str()) : Wording(std::move(text));
  }
  return {fmt::vformat(pattern, arguments), std::string(pattern), std::move(values)};
}

Wording joined(const std::vector<Wording>& parts, const char* pattern) {
  Wording out;
  for (const Wording& part : parts) {
    if (part.empty()) continue;
    out = out.empty() ? part : Wording(with_values(pattern, {out, part}), pattern, {out, part});
  }
  return out;
}

}  // namespace lanescope
