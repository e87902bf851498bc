#include "job/lesson/recording.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/fnv.h"
#include "core/json_fields.h"
#include "core/os/program_name.h"
#include "core/os/read_file.h"
#include "core/os/replace_file.h"
#include "core/os/system_error.h"
#include "core/worded.h"
#include "gpu/fields.h"
#include "job/report/json.h"

namespace lanescope::job {

template <typename Visit, ConstOr<RecordedRun> T>
void fields(Visit& visit, T& run) {
  visit("variant", run.variant);
  visit("size", run.size);
  visit("controls", run.controls);
  visit("source_hash", run.source_hash);
  fields(visit, run.attributes);
  visit("checked", run.checked);
  visit("checks_hold", run.checks_hold);
  visit("time", run.timing);
  visit.if_any("counters", run.counters);
}
static void completed(RecordedRun& run) {
  if (run.timing && run.timing->samples.empty()) run.timing.reset();  // all samples were discarded, so there is no time
}

template <ConstOr<RecordedSass> T>
auto columns(T& line) {
  return std::tie(line.address, line.line, line.text);
}

template <typename Visit, ConstOr<RecordedYardstick> T>
void fields(Visit& visit, T& one) {
  visit("id", one.id);
  visit("library", one.library);
  visit("size", one.size);
  visit("controls", one.controls);
  visit("count", one.count);
  visit("time", one.timing);
}

// The fields after the format and the hash.
template <typename Visit, ConstOr<LessonRecording> T>
void fields(Visit& visit, T& recording) {
  visit("lesson", recording.lesson);
  visit("date", recording.date);
  visit("device", recording.device);
  visit("compiler", recording.compiler);
  visit("runs", recording.runs);
  visit("sass", recording.sass);
  visit("yardsticks", recording.yardsticks);
  visit("empty_launch", recording.empty_launch);
}

namespace {

using Json = nlohmann::ordered_json;

// How values are written in a file of this format.
struct RecordingCodec : PlainCodec<Json> {
  int format = recording_format;

  using PlainCodec::read;
  using PlainCodec::written;

  Json written(gpu::CacheState cache) const { return gpu::to_string(cache); }
  // "flushed" before format 2 is what is now "overwritten".
  void read(const Json& json, gpu::CacheState& cache) const {
    const std::optional<gpu::CacheState> said = gpu::cache_state_from(json.get<std::string>());
    if (!said) (void)json.at("a state of the cache");  // damaged: throws
    cache = format < 2 && said == gpu::CacheState::flushed ? gpu::CacheState::overwritten : said.value();
  }

  // Whole nanoseconds: events have a resolution of 32.
  void write_seconds(Json& json, const std::string& key, const std::vector<double>& seconds) const {
    Json& list = json[key + "_ns"] = Json::array();
    for (const double one : seconds) list.push_back(std::llround(one * 1e9));
  }
  void read_seconds(const Json& json, const std::string& key, std::vector<double>& seconds) const {
    for (const Json& sample : json.at(key + "_ns")) seconds.push_back(sample.get<double>() * 1e-9);
  }
};

// A changed digit would be a measurement that was never made. So the file contains its own hash, computed with zeros in
// its place.
constexpr std::string_view check_key = R"("check":")";
constexpr std::string_view no_check = "0000000000000000";

class Hash {
 public:
  Hash& add(std::string_view text) {
    hash_ = fnv1a(text, hash_);
    return *this;
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = fnv1a_of_nothing;
};

bool is_as_written(std::string_view text) {
  const std::size_t key = text.find(check_key), begin = key + check_key.size(), end = begin + no_check.size();
  if (key == std::string_view::npos || end > text.size()) return false;
  return Hash().add(text.substr(0, begin)).add(no_check).add(text.substr(end)).text() ==
         text.substr(begin, no_check.size());
}

// True if all controls of the recording have the wanted values, except for `but`.
bool same_values(const std::map<std::string, std::int64_t>& recorded, const std::map<std::string, std::int64_t>& wanted,
                 const std::string& but = {}) {
  return std::ranges::all_of(recorded, [&](const auto& control) {
    if (control.first == but) return true;
    const auto value = wanted.find(control.first);
    return value != wanted.end() && value->second == control.second;
  });
}

std::string to_text(const LessonRecording& recording) {
  const Json json = FieldWriter<RecordingCodec>::object_of(
      recording, {}, {{"lanescope_recording", recording_format}, {"check", no_check}});
  std::string text = dumped(json, false) + "\n";
  return text.replace(text.find(check_key) + check_key.size(), no_check.size(), hash_of(text));
}

LessonRecording from_json(const Json& json) {
  LessonRecording recording;
  recording.format = json.at("lanescope_recording");
  RecordingCodec codec;
  codec.format = recording.format;
  FieldReader<RecordingCodec>::read_object(json, recording, codec);
  return recording;
}

// Every time must be positive, and a yardstick must have one.
bool plausible(const LessonRecording& recording) {
  const auto positive = [](const gpu::Timing& timing) {
    return std::ranges::all_of(timing.samples, [](double seconds) { return seconds > 0; });
  };
  if (recording.empty_launch && (recording.empty_launch->samples.empty() || !positive(*recording.empty_launch)))
    return false;
  return std::ranges::all_of(recording.runs,
                             [&](const RecordedRun& run) { return !run.timing || positive(*run.timing); }) &&
         std::ranges::all_of(recording.yardsticks, [&](const RecordedYardstick& one) {
           return !one.timing.samples.empty() && positive(one.timing);
         });
}

Diagnostic fault(std::string code, const std::string& path, Wording message, Wording cure) {
  return {.code = std::move(code), .place = {path}, .message = std::move(message), .cure = std::move(cure)};
}

}  // namespace

std::string hash_of(const std::string& text) {
  // The window calls this for the text on screen with each frame.
  thread_local struct { std::string text, hash; } last;
  constexpr std::size_t worth_keeping = std::size_t{1} << 16;
  if (text.size() > worth_keeping) return Hash().add(text).text();
  if (last.hash.empty() || last.text != text) last = {text, Hash().add(text).text()};
  return last.hash;
}

const RecordedRun* LessonRecording::find(const std::string& variant,
                                         const std::map<std::string, std::int64_t>& controls,
                                         const std::string& source_text) const {
  const std::string hash = hash_of(source_text);
  const auto found = std::ranges::find_if(runs, [&](const RecordedRun& run) {
    return run.variant == variant && run.source_hash == hash && same_values(run.controls, controls);
  });
  return found == runs.end() ? nullptr : &*found;
}

const RecordedYardstick* LessonRecording::find_yardstick(const std::string& id,
                                                         const std::map<std::string, std::int64_t>& controls) const {
  const auto found = std::ranges::find_if(
      yardsticks, [&](const RecordedYardstick& one) { return one.id == id && same_values(one.controls, controls); });
  return found == yardsticks.end() ? nullptr : &*found;
}

std::vector<const RecordedRun*> LessonRecording::sweep(const std::string& variant, const std::string& control,
                                                       const std::map<std::string, std::int64_t>& controls,
                                                       const std::string& source_text) const {
  const std::string hash = hash_of(source_text);
  std::map<std::int64_t, const RecordedRun*> found;  // the first per value, as in find()
  for (const RecordedRun& run : runs) {
    if (run.variant != variant || run.source_hash != hash) continue;
    const auto value = run.controls.find(control);
    if (value != run.controls.end() && same_values(run.controls, controls, control)) found.emplace(value->second, &run);
  }
  std::vector<const RecordedRun*> list;
  for (const auto& [value, run] : found)
    if (run->timing && !run->timing->samples.empty()) list.push_back(run);
  return list;
}

compile::Sass LessonRecording::machine_code(const std::string& variant) const {
  compile::Sass code;
  code.arch = device.arch();
  const auto kept = sass.find(variant);
  if (kept == sass.end()) return code;
  for (const RecordedSass& line : kept->second) {
    compile::SassInstruction instruction{.address = line.address, .text = line.text, .line = line.line};
    if (const std::size_t space = line.text.find(' '); line.text.starts_with('@') && space != std::string::npos) {
      instruction.predicate = line.text.substr(0, space);
      instruction.text = line.text.substr(space + 1);
    }
    code.instructions.push_back(std::move(instruction));
  }
  return code;
}

Wording LessonRecording::label() const {
  return worded("{}, driver {}, {}, {}", device.name,
                device.kernel_driver_version.empty() ? "CUDA " + device.driver_version : device.kernel_driver_version,
                compiler, date);
}

Result<LessonRecording> open_recording(const std::string& path) {
  std::string text;
  if (read_file(path, text) != 0)
    return fault("recording.io", path, "The recording cannot be read.",
                 "Check that the file is there and may be read.");
  const Json json = parsed_json(text);
  const Wording again = worded(
      "Get the file again, or record again on a machine with a GPU: `{} record LESSON -o FILE`.", program_name());
  const Diagnostic damaged = fault("recording.syntax", path, "This is not a recording, or it is damaged.", again);
  if (!json.is_object() || !json.contains("lanescope_recording") || !json["lanescope_recording"].is_number_integer())
    return damaged;
  if (json["lanescope_recording"].get<int>() > recording_format)
    return fault("recording.newer", path,
                 worded("The recording has format {}; this program reads up to {}.",
                        json["lanescope_recording"].get<int>(), recording_format),
                 "Update Lanescope.");
  if (!is_as_written(text)) return damaged;
  try {
    LessonRecording recording = from_json(json);
    if (!plausible(recording)) return damaged;
    return recording;
  } catch (const Json::exception&) {
    return damaged;
  }
}

Diagnostic cannot_write_recording(const std::string& path, int reason) {
  return fault("recording.io", path, worded("The recording cannot be written: {}.", system_error(reason)),
               "Check the folder's permissions and the free space.");
}

Result<std::monostate> save_recording(const LessonRecording& recording, const std::string& path) {
  if (const int reason = replace_file(path, to_text(recording))) return cannot_write_recording(path, reason);
  return std::monostate{};
}

namespace {

// Reads the beginning that to_text() writes; a file that begins in another way may be of any lesson.
bool is_of_another(const std::string& lesson, const std::filesystem::path& path) {
  constexpr std::string_view key = R"("lesson":")";
  std::string head(256, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  const std::size_t at = head.find(key);
  return at != std::string::npos && at + key.size() + lesson.size() < head.size() &&
         !head.substr(at + key.size()).starts_with(lesson + '"');
}

std::vector<LessonRecording> open_some(const std::string& folder,
                                       const std::function<bool(const std::filesystem::path&)>& wanted,
                                       Diagnostics& problems) {
  std::vector<std::filesystem::path> paths;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".json" && wanted(entry.path())) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<LessonRecording> list;
  for (const auto& path : paths) {
    Result<LessonRecording> recording = open_recording(path.generic_string());
    if (recording)
      list.push_back(std::move(*recording));
    else
      for (Diagnostic& problem : recording.take_errors()) problems.push_back(std::move(problem));
  }
  return list;
}

}  // namespace

std::vector<LessonRecording> open_recordings(const std::string& folder, Diagnostics& problems) {
  return open_some(
      folder, [](const auto&) { return true; }, problems);
}

std::vector<LessonRecording> open_recordings_of(const std::string& lesson, const std::string& folder,
                                                Diagnostics& problems) {
  return open_some(
      folder, [&](const std::filesystem::path& path) { return !is_of_another(lesson, path); }, problems);
}

}  // namespace lanescope::job
