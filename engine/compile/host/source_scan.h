#pragma once
// A shallow scan of CUDA C++ source that finds its declarations. It recognises comments,
// strings and preprocessor lines, and skips bodies. It never decides
// what a program means: it names the kernels of a source for messages and lists, and finds the extent of a declaration
// that NVRTC objected to.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct ScannedDeclaration {
  enum class Kind { function, variable, type, alias } kind = Kind::function;
  // With its namespaces: "outer::scale". Of an alias the last name: `typedef … name;`, `using name = …;`, `using
  // std::name;`; empty for `using namespace …;` and for friends.
  std::string name;
  std::vector<std::string> template_parameters;  // their names, "" for an unnamed one
  bool is_template = false;                      // has a non-empty template<…>
  std::string template_arguments;                // of a specialisation or instantiation: "<float, 4>"
  bool is_kernel = false;                        // __global__, also through a macro of this file
  bool is_device = false;                        // __device__ (or __constant__, __shared__, __managed__), likewise
  bool is_constexpr = false;
  std::size_t begin = 0, end = 0;  // bytes of the whole declaration
  std::size_t name_offset = 0;
  int line = 0;  // of the name
};

// Comments, the insides of string and character literals, preprocessor lines, and what `#if 0` or an `#else` leaves
// out, all turned into spaces; newlines and length stay.
std::string blank_non_code(std::string_view text);

// Declarations at namespace scope, in order. Never fails: leaves out what it cannot parse.
std::vector<ScannedDeclaration> scan_declarations(std::string_view text);

// The members of a class, union or struct whose declaration is `of`, likewise; places and lines are those of `text`.
// Nested classes are members like others.
std::vector<ScannedDeclaration> scan_members(std::string_view text, const ScannedDeclaration& of);

// The kernels of a source as a user would name them, once each: "copy", "ns::scale", "reduce<T, N>" for a template,
// "reduce<float, 4>" for an instantiation.
std::vector<std::string> scan_kernels(std::string_view text);

struct IncludeDirective {
  std::string name;
  bool angled = false;
  int line = 0;
};
// Every #include outside comments. `computed` (when given) is set if one names a macro.
std::vector<IncludeDirective> scan_includes(std::string_view text, bool* computed = nullptr);

// The deepest nesting of (, [ and { in the code.
std::size_t bracket_depth(std::string_view text);

}  // namespace lanescope::compile
