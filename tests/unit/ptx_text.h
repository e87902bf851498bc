#pragma once
// The head of a PTX module, for tests.

#include <string>

namespace lanescope::test {

// A module that contains `body`, which starts at line 4 of the text.
inline std::string ptx_module(const std::string& body, const std::string& target = "sm_90") {
  return ".version 8.7\n.target " + target + "\n.address_size 64\n" + body;
}

}  // namespace lanescope::test
