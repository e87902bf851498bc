#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "core/os/clock.h"
#include "core/worded.h"
#include "gpu/library.h"
#include "job/lesson/lesson_request.h"
#include "job/lesson/recording.h"
#include "job/run/numbers.h"
#include "job/witness/empty_launch.h"
#include "job/witness/gpu_run.h"
#include "metrics/report.h"

namespace lanescope::job {
namespace {

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

// The hardware counters that are recorded beside the times.
const std::vector<std::string>& recorded_counters() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const char* number : {"global_load.requests", "global_load.sectors", "global_store.requests",
                               "global_store.sectors", "global_atomic.requests", "global_reduction.requests",
                               "shared_load.bank_conflicts", "shared_store.bank_conflicts"})
      made.push_back(metrics::nsight_name(number));
    made.insert(made.end(), {"dram__bytes_read.sum", "dram__bytes_write.sum", "lts__t_sectors_op_read.sum"});
    return made;
  }();
  return names;
}

// One measurement of a recording: a variant with its controls.
struct Item {
  const lesson::Variant* variant = nullptr;
  lesson::ControlValues controls;
  std::string size;
};

std::uint64_t element_bytes(const std::string& type) {
  return type.ends_with("64") ? 8 : type.ends_with("32") ? 4 : type.ends_with("16") ? 2 : 1;
}

std::vector<std::int64_t> values_of(const lesson::Control& control) {
  if (!control.choices.empty()) return control.choices;
  constexpr std::int64_t most_values = 64;
  if (control.step <= 0 || (control.max - control.min) / control.step >= most_values) return {};
  std::vector<std::int64_t> values;
  for (std::int64_t value = control.min; value <= control.max; value += control.step) values.push_back(value);
  return values;
}

// Buffer sizes in bytes above which controls are not swept at full size. Up to most_swept_bytes a run takes about a
// second. Up to most_shown_bytes a run takes five; only the control of the time plot is swept up to there, at the end.
constexpr std::uint64_t most_swept_bytes = 600ull << 20, most_shown_bytes = 4ull << 30;

std::uint64_t bytes_of(const lesson::Lesson& lesson, const lesson::Variant& variant,
                       const lesson::ControlValues& controls) {
  const Result<Request> request = from_lesson(lesson, variant, controls);
  if (!request) return 0;
  std::uint64_t bytes = 0;
  for (const lesson::ArgumentSpec& spec : variant.arguments)
    if (spec.is_buffer)
      if (const Result<std::int64_t> count = lesson::evaluate(spec.count, request->controls); count)
        bytes += static_cast<std::uint64_t>(*count) * element_bytes(spec.type);
  return bytes;
}

// For a logarithmic control: from its value at full size down by factors of four, as far as its steps allow.
std::vector<std::int64_t> quarters_of(const lesson::Control& control) {
  std::vector<std::int64_t> values;
  for (std::int64_t value = control.full_value; value >= std::max<std::int64_t>(control.min, 1); value /= 4)
    if (control.allows(value)) values.push_back(value);
  return values;
}

// What the lesson shows first is measured first, so that it is present if the time for sweeps runs out.
class Plan {
 public:
  Plan(const lesson::Lesson& lesson, const RecordOptions& options) : lesson_(lesson), options_(options) {}

  std::vector<Item> items() {
    each([&](const lesson::Variant& variant) {
      add({&variant, lesson_.defaults(variant), "looking"});
      if (options_.full_size) add({&variant, lesson_.defaults(variant, true), "full"});
    });
    if (!options_.sweeps) return std::move(items_);
    if (options_.full_size) {
      each([&](const lesson::Variant& variant) {
        if (const lesson::Control* control = lesson_.time_control(variant))
          at_full_size(variant, *control, true, most_swept_bytes);
      });
      each([&](const lesson::Variant& variant) {
        for (const std::string& name : variant.controls)
          if (const lesson::Control* control = lesson_.find_control(name); control->is_size() && control->logarithmic)
            at_full_size(variant, *control, true, most_swept_bytes);
      });
    }
    each([&](const lesson::Variant& variant) {
      for (const std::string& name : variant.controls) others(variant, *lesson_.find_control(name));
    });
    if (options_.full_size)
      each([&](const lesson::Variant& variant) {
        if (const lesson::Control* control = lesson_.time_control(variant))
          at_full_size(variant, *control, true, most_shown_bytes);
      });
    return std::move(items_);
  }

 private:
  // Variants that are broken on purpose are not measured.
  void each(const std::function<void(const lesson::Variant&)>& then) const {
    for (const lesson::Variant& variant : lesson_.variants)
      if (!variant.broken_on_purpose) then(variant);
  }
  void add(Item item) {
    const bool known = std::any_of(items_.begin(), items_.end(), [&](const Item& other) {
      return other.variant == item.variant && other.controls == item.controls;
    });
    if (!known) items_.push_back(std::move(item));
  }
  // The control of the time plot is swept over all its values. Other controls take only zero, powers of two and the
  // maximum, because runs at full size move hundreds of megabytes each.
  void at_full_size(const lesson::Variant& variant, const lesson::Control& control, bool opens_on, std::uint64_t most) {
    const lesson::ControlValues full = lesson_.defaults(variant, true);
    std::vector<std::int64_t> values = values_of(control);
    if (values.empty() && control.logarithmic) values = quarters_of(control);
    for (const std::int64_t value : values) {
      const bool few = (value & (value - 1)) == 0 || value == control.max;
      Item item{&variant, full, control.name};
      item.controls[control.name] = value;
      if ((opens_on || few) && bytes_of(lesson_, variant, item.controls) <= most) add(std::move(item));
    }
  }
  void others(const lesson::Variant& variant, const lesson::Control& control) {
    for (const std::int64_t value : values_of(control)) {
      Item item{&variant, lesson_.defaults(variant), control.name};
      item.controls[control.name] = value;
      add(std::move(item));
    }
    if (options_.full_size && !values_of(control).empty()) at_full_size(variant, control, false, most_swept_bytes / 2);
  }

  const lesson::Lesson& lesson_;
  const RecordOptions& options_;
  std::vector<Item> items_;
};

Result<compile::Ptx> compile_kernel(const Request& request, const std::string& kernel) {
  compile::Options options;
  options.arch = request.arch;
  options.name_expressions = {kernel};
  return compile::compile(request.source, options);
}

// Compiles a request's kernels without running them: full sizes run on the GPU only.
Result<Outcome> compiled(const Request& request) {
  Outcome outcome;
  outcome.request = request;
  for (const RequestedLaunch& requested : request.launches) {
    const auto number = static_cast<std::size_t>(requested.number);
    if (outcome.launches.size() < number) outcome.launches.resize(number);
    LaunchOutcome& launch = outcome.launches[number - 1];
    if (!launch.ptx.empty()) continue;
    Result<compile::Ptx> ptx = compile_kernel(request, requested.kernel);
    if (!ptx) return ptx.take_errors();
    launch.ptx = std::move(ptx->text);
    launch.mangled_kernel = ptx->mangled[requested.kernel];
    launch.trace.compiler_name = "nvrtc";
    launch.trace.compiler_version = ptx->compiler_version;
  }
  return outcome;
}

// Checks the lesson's rules for elements on the GPU's result. Rules about counted numbers are for the interpreter.
bool result_checks_hold(const lesson::Variant& variant, const Request& request,
                        const std::vector<sim::Argument>& before, const std::vector<sim::Argument>& after) {
  lesson::Variant elements = variant;
  std::erase_if(elements.checks,
                [](const lesson::Check& check) { return check.kind != lesson::Check::Kind::elements; });
  const std::vector<CheckResult> results = run_checks(elements, request, trace::Trace{}, before, after);
  return std::all_of(results.begin(), results.end(), [](const CheckResult& result) { return result.holds; });
}

class LessonRecorder {
 public:
  LessonRecorder(const lesson::Lesson& lesson, gpu::Session& session, const RecordOptions& options)
      : lesson_(lesson), session_(session), options_(options) {
    recording_.lesson = lesson.id;
    recording_.date = today();
    recording_.device = session.device();
  }

  Result<LessonRecording> record() {
    const auto begin = std::chrono::steady_clock::now();
    time_empty_launch();
    const std::vector<Item> items = Plan(lesson_, options_).items();
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!is_sized(items[i]) && seconds_since(begin) > options_.sweep_seconds) {
        miss(lesson_.id, {cut(items.size() - i)});
        break;
      }
      const double done = static_cast<double>(i) / static_cast<double>(items.size());
      if (options_.progress && !options_.progress(items[i].variant->id + " (" + items[i].size + ")", done))
        return Diagnostic{.code = "run.cancelled", .message = "The recording was stopped.", .cure = "Start it again."};
      // One kernel that cannot run here does not prevent the others; a lost context ends the recording.
      if (Diagnostics errors = add(items[i]); has_error(errors)) {
        if (session_.lost()) return errors;
        miss(items[i].variant->id, std::move(errors));
      }
    }
    for (const lesson::Yardstick& yardstick : lesson_.yardsticks) add(yardstick);
    return std::move(recording_);
  }

 private:
  static bool is_sized(const Item& item) { return item.size == "looking" || item.size == "full"; }

  Diagnostic cut(std::size_t left) const {
    return {Severity::warning,
            "recording.cut",
            {},
            worded("{} runs of the sweeps were skipped: {:g} s had passed.", left, options_.sweep_seconds),
            "Give the sweeps more time."};
  }

  void time_empty_launch() {
    Result<gpu::Timing> timing = job::time_empty_launch(session_, options_.timing);
    if (!timing)
      miss("empty launch", timing.take_errors());
    else if (timing->samples.empty())
      miss("empty launch", {all_discarded(*timing)});
    else
      recording_.empty_launch = std::move(*timing);
  }

  Diagnostics add(const Item& item) {
    Result<Request> request = from_lesson(lesson_, *item.variant, item.controls, item.size == "full");
    if (!request) return request.take_errors();
    Result<Outcome> outcome = compiled(*request);
    if (!outcome) return outcome.take_errors();
    recording_.compiler =
        fmt::format("{} {}", outcome->first().trace.compiler_name, outcome->first().trace.compiler_version);

    GpuOptions options;
    options.timing = options_.timing;
    options.twice = false;
    options.disassemble = is_sized(item);  // the machine code of a sweep is not stored
    Result<GpuRun> run = run_on_gpu(*outcome, session_, options);
    if (!run) return run.take_errors();
    if (!run->not_listed.empty()) {  // a recording must contain the machine code
      for (Diagnostic& one : run->not_listed) one.severity = Severity::error;
      return std::move(run->not_listed);
    }

    RecordedRun recorded;
    recorded.variant = item.variant->id;
    recorded.controls = item.controls;
    recorded.size = item.size;
    recorded.source_hash = hash_of(request->source.text);
    recorded.attributes = run->attributes;
    // A sweep runs the same code with other values; its results are not checked again.
    const bool sized = is_sized(item);
    recorded.checked = sized;
    recorded.checks_hold = sized && result_checks_hold(*item.variant, *request, run->before, run->arguments);
    if (run->timing && !run->timing->samples.empty())
      recorded.timing = std::move(run->timing);
    else if (run->timing)
      miss(item.variant->id, {all_discarded(*run->timing)});
    if (options_.counters && sized) count(run->given, recorded);
    if (item.size == "looking")
      for (const compile::SassInstruction& line : run->sass.instructions)
        recording_.sass[item.variant->id].push_back(
            {line.address, line.predicate.empty() ? line.text : line.predicate + " " + line.text, line.line});
    recording_.runs.push_back(std::move(recorded));
    return {};
  }

  void miss(const std::string& what, Diagnostics why) {
    if (!options_.missing) return;
    for (Diagnostic& one : why) {
      one.message = worded("{}: {}", what, one.message);
      options_.missing->push_back(std::move(one));
    }
  }

  void add(const lesson::Yardstick& yardstick) {
    for (const bool full : {false, true}) {
      if (full && !options_.full_size) continue;
      RecordedYardstick made{.id = yardstick.id,
                             .library = {},
                             .size = full ? "full" : "looking",
                             .controls = lesson_.defaults(yardstick.controls, full),
                             .count = 0,
                             .timing = {}};
      const Result<std::int64_t> count = lesson::evaluate(yardstick.count, made.controls);
      if (!count) return miss(yardstick.id, count.errors());
      made.count = static_cast<std::uint64_t>(*count);
      Result<gpu::Timing> timing = time(yardstick, made);
      if (!timing) return miss(yardstick.id, timing.take_errors());
      if (timing->samples.empty()) return miss(yardstick.id, {all_discarded(*timing)});
      made.timing = std::move(*timing);
      recording_.yardsticks.push_back(std::move(made));
    }
  }

  Result<gpu::Timing> time(const lesson::Yardstick& yardstick, RecordedYardstick& made) {
    if (yardstick.library == "copy") {
      made.library = "cuMemcpyDtoDAsync, CUDA " + session_.device().driver_version;
      return session_.time_copy(made.count, options_.timing);
    }
    std::string& built_library = libraries_[yardstick.library];
    if (built_library.empty()) {
      Result<std::string> built =
          gpu::build_library(options_.libraries_folder + "/" + yardstick.library + ".cu", session_.device().arch(),
                             std::filesystem::temp_directory_path().string() + "/lanescope-libraries");
      if (!built) return built.take_errors();
      built_library = std::move(*built);
    }
    const Result<gpu::Library> library = gpu::load_library(built_library);
    if (!library) return library.errors();
    made.library = library->name;
    return session_.time_library(built_library, made.count, options_.timing);
  }

  // If counting is not permitted, the times are still recorded.
  void count(const std::vector<gpu::Argument>& arguments, RecordedRun& recorded) {
    Result<gpu::Counted> counted = session_.count(arguments, recorded_counters());
    if (!counted) return;
    for (std::size_t i = 0; i < counted->names.size(); ++i) recorded.counters[counted->names[i]] = counted->values[i];
  }

  const lesson::Lesson& lesson_;
  gpu::Session& session_;
  const RecordOptions& options_;
  LessonRecording recording_;
  std::map<std::string, std::string> libraries_;  // built by the first yardstick that needs each
};

}  // namespace

Result<LessonRecording> record_lesson(const lesson::Lesson& lesson, gpu::Session& session,
                                      const RecordOptions& options) {
  return LessonRecorder(lesson, session, options).record();
}

}  // namespace lanescope::job
