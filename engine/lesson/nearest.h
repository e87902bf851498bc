#pragma once
// "Did you mean …": finds the known name closest to an unknown one.

#include <span>
#include <string>
#include <string_view>

#include "core/wording.h"

namespace lanescope::lesson {

// The known name with the fewest single-character edits (insert, delete, replace, swap neighbours) from `name`; empty
// if it needs more than about a third of its letters changed.
std::string nearest(std::string_view name, std::span<const std::string> known);

// "a, b, c".
std::string joined(std::span<const std::string> names);

// A cure: "Did you mean `x`? Known are: a, b, c.", or without the first sentence.
Wording did_you_mean(std::string_view name, std::span<const std::string> known);

}  // namespace lanescope::lesson
