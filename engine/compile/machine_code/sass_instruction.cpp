#include "compile/machine_code/sass_instruction.h"

#include <algorithm>

#include "core/text.h"

namespace lanescope::compile {
namespace {

std::string cut_out(std::string_view text, std::size_t begin, std::size_t end) {
  return begin == std::string_view::npos || end == std::string_view::npos || end < begin
             ? std::string()
             : std::string(text.substr(begin, end - begin));
}

}  // namespace

bool SassParts::has(std::string_view modifier) const {
  return std::ranges::find(modifiers, modifier) != modifiers.end();
}

bool SassParts::has_modifier_beginning(std::string_view lead) const {
  return std::ranges::any_of(modifiers, [&](const std::string& one) { return one.starts_with(lead); });
}

bool SassParts::has_modifier_containing(std::string_view part) const {
  return std::ranges::any_of(modifiers, [&](const std::string& one) { return one.find(part) != std::string::npos; });
}

std::string_view sass_opcode(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t."));
}

SassParts parse_sass(std::string_view text) {
  SassParts parts;
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  parts.opcode = std::string(sass_opcode(word));
  if (word.size() > parts.opcode.size())
    for (const std::string_view modifier : split(word.substr(parts.opcode.size() + 1), '.'))
      parts.modifiers.emplace_back(modifier);
  if (const std::string_view rest = trimmed(text.substr(word.size())); !rest.empty())
    for (const std::string_view operand : split(rest, ',')) parts.operands.emplace_back(trimmed(operand));
  const std::size_t last = text.rfind(']');
  parts.place = cut_out(text, text.find('['), last == std::string_view::npos ? last : last + 1);
  if (const std::size_t label = text.find("(."); label != std::string_view::npos)
    parts.target = cut_out(text, label + 1, text.find(')', label));
  return parts;
}

}  // namespace lanescope::compile
