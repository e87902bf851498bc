#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "core/os/clock.h"
#include "core/worded.h"
#include "gpu/library.h"
#include "job/lesson/lesson_request.h"
#include "job/lesson/recording_plan.h"
#include "job/run/numbers.h"
#include "job/witness/empty_launch.h"
#include "job/witness/gpu_run.h"
#include "metrics/report.h"

namespace lanescope::job {
namespace {

std::string today() {
  const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
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
    const std::vector<Measurement> all = measurements_of(lesson_, options_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].is_sweep() && seconds_since(begin) > options_.sweep_seconds) {
        const std::size_t left = without_sweeps(all, i);
        miss(lesson_.id, {cut(left - i)});
        i = left - 1;
        continue;
      }
      const double done = static_cast<double>(i) / static_cast<double>(all.size());
      if (options_.progress && !options_.progress(all[i].name(), done))
        return Diagnostic{.code = "run.cancelled", .message = "The recording was stopped.", .cure = "Start it again."};
      if (Diagnostics errors = make(all[i]); has_error(errors)) return errors;
    }
    return std::move(recording_);
  }
  Result<LessonRecording> only(const Measurement& measurement) {
    if (Diagnostics errors = make(measurement); has_error(errors)) return errors;
    return std::move(recording_);
  }

 private:
  // The index of the first measurement from `begin` on that is not of a sweep.
  static std::size_t without_sweeps(const std::vector<Measurement>& all, std::size_t begin) {
    while (begin < all.size() && all[begin].is_sweep()) ++begin;
    return begin;
  }

  // One kernel that cannot run here does not prevent the others; a lost context ends the recording.
  Diagnostics make(const Measurement& one) {
    if (one.yardstick != nullptr) return add(*one.yardstick), Diagnostics{};
    if (one.variant == nullptr) return time_empty_launch(), Diagnostics{};
    Diagnostics errors = add(one);
    if (!has_error(errors) || session_.lost()) return errors;
    miss(one.variant->id, std::move(errors));
    return {};
  }

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

  Diagnostics add(const Measurement& item) {
    Result<Request> request = from_lesson(lesson_, *item.variant, item.controls, item.size == "full");
    if (!request) return request.take_errors();
    Result<Outcome> outcome = compiled(*request);
    if (!outcome) return outcome.take_errors();
    recording_.compiler =
        fmt::format("{} {}", outcome->first().trace.compiler_name, outcome->first().trace.compiler_version);

    GpuOptions options;
    options.timing = options_.timing;
    options.twice = false;
    options.disassemble = !item.is_sweep();  // the machine code of a sweep is not stored
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
    const bool sized = !item.is_sweep();
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
                             std::filesystem::temp_directory_path().generic_string() + "/lanescope-libraries");
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
    for (std::size_t i = 0; i < counted->names.size(); ++i)
      if (std::isfinite(counted->values[i]))  // a file cannot hold what was not counted
        recorded.counters[counted->names[i]] = counted->values[i];
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

Result<LessonRecording> measure(const lesson::Lesson& lesson, gpu::Session& session, const RecordOptions& options,
                                const Measurement& measurement) {
  return LessonRecorder(lesson, session, options).only(measurement);
}

}  // namespace lanescope::job
