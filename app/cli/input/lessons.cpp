#include "cli/input/lessons.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "cli/output/output.h"
#include "compile/toolchain.h"
#include "core/os/environment.h"
#include "core/os/installation.h"
#include "core/os/program_name.h"
#include "core/worded.h"
#include "lesson/nearest.h"

namespace lanescope::cli {

namespace fs = std::filesystem;

std::string data_folder(const std::string& name) {
  std::error_code failed;
  std::vector<fs::path> candidates;
  if (const auto root = value_of_variable("LANESCOPE_ROOT")) candidates.push_back(fs::path(*root) / name);
  if (const Installation& here = installation(); !here.data.empty() || here.is_wheel()) {
    candidates.push_back(here.data / name);
  } else {
    if (!here.program.empty()) candidates.push_back(here.program.parent_path() / "../.." / name);
    candidates.emplace_back(name);
  }
  for (const fs::path& candidate : candidates)
    if (fs::is_directory(candidate, failed)) return candidate.lexically_normal().generic_string();
  return {};
}

namespace {

// Empty if there is no such folder.
std::string recordings_folder() {
  const std::string assets = data_folder("assets");
  std::error_code failed;
  const fs::path folder = fs::path(assets) / "recordings";
  return assets.empty() || !fs::is_directory(folder, failed) ? std::string() : folder.generic_string();
}

}  // namespace

std::vector<job::LessonRecording> shipped_recordings(Diagnostics& problems) {
  const std::string folder = recordings_folder();
  return folder.empty() ? std::vector<job::LessonRecording>{} : job::open_recordings(folder, problems);
}

std::vector<job::LessonRecording> shipped_recordings(const std::string& lesson) {
  static bool told = false;
  const std::string folder = recordings_folder();
  if (folder.empty()) return {};
  Diagnostics problems;
  std::vector<job::LessonRecording> recordings = job::open_recordings_of(lesson, folder, problems);
  for (Diagnostic& problem : problems) problem.severity = Severity::warning;
  if (!std::exchange(told, true)) print_diagnostics(problems);
  return recordings;
}

Wording cure_of_unknown_command(const std::string& name, const std::vector<std::string>& known) {
  if (name == "help") return worded("`{} --help` lists the commands.", program_name());
  const auto runs = [&](const std::string& id) {
    return worded("`{} run {}` runs the lesson.", program_name(), as_typed(id));
  };
  if (const std::string folder = lessons_folder(); !folder.empty() && !is_path(name)) {
    std::vector<std::string> ids;
    for (const lesson::Lesson& one : lesson::load_library(folder).lessons) ids.push_back(one.id);
    const std::string id = lesson::nearest(name, ids);
    if (id == name || (!id.empty() && lesson::nearest(name, known).empty())) return runs(id);
  }
  std::error_code none;
  if (fs::exists(fs::path(name) / "lesson.toml", none)) return runs(name);
  return cure_of_unknown(name, known);
}

Wording cure_of_unknown(const std::string& name, const std::vector<std::string>& known) {
  std::error_code none;
  if (fs::path(name).extension() != ".cu" || !fs::is_regular_file(name, none)) return lesson::did_you_mean(name, known);
  const auto with = [&](const char* command) {
    return std::string(program_name()) + " " + command + " " + as_typed(name);
  };
  return worded("`{}` runs a kernel of the file, `{}` the whole program, and `{}` opens it in the window.",
                with("trace"), with("exec"), with("open"));
}

Diagnostics missing_lessons() {
  if (!lessons_folder().empty()) return {};
  return {{Severity::error,
           "lesson.no_such",
           {},
           "The lessons were not found.",
           compile::how_to_get({"lanescope"}, "Set LANESCOPE_ROOT to the folder that holds lessons/.")}};
}

Result<lesson::Lesson> find_lesson(const std::string& id) {
  std::error_code none;
  if (fs::is_regular_file(id, none) && fs::path(id).extension() == ".cu")
    return Diagnostic{
        Severity::error, "lesson.no_such", {}, worded("There is no lesson `{}`.", id), cure_of_unknown(id, {})};
  if (is_path(id)) return lesson::load(fs::path(id).generic_string());  // without looking at other lessons
  if (Diagnostics missing = missing_lessons(); !missing.empty()) return missing;
  const std::string folder = lessons_folder();
  if (std::optional<lesson::Lesson> only = lesson::load_one(folder, id)) return std::move(*only);
  lesson::Library library = lesson::load_library(folder);
  if (const lesson::Lesson* found = library.find(id)) return *found;
  if (fs::exists(fs::path(id) / "lesson.toml", none)) return lesson::load(id);
  std::error_code other;  // LANESCOPE_ROOT may name another folder
  const bool are_own = fs::equivalent(folder, installation().data / "lessons", other);
  for (const std::string& file : are_own ? missing_data(installation()) : std::vector<std::string>())
    if (file.find("_" + id + "/") != std::string::npos)
      return Diagnostic{Severity::error,
                        "lesson.no_such",
                        {},
                        worded("The lesson `{}` lacks a file: {}.", id, folder + file.substr(file.find('/'))),
                        compile::how_to_get({"lanescope"}, "")};
  std::vector<std::string> known;
  for (const lesson::Lesson& lesson : library.lessons) known.push_back(lesson.id);
  // The wanted lesson may be one that did not load.
  Diagnostics errors = std::move(library.problems);
  errors.insert(errors.begin(), Diagnostic{Severity::error,
                                           "lesson.no_such",
                                           {},
                                           worded("There is no lesson `{}`.", id),
                                           lesson::did_you_mean(id, known)});
  return errors;
}

Result<const lesson::Variant*> find_variant(const lesson::Lesson& lesson, const std::string& id) {
  if (id.empty()) return &lesson.variants.front();
  if (const lesson::Variant* found = lesson.find_variant(id)) return found;
  std::vector<std::string> known;
  for (const lesson::Variant& variant : lesson.variants) known.push_back(variant.id);
  if (std::ranges::find(lesson.yardsticks, id, &lesson::Yardstick::id) != lesson.yardsticks.end())
    return Diagnostic{
        Severity::error,
        "lesson.yardstick",
        {},
        worded("`{}` is a yardstick of the lesson `{}`: a library's own code, which can be timed on a GPU but not "
               "interpreted or changed.",
               id, lesson.id),
        worded("The lesson's text shows its recorded times; to measure it here: `{} record {} -o FILE`. "
               "Variants to run: {}.",
               program_name(), lesson.id, lesson::joined(known))};
  return Diagnostic{Severity::error,
                    "lesson.no_such_variant",
                    {},
                    worded("The lesson `{}` has no variant `{}`.", lesson.id, id),
                    lesson::did_you_mean(id, known)};
}

Result<lesson::ControlValues> parse_settings(const std::vector<std::string>& settings) {
  lesson::ControlValues values;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    std::int64_t value = 0;
    const char* end = setting.data() + setting.size();
    const char* begin = equals == std::string::npos ? end : setting.data() + equals + 1;
    const auto parsed = std::from_chars(begin, end, value);
    if (equals == 0 || begin == end || parsed.ec != std::errc{} || parsed.ptr != end)
      return Diagnostic{Severity::error,
                        "command.bad_setting",
                        {},
                        worded("`--set {}` is not understood.", setting),
                        "Write it like `--set stride=8`."};
    values[setting.substr(0, equals)] = value;
  }
  return values;
}

}  // namespace lanescope::cli
