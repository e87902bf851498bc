#pragma once
// "Did you mean …": the known name closest to one that is not known.

#include <span>
#include <string>
#include <string_view>

#include "core/wording.h"

namespace lanescope::lesson {

// The known name with the fewest single-character changes to `name` (insert, delete, replace, swap of neighbours);
// empty when even that one needs more than about a third of its letters changed.
std::string nearest(std::string_view name, std::span<const std::string> known);

// "a, b, c".
std::string joined(std::span<const std::string> names);

// A cure sentence: "Did you mean `x`? Known are: a, b, c." or without the first part.
Wording did_you_mean(std::string_view name, std::span<const std::string> known);

}  // namespace lanescope::lesson
