#include "job/lesson/recording.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/os/read_file.h"
#include "core/os/replace_file.h"
#include "core/os/system_error.h"
#include "core/program_name.h"
#include "core/worded.h"
#include "job/run/json.h"

namespace lanescope::job {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const gpu::Timing& timing) {
  // Whole nanoseconds: events count in steps of 32.
  std::vector<std::int64_t> samples;
  for (const double seconds : timing.samples) samples.push_back(std::llround(seconds * 1e9));
  return {{"samples_ns", samples},
          {"discarded", timing.discarded},
          {"cache", gpu::to_string(timing.cache)},
          {"sm_clock_khz", {timing.sm_clock_khz_low, timing.sm_clock_khz_high}},
          {"stopped_by", timing.stop_reason}};
}

// What "flushed" meant before format 2 is what "overwritten" says now.
gpu::CacheState cache_from(const Json& json, int format) {
  const std::optional<gpu::CacheState> cache = gpu::cache_state_from(json.get<std::string>());
  if (!cache) (void)json.at("a state of the cache");  // damaged: throws
  return format < 2 && cache == gpu::CacheState::flushed ? gpu::CacheState::overwritten : cache.value();
}

gpu::Timing timing_from(const Json& json, int format) {
  gpu::Timing timing;
  for (const Json& sample : json.at("samples_ns")) timing.samples.push_back(sample.get<double>() * 1e-9);
  timing.seconds = metrics::median_interval(timing.samples);
  timing.discarded = json.at("discarded");
  timing.cache = cache_from(json.at("cache"), format);
  timing.sm_clock_khz_low = json.at("sm_clock_khz").at(0);
  timing.sm_clock_khz_high = json.at("sm_clock_khz").at(1);
  timing.stop_reason = json.at("stopped_by");
  return timing;
}

Json to_json(const RecordedRun& run) {
  Json json{{"variant", run.variant},
            {"size", run.size},
            {"controls", run.controls},
            {"source_hash", run.source_hash},
            {"registers", run.attributes.registers},
            {"static_shared_bytes", run.attributes.static_shared_bytes},
            {"local_bytes", run.attributes.local_bytes},
            {"resident_blocks", run.attributes.resident_blocks_per_multiprocessor},
            {"occupancy", run.attributes.occupancy},
            {"checked", run.checked},
            {"checks_hold", run.checks_hold}};
  if (run.timing) json["time"] = to_json(*run.timing);
  if (!run.counters.empty()) json["counters"] = run.counters;
  return json;
}

RecordedRun run_from(const Json& json, int format) {
  RecordedRun run;
  run.variant = json.at("variant");
  run.size = json.at("size");
  run.controls = json.at("controls").get<std::map<std::string, std::int64_t>>();
  run.source_hash = json.at("source_hash");
  run.attributes.registers = json.at("registers");
  run.attributes.static_shared_bytes = json.at("static_shared_bytes");
  run.attributes.local_bytes = json.at("local_bytes");
  run.attributes.resident_blocks_per_multiprocessor = json.at("resident_blocks");
  run.attributes.occupancy = json.at("occupancy");
  run.checked = json.at("checked");
  run.checks_hold = json.at("checks_hold");
  if (json.contains("time")) run.timing = timing_from(json.at("time"), format);
  if (run.timing && run.timing->samples.empty()) run.timing.reset();  // all were discarded: no time
  if (json.contains("counters")) run.counters = json.at("counters").get<std::map<std::string, double>>();
  return run;
}

Json to_json(const gpu::Device& device) {
  return {{"name", device.name},
          {"compute_capability", {device.major, device.minor}},
          {"multiprocessors", device.multiprocessors},
          {"max_threads_per_multiprocessor", device.max_threads_per_multiprocessor},
          {"registers_per_multiprocessor", device.registers_per_multiprocessor},
          {"shared_bytes_per_multiprocessor", device.shared_bytes_per_multiprocessor},
          {"memory_bytes", device.memory_bytes},
          {"l2_bytes", device.l2_bytes},
          {"memory_clock_khz", device.memory_clock_khz},
          {"memory_bus_bits", device.memory_bus_bits},
          {"sm_clock_khz", device.sm_clock_khz},
          {"cuda", device.driver_version},
          {"driver", device.kernel_driver_version}};
}

gpu::Device device_from(const Json& json) {
  gpu::Device device;
  device.name = json.at("name");
  device.major = json.at("compute_capability").at(0);
  device.minor = json.at("compute_capability").at(1);
  device.multiprocessors = json.at("multiprocessors");
  device.max_threads_per_multiprocessor = json.at("max_threads_per_multiprocessor");
  device.registers_per_multiprocessor = json.at("registers_per_multiprocessor");
  device.shared_bytes_per_multiprocessor = json.at("shared_bytes_per_multiprocessor");
  device.memory_bytes = json.at("memory_bytes");
  device.l2_bytes = json.at("l2_bytes");
  device.memory_clock_khz = json.at("memory_clock_khz");
  device.memory_bus_bits = json.at("memory_bus_bits");
  device.sm_clock_khz = json.at("sm_clock_khz");
  device.driver_version = json.at("cuda");
  device.kernel_driver_version = json.at("driver");
  return device;
}

// A changed digit would be a measurement that nobody made: the file says its own hash, worked out with zeros in its
// place.
constexpr std::string_view check_key = R"("check":")";
constexpr std::string_view no_check = "0000000000000000";

class Hash {  // FNV-1a, 64 bits
 public:
  Hash& add(std::string_view text) {
    std::uint64_t hash = hash_;
    for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ull;
    hash_ = hash;
    return *this;
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

bool is_as_written(std::string_view text) {
  const std::size_t key = text.find(check_key), begin = key + check_key.size(), end = begin + no_check.size();
  if (key == std::string_view::npos || end > text.size()) return false;
  return Hash().add(text.substr(0, begin)).add(no_check).add(text.substr(end)).text() ==
         text.substr(begin, no_check.size());
}

// Of the values that both have, and the recording has no other.
bool same_values(const std::map<std::string, std::int64_t>& recorded, const std::map<std::string, std::int64_t>& wanted,
                 const std::string& but = {}) {
  return std::ranges::all_of(recorded, [&](const auto& control) {
    if (control.first == but) return true;
    const auto value = wanted.find(control.first);
    return value != wanted.end() && value->second == control.second;
  });
}

std::string to_text(const LessonRecording& recording) {
  Json json{{"lanescope_recording", recording_format},
            {"check", no_check},
            {"lesson", recording.lesson},
            {"date", recording.date},
            {"device", to_json(recording.device)},
            {"compiler", recording.compiler}};
  json["runs"] = Json::array();
  for (const RecordedRun& run : recording.runs) json["runs"].push_back(to_json(run));
  json["sass"] = Json::object();
  for (const auto& [variant, lines] : recording.sass) {
    Json list = Json::array();
    for (const RecordedSass& line : lines) list.push_back({line.address, line.line, line.text});
    json["sass"][variant] = std::move(list);
  }
  json["yardsticks"] = Json::array();
  for (const RecordedYardstick& one : recording.yardsticks)
    json["yardsticks"].push_back({{"id", one.id},
                                  {"library", one.library},
                                  {"size", one.size},
                                  {"controls", one.controls},
                                  {"count", one.count},
                                  {"time", to_json(one.timing)}});
  if (recording.empty_launch) json["empty_launch"] = to_json(*recording.empty_launch);
  std::string text = dumped(json, false) + "\n";
  return text.replace(text.find(check_key) + check_key.size(), no_check.size(), hash_of(text));
}

LessonRecording from_json(const Json& json) {
  LessonRecording recording;
  recording.format = json.at("lanescope_recording");
  recording.lesson = json.at("lesson");
  recording.date = json.at("date");
  recording.device = device_from(json.at("device"));
  recording.compiler = json.at("compiler");
  for (const Json& run : json.at("runs")) recording.runs.push_back(run_from(run, recording.format));
  for (const auto& [variant, lines] : json.at("sass").items())
    for (const Json& line : lines) recording.sass[variant].push_back({line.at(0), line.at(2), line.at(1)});
  for (const Json& one : json.at("yardsticks"))
    recording.yardsticks.push_back({one.at("id"), one.at("library"), one.at("size"),
                                    one.at("controls").get<std::map<std::string, std::int64_t>>(), one.at("count"),
                                    timing_from(one.at("time"), recording.format)});
  if (json.contains("empty_launch")) recording.empty_launch = timing_from(json.at("empty_launch"), recording.format);
  return recording;
}

// A time is above nothing, and a yardstick without one has nothing to say.
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
  // A window asks for that of the text on screen with each frame.
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
  std::map<std::int64_t, const RecordedRun*> found;  // the first of each value, as find() has it
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

Result<std::monostate> save_recording(const LessonRecording& recording, const std::string& path) {
  if (const int reason = replace_file(path, to_text(recording)))
    return fault("recording.io", path, worded("The recording cannot be written: {}.", system_error(reason)),
                 "Check the folder's permissions and the free space.");
  return std::monostate{};
}

namespace {

// As to_text() begins; a file that begins in another way may be of any lesson.
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
    Result<LessonRecording> recording = open_recording(path.string());
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
