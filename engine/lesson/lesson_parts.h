#pragma once
// Pieces of lesson.toml that several of its tables share, and what is checked of them. For the readers of lesson.toml.

#include <optional>
#include <string>
#include <vector>

#include "lesson/lesson.h"
#include "lesson/table_reader.h"

namespace lanescope::lesson {

// Letters, digits and `_`, and no word of the formulas' own; `kind` is for the message: "control".
void check_name(TableReader& reader, const std::string& name, const char* kind, const SourcePlace& place);

// A rule: `elements` with `count`, or `number`. nullopt when its formula is none.
std::optional<Check> read_check(const toml::table& table, const std::string& file, const Wording& what,
                                Findings& findings);
// `of` is the variant whose picture it is about: it must have the launch.
Look read_look(const toml::table& table, const std::string& file, const Wording& what, const Variant& of,
               Findings& findings);

Point read_point(const toml::table& table, const std::string& file, Findings& findings);

// [[prediction]] and [[task]] of a lesson whose variants are read.
void read_questions(TableReader& root, const std::string& file, Lesson& lesson, Findings& findings);
void read_tasks(TableReader& root, const std::string& file, Lesson& lesson, Findings& findings);

std::vector<std::string> buffers_of(const Variant& variant);

// Every name in a variant's formulas is one of its controls (or, in rules, of its buffers).
void check_names(const Variant& variant, const Lesson& lesson, Diagnostics& problems);
// The same of one launch (`repeats`: `k` may be used) and of one rule.
void check_names(const Variant& variant, const Launch& launch, bool repeats, Diagnostics& problems);
void check_names(const Variant& variant, const Check& check, Diagnostics& problems);

}  // namespace lanescope::lesson
