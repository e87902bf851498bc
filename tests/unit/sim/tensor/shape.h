#pragma once
// What the tests of mma and of wmma share.

#include <string>

namespace lanescope::sim::test {

struct Shape {
  int m, n, k;
};

// The names of the registers that hold elements of a type.
inline std::string prefix_of(const std::string& type) {
  return type == "f64" ? "%fd" : type == "f32" ? "%f" : "%r";
}

}  // namespace lanescope::sim::test
