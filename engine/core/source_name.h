#pragma once
// Demangles names.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

// "void reduce<float, 4>(float*, int)"; empty if the name is not mangled.
std::string demangled(const std::string& mangled);
// Where the parameters of a demangled function begin: at the last parenthesis that opens at depth 0; npos if there is
// none.
std::size_t parameter_list(const std::string& demangled);
// The function's name as in the source, without unnamed namespaces: "reduce<float, 4>"; the name unchanged if it is not
// mangled.
std::string source_name(const std::string& mangled);

// A name for people, of `most` characters where that is possible: template arguments become "…", the innermost ones
// first. "device_kernel<Gemm<tuple<int, int>, Mainloop<8>>>" → "device_kernel<Gemm<tuple<…>, Mainloop<…>>>" →
// "device_kernel<…>". Of a mangled name, which was too complicated to be demangled, the beginning: "lib::copy<…>".
// Names that differ may have the same short name.
std::string short_name(const std::string& name, std::size_t most);

// Of each name. Different names that have the same short name get numbers: "copy<…> #1", "copy<…> #2".
std::vector<std::string> short_names(const std::vector<std::string>& names, std::size_t most);

// The name of a kernel without namespaces and template arguments: "lib::copy<float>" → "copy".
std::string kernel_base_name(std::string_view kernel);

}  // namespace lanescope
