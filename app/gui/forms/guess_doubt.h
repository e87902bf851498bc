#pragma once
// A guessed launch that failed: which guess is likely wrong, and what to put in its place.

#include <cstdint>
#include <optional>

#include "job/request/launch_form.h"

namespace lanescope::gui {

struct GuessDoubt {
  enum class Field : std::uint8_t { several, block, argument } field = Field::several;
  std::size_t argument = 0;  // of the form
  Wording what, cure;
};

// `first`: the values that the form began with, `now`: those that ran, `problems`: what the run said. nullopt: it did
// not fail, or the values that it likely failed for are not guesses.
std::optional<GuessDoubt> doubt_of(const job::FormKernel& kernel, const job::LaunchForm& first,
                                   const job::LaunchForm& now, const Diagnostics& problems);

}  // namespace lanescope::gui
