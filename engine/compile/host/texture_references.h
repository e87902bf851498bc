#pragma once
// Finds texture references such as `texture<float> tex;`, which CUDA 12 and its compilers no longer support.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct TextureReference {
  std::string name;
  std::string element;  // "float", as in texture<float, 1>
  int line = 0, column = 0;
};

// The texture references that a source declares in any scope, in order.
std::vector<TextureReference> texture_references(std::string_view text);

}  // namespace lanescope::compile
