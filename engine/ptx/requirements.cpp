#include "ptx/requirements.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "core/worded.h"
#include "ptx/lexer.h"
#include "ptx/opcode.h"

namespace lanescope::ptx {
namespace {

struct Version {
  int major = 0, minor = 0;
  auto operator<=>(const Version&) const = default;
};
constexpr Version newest_known{9, 0};  // that of requirements.def

struct Target {
  int number = 0;
  char kind = '\0';  // 'a', 'f' or none
};

// The first "sm_…" of a text; 0 if there is none.
Target target_of(std::string_view text) {
  Target target;
  const std::size_t at = text.find("sm_");
  if (at == std::string_view::npos) return target;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data() + at + 3, end, target.number);
  if (status == std::errc{} && stop != end && (*stop == 'a' || *stop == 'f')) target.kind = *stop;
  if (target.number == 101) target.number = 110;  // its name before PTX ISA 9.0
  return target;
}

Version version_of(std::string_view text) {
  Version version;
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return version;
  std::from_chars(text.data(), text.data() + dot, version.major);
  std::from_chars(text.data() + dot + 1, text.data() + text.size(), version.minor);
  return version;
}

template <typename Visit>
void for_each_part(std::string_view text, char separator, Visit&& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

struct Requirement {
  std::vector<std::vector<std::string_view>> words;  // one of each
  std::size_t operands = 0;                          // exactly as many; 0: any number
  std::string_view version, targets;
  bool ends = false;  // a GONE row
};

using OfOpcode = std::vector<Requirement>;

const OfOpcode& requirements_of(Opcode opcode) {
  static const auto all = [] {
    std::array<OfOpcode, static_cast<std::size_t>(Opcode::count_)> result;
    const auto add = [&](Opcode of, std::string_view words, std::string_view version, std::string_view targets,
                         bool ends) {
      Requirement& row = result[static_cast<std::size_t>(of)].emplace_back();
      row.version = version;
      row.targets = targets;
      row.ends = ends;
      for_each_part(words, ' ', [&](std::string_view choice) {
        if (choice.starts_with('#')) {
          row.operands = static_cast<std::size_t>(choice[1] - '0');
          return;
        }
        auto& list = row.words.emplace_back();
        for_each_part(choice, '|', [&](std::string_view word) { list.push_back(word); });
      });
    };
#define NEEDS(opcode, words, version, targets) add(Opcode::opcode, words, version, targets, false);
#define GONE(opcode, version, targets) add(Opcode::opcode, "", version, targets, true);
#include "ptx/requirements.def"
    return result;
  }();
  return all[static_cast<std::size_t>(opcode)];
}

bool fits(const Requirement& row, const Instruction& instruction) {
  if (row.operands != 0 && row.operands != instruction.operands.size()) return false;
  return std::ranges::all_of(row.words, [&](const auto& choice) {
    return std::ranges::any_of(instruction.modifiers, [&](const std::string& written) {
      return std::ranges::find(choice, std::string_view(written)) != choice.end();
    });
  });
}

bool is_one_of(const Target& target, std::string_view targets) {
  if (targets.empty()) return true;
  bool found = false;
  for_each_part(targets, ' ', [&](std::string_view word) {
    const Target wanted = target_of(word);
    const bool same_family = target.number / 10 == wanted.number / 10;
    if (wanted.kind == '\0')
      found |= target.number >= wanted.number;
    else if (wanted.kind == 'f')
      found |= target.kind != '\0' && same_family && target.number >= wanted.number;
    else
      found |= target.kind == 'a' && target.number == wanted.number;
  });
  return found;
}

// "sm_100 or later", "sm_100f or sm_110f": what a target must be.
Wording text_of_targets(std::string_view targets) {
  if (target_of(targets).kind == '\0') return worded("{} or later", targets);
  std::vector<std::string> names;
  for_each_part(targets, ' ', [&](std::string_view word) { names.emplace_back(word); });
  Wording text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i)
    text = i + 1 < names.size() ? worded("{}, {}", text, names[i]) : worded("{} or {}", text, names[i]);
  return text;
}

// The table says which own targets of a family have an instruction only as far as its version goes.
bool may_be_newer(const Target& target, const Version& version, const Requirement& row) {
  return target_of(row.targets).kind != '\0' && target.number >= 100 && version > newest_known;
}

}  // namespace

std::vector<Unmet> unmet_requirements(const Instruction& instruction, std::string_view written, const Module& module) {
  const OfOpcode& rows = requirements_of(instruction.opcode);
  if (rows.empty()) return {};
  const Target target = target_of(module.target);
  const Version version{module.version_major, module.version_minor};
  if (target.number == 0 || version.major == 0) return {};
  // The last rows of an opcode ask for the most.
  const Requirement *by_target = nullptr, *by_version = nullptr;
  std::vector<Unmet> found;
  for (const Requirement& row : rows) {
    if (!fits(row, instruction)) continue;
    if (row.ends) {
      if (version >= version_of(row.version) && is_one_of(target, row.targets))
        found.push_back({"not_on_target",
                         worded("'{}' without .sync ended with PTX ISA {} on {}; this PTX is for {}", written,
                                row.version, text_of_targets(row.targets), module.target),
                         "Write it with .sync, and the mask of its lanes as the last operand."});
      continue;
    }
    if (!is_one_of(target, row.targets) && !may_be_newer(target, version, row)) by_target = &row;
    if (version < version_of(row.version) &&
        (by_version == nullptr || version_of(by_version->version) < version_of(row.version)))
      by_version = &row;
  }
  if (by_target != nullptr)
    found.push_back(
        {"not_on_target",
         worded("'{}' needs {}; this PTX is for {}", written, text_of_targets(by_target->targets), module.target),
         worded("Make the PTX for such a target (.target {}), or use other instructions.",
                by_target->targets.substr(0, by_target->targets.find(' ')))});
  if (by_version != nullptr)
    found.push_back({"not_in_version",
                     worded("'{}' needs PTX ISA {}; this PTX is of version {}.{}", written, by_version->version,
                            module.version_major, module.version_minor),
                     worded("Write .version {} or a later one.", by_version->version)});
  return found;
}

std::string target_named_in(std::string_view text) {
  Lexer lexer(text);
  for (Token token = lexer.next(); token.kind != Token::Kind::end && token.kind != Token::Kind::bad;
       token = lexer.next())
    if (token.is_dotted("target")) return std::string(lexer.next().text);
  return {};
}

bool loads(std::string_view arch, std::string_view target) {
  return is_one_of(Target{target_of(arch).number, 'a'}, target);
}

bool requires_by_operands(Opcode opcode) {
  return std::ranges::any_of(requirements_of(opcode), [](const Requirement& row) { return row.operands != 0; });
}

}  // namespace lanescope::ptx
