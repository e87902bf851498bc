#pragma once
// Tries a guessed launch, because names do not tell how far a kernel goes in its arrays.

#include <cstddef>
#include <optional>
#include <string_view>

#include "job/request/launch_form.h"

namespace lanescope::job {

// Which of a form's values are no guesses.
struct GivenInForm {
  std::size_t arguments = 0;  // so many, from the first on
  bool shared = false;        // the bytes of dynamic shared memory
  bool block = false;
};
GivenInForm given_by(const FormOrigin& origin);

// The argument that the message of an access out of bounds names: 1 in "8 bytes past the end of arg 1 (f32[4096])".
struct NamedArgument {
  std::size_t index = 0;
  std::string_view before;  // of the message: "8 bytes past the end"
};
std::optional<NamedArgument> argument_in(std::string_view message);

// The form with buffers and dynamic shared memory large enough for the launch, and contents for buffers that it reads
// unwritten: it is run, and what an access goes past is doubled, until no access does or the runs have executed 1.5
// million warp instructions. If the kernel has no dynamic shared memory, its block is halved instead. The form stays as
// it is if it does not compile, or if no reasonable size is large enough.
LaunchForm fitted(const LaunchForm& form, const compile::Source& source, const GivenInForm& given,
                  sim::Progress* progress = nullptr);

}  // namespace lanescope::job
