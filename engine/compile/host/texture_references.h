#pragma once
// `texture<float> tex;`: a texture reference, which CUDA 12 and its compilers no longer have.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct TextureReference {
  std::string name;
  std::string element;  // "float", as in texture<float, 1>
  int line = 0, column = 0;
};

// Those that a source declares at any scope, in order.
std::vector<TextureReference> texture_references(std::string_view text);

}  // namespace lanescope::compile
