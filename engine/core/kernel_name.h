#pragma once
// Names of kernels as people write them.

#include <string_view>

namespace lanescope {

// One of several kernels of a name is named with its type: "(void (*)(float*, int))lib::copy" → "lib::copy".
std::string_view without_cast(std::string_view kernel);

// True if both can name the same kernel: the shorter may leave out outer namespaces, as code inside them does, and
// template arguments do not count. "copy" and "lib::copy<int>" can, "a::copy" and "b::copy" cannot.
bool may_be_same_kernel(std::string_view a, std::string_view b);

}  // namespace lanescope
