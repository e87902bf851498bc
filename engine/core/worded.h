#pragma once
// worded("{} of {} lanes", 3, 32): fmt::format() for translatable messages. The pattern must be a literal: it is the
// key of a row of engine/words/messages.def.

#include <concepts>
#include <span>
#include <string_view>
#include <type_traits>

#include <fmt/core.h>

#include "core/wording.h"

namespace lanescope {
namespace wording {

// What a value is besides its English text: a wording that is also translated, or, for `const char*`, a word of this
// program.
struct Value {
  const Wording* wording = nullptr;
  bool own_word = false;
};

template <typename T>
Value value_of(const T& value) {
  if constexpr (std::derived_from<T, Wording>)
    return {.wording = &value};
  else
    return {.own_word = std::is_same_v<std::decay_t<T>, const char*> || std::is_same_v<std::decay_t<T>, char*>};
}

Wording make(std::string_view pattern, fmt::format_args arguments, std::span<const Value> values);

}  // namespace wording

template <typename... T>
Wording worded(fmt::format_string<T...> pattern, T&&... values) {
  const wording::Value kinds[] = {wording::value_of(values)..., {}};
  const fmt::string_view text = pattern;
  return wording::make({text.data(), text.size()}, fmt::make_format_args(values...), std::span(kinds, sizeof...(T)));
}

// Joins texts; the pattern "{} {}" tells how.
Wording joined(const std::vector<Wording>& parts, const char* pattern);

}  // namespace lanescope
