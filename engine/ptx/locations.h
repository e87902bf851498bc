#pragma once
// Parses `.loc` lines, and the names of inlined functions in `.section .debug_str` at the end of the text.

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"
#include "ptx/reader.h"

namespace lanescope::ptx {

class Locations {
 public:
  explicit Locations(Module& module) : module_(module) {}

  // Parses what follows `.loc`: `file line column [, function_name label[+n], inlined_at file line column]`.
  bool parse(Reader& reader);
  // The source location of the following instructions.
  const SourceLocation& current() const { return current_; }
  void begin_function();

  // The contents of `.section .debug_str { … }`, up to its closing brace.
  void parse_debug_strings(Reader& reader);
  // Call after the whole text was read: fills Module::inlined_functions.
  void finish();

 private:
  bool place(Reader& reader, SourceLocation& location);
  std::int32_t call_site(SourceLocation site, std::string_view label, std::int64_t addend);
  void merge_equal_sites();

  Module& module_;
  SourceLocation current_;
  // Maps a location to its latest call chain in this function: inlined_at refers to an earlier location.
  std::map<std::tuple<int, int, int>, std::int32_t> chains_;
  std::map<std::tuple<int, int, int, int, std::string_view, std::int64_t>, std::int32_t> sites_;
  struct Name {
    std::string_view label;
    std::int64_t addend = 0;
  };
  std::vector<Name> names_;  // parallel to Module::inlined_locations
  std::unordered_map<std::string_view, std::size_t> labels_;
  std::string bytes_;
};

}  // namespace lanescope::ptx
