#include "gui/state/state_store.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/os/environment.h"
#include "core/os/files.h"
#include "core/os/read_file.h"
#include "core/os/replace_file.h"
#include "core/os/system_error.h"
#include "core/worded.h"
#include "job/report/json.h"

namespace lanescope::gui {
namespace {

namespace fs = std::filesystem;

Diagnostic cannot_save(const std::string& path, const Wording& reason) {
  return {Severity::error,
          "state.io",
          {path, 0, 0},
          worded("The file could not be saved: {}.", reason),
          "Free some space or make the folder writable; the text is still in the window."};
}

// Creates the folder if necessary.
Result<std::monostate> save_file(const std::string& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) return cannot_save(path, system_error(reason_of(error)));
  if (const int reason = replace_file(path, text)) return cannot_save(path, system_error(reason));
  return std::monostate{};
}

std::optional<std::string> what_is_in(const std::string& path) {
  // A larger file, or one that is not a regular file, was not written by this program.
  constexpr std::size_t most = std::size_t{4} << 20;
  std::string text;
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return std::nullopt;
  return read_file(path, text, most) == 0 ? std::optional(std::move(text)) : std::nullopt;
}

using Json = nlohmann::ordered_json;

// Takes the value of a key if it is there and of the right kind. Damaged settings are as none.
void take_value(const Json& from, const char* key, std::map<std::string, std::string>& into) {
  if (const auto found = from.find(key); found != from.end() && found->is_object())
    for (const auto& [name, value] : found->items())
      if (value.is_string()) into[name] = value.get<std::string>();
}

void take_value(const Json& from, const char* key, std::vector<std::string>& into) {
  if (const auto found = from.find(key); found != from.end() && found->is_array())
    for (const auto& one : *found)
      if (one.is_string()) into.push_back(one.get<std::string>());
}

template <typename T>
void take_value(const Json& from, const char* key, T& into) {
  const auto found = from.find(key);
  if (found == from.end()) return;
  const bool fits = std::is_same_v<T, std::string> ? found->is_string()
                    : std::is_same_v<T, bool>      ? found->is_boolean()
                    : std::is_arithmetic_v<T>      ? found->is_number() && std::abs(found->get<double>()) < 1e9
                                                   : false;
  if (fits) into = found->template get<T>();
}

}  // namespace

std::string StateStore::default_folder() {
  return state_folder();
}

std::string StateStore::edit_path(const std::string& lesson, const std::string& variant) const {
  return folder_ + "/edits/" + lesson + "/" + variant + ".cu";
}

std::string StateStore::launches_path(const std::string& file) const {
  return folder_ + "/edits/" + file + "/launches.json";
}

Result<std::monostate> StateStore::save_launches(const std::string& file, const std::string& text) const {
  if (!keeps()) return std::monostate{};
  return save_file(launches_path(file), text);
}

std::string StateStore::launches(const std::string& file) const {
  return keeps() ? what_is_in(launches_path(file)).value_or("") : "";
}

Result<std::monostate> StateStore::save_edit(const std::string& lesson, const std::string& variant,
                                             const std::string& text) const {
  if (!keeps()) return std::monostate{};
  return save_file(edit_path(lesson, variant), text);
}

void StateStore::remove_edit(const std::string& lesson, const std::string& variant) const {
  std::error_code ignored;
  if (keeps()) fs::remove(edit_path(lesson, variant), ignored);
}

std::optional<std::string> StateStore::edit(const std::string& lesson, const std::string& variant) const {
  return keeps() ? what_is_in(edit_path(lesson, variant)) : std::nullopt;
}

Result<std::monostate> StateStore::save(const SavedSettings& s) const {
  if (!keeps()) return std::monostate{};
  nlohmann::ordered_json programs = nlohmann::ordered_json::object();
  for (const auto& [path, one] : s.programs)
    programs[path] = {{"arguments", one.arguments},
                      {"folder", one.folder},
                      {"include_paths", one.include_paths},
                      {"defines", one.defines}};
  const nlohmann::ordered_json json = {{"theme", s.theme},
                                       {"language", s.language},
                                       {"lesson", s.lesson},
                                       {"variants", s.variant_of},
                                       {"device", s.device},
                                       {"place", s.place},
                                       {"l2", s.l2},
                                       {"recent_runs", s.recent_runs},
                                       {"programs", programs},
                                       {"answers", s.answers},
                                       {"passed", s.passed},
                                       {"zoom", s.zoom},
                                       {"reduce_motion", s.reduce_motion},
                                       {"width", s.width},
                                       {"height", s.height}};
  return save_file(folder_ + "/settings.json", job::dumped(json, true) + "\n");
}

SavedSettings StateStore::settings() const {
  SavedSettings s;
  const auto text = keeps() ? what_is_in(folder_ + "/settings.json") : std::nullopt;
  if (!text) return s;
  const nlohmann::ordered_json json = job::parsed_json(*text);
  if (!json.is_object()) return s;
  const auto take = [&](const char* key, auto& into) { take_value(json, key, into); };
  take("theme", s.theme);
  take("language", s.language);
  take("lesson", s.lesson);
  take("device", s.device);
  take("place", s.place);
  bool warm = false;  // from older settings, which only had two states
  take("l2_warm", warm);
  if (warm) s.l2 = "warm";
  take("l2", s.l2);
  take("zoom", s.zoom);
  take("reduce_motion", s.reduce_motion);
  take("width", s.width);
  take("height", s.height);
  take("variants", s.variant_of);
  std::map<std::string, std::string> answers;
  take("answers", answers);
  for (const auto& [question, given] : answers) {
    const std::size_t values = given.find('@');  // stood there in older settings
    s.answers[values == std::string::npos ? question : question + given.substr(values)] = given.substr(0, values);
  }
  take("recent_runs", s.recent_runs);
  take("passed", s.passed);
  if (const auto programs = json.find("programs"); programs != json.end() && programs->is_object())
    for (const auto& [path, one] : programs->items()) {
      KeptProgram& kept = s.programs[path];
      take_value(one, "arguments", kept.arguments);
      take_value(one, "folder", kept.folder);
      take_value(one, "include_paths", kept.include_paths);
      take_value(one, "defines", kept.defines);
    }
  return s;
}

StateLock::StateLock(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  taken_ = open_to_append(folder + "/in_use", Readers::this_user, file_) == 0 &&
           lock_file(file_.get()) == Lock::held_by_another;
}

}  // namespace lanescope::gui
