#include "job/lesson/recording_parts.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <functional>
#include <set>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/os/message_codec.h"
#include "core/os/read_file.h"
#include "core/os/replace_file.h"
#include "core/os/system_error.h"
#include "core/text.h"
#include "core/worded.h"
#include "job/report/json.h"

namespace lanescope::job {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Result<std::monostate> written(const std::string& path, std::string_view text) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  if (const int reason = replace_file(path, {bytes}, Flush::to_disk); reason != 0)
    return cannot_write_recording(path, reason);
  return std::monostate{};
}

// Two plans with the same text measure the same.
std::string plan_of(const lesson::Lesson& lesson, const RecordOptions& options,
                    const std::vector<Measurement>& measurements) {
  std::string toml;
  (void)read_file(lesson.folder + "/lesson.toml", toml);
  Json plan{{"lanescope_recording_parts", 1},
            {"version", LANESCOPE_VERSION},
            {"lesson", lesson.id},
            {"lesson_hash", hash_of(toml)},
            {"seconds", options.timing.time_limit_seconds},
            {"samples", options.timing.max_samples},
            {"l2", gpu::to_string(options.timing.cache)},
            {"measurements", Json::array()}};
  for (const Measurement& one : measurements) plan["measurements"].push_back(identity_of(lesson, one));
  return dumped(plan, true) + "\n";
}

// Whether a file's name is one of those that recording_parts.h lists, or that replace_file() gives to a new one.
bool is_of_parts(const std::string& name) {
  return std::ranges::any_of(std::array{"plan.json", "part-", "missed-", "array-", "task-"},
                             [&](const char* begin) { return name.starts_with(begin); });
}

bool holds_other_files(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (!is_of_parts(entry.path().filename().generic_string())) return true;
  return false;
}

Diagnostic other_plan(const std::string& folder) {
  return {Severity::error,
          "recording.other_plan",
          {folder},
          "An earlier recording was interrupted here, of another text of the lesson, with other options or by another "
          "version of Lanescope.",
          "Give the same options as then, or delete the folder to measure everything anew."};
}

std::optional<std::size_t> number_in(std::string_view name, std::string_view kind) {
  if (!name.starts_with(kind) || !name.ends_with(".json")) return std::nullopt;
  name.remove_prefix(kind.size());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc{} && end == name.data() + name.size() - 5 ? std::optional(number) : std::nullopt;
}

// What compilers and drivers print need not be UTF-8.
std::string json_of_message(const Message& message) {
  return message.dump(-1, ' ', false, Message::error_handler_t::replace);
}

// A message file of this program; nullopt if it is damaged.
template <typename T>
std::optional<T> read_message(const std::string& path, const std::function<T(const Message&)>& read) {
  std::string text;
  if (read_file(path, text) != 0) return std::nullopt;
  try {
    return read(Message::parse(text));
  } catch (const Message::exception&) {
    return std::nullopt;
  }
}

bool holds_anything(const LessonRecording& recording) {
  return recording.empty_launch || !recording.runs.empty() || !recording.yardsticks.empty();
}

// Nodes of a cluster start from the same program, but not from the same GPU or driver.
Diagnostic mixed(const std::string& folder, Wording difference) {
  return {Severity::error,
          "recording.mixed",
          {folder},
          worded("The runs come from machines that differ: {}.", std::move(difference)),
          "Name a partition whose nodes have the same GPU and driver, delete the folder and record again."};
}

}  // namespace

Wording difference_of_machines(const LessonRecording& one, const LessonRecording& other) {
  const auto told = [](const std::string& a, const std::string& b) { return worded("{0} and {1}", a, b); };
  const gpu::Device &a = one.device, &b = other.device;
  if (a.name != b.name) return told(a.name, b.name);
  if (a.arch() != b.arch()) return told(a.arch(), b.arch());
  if (a.kernel_driver_version != b.kernel_driver_version)
    return told("driver " + a.kernel_driver_version, "driver " + b.kernel_driver_version);
  if (a.driver_version != b.driver_version) return told("CUDA " + a.driver_version, "CUDA " + b.driver_version);
  const auto rest = [](const gpu::Device& device) {
    return worded("{} multiprocessors, {} and {} kHz, L2 of {} bytes", device.multiprocessors, device.sm_clock_khz,
                  device.memory_clock_khz, device.l2_bytes);
  };
  if (const Wording one_rest = rest(a), other_rest = rest(b); one_rest != other_rest)
    return worded("{0} and {1}", one_rest, other_rest);
  // The empty launch and a yardstick are made without the compiler.
  if (!one.compiler.empty() && !other.compiler.empty() && one.compiler != other.compiler)
    return told(one.compiler, other.compiler);
  return {};
}

Result<RecordingParts> RecordingParts::open(std::string folder, const lesson::Lesson& lesson,
                                            const RecordOptions& options) {
  RecordingParts parts(std::move(folder), lesson.id, measurements_of(lesson, options));
  const std::string plan = plan_of(lesson, options, parts.measurements_), path = parts.folder_ + "/plan.json";
  std::error_code error;
  fs::create_directory(parts.folder_, error);
  if (error) return cannot_write_recording(parts.folder_, reason_of(error));
  std::string found;
  if (read_file(path, found) != 0 || found.empty()) {
    if (holds_other_files(parts.folder_)) return cannot_write_recording(parts.folder_, EEXIST);
    if (Result<std::monostate> put = written(path, plan); !put) return put.take_errors();
  } else if (found != plan) {
    return other_plan(parts.folder_);
  }
  for (std::size_t i = 0; i < parts.measurements_.size(); ++i)
    if (parts.is_made(i) && !open_recording(parts.path("part", i))) fs::remove(parts.path("part", i), error);
  return parts;
}

std::string RecordingParts::path(const char* kind, std::size_t number) const {
  return fmt::format("{}/{}-{:04}.json", folder_, kind, number);
}

bool RecordingParts::is_made(std::size_t index) const {
  std::error_code ignored;
  return fs::exists(path("part", index), ignored);
}

bool RecordingParts::is_missed(std::size_t index) const {
  std::error_code ignored;
  return fs::exists(path("missed", index), ignored);
}

std::vector<std::size_t> RecordingParts::not_made() const {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < measurements_.size(); ++i)
    if (!is_made(i)) list.push_back(i);
  return list;
}

Result<std::monostate> RecordingParts::put(std::size_t index, const LessonRecording& made,
                                           const Diagnostics& missed) const {
  if (!missed.empty()) {
    Message list = Message::array();
    for (const Diagnostic& one : missed) list.push_back(as_message(one));
    if (Result<std::monostate> put = written(path("missed", index), json_of_message(list)); !put) return put;
  }
  return holds_anything(made) ? save_recording(made, path("part", index)) : std::monostate{};
}

void RecordingParts::forget_missed() const {
  std::error_code ignored;
  for (std::size_t i = 0; i < measurements_.size(); ++i)
    if (!is_made(i)) fs::remove(path("missed", i), ignored);
}

Diagnostics RecordingParts::missed() const {
  Diagnostics all;
  for (std::size_t i = 0; i < measurements_.size(); ++i) {
    const auto list = read_message<Diagnostics>(path("missed", i), [](const Message& message) {
      Diagnostics read;
      for (const Message& one : message) read.push_back(from_message<Diagnostic>(one));
      return read;
    });
    if (list) all.insert(all.end(), list->begin(), list->end());
  }
  return all;
}

Result<LessonRecording> RecordingParts::joined() const {
  LessonRecording all;
  all.lesson = lesson_;
  std::string first_day, last_day;
  for (std::size_t i = 0; i < measurements_.size(); ++i) {
    if (!is_made(i)) continue;
    Result<LessonRecording> part = open_recording(path("part", i));
    if (!part) return part.take_errors();
    if (first_day.empty()) {
      first_day = last_day = part->date;
      all.device = part->device;
    }
    if (Wording difference = difference_of_machines(all, *part); !difference.empty())
      return mixed(folder_, std::move(difference));
    first_day = std::min(first_day, part->date);
    last_day = std::max(last_day, part->date);
    if (all.compiler.empty()) all.compiler = part->compiler;
    if (part->empty_launch) all.empty_launch = std::move(part->empty_launch);
    std::ranges::move(part->runs, std::back_inserter(all.runs));
    std::ranges::move(part->yardsticks, std::back_inserter(all.yardsticks));
    all.sass.merge(part->sass);
  }
  all.date = first_day == last_day ? first_day : first_day + "/" + last_day;
  return all;
}

int RecordingParts::times_sent_off() const {
  std::size_t most = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored))
    most = std::max(most, number_in(entry.path().filename().generic_string(), "array-").value_or(0));
  return static_cast<int>(most);
}

std::optional<SentOff> RecordingParts::last_sent_off() const {
  const int times = times_sent_off();
  if (times == 0) return std::nullopt;
  Result<SentOff> last = sent_off(times);
  return last ? std::optional(std::move(*last)) : std::nullopt;
}

Result<std::monostate> RecordingParts::add_sent_off(const SentOff& jobs) const {
  const Message message{{"name", jobs.name}, {"tasks", jobs.tasks}, {"measurements", jobs.measurements}};
  return written(path("array", static_cast<std::size_t>(times_sent_off()) + 1), json_of_message(message));
}

Result<SentOff> RecordingParts::sent_off(int time) const {
  const std::string file = path("array", static_cast<std::size_t>(time));
  const std::size_t count = measurements_.size();
  auto jobs = read_message<std::optional<SentOff>>(file, [count](const Message& message) -> std::optional<SentOff> {
    SentOff read{message.at("name"), message.at("tasks"), message.at("measurements")};
    const bool known = std::ranges::all_of(read.measurements, [count](std::size_t index) { return index < count; });
    return known && read.tasks > 0 ? std::optional(std::move(read)) : std::nullopt;
  });
  if (jobs && *jobs) return std::move(**jobs);
  return Diagnostic{Severity::error,
                    "recording.syntax",
                    {file},
                    "This list of measurements is missing or damaged.",
                    "Delete the folder and record again."};
}

std::string RecordingParts::log_of(int time) const {
  return fmt::format("{}/task-{:04}-%a.log", folder_, time);
}

std::string RecordingParts::last_words(int time) const {
  std::error_code ignored;
  const std::string prefix = fmt::format("task-{:04}-", time);
  std::set<std::string> logs;  // in an order that does not depend on the file system
  for (const auto& entry : fs::directory_iterator(folder_, ignored))
    if (entry.path().filename().generic_string().starts_with(prefix)) logs.insert(entry.path().generic_string());
  std::string last, error;
  for (const std::string& log : logs) {
    std::string text;
    if (read_file(log, text) != 0) continue;
    for (const std::string_view line : split(text, '\n')) {
      if (!trimmed(line).empty()) last = trimmed(line);
      if (contains(line, "error: ")) error = trimmed(line);
    }
  }
  constexpr std::size_t most = 300;
  return (error.empty() ? last : error).substr(0, most);
}

void RecordingParts::remove() const {
  std::error_code ignored;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder_, ignored))
    if (is_of_parts(entry.path().filename().generic_string())) files.push_back(entry.path());
  for (const fs::path& file : files) fs::remove(file, ignored);
  fs::remove(folder_, ignored);
}

}  // namespace lanescope::job
