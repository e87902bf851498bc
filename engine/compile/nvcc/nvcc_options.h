#pragma once
// Options without which nvcc does not build a file, although the file is right: its own Makefile passes them.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

// The option whose absence this line or message tells of; empty: none.
std::string_view option_for(std::string_view message);

// Options that would help where nvcc ended with `log`; none that is in `given`.
std::vector<std::string> options_that_help(const std::string& log, const std::vector<std::string>& given);

}  // namespace lanescope::compile
