#pragma once
// Tries a guessed launch, because names do not tell how far a kernel goes in its arrays.

#include <cstddef>

#include "job/request/launch_form.h"

namespace lanescope::job {

// Which of a form's values are no guesses.
struct GivenInForm {
  std::size_t arguments = 0;  // so many, from the first on
  bool shared = false;        // the bytes of dynamic shared memory
};

// The form with buffers and dynamic shared memory large enough for the launch: it is run, and what an access goes past
// is doubled, until no access does or the runs have executed 1.5 million warp instructions. The form stays as it is if
// it does not compile, or if no reasonable size is large enough.
LaunchForm fitted(const LaunchForm& form, const compile::Source& source, const GivenInForm& given);

}  // namespace lanescope::job
