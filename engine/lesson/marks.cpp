#include "lesson/marks.h"

#include <algorithm>
#include <cctype>

#include "core/text.h"

namespace lanescope::lesson {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_name_char);
}

std::string as_name(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_name({&c, 1}))
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  return out;
}

// For each such comment calls visit(line number, text after "// @", whether the comment stands alone). Returns the
// number of lines.
template <typename Visit>
int for_each_comment(std::string_view source, Visit&& visit) {
  int number = 0;
  while (!source.empty()) {
    const std::size_t end = source.find('\n');
    const std::string_view line = source.substr(0, end);
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
    ++number;
    const std::size_t slashes = line.find("//");
    if (slashes == std::string_view::npos) continue;
    const std::string_view comment = trimmed(line.substr(slashes + 2));
    if (comment.starts_with('@')) visit(number, comment.substr(1), trimmed(line.substr(0, slashes)).empty());
  }
  return number;
}

void add(std::vector<Mark>& marks, const std::string& name, LineRange lines) {
  for (Mark& mark : marks) {
    if (mark.name != name) continue;
    mark.lines.push_back(lines);
    return;
  }
  marks.push_back({name, {lines}});
}

}  // namespace

bool Mark::contains(int line) const {
  return std::any_of(lines.begin(), lines.end(),
                     [line](const LineRange& range) { return range.first <= line && line <= range.last; });
}

std::vector<Phase> phases(std::string_view source) {
  std::vector<Phase> found;
  const int last = for_each_comment(source, [&](int line, std::string_view text, bool) {
    if (!text.starts_with("phase ")) return;
    if (!found.empty()) found.back().lines.last = line - 1;
    found.push_back({std::string(trimmed(text.substr(6))), {line, line}});
  });
  if (!found.empty()) found.back().lines.last = last;
  return found;
}

std::string phase_of(const std::vector<Phase>& phases, int line) {
  for (const Phase& phase : phases)
    if (phase.lines.first <= line && line <= phase.lines.last) return phase.name;
  return {};
}

std::vector<MarkClash> mark_clashes(std::string_view source) {
  std::vector<MarkClash> found;
  const std::vector<Phase> all = phases(source);
  for_each_comment(source, [&](int line, std::string_view text, bool) {
    if (!is_name(text)) return;
    const auto phase =
        std::find_if(all.begin(), all.end(), [&](const Phase& one) { return as_name(one.name) == text; });
    if (phase != all.end()) found.push_back({std::string(text), line, phase->name});
  });
  return found;
}

std::vector<Mark> marks(std::string_view source) {
  std::vector<Mark> found;
  for_each_comment(source, [&](int line, std::string_view text, bool alone) {
    if (!is_name(text)) return;
    const int marked = alone ? line + 1 : line;
    add(found, std::string(text), {marked, marked});
  });
  for (const Phase& phase : phases(source)) add(found, as_name(phase.name), phase.lines);
  return found;
}

}  // namespace lanescope::lesson
