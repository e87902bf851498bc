// lanescope check DIR: checks everything that the lessons state.

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/input/lessons.h"
#include "cli/output/output.h"
#include "core/os/installation.h"
#include "core/worded.h"
#include "job/lesson/lesson_check.h"
#include "job/report/json.h"
#include "lesson/text.h"

namespace lanescope::cli {

namespace {

namespace fs = std::filesystem;

// A lesson of our own needs a unique id and order, even if it is checked alone.
void compare_with_the_others(lesson::Library& library) {
  const lesson::Lesson& lesson = library.lessons.front();
  std::error_code failed;
  const fs::path own = fs::canonical(lesson.folder, failed);
  if (failed || !fs::equivalent(own.parent_path(), lessons_folder(), failed)) return;
  for (const lesson::Lesson& other : lesson::load_library(own.parent_path().generic_string()).lessons)
    if (std::optional<Diagnostic> shared = lesson::clash(lesson, other);
        shared && !fs::equivalent(other.folder, own, failed))
      library.problems.push_back(*std::move(shared));
}

// A lesson of ours may be named by its id.
std::string folder_named(const std::string& name) {
  std::error_code ignored;
  if (fs::exists(name, ignored)) return name;
  const Result<lesson::Lesson> known = find_lesson(name);
  return known ? known->folder : name;
}

lesson::Library load(const std::string& folder) {
  std::error_code ignored;
  // A folder with a kernel but without lesson.toml is meant as a lesson.
  bool looks_like_a_lesson = fs::exists(fs::path(folder) / "lesson.toml", ignored);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    looks_like_a_lesson |= entry.path().extension() == ".cu";
  if (!looks_like_a_lesson) return lesson::load_library(folder);
  lesson::Library library;
  Result<lesson::Lesson> lesson = lesson::load(folder);
  if (lesson) {
    library.lessons.push_back(std::move(*lesson));
    compare_with_the_others(library);
  } else {
    library.problems = lesson.take_errors();
  }
  return library;
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// The number of comparisons, so that "holds" means something.
std::string summary(const lesson::Lesson& lesson) {
  std::size_t rules = 0, numbers = 0;
  for (const lesson::Variant& variant : lesson.variants) rules += variant.checks.size();
  for (const auto& [language, markdown] : lesson.text)
    if (const Result<lesson::Text> text = lesson::parse_text(lesson, language))
      for (const lesson::Section& section : text->sections)
        for (const lesson::Piece& piece : section.pieces) numbers += piece.kind != lesson::Piece::Kind::markdown;
  return fmt::format("{}, {}, {}, {}, {} in {}", counted(lesson.variants.size(), "variant"), counted(rules, "rule"),
                     counted(lesson.questions.size(), "question"), counted(lesson.tasks.size(), "task"),
                     counted(numbers, "number"), counted(lesson.text.size(), "text"));
}

}  // namespace

int check(const CheckOptions& options) {
  lesson::Library library = load(folder_named(options.folder));
  Diagnostics& problems = library.problems;
  std::string told;
  nlohmann::ordered_json checked = nlohmann::ordered_json::array();
  // If a recording cannot be read, every time in a text would count as not measured.
  const std::vector<job::LessonRecording> recordings =
      library.lessons.empty() ? std::vector<job::LessonRecording>{} : shipped_recordings(problems);
  for (const lesson::Lesson& lesson : library.lessons) {
    const Diagnostics found = job::check_lesson(lesson, job::measured_in(lesson, recordings));
    const bool holds = !has_error(found);
    told += fmt::format("{}: {} ({})\n", lesson.id, holds ? "everything holds" : "WRONG", summary(lesson));
    checked.push_back({{"id", lesson.id}, {"holds", holds}});
    problems.insert(problems.end(), found.begin(), found.end());
  }
  if (library.lessons.empty() && problems.empty())
    problems.push_back(
        {Severity::error,
         "lesson.no_such",
         {options.folder},
         "The folder contains no lesson.",
         worded("A lesson is a folder with a lesson.toml; {} shows one.", document("docs/add-a-lesson.md"))});
  print_diagnostics(problems);
  if (options.json) {
    nlohmann::ordered_json json = job::document_head();
    json["lessons"] = std::move(checked);
    json["diagnostics"] = job::diagnostics_json(problems);
    told = job::dumped(json, true) + "\n";
  }
  const bool printed = print(told);
  // Every error in a lesson, even an impossible launch, is a failed check (exit code 1). A missing folder or compiler
  // is not.
  const int code = exit_code(problems);
  if (code == 2 && problems.front().code != "lesson.no_such") return 1;
  return code ? code : printed ? 0 : 1;
}

}  // namespace lanescope::cli
