#include "lesson/lesson_parts.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/worded.h"

#include "lesson/nearest.h"

namespace lanescope::lesson {

namespace {

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

void check_name(TableReader& reader, const std::string& name, const char* kind, const SourcePlace& place) {
  if (name.empty()) return;  // already reported as missing
  if (!is_identifier(name))
    reader.problem(place, "lesson.bad_name", worded("`{}` cannot name a {}.", name, kind),
                   "Use letters, digits and `_`, beginning with a letter.");
  else if (is_reserved(name))
    reader.problem(place, "lesson.bad_name", worded("`{}` cannot name a {}: formulas use that word.", name, kind),
                   "Choose another name.");
}

std::optional<Check> read_check(const toml::table& table, const std::string& file, const Wording& what,
                                Findings& findings) {
  TableReader reader(table, file, what, findings);
  Check check;
  const bool elements = reader.has("elements");
  check.kind = elements ? Check::Kind::elements : Check::Kind::number;
  const Expression written = reader.expression(elements ? "elements" : "number");
  if (elements) check.count = reader.expression("count");
  check.place = written.place;
  reader.refuse_unknown_keys();
  Result<Formula> formula =
      Formula::parse(written.text, elements ? Dialect::elements : Dialect::numbers, written.place);
  if (!formula) {
    for (Diagnostic& error : formula.take_errors()) findings.problems.push_back(std::move(error));
    return std::nullopt;
  }
  check.formula = std::move(*formula);
  if (!check.formula.is_comparison())
    reader.problem(check.place, "lesson.bad_formula", worded("The check `{}` compares nothing.", written.text),
                   "Write a comparison, such as `out[i] == in[i]`.");
  return check;
}

Look read_look(const toml::table& table, const std::string& file, const Wording& what, const Variant& of,
               Findings& findings) {
  TableReader reader(table, file, what, findings);
  Look look;
  look.launch = static_cast<int>(std::clamp<std::int64_t>(reader.integer_or("launch", 1), 0, 1'000'000));
  if (look.launch < 1 || static_cast<std::size_t>(look.launch) > of.launches.size())
    reader.problem(reader.place(), "lesson.unknown_name", worded("Variant `{}` has no launch {}.", of.id, look.launch),
                   worded("It has {}.", of.launches.size()));
  look.mark = reader.text_or("mark", "");
  look.block = static_cast<std::uint32_t>(reader.integer_or("block", 0));
  look.warp = static_cast<std::uint32_t>(reader.integer_or("warp", 0));
  look.view = reader.text_or("view", "");
  static const std::vector<std::string> views{"",        "sectors",  "banks",  "shuffle", "groups",
                                              "atomics", "matrices", "phases", "running"};
  if (std::find(views.begin(), views.end(), look.view) == views.end())
    reader.problem(reader.place(), "lesson.unknown_name", worded("There is no view `{}`.", look.view),
                   did_you_mean(look.view, std::span(views).subspan(1)));
  reader.refuse_unknown_keys();
  return look;
}

// The known numbers are not available here: lesson_check compares the names with them.
Point read_point(const toml::table& table, const std::string& file, Findings& findings) {
  TableReader reader(table, file, "`point`", findings);
  Point point;
  point.place = point.sentence_place = reader.place();
  point.numbers = reader.texts_or_none("numbers");
  if (point.numbers.size() > most_point_numbers)
    reader.problem(reader.place(), "lesson.too_many",
                   worded("`numbers` of `point` names {} numbers.", point.numbers.size()),
                   worded("Name those that the lesson is about: {} at most.", most_point_numbers));
  point.heat = reader.text_or("heat", "");
  if (!point.heat.empty() && std::ranges::find(heat_names(), point.heat) == heat_names().end())
    reader.problem(reader.place(), "lesson.unknown_name", worded("There is no line heat `{}`.", point.heat),
                   did_you_mean(point.heat, heat_names()));
  point.sentence = reader.phrase_or("sentence", {});
  if (const toml::node* node = reader.node_or_none("sentence")) point.sentence_place = reader.place_of(*node);
  reader.refuse_unknown_keys();
  return point;
}

}  // namespace lanescope::lesson
