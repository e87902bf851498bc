#pragma once
// Names of kernels as people write them.

#include <string>
#include <string_view>

namespace lanescope {

// One of several kernels of a name is named with its type: "(void (*)(float*, int))lib::copy" → "lib::copy".
std::string_view without_cast(std::string_view kernel);

// The same from its signature: "lib::copy(float*, int)" → "(void (*)(float*, int))lib::copy". Any other name unchanged.
std::string with_cast(std::string_view kernel);

// The reverse: "(void (*)(float*))copy" → "copy(float*)", for people.
std::string as_signature(std::string_view kernel);

// True if both can name the same kernel: the shorter may leave out outer namespaces, as code inside them does, and
// template arguments do not count. "copy" and "lib::copy<int>" can, "a::copy" and "b::copy" cannot.
bool may_be_same_kernel(std::string_view a, std::string_view b);

}  // namespace lanescope
