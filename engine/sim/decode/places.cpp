// Finds the place in the user's source for a PTX instruction.

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

#include "sim/decode/decode.h"
#include "sim/decode/places_in_common.h"

namespace lanescope::sim {

namespace {

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

const std::string& file_of(const ptx::Module& module, const ptx::SourceLocation& location) {
  static const std::string unknown;
  const auto index = static_cast<std::size_t>(location.file);
  return location.file > 0 && index < module.files.size() ? module.files[index] : unknown;
}

const ptx::SourceLocation* caller_of(const ptx::Module& module, const ptx::SourceLocation& location) {
  const auto index = static_cast<std::size_t>(location.inlined_at);
  if (location.inlined_at < 0 || index >= module.inlined_locations.size()) return nullptr;
  return &module.inlined_locations[index];
}

const ptx::SourceLocation& location_for(const ptx::Module& module, const ptx::SourceLocation& innermost,
                                        const std::string& user_file) {
  if (user_file.empty()) return innermost;
  const auto search = [&](auto&& matches) -> const ptx::SourceLocation* {
    // The chain is finite in a correct module. The bound protects against others.
    const ptx::SourceLocation* at = &innermost;
    for (int depth = 0; at != nullptr && depth < 1000; ++depth, at = caller_of(module, *at))
      if (matches(file_of(module, *at))) return at;
    return nullptr;
  };
  if (const auto* same = search([&](const std::string& file) { return file == user_file; })) return *same;
  if (const auto* alike =
          search([&](const std::string& file) { return !file.empty() && base_name(file) == base_name(user_file); }))
    return *alike;
  return innermost;
}

// The instruction itself if it has a source line; else the next one of its function that has one, else the last one
// before it. Moves at the head of a loop and stores that the compiler merged have none.
const ptx::Instruction& nearest_with_line(const ptx::Module& module, const ptx::Instruction& instruction) {
  for (const ptx::Function& function : module.functions) {
    const std::span<const ptx::Instruction> all(function.instructions);
    const auto at = std::ranges::find(all, &instruction, [](const ptx::Instruction& one) { return &one; });
    if (at == all.end()) continue;
    const auto has_line = [](const ptx::Instruction& one) { return one.source.line != 0; };
    if (const auto next = std::find_if(at, all.end(), has_line); next != all.end()) return *next;
    const auto before = std::find_if(std::make_reverse_iterator(at), all.rend(), has_line);
    return before != all.rend() ? *before : instruction;
  }
  return instruction;
}

}  // namespace

SourcePlace place_of(const ptx::Module& module, const ptx::Instruction& instruction, const std::string& user_file) {
  const ptx::Instruction& of_line = instruction.source.line != 0 ? instruction : nearest_with_line(module, instruction);
  const ptx::SourceLocation& location = location_for(module, of_line.source, user_file);
  if (location.line == 0) return {module.name, instruction.ptx_line, 0};
  return {file_of(module, location), location.line, location.column};
}

SourcePlace place_in_other_file(const ptx::Module& module, const ptx::Instruction& instruction,
                                const std::string& user_file) {
  const ptx::SourceLocation& innermost = instruction.source;
  if (innermost.line == 0 || innermost.file == location_for(module, innermost, user_file).file) return {};
  return {file_of(module, innermost), innermost.line, innermost.column};
}

SourcePlace place_in_own_file(const ptx::Module& module, const ptx::Instruction& instruction) {
  const ptx::SourceLocation* outermost = &instruction.source;
  for (int depth = 0; depth < 1000; ++depth) {
    const ptx::SourceLocation* caller = caller_of(module, *outermost);
    if (caller == nullptr) break;
    outermost = caller;
  }
  return place_of(module, instruction, file_of(module, *outermost));
}

std::vector<std::array<SourcePlace, 2>> places_in_common(const ptx::Module& module, const ptx::Instruction& one,
                                                         const ptx::Instruction& other) {
  std::vector<std::array<SourcePlace, 2>> found;
  constexpr int deepest = 1000;  // for modules whose chains do not end
  const ptx::SourceLocation* outer = &one.source;
  for (int depth = 0; outer != nullptr && depth < deepest; ++depth, outer = caller_of(module, *outer)) {
    const ptx::SourceLocation* of_other = &other.source;
    // Two locations of one call of an inlined function name the same call site.
    for (int step = 0; of_other != nullptr && of_other->inlined_at != outer->inlined_at && step < deepest; ++step)
      of_other = caller_of(module, *of_other);
    if (of_other == nullptr || of_other->inlined_at != outer->inlined_at) continue;
    if (outer->line == 0 || of_other->line == 0 || outer->file != of_other->file) continue;
    found.push_back({SourcePlace{file_of(module, *outer), outer->line, outer->column},
                     SourcePlace{file_of(module, *of_other), of_other->line, of_other->column}});
  }
  return found;
}

void place_site(trace::Site& site, const ptx::Module& module, const ptx::Instruction& instruction,
                const std::string& user_file) {
  const ptx::SourceLocation& location = location_for(module, instruction.source, user_file);
  site.file = file_of(module, location);
  site.line = location.line;
  site.column = location.column;
  site.ptx_line = instruction.ptx_line;
  site.inlined_from.clear();
  const ptx::SourceLocation& innermost = instruction.source;
  if (innermost.file != location.file || innermost.line != location.line)
    site.inlined_from = file_of(module, innermost) + ":" + std::to_string(innermost.line);
}

}  // namespace lanescope::sim
