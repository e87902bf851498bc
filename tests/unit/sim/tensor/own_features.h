#pragma once
// Texts with instructions that sm_90, the target of the other tests, does not have.

#include <string>
#include <utility>

namespace lanescope::sim::test {

// `text`: a module for sm_90.
inline std::string for_target(const char* target, std::string text) {
  const std::string written = ".target sm_90";
  return text.replace(text.find(written), written.size(), std::string(".target ") + target);
}
inline std::string for_sm_90a(std::string text) {  // wgmma
  return for_target("sm_90a", std::move(text));
}

}  // namespace lanescope::sim::test
