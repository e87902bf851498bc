#include "ptx/locations.h"

#include <limits>

namespace lanescope::ptx {

bool Locations::place(Reader& reader, SourceLocation& location) {
  for (std::int32_t* field : {&location.file, &location.line, &location.column}) {
    const Token at = reader.token();
    const auto value = reader.unsigned_number("a file, a line and a column");
    if (!value) return false;
    if (*value > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
      return reader.fail(at, "syntax", "this number is too large for a position in a file");
    *field = static_cast<std::int32_t>(*value);
  }
  return true;
}

bool Locations::parse(Reader& reader) {
  SourceLocation location;
  if (!place(reader, location)) return false;
  if (reader.accept(',')) {
    std::string_view label;
    std::int64_t addend = 0;
    SourceLocation site;
    bool inlined = false;
    do {
      const auto attribute = reader.identifier("function_name or inlined_at");
      if (!attribute) return false;
      if (attribute->text == "function_name") {
        const auto name = reader.identifier("a label");
        if (!name) return false;
        label = name->text;
        if (reader.at('+')) {
          const auto value = reader.constant();
          if (!value) return false;
          addend = static_cast<std::int64_t>(value->bits);
        }
      } else if (attribute->text == "inlined_at") {
        if (!place(reader, site)) return false;
        inlined = true;
      } else {
        return reader.fail(*attribute, "syntax", "expected function_name or inlined_at");
      }
    } while (reader.accept(','));
    if (inlined) location.inlined_at = call_site(site, label, addend);
  }
  chains_[{location.file, location.line, location.column}] = location.inlined_at;
  current_ = location;
  return true;
}

std::int32_t Locations::call_site(SourceLocation site, std::string_view label, std::int64_t addend) {
  const auto chain = chains_.find({site.file, site.line, site.column});
  site.inlined_at = chain == chains_.end() ? -1 : chain->second;
  const auto [entry, is_new] = sites_.try_emplace({site.file, site.line, site.column, site.inlined_at, label, addend},
                                                  static_cast<std::int32_t>(module_.inlined_locations.size()));
  if (is_new) {
    module_.inlined_locations.push_back(site);
    names_.push_back({label, addend});
  }
  return entry->second;
}

void Locations::begin_function() {
  current_ = {};
  chains_.clear();
}

void Locations::parse_debug_strings(Reader& reader) {
  while (!reader.at('}') && !reader.at_end()) {
    if (reader.token().kind == Token::Kind::identifier)
      labels_[reader.token().text] = bytes_.size();
    else if (reader.token().kind == Token::Kind::integer)
      bytes_ += static_cast<char>(reader.token().bits);
    reader.advance();
  }
}

void Locations::finish() {
  module_.inlined_functions.resize(names_.size());
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto label = labels_.find(names_[i].label);
    if (label == labels_.end()) continue;
    const std::uint64_t begin = label->second + static_cast<std::uint64_t>(names_[i].addend);
    if (begin >= bytes_.size()) continue;
    module_.inlined_functions[i] = bytes_.c_str() + begin;  // up to its terminating zero
  }
  merge_equal_sites();
}

// Different labels may have the same name: merges locations that are equal after resolving them.
void Locations::merge_equal_sites() {
  std::map<std::tuple<int, int, int, int, std::string>, std::int32_t> known;
  std::vector<std::int32_t> merged;
  std::vector<SourceLocation> sites;
  std::vector<std::string> functions;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    SourceLocation site = module_.inlined_locations[i];
    if (site.inlined_at >= 0) site.inlined_at = merged[static_cast<std::size_t>(site.inlined_at)];
    const std::string& function = module_.inlined_functions[i];
    const auto [place, is_new] = known.try_emplace({site.file, site.line, site.column, site.inlined_at, function},
                                                   static_cast<std::int32_t>(sites.size()));
    merged.push_back(place->second);
    if (!is_new) continue;
    sites.push_back(site);
    functions.push_back(function);
  }
  if (sites.size() == names_.size()) return;
  module_.inlined_locations = std::move(sites);
  module_.inlined_functions = std::move(functions);
  for (Function& function : module_.functions)
    for (Instruction& instruction : function.instructions)
      if (std::int32_t& at = instruction.source.inlined_at; at >= 0) at = merged[static_cast<std::size_t>(at)];
}

}  // namespace lanescope::ptx
