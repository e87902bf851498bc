#pragma once
// PTX for tests: what every module begins with.

#include <string>

namespace lanescope::test {

// A module with `body` in it. Line 4 of the text is the body's first.
inline std::string ptx_module(const std::string& body, const std::string& target = "sm_90") {
  return ".version 8.7\n.target " + target + "\n.address_size 64\n" + body;
}

}  // namespace lanescope::test
