#pragma once
// Parts that several tables of lesson.toml share, and their checks. For the readers of lesson.toml.

#include <optional>
#include <string>
#include <vector>

#include "lesson/lesson.h"
#include "lesson/table_reader.h"

namespace lanescope::lesson {

// Checks that the name has only letters, digits and `_` and is not reserved in formulas. `kind` is for the message:
// "control".
void check_name(TableReader& reader, const std::string& name, const char* kind, const SourcePlace& place);

// A rule: `elements` with `count`, or `number`. nullopt if its formula is invalid.
std::optional<Check> read_check(const toml::table& table, const std::string& file, const Wording& what,
                                Findings& findings);
// `of`: the variant of the picture; it must have the launch.
Look read_look(const toml::table& table, const std::string& file, const Wording& what, const Variant& of,
               Findings& findings);

Point read_point(const toml::table& table, const std::string& file, Findings& findings);

// [[prediction]] and [[task]] of a lesson whose variants have been read.
void read_questions(TableReader& root, const std::string& file, Lesson& lesson, Findings& findings);
void read_tasks(TableReader& root, const std::string& file, Lesson& lesson, Findings& findings);

std::vector<std::string> buffers_of(const Variant& variant);

// Checks that every name in a variant's formulas is one of its controls (or, in rules, of its buffers).
void check_names(const Variant& variant, const Lesson& lesson, Diagnostics& problems);
// The same for one launch (`repeats`: `k` is allowed) and for one rule.
void check_names(const Variant& variant, const Launch& launch, bool repeats, Diagnostics& problems);
void check_names(const Variant& variant, const Check& check, Diagnostics& problems);

}  // namespace lanescope::lesson
