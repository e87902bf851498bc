#pragma once
// Names that the compiler has mangled.

#include <cstddef>
#include <string>
#include <string_view>

namespace lanescope {

// "void reduce<float, 4>(float*, int)"; empty when the name is not mangled.
std::string demangled(const std::string& mangled);
// Where the parameters of a demangled function begin: the last parenthesis that opens at depth 0; npos when there is
// none.
std::size_t parameter_list(const std::string& demangled);
// The function's name as the source writes it, without unnamed namespaces: "reduce<float, 4>"; the name itself when it
// is not mangled.
std::string source_name(const std::string& mangled);

// The name of a kernel as a source writes it, without namespaces and template arguments: "copy" of "lib::copy<float>".
std::string kernel_base_name(std::string_view kernel);

}  // namespace lanescope
