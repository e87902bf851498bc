#pragma once
// Demangles names.

#include <cstddef>
#include <string>
#include <string_view>

namespace lanescope {

// "void reduce<float, 4>(float*, int)"; empty if the name is not mangled.
std::string demangled(const std::string& mangled);
// Where the parameters of a demangled function begin: at the last parenthesis that opens at depth 0; npos if there is
// none.
std::size_t parameter_list(const std::string& demangled);
// The function's name as in the source, without unnamed namespaces: "reduce<float, 4>"; the name unchanged if it is not
// mangled.
std::string source_name(const std::string& mangled);

// The name of a kernel without namespaces and template arguments: "lib::copy<float>" → "copy".
std::string kernel_base_name(std::string_view kernel);

}  // namespace lanescope
