#pragma once
// Cures for users who can change only a lesson's source code.

#include <span>

#include "core/diagnostic.h"

namespace lanescope::job {

std::span<const OwnCure> cures_in_a_lesson();

}  // namespace lanescope::job
