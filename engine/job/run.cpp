#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>

#include <fmt/format.h>

#include "job/job.h"
#include "job/numbers.h"
#include "job/parameters.h"
#include "lesson/half.h"
#include "lesson/nearest.h"
#include "ptx/module.h"

namespace lanescope::job {

namespace {

// What a source and a kernel name become before anything runs.
struct Prepared {
  std::string ptx, mangled, compiler_name, compiler_version;
  Diagnostics warnings;
  std::shared_ptr<const sim::Program> program;
};

// The last programs that were made ready, so that a slider moves without compiling.
class ProgramCache {
 public:
  std::shared_ptr<const Prepared> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    for (auto& [known, prepared] : entries_)
      if (known == key) return prepared;
    return nullptr;
  }
  void add(const std::string& key, std::shared_ptr<const Prepared> prepared) {
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= most_entries) entries_.erase(entries_.begin());
    entries_.emplace_back(key, std::move(prepared));
  }

 private:
  static constexpr std::size_t most_entries = 64;
  std::mutex mutex_;
  std::vector<std::pair<std::string, std::shared_ptr<const Prepared>>> entries_;
};

ProgramCache& program_cache() {
  static ProgramCache cache;
  return cache;
}

std::string cache_key(const Request& request) {
  std::string key = request.source.name + '\0' + request.arch + '\0' + request.kernel + '\0';
  for (const std::string& path : request.source.include_paths) key += path + '\0';
  return key + request.source.text;
}

// The entry that a name means: mangled, or as the source writes it.
Result<std::string> entry_named(const ptx::Module& module, const std::string& name) {
  std::vector<std::string> known;
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry) continue;
    if (function.name == name || source_name(function.name) == name) return function.name;
    known.push_back(source_name(function.name));
  }
  return Diagnostic{Severity::error, "compile.no_such_kernel", {module.name},
                    fmt::format("There is no kernel `{}`.", name), lesson::did_you_mean(name, known)};
}

Result<std::shared_ptr<const Prepared>> prepare(const Request& request, const sim::Progress* progress) {
  const std::string key = cache_key(request);
  if (std::shared_ptr<const Prepared> known = program_cache().find(key)) return known;
  auto made = std::make_shared<Prepared>();
  const bool is_ptx = request.source.name.ends_with(".ptx");
  if (is_ptx) {
    made->ptx = request.source.text;
    made->compiler_name = "none";
  } else {
    compile::Options options;
    options.arch = request.arch;
    options.name_expressions = {request.kernel};
    options.cancel = progress ? &progress->cancel : nullptr;
    Result<compile::Ptx> compiled = compile::compile(request.source, options);
    if (!compiled) return compiled.take_errors();
    made->ptx = std::move(compiled->text);
    made->mangled = compiled->mangled[request.kernel];
    made->compiler_name = "nvrtc";
    made->compiler_version = compiled->compiler_version;
    made->warnings = std::move(compiled->warnings);
  }
  Result<ptx::Module> module = ptx::parse(made->ptx, is_ptx ? request.source.name : request.source.name + ".ptx");
  if (!module) return module.take_errors();
  if (is_ptx) {
    Result<std::string> entry = entry_named(*module, request.kernel);
    if (!entry) return entry.take_errors();
    made->mangled = std::move(*entry);
  }
  Result<std::shared_ptr<const sim::Program>> program = sim::prepare(*module, made->mangled);
  if (!program) return program.take_errors();
  made->program = std::move(*program);
  program_cache().add(key, made);
  return std::shared_ptr<const Prepared>(std::move(made));
}

Result<std::vector<sim::Argument>> parse_arguments(const Request& request) {
  std::vector<sim::Argument> arguments;
  Diagnostics problems;
  for (const ArgumentText& text : request.arguments) {
    Result<sim::Argument> argument = parse_argument(text);
    if (argument) arguments.push_back(std::move(*argument));
    else for (Diagnostic& error : argument.take_errors()) problems.push_back(std::move(error));
  }
  if (has_error(problems)) return problems;
  return arguments;
}

template <typename Read>
double sum_of(const sim::Argument& buffer, std::size_t element_bytes, Read&& read) {
  double sum = 0;
  const std::byte* end = buffer.contents.data() + buffer.count() * element_bytes;
  for (const std::byte* at = buffer.contents.data(); at < end; at += element_bytes) sum += read(at);
  return sum;
}

template <typename T>
double as_double(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

double sum(const sim::Argument& buffer) {
  using sim::ElementType;
  switch (buffer.type) {
    case ElementType::u8: return sum_of(buffer, 1, as_double<std::uint8_t>);
    case ElementType::i8: return sum_of(buffer, 1, as_double<std::int8_t>);
    case ElementType::u16: return sum_of(buffer, 2, as_double<std::uint16_t>);
    case ElementType::i16: return sum_of(buffer, 2, as_double<std::int16_t>);
    case ElementType::f16:
      return sum_of(buffer, 2, [](const std::byte* at) {
        std::uint16_t bits;
        std::memcpy(&bits, at, sizeof bits);
        return lesson::half_value(bits);
      });
    case ElementType::i32: return sum_of(buffer, 4, as_double<std::int32_t>);
    case ElementType::u32: return sum_of(buffer, 4, as_double<std::uint32_t>);
    case ElementType::f32: return sum_of(buffer, 4, as_double<float>);
    case ElementType::i64: return sum_of(buffer, 8, as_double<std::int64_t>);
    case ElementType::u64: return sum_of(buffer, 8, as_double<std::uint64_t>);
    case ElementType::f64: return sum_of(buffer, 8, as_double<double>);
  }
  return 0;
}

std::string fnv1a(const std::vector<std::byte>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const std::byte byte : bytes) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3ull;
  return fmt::format("{:016x}", hash);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Job {
 public:
  Job(const Request& request, const lesson::Variant* variant, sim::Progress* progress)
      : variant_(variant), progress_(progress) {
    outcome_.request = request;
    trace::Trace& trace = outcome_.trace;
    trace.kernel = request.kernel;
    trace.arch = request.arch;
    trace.launch = request.launch;
    trace.compiler_name = request.source.name.ends_with(".ptx") ? "none" : "nvrtc";
  }

  Outcome run() {
    // Before compiling, since it costs least.
    Result<std::vector<sim::Argument>> arguments = parse_arguments(outcome_.request);
    if (!arguments) {
      refuse(arguments.take_errors());
      return std::move(outcome_);
    }
    const auto start = std::chrono::steady_clock::now();
    Result<std::shared_ptr<const Prepared>> prepared = prepare(outcome_.request, progress_);
    outcome_.compile_seconds = seconds_since(start);
    if (!prepared) refuse(prepared.take_errors());
    else launch(**prepared, std::move(*arguments));
    return std::move(outcome_);
  }

 private:
  bool refuse(Diagnostics problems) {
    for (Diagnostic& problem : problems) outcome_.diagnostics.push_back(std::move(problem));
    return has_error(outcome_.diagnostics);
  }

  void launch(const Prepared& prepared, std::vector<sim::Argument> arguments) {
    Request& request = outcome_.request;
    outcome_.ptx = prepared.ptx;
    outcome_.mangled_kernel = prepared.mangled;
    outcome_.trace.compiler_version = prepared.compiler_version;
    refuse(prepared.warnings);
    request.launch.static_shared_bytes = sim::static_shared_bytes(*prepared.program);
    if (refuse(check_arguments(sim::kernel_of(*prepared.program), arguments, request.arguments))) return;
    sim::LaunchResult result = sim::run(*prepared.program, launch_request(std::move(arguments)));
    take(std::move(result), prepared);
    if (outcome_.completed && variant_ && !variant_->checks.empty()) check();
  }

  // Makes the arguments again rather than keep a copy of them through the run: at full size that would be gigabytes.
  void check() {
    const Result<std::vector<sim::Argument>> before = parse_arguments(outcome_.request);
    if (before) outcome_.checks = run_checks(*variant_, outcome_.request, outcome_.trace, *before, outcome_.arguments);
    else refuse(before.errors());
  }

  sim::LaunchRequest launch_request(std::vector<sim::Argument> arguments) const {
    const Request& request = outcome_.request;
    sim::LaunchRequest launch;
    launch.launch = request.launch;
    launch.arguments = std::move(arguments);
    launch.record = request.record;
    launch.max_steps = request.max_steps;
    launch.threads = request.threads;
    launch.arch = request.arch;
    launch.schedule_seed = request.schedule_seed;
    launch.progress = progress_;
    launch.kernel_source_name = request.kernel;
    launch.user_file = request.source.name;
    return launch;
  }

  void take(sim::LaunchResult result, const Prepared& prepared) {
    outcome_.trace = std::move(result.trace);
    outcome_.trace.launch = outcome_.request.launch;
    outcome_.trace.kernel = outcome_.request.kernel;
    outcome_.trace.arch = outcome_.request.arch;
    outcome_.trace.compiler_name = prepared.compiler_name;
    outcome_.trace.compiler_version = prepared.compiler_version;
    outcome_.arguments = std::move(result.arguments);
    outcome_.printf_output = std::move(result.printf_output);
    outcome_.run_seconds = result.seconds;
    outcome_.completed = result.completed;
    refuse(std::move(result.diagnostics));
    outcome_.buffers = summaries(outcome_.request, outcome_.arguments);
  }

  Outcome outcome_;
  const lesson::Variant* variant_;
  sim::Progress* progress_;
};

}  // namespace

std::vector<BufferSummary> summaries(const Request& request, const std::vector<sim::Argument>& arguments) {
  std::vector<BufferSummary> made;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].is_buffer) continue;
    made.push_back({static_cast<int>(i), request.arguments[i].name, sim::name_of(arguments[i].type),
                    arguments[i].count(), sum(arguments[i]), fnv1a(arguments[i].contents)});
  }
  return made;
}

bool Outcome::checks_hold() const {
  return std::all_of(checks.begin(), checks.end(), [](const CheckResult& check) { return check.holds; });
}

Outcome run(const Request& request, const lesson::Variant* variant, sim::Progress* progress) {
  try {
    return Job(request, variant, progress).run();
  } catch (const std::bad_alloc&) {
    Outcome outcome;
    outcome.request = request;
    outcome.diagnostics = {{Severity::error, "run.out_of_memory", {}, "There was not enough memory for this run.",
                            "Take smaller buffers, or keep the events of fewer blocks."}};
    return outcome;
  }
}

}  // namespace lanescope::job
