#pragma once
// Cures for those who can change a lesson's code, and nothing else of it.

#include <span>

#include "core/diagnostic.h"

namespace lanescope::job {

std::span<const OwnCure> cures_in_a_lesson();

}  // namespace lanescope::job
