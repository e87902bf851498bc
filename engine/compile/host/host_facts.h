#pragma once
// The declarations of a source that HostConstants uses.

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::compile {

// A variable, or a parameter of a function or template, which hides outer variables of the same name.
struct HostVariable {
  std::string initialiser;                 // without its = or brackets
  bool known = true;                       // false: a parameter, or declared without a value
  bool is_extent = false;                  // dim3
  bool is_real = false, is_whole = false;  // of a floating type; of an integer type; neither for auto
  std::string type;                        // without blanks, specifiers and stars: "unsignedint"
  bool is_pointer = false;                 // or a reference
  bool is_parameter = false;               // or declared in the head of a `for`
  std::vector<std::string> lengths;        // of an array: "N", "" for []
  std::vector<std::string> owners;         // what may stand before its ::, the struct, class, namespace or enum
  // Of a dim3: `name.x = …;` in the scope of the variable, at most one for each member.
  struct Member {
    std::string value;      // empty: none
    std::size_t begin = 0;  // offset of the statement
  };
  std::array<Member, 3> members;
  std::size_t begin = 0;      // offset of its name
  std::size_t scope_end = 0;  // end of its scope
  int set_again = 0;          // line of the first statement that may change it; 0 = none
};

// `#define name(parameters) body`, or a function that only returns an expression.
struct HostFunction {
  std::vector<std::string> parameters;
  std::string body;
  bool has_parameters = true;
  bool ambiguous = false;      // it has several different definitions
  bool returns_whole = false;  // its return type is an integer type, so its value is truncated
};

struct HostFacts {
  std::multimap<std::string, HostVariable, std::less<>> variables;
  std::map<std::string, HostFunction, std::less<>> functions;
  std::map<std::string, HostFunction, std::less<>>
      macros;  // and aliases of types, which sizeof takes as it does macros

  // What a macro or alias of this name stands for; else the word itself.
  std::string_view type_behind(std::string_view word) const {
    const auto at = macros.find(word);
    return at == macros.end() || at->second.has_parameters || at->second.ambiguous ? word : at->second.body;
  }
};

// The innermost variable of this name that is visible at the offset, or nullptr. `variables` are those of HostFacts.
template <typename Variables>
auto innermost(Variables& variables, std::string_view name, std::size_t offset)
    -> decltype(&variables.begin()->second) {
  decltype(&variables.begin()->second) best = nullptr;
  const auto [begin, end] = variables.equal_range(name);
  for (auto at = begin; at != end; ++at)
    if (at->second.begin < offset && offset < at->second.scope_end &&
        (best == nullptr || best->begin <= at->second.begin))
      best = &at->second;
  return best;
}

// The macros that the text defines, wherever.
std::map<std::string, HostFunction, std::less<>> find_macros(std::string_view text);

// Name and text of the macro that stands in the line where a name is declared, as N in `int N`; `text` defines it.
// `column`: where it stands, from 1; 0 = anywhere.
std::optional<std::pair<std::string, std::string>> macro_as_name(std::string_view line, int column,
                                                                 std::string_view text);

HostFacts find_host_facts(std::string_view text);

}  // namespace lanescope::compile
