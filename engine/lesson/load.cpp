// Folders of lessons: which files belong to a lesson, and whether they are consistent.

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "core/os/installation.h"
#include "core/worded.h"

#include "lesson/folder_bounds.h"
#include "lesson/lesson.h"
#include "lesson/lesson_file.h"
#include "lesson/marks.h"
#include "lesson/nearest.h"
#include "lesson/text.h"

namespace lanescope::lesson {

namespace {

namespace fs = std::filesystem;

Diagnostic problem(const char* code, SourcePlace place, Wording message, Wording cure) {
  return {Severity::error, code, std::move(place), std::move(message), std::move(cure)};
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    names.push_back(entry.path().filename().generic_string());
  std::sort(names.begin(), names.end());
  return names;
}

// The files of a lesson's folder and of its subfolder `tasks`.
std::vector<std::string> files_of(const fs::path& folder) {
  std::vector<std::string> names = names_in(folder);
  std::error_code ignored;
  if (!fs::is_directory(folder / "tasks", ignored)) return names;
  std::erase(names, "tasks");
  for (const std::string& name : names_in(folder / "tasks")) names.push_back("tasks/" + name);
  return names;
}

// "text.md" → "en", "text.zh-CN.md" → "zh-CN", else "".
std::string language_of(const std::string& file) {
  if (file == "text.md") return "en";
  if (file.starts_with("text.") && file.ends_with(".md") && file.size() > 8) return file.substr(5, file.size() - 8);
  return {};
}

// The files from which buffers are filled; each must be inside the folder.
std::set<std::string> read_from_buffers(const fs::path& folder, const Lesson& lesson, Diagnostics& problems) {
  std::set<std::string> names;
  for (const Variant& variant : lesson.variants)
    for (const auto* list : {&variant.arguments, &variant.buffers})
      for (const ArgumentSpec& argument : *list) {
        if (!argument.fill.starts_with('@') || !names.insert(argument.fill.substr(1)).second) continue;
        if (std::optional<Diagnostic> refused = not_within(folder.generic_string(), argument.fill.substr(1)))
          problems.push_back(*std::move(refused));
      }
  return names;
}

void read_files(const fs::path& folder, Lesson& lesson, Diagnostics& problems) {
  std::set<std::string> wanted;
  const std::set<std::string> data = read_from_buffers(folder, lesson, problems);
  for (const Variant& variant : lesson.variants) wanted.insert(variant.file);
  for (const Task& task : lesson.tasks) wanted.insert({task.start, task.solution});
  const std::vector<std::string> names = files_of(folder);
  for (const std::string& name : names) {
    if (name == "lesson.toml" || data.contains(name)) continue;
    const std::string language = language_of(name);
    if (language.empty() && !wanted.contains(name)) {
      problems.push_back(problem("lesson.stray_file", {(folder / name).generic_string()},
                                 name.starts_with("tasks/") ? "No task uses this file." : "No variant uses this file.",
                                 name.starts_with("tasks/")
                                     ? "Remove it, or name it as the `start` or `solution` of a task in lesson.toml."
                                     : "Remove it, or name it as the `file` of a variant in lesson.toml."));
      continue;
    }
    Result<std::string> text = read_within(folder.generic_string(), name);
    if (!text) {
      for (Diagnostic& error : text.take_errors()) problems.push_back(std::move(error));
    } else if (language.empty()) {
      for (Diagnostic& error : foreign_includes(*text, (folder / name).generic_string()))
        problems.push_back(std::move(error));
      lesson.sources[name] = std::move(*text);
    } else {
      lesson.text[language] = std::move(*text);
      lesson.text_files[language] = (folder / name).generic_string();
    }
  }
  for (const Variant& variant : lesson.variants)
    if (std::find(names.begin(), names.end(), variant.file) == names.end())
      problems.push_back(
          problem("lesson.missing_file", variant.place,
                  worded("Variant `{}` names `{}`, which is not in the folder.", variant.id, variant.file),
                  "Add the file, or correct the name."));
  for (const Task& task : lesson.tasks)
    for (const std::string& file : {task.start, task.solution})
      if (std::find(names.begin(), names.end(), file) == names.end())
        problems.push_back(problem("lesson.missing_file", task.place,
                                   worded("Task `{}` names `{}`, which is not in the folder.", task.id, file),
                                   "Add the file, or correct the name."));
  if (std::find(names.begin(), names.end(), "text.md") == names.end())
    problems.push_back(problem("lesson.missing_file", {(folder / "text.md").generic_string()},
                               "The lesson has no text.md.",
                               worded("Write one; {} shows its sections.", document("docs/add-a-lesson.md"))));
}

// `whose`: "`look` of variant `stride`".
void check_mark(const Lesson& lesson, const Variant& variant, const std::string& mark, const Wording& whose,
                const SourcePlace& place, Diagnostics& problems) {
  const auto source = lesson.sources.find(variant.file);
  if (mark.empty() || source == lesson.sources.end()) return;
  std::vector<std::string> known;
  for (const Mark& m : marks(source->second)) known.push_back(m.name);
  if (std::find(known.begin(), known.end(), mark) == known.end())
    problems.push_back(problem("lesson.bad_mark", place,
                               worded("{} refers to the mark `{}`, which {} does not have.", whose, mark, variant.file),
                               did_you_mean(mark, known)));
}

void check_looks(const Lesson& lesson, Diagnostics& problems) {
  for (const Variant& variant : lesson.variants)
    check_mark(lesson, variant, variant.look.mark, worded("`look` of variant `{}`", variant.id), variant.place,
               problems);
  for (const Question& question : lesson.questions)
    for (const Variant& variant : lesson.variants) {
      if (!question.applies_to(variant.id) || (question.variant.empty() && variant.gpu_only)) continue;
      const Wording whose = worded("Question `{}`", question.id);
      check_mark(lesson, variant, question.look.mark, whose, question.place, problems);
      check_mark(lesson, variant, question.lanes.mark, whose, question.place, problems);
    }
}

void check_mark_names(const fs::path& folder, const Lesson& lesson, Diagnostics& problems) {
  for (const auto& [file, source] : lesson.sources)
    for (const MarkClash& clash : mark_clashes(source))
      problems.push_back(
          problem("lesson.bad_mark", {(folder / file).generic_string(), clash.line},
                  worded("The mark `{}` has the same name as the phase `{}`: it would stand for the whole phase.",
                         clash.name, clash.phase),
                  "Give the mark another name, in the kernel and wherever it is used."));
}

// Checks that every named phase is marked in some kernel. A marked phase without a name counts as untranslated.
void check_phases(const fs::path& folder, Lesson& lesson, Diagnostics& problems) {
  std::set<std::string> marked, missing;
  for (const auto& [file, source] : lesson.sources)
    for (const Phase& phase : phases(source)) {
      marked.insert(phase.name);
      if (find_phase(lesson.phases, phase.name) != nullptr || !missing.insert(phase.name).second) continue;
      lesson.untranslated.push_back(problem(
          "lesson.languages_differ", {(folder / file).generic_string(), phase.lines.first},
          worded("The phase `{}` has no Chinese name.", phase.name),
          worded("Write a [[phase]] into lesson.toml: name = \"{0}\", title = {{ en = \"{0}\", zh-CN = \"…\" }}.",
                 phase.name)));
    }
  const std::vector<std::string> known(marked.begin(), marked.end());
  for (const PhaseName& phase : lesson.phases)
    if (!marked.contains(phase.name))
      problems.push_back(problem("lesson.unknown_name", phase.place,
                                 worded("No kernel marks a phase `{}`.", phase.name), did_you_mean(phase.name, known)));
}

}  // namespace

Result<Lesson> load(const std::string& folder_name) {
  const fs::path folder(folder_name);
  const fs::path file = folder / "lesson.toml";
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    return problem("lesson.no_such", {folder_name}, "There is no such folder.",
                   "Give the folder of a lesson, or of all lessons.");
  Result<std::string> text = read_within(folder_name, "lesson.toml");
  if (!text && fs::exists(file, ignored)) return text.take_errors();
  if (!text)
    return problem("lesson.io", {file.generic_string()}, "The folder has no readable lesson.toml.",
                   worded("Write one; {} begins with a complete example.", document("docs/add-a-lesson.md")));
  Result<Lesson> lesson = parse_lesson_file(*text, file.generic_string());
  if (!lesson) return lesson.take_errors();
  lesson->folder = folder_name;
  Diagnostics problems;
  read_files(folder, *lesson, problems);
  check_mark_names(folder, *lesson, problems);
  check_looks(*lesson, problems);
  check_phases(folder, *lesson, problems);
  for (const char* language : {"en", "zh-CN"})
    if (Result<Section> sentence = parse_sentence(*lesson, language); !sentence && problems.empty())
      problems = sentence.take_errors();
  for (const auto& [language, markdown] : lesson->text) {
    Result<Text> parsed = parse_text(*lesson, language);
    if (parsed) continue;
    for (Diagnostic& error : parsed.take_errors()) problems.push_back(std::move(error));
  }
  if (has_error(problems)) return problems;
  return lesson;
}

const Lesson* Library::find(const std::string& id) const {
  for (const Lesson& lesson : lessons)
    if (lesson.id == id) return &lesson;
  return nullptr;
}

std::optional<Diagnostic> clash(const Lesson& lesson, const Lesson& other) {
  if (lesson.id != other.id && lesson.order != other.order) return std::nullopt;
  return problem("lesson.duplicate_id", {lesson.folder + "/lesson.toml"},
                 worded("{} has the same id or order as {}.", lesson.folder, other.folder),
                 "Give it an id and an order of its own.");
}

Library load_library(const std::string& lessons_folder) {
  Library library;
  Diagnostics& problems = library.problems;
  std::error_code failed;
  if (!fs::is_directory(lessons_folder, failed)) {
    problems.push_back(problem("lesson.no_such", {lessons_folder}, "There is no such folder.",
                               "Give the folder that holds the lessons."));
    return library;
  }
  for (const std::string& name : names_in(lessons_folder)) {
    const fs::path folder = fs::path(lessons_folder) / name;
    if (name.starts_with('.')) continue;
    if (!fs::is_directory(folder, failed)) {
      problems.push_back(problem("lesson.stray_file", {folder.generic_string()}, "This file belongs to no lesson.",
                                 "Move it into a lesson's folder or remove it."));
      continue;
    }
    if (!fs::exists(folder / "lesson.toml", failed)) continue;
    Result<Lesson> lesson = load(folder.generic_string());
    if (lesson)
      library.lessons.push_back(std::move(*lesson));
    else
      for (Diagnostic& error : lesson.take_errors()) problems.push_back(std::move(error));
  }
  std::vector<Lesson>& lessons = library.lessons;
  std::sort(lessons.begin(), lessons.end(),
            [](const Lesson& a, const Lesson& b) { return a.order != b.order ? a.order < b.order : a.id < b.id; });
  for (std::size_t i = 0; i < lessons.size(); ++i)
    for (std::size_t j = i + 1; j < lessons.size(); ++j)
      if (std::optional<Diagnostic> shared = clash(lessons[j], lessons[i])) problems.push_back(*std::move(shared));
  return library;
}

std::optional<Lesson> load_one(const std::string& lessons_folder, const std::string& id) {
  std::error_code failed;
  std::vector<fs::path> may_be;
  for (const std::string& name : names_in(lessons_folder)) {
    const fs::path folder = fs::path(lessons_folder) / name;
    if (name.starts_with('.') || !fs::is_directory(folder, failed)) continue;
    const Result<std::string> text = read_within(folder.generic_string(), "lesson.toml");
    if (!text || text->empty()) continue;
    const std::string first = text->substr(0, text->find('\n'));
    constexpr std::string_view before = "id = \"";
    const bool plain = first.starts_with(before) && first.find('\\') == std::string::npos;
    if (!plain || first.substr(before.size()).starts_with(id + '"')) may_be.push_back(folder);
  }
  if (may_be.size() != 1) return std::nullopt;
  Result<Lesson> lesson = load(may_be.front().generic_string());
  if (!lesson || lesson->id != id) return std::nullopt;
  return std::move(*lesson);
}

Result<std::vector<Lesson>> load_all(const std::string& lessons_folder) {
  Library library = load_library(lessons_folder);
  if (has_error(library.problems)) return std::move(library.problems);
  return std::move(library.lessons);
}

}  // namespace lanescope::lesson
