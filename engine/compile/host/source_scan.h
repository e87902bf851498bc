#pragma once
// A shallow scan of CUDA C++ source for its declarations. It recognises comments, strings and preprocessor lines, and
// skips bodies. It never interprets a program: it only lists the kernels of a source for messages and finds the extent
// of a declaration that NVRTC refused.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct ScannedDeclaration {
  enum class Kind { function, variable, type, alias } kind = Kind::function;
  // Includes its namespaces: "outer::scale". For an alias the last name: `typedef … name;`, `using name = …;`, `using
  // std::name;`. Empty for `using namespace …;` and for friends.
  std::string name;
  std::vector<std::string> template_parameters;  // their names, "" for an unnamed one
  bool is_template = false;                      // has a non-empty template<…>
  std::string template_arguments;                // of a specialisation or instantiation: "<float, 4>"
  std::string parameters;                        // of a function, between its parentheses
  bool is_kernel = false;                        // __global__, directly or through a macro of this file
  bool is_device = false;                        // __device__, __constant__, __shared__ or __managed__, in the same way
  bool is_constexpr = false;
  // Byte range of the whole declaration. If a macro of this text declares it, that of the call, which other
  // declarations may share; then all of them count as device code if one of them is.
  std::size_t begin = 0, end = 0;
  std::size_t name_offset = 0;
  int line = 0;  // of the name
};

// The offset of a place in `text`; npos if it has fewer lines.
std::size_t offset_of(std::string_view text, int line, int column);

// Replaces by spaces: comments, the contents of string and character literals, preprocessor lines, and code excluded by
// `#if 0` or `#else`. Newlines and length stay the same.
std::string blank_non_code(std::string_view text);

// Declarations at namespace scope, in order. Never fails: skips what it cannot parse.
std::vector<ScannedDeclaration> scan_declarations(std::string_view text);

// Whether it is no declaration at all, but a statement, such as `while (1);`: it stands behind one `}` too many.
bool is_a_statement(std::string_view text, const ScannedDeclaration& declaration);

// The type that an alias of the text names: "float" of `typedef float real;`. Empty if it is not only words.
std::string aliased_type(std::string_view text, const ScannedDeclaration& alias);

// The members of the class, union or struct declared by `of`, in the same form. Places and lines refer to `text`.
// Nested classes count as members.
std::vector<ScannedDeclaration> scan_members(std::string_view text, const ScannedDeclaration& of);

// Whether the place in the text belongs to a data member of a class: in a class, but in none of its functions.
bool is_in_a_data_member(std::string_view text, int line, int column);

// The kernels of a source as a user names them, each once: "copy", "ns::scale", "reduce<T, N>" for a template,
// "reduce<float, 4>" for an instantiation.
std::vector<std::string> scan_kernels(std::string_view text);

// Whether CUDA C++ code defines main(), outside comments and of what its #if 0 leaves out: it is a program.
bool defines_main(std::string_view code);

// The byte ranges of all preprocessor directives outside comments, without the newline at their ends.
struct DirectiveRange {
  std::size_t begin = 0, end = 0;
};
std::vector<DirectiveRange> scan_directives(std::string_view text);

struct IncludeDirective {
  std::string name;
  bool angled = false;
  int line = 0;
};
// Every #include outside comments. Sets `computed` (if given) if one names a macro.
std::vector<IncludeDirective> scan_includes(std::string_view text, bool* computed = nullptr);

// The deepest nesting of (, [ and { in the code.
std::size_t bracket_depth(std::string_view text);

}  // namespace lanescope::compile
