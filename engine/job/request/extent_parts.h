#pragma once
// The numbers of a dim3, each by itself. Internal to job/request.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::job {

class LaunchConstants;  // job/request/launch_constants.h

struct ExtentPart {
  std::string expression;             // as in the text, in one line
  std::optional<std::int64_t> value;  // if it can be evaluated
};

// The numbers of `dim3(…)`, or of a dim3 variable that only its declaration sets. Empty for any other expression.
// `text`: that of `constants`.
std::vector<ExtentPart> parts_of_extent(const LaunchConstants& constants, std::string_view text,
                                        std::string_view expression, std::size_t offset);

}  // namespace lanescope::job
