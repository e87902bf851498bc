#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "job/gpu_run.h"
#include "job/numbers.h"
#include "job/recording.h"

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

// What hardware counters are recorded beside the times.
const std::vector<std::string>& recorded_counters() {
  static const std::vector<std::string> names{
      "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
      "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
      "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
      "dram__bytes_read.sum", "dram__bytes_write.sum", "lts__t_sectors_op_read.sum"};
  return names;
}

// One job of a recording: a variant with its controls.
struct Item {
  const lesson::Variant* variant = nullptr;
  lesson::ControlValues controls;
  std::string size;
};

std::vector<std::int64_t> values_of(const lesson::Control& control) {
  if (!control.choices.empty()) return control.choices;
  constexpr std::int64_t most_values = 64;
  if (control.step <= 0 || (control.max - control.min) / control.step >= most_values) return {};
  std::vector<std::int64_t> values;
  for (std::int64_t value = control.min; value <= control.max; value += control.step) values.push_back(value);
  return values;
}

std::vector<Item> plan(const lesson::Lesson& lesson, const RecordOptions& options) {
  std::vector<Item> items;
  const auto add = [&](Item item) {
    const bool known = std::any_of(items.begin(), items.end(), [&](const Item& other) {
      return other.variant == item.variant && other.controls == item.controls;
    });
    if (!known) items.push_back(std::move(item));
  };
  for (const lesson::Variant& variant : lesson.variants) {
    // What is timed is one launch: the first of several would be no time of the variant.
    if (variant.broken_on_purpose || !variant.launches.empty()) continue;
    const lesson::ControlValues looking = lesson.defaults(variant), full = lesson.defaults(variant, true);
    add({&variant, looking, "looking"});
    if (options.full_size) add({&variant, full, "full"});
    if (!options.sweeps) continue;
    for (const std::string& name : variant.controls)
      for (const std::int64_t value : values_of(*lesson.find_control(name))) {
        Item item{&variant, looking, name};
        item.controls[name] = value;
        add(item);
        // Full sizes move hundreds of megabytes a run: zero, powers of two and the ends will do.
        const bool few = (value & (value - 1)) == 0 || value == lesson.find_control(name)->max;
        if (!options.full_size || !few) continue;
        item.controls = full;
        item.controls[name] = value;
        add(item);
      }
  }
  return items;
}

// The PTX of a request, without running it: full sizes are for the GPU alone.
Result<Outcome> compiled(const Request& request) {
  compile::Options options;
  options.arch = request.arch;
  options.name_expressions = {request.kernel};
  Result<compile::Ptx> ptx = compile::compile(request.source, options);
  if (!ptx) return ptx.take_errors();
  Outcome outcome;
  outcome.request = request;
  outcome.ptx = std::move(ptx->text);
  outcome.mangled_kernel = ptx->mangled[request.kernel];
  outcome.trace.compiler_name = "nvrtc";
  outcome.trace.compiler_version = ptx->compiler_version;
  return outcome;
}

// The lesson's rules for the result's elements, on what the GPU gave; rules about counted numbers are the interpreter's.
bool result_checks_hold(const lesson::Variant& variant, const Request& request, const std::vector<sim::Argument>& after) {
  lesson::Variant elements = variant;
  std::erase_if(elements.checks, [](const lesson::Check& check) { return check.kind != lesson::Check::Kind::elements; });
  std::vector<sim::Argument> before;
  for (const ArgumentText& text : request.arguments) {
    Result<sim::Argument> argument = parse_argument(text);
    if (!argument) return false;
    before.push_back(std::move(*argument));
  }
  const std::vector<CheckResult> results = run_checks(elements, request, trace::Trace{}, before, after);
  return std::all_of(results.begin(), results.end(), [](const CheckResult& result) { return result.holds; });
}

std::uint64_t buffer_bytes(const std::vector<gpu::Argument>& arguments) {
  std::uint64_t bytes = 0;
  for (const gpu::Argument& argument : arguments)
    if (argument.is_buffer) bytes += argument.bytes.size();
  return bytes;
}

class Recorder {
 public:
  Recorder(const lesson::Lesson& lesson, gpu::Session& session, const RecordOptions& options)
      : lesson_(lesson), session_(session), options_(options) {
    recording_.lesson = lesson.id;
    recording_.date = today();
    recording_.device = session.device();
  }

  Result<LessonRecording> record() {
    const std::vector<Item> items = plan(lesson_, options_);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const double done = static_cast<double>(i) / static_cast<double>(items.size());
      if (options_.progress && !options_.progress(items[i].variant->id + " (" + items[i].size + ")", done))
        return Diagnostic{.code = "run.cancelled", .message = "The recording was stopped.", .cure = "Start it again."};
      if (Diagnostics errors = add(items[i]); has_error(errors)) return errors;
    }
    return std::move(recording_);
  }

 private:
  Diagnostics add(const Item& item) {
    Result<Request> request = from_lesson(lesson_, *item.variant, item.controls, item.size == "full");
    if (!request) return request.take_errors();
    Result<Outcome> outcome = compiled(*request);
    if (!outcome) return outcome.take_errors();
    recording_.compiler = fmt::format("{} {}", outcome->trace.compiler_name, outcome->trace.compiler_version);

    Result<std::vector<gpu::Argument>> arguments = gpu_arguments(*request);
    if (!arguments) return arguments.take_errors();
    GpuOptions options;
    options.timing = options_.timing;
    constexpr std::uint64_t quickly_restored = 1 << 20;
    options.timing.restore_buffers = buffer_bytes(*arguments) <= quickly_restored;
    Result<GpuRun> run = run_on_gpu(*outcome, session_, options);
    if (!run) return run.take_errors();

    RecordedRun recorded;
    recorded.variant = item.variant->id;
    recorded.controls = item.controls;
    recorded.size = item.size;
    recorded.source_hash = hash_of(request->source.text);
    recorded.attributes = run->attributes;
    recorded.checks_hold = result_checks_hold(*item.variant, *request, run->arguments);
    recorded.timing = std::move(run->timing);
    const bool sized = item.size == "looking" || item.size == "full";
    if (options_.counters && sized) count(*request, *arguments, recorded);
    if (item.size == "looking")
      for (const compile::SassInstruction& line : run->sass.instructions)
        recording_.sass[item.variant->id].push_back(
            {line.address, line.predicate.empty() ? line.text : line.predicate + " " + line.text, line.line});
    recording_.runs.push_back(std::move(recorded));
    return {};
  }

  // Without permission to count, the times are recorded all the same.
  void count(const Request& request, const std::vector<gpu::Argument>& arguments, RecordedRun& recorded) {
    Result<gpu::Counted> counted = session_.count(request.launch, arguments, recorded_counters());
    if (!counted) return;
    for (std::size_t i = 0; i < counted->names.size(); ++i) recorded.counters[counted->names[i]] = counted->values[i];
  }

  const lesson::Lesson& lesson_;
  gpu::Session& session_;
  const RecordOptions& options_;
  LessonRecording recording_;
};

}  // namespace

Result<LessonRecording> record_lesson(const lesson::Lesson& lesson, gpu::Session& session, const RecordOptions& options) {
  return Recorder(lesson, session, options).record();
}

}  // namespace lanescope::job
