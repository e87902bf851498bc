#include "job/witness/gpu_run.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <span>

#include <fmt/format.h>

#include "core/worded.h"
#include "job/run/buffer_use.h"
#include "job/witness/gpu_fault.h"
#include "job/witness/kept_on_gpu.h"
#include "ptx/module.h"

namespace lanescope::job {
namespace {

std::vector<std::byte> scalar_bytes(const sim::Argument& argument) {
  if (!argument.raw_parameter.empty()) return argument.raw_parameter;
  std::vector<std::byte> bytes(static_cast<std::size_t>(sim::bytes_of(argument.type)));
  std::memcpy(bytes.data(), &argument.scalar_bits, bytes.size());
  return bytes;
}

// Where two results differ first; empty when nowhere.
Wording first_difference(const std::vector<sim::Argument>& a, const std::vector<sim::Argument>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const auto& left = a[i].contents;
    const auto& right = b[i].contents;
    if (left.size() == right.size() && (left.empty() || std::memcmp(left.data(), right.data(), left.size()) == 0))
      continue;
    const auto [at, ignored] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
    if (at != left.end()) return worded("argument {}, byte {}", i, at - left.begin());
  }
  return {};
}

// After a launch: the buffers' bytes back into the arguments.
void take_results(std::vector<sim::Argument>& arguments, std::vector<gpu::Argument>& done) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].is_buffer) arguments[i].contents = std::move(done[i].bytes);
}

// Those of the first launch, and behind them the buffers that only later ones take.
Result<std::vector<sim::Argument>> parse_all(const Request& request) {
  std::vector<sim::Argument> arguments;
  for (const auto* list : {&request.arguments, &request.buffers})
    for (const RequestedArgument& text : *list) {
      Result<sim::Argument> argument = make_argument(text);
      if (!argument) return argument.take_errors();
      if (argument->texture != nullptr)
        return Diagnostic{
            Severity::error,
            "gpu.texture_argument",
            {},
            worded("argument {} is a texture or surface object: Lanescope makes none on a GPU", arguments.size()),
            "Run it in the interpreter alone."};
      arguments.push_back(std::move(*argument));
    }
  return arguments;
}

std::vector<gpu::Argument> for_gpu(const Request& request, const std::vector<sim::Argument>& arguments,
                                   const std::vector<BufferUse>& use = {}) {
  std::vector<gpu::Argument> list;
  for (const sim::Argument& argument : arguments) {
    gpu::Argument& out = list.emplace_back();
    out.is_buffer = argument.is_buffer;
    out.passed = list.size() <= request.arguments.size();
    out.base_offset = argument.base_offset;
    out.bytes = argument.is_buffer ? argument.contents : scalar_bytes(argument);
    // What is read alone is as it was, and what is written alone has no say in what a launch does.
    if (list.size() <= use.size()) out.restored = use[list.size() - 1].read && use[list.size() - 1].written;
  }
  return list;
}

// The plain kernel as nvcc assembles it; a PTX file, and an architecture that NVRTC does not know, go through
// nvJitLink.
Result<compile::Sass> machine_code(const Request& request, const std::string& kernel, const std::string& ptx,
                                   const std::string& mangled, const std::string& arch, bool disassemble = true) {
  if (request.kept == nullptr && !request.source.name.ends_with(".ptx")) {
    compile::Options options;
    options.arch = arch;
    options.machine_code = true;
    options.name_expressions = {kernel};
    Result<compile::Ptx> compiled = compile::compile(request.source, options);
    if (compiled && !compiled->cubin.empty()) {
      if (disassemble) return compile::disassemble(std::move(compiled->cubin), mangled, arch);
      compile::Sass sass;
      sass.kernel = mangled, sass.arch = arch, sass.cubin = std::move(compiled->cubin);
      return sass;
    }
  }
  return disassemble ? compile::to_sass(ptx, mangled, arch) : compile::to_cubin(ptx, mangled, arch);
}

// Gives the session so many launches that follow the first.
Diagnostics follow(const Outcome& interpreted, gpu::Session& session, std::size_t count) {
  const Request& request = interpreted.request;
  std::vector<gpu::Program> programs;
  std::map<std::string, std::size_t> known;
  std::vector<gpu::FurtherLaunch> launches;
  for (const RequestedLaunch& next : std::span(request.launches).subspan(1, count)) {
    const LaunchOutcome& later = interpreted.launches.at(static_cast<std::size_t>(next.number) - 1);
    const auto [place, is_new] = known.emplace(later.mangled_kernel, programs.size());
    if (is_new) {
      Result<compile::Sass> sass =
          machine_code(request, next.kernel, later.ptx, later.mangled_kernel, session.device().arch(), false);
      if (!sass) return sass.take_errors();
      programs.push_back({std::move(sass->cubin), later.mangled_kernel});
    }
    gpu::FurtherLaunch& launch = launches.emplace_back(gpu::FurtherLaunch{place->second, next.shape, {}});
    for (const RequestedLaunch::Parameter& parameter : next.parameters) {
      launch.parameters.push_back({parameter.buffer, {}});
      if (parameter.buffer >= 0) continue;
      Result<sim::Argument> scalar = make_argument(parameter.scalar);
      if (!scalar) return scalar.take_errors();
      launch.parameters.back().bytes = scalar_bytes(*scalar);
    }
  }
  Result<std::monostate> done = session.follow(programs, launches);
  return done ? Diagnostics{} : done.take_errors();
}

}  // namespace

namespace {

// Compiles the outcome's own kernel and loads it.
Diagnostics load_plain(const Outcome& interpreted, gpu::Session& session, bool disassemble, GpuRun& run) {
  const Request& request = interpreted.request;
  Result<compile::Sass> sass = machine_code(request, request.first().kernel, interpreted.first().ptx,
                                            interpreted.first().mangled_kernel, session.device().arch(), disassemble);
  if (!sass && disassemble) {
    run.not_listed = sass.take_errors();
    for (Diagnostic& one : run.not_listed) one.severity = Severity::warning;
    sass = machine_code(request, request.first().kernel, interpreted.first().ptx, interpreted.first().mangled_kernel,
                        session.device().arch(), false);
  }
  if (!sass) return sass.take_errors();
  run.sass = std::move(*sass);
  Result<gpu::KernelAttributes> attributes =
      session.load(run.sass.cubin, interpreted.first().mangled_kernel, request.first().shape);
  if (!attributes) return attributes.take_errors();
  run.attributes = *attributes;
  return {};
}

// Runs what is loaded, from the memory that `run` begins with.
Diagnostics run_once(const Outcome& interpreted, const GpuRun& run, gpu::Session& session, const GpuOptions& options,
                     std::vector<sim::Argument>& into) {
  Result<gpu::Completed> done = session.run(interpreted.request.first().shape, run.given, options.watchdog_seconds);
  if (!done) return done.take_errors();
  if (!run.kept_ranges.empty()) put_back_addresses(run.kept_ranges, done->arguments);
  into = run.before;
  take_results(into, done->arguments);
  return {};
}

Diagnostics run_the_launch(const Outcome& interpreted, GpuRun& run, gpu::Session& session, const GpuOptions& options,
                           const std::function<bool()>& keep_going) {
  if (Diagnostics errors = run_once(interpreted, run, session, options, run.after_first); !errors.empty())
    return with_the_interpreters_finding(std::move(errors), interpreted, keep_going);
  if (options.twice) {
    std::vector<sim::Argument> again;
    if (Diagnostics errors = run_once(interpreted, run, session, options, again); !errors.empty()) return errors;
    run.repeatable = first_difference(run.after_first, again).empty();
  }
  run.arguments = run.after_first;
  return {};
}

void hold_against(const Outcome& interpreted, GpuRun& run) {
  if (interpreted.request.kept != nullptr) {
    run.first_difference = first_difference_of_kept(interpreted, run.kept_ranges, run.arguments);
    run.same_result = run.first_difference.empty();
    run.arguments = arguments_of_kept(interpreted, run.kept_ranges, run.arguments);
    return;
  }
  run.first_difference = first_difference(interpreted.arguments, run.arguments);
  run.same_result = run.first_difference.empty();
}

// The whole run's memory as the launches before this execution leave it on the GPU.
Result<std::vector<sim::Argument>> memory_before(const Outcome& whole, std::size_t execution, gpu::Session& session,
                                                 const GpuOptions& options, const std::function<bool()>& keep_going,
                                                 GpuRun& run) {
  Result<std::vector<sim::Argument>> memory = parse_all(whole.request);
  if (!memory || execution == 0) return memory;
  GpuRun earlier;
  earlier.before = std::move(*memory);
  earlier.given = for_gpu(whole.request, earlier.before);
  if (Diagnostics errors = load_plain(whole, session, false, earlier); !errors.empty()) return errors;
  if (Diagnostics errors = follow(whole, session, execution - 1); !errors.empty()) return errors;
  if (Diagnostics errors = run_the_launch(whole, earlier, session, options, keep_going); !errors.empty()) return errors;
  run.same_start = earlier.repeatable;
  return std::move(earlier.arguments);
}

}  // namespace

Diagnostic all_discarded(const gpu::Timing& timing) {
  return {Severity::warning,
          "gpu.throttled",
          {},
          worded("Not timed: all {} samples were discarded, since the GPU's clock had dropped.", timing.discarded),
          "Let the GPU cool down, or stop other work on it, and run again."};
}

namespace {

// What a request may ask of the interpreter alone.
Diagnostics interpreter_only(const Request& request) {
  const auto shares = [](const RequestedArgument& argument) { return argument.recipe() && argument.recipe()->same(); };
  const auto moves = [](const RequestedLaunch& next) {
    return std::ranges::any_of(next.parameters, [](const auto& one) { return one.offset != 0; });
  };
  if (request.kept != nullptr) return {};
  if (request.symbols.empty() && std::ranges::none_of(request.arguments, shares) &&
      std::ranges::none_of(request.launches, moves))
    return {};
  return {{Severity::error,
           "gpu.interpreter_only",
           {},
           "Variables set by the request, and arguments that share a buffer "
           "(same:N), are supported in the interpreter only.",
           "Remove them to run on a GPU, or use the interpreter."}};
}

}  // namespace

namespace {

// A cluster is launched by an attribute, and another block's shared memory is not where a recording looks for it.
Diagnostics refused_clusters(const Outcome& interpreted) {
  const auto of_several = [](const LaunchOutcome& one) { return one.trace.launch.cluster.count() > 1; };
  if (std::ranges::none_of(interpreted.launches, of_several)) return {};
  return {{Severity::error,
           "gpu.cluster_recording",
           {},
           "Clusters of several blocks are interpreted only: Lanescope neither launches nor records them on a GPU.",
           "Run it in the interpreter alone."}};
}

// What the launch starts from.
Diagnostics begin_with(const Outcome& interpreted, GpuRun& run) {
  if (interpreted.request.kept != nullptr) {
    Result<KeptOnGpu> kept = kept_on_gpu(interpreted);
    if (!kept) return kept.take_errors();
    run.before = std::move(kept->before);
    run.given = std::move(kept->given);
    run.kept_ranges = std::move(kept->ranges);
    return {};
  }
  Result<std::vector<sim::Argument>> before = parse_all(interpreted.request);
  if (!before) return before.take_errors();
  run.before = std::move(*before);
  run.given = for_gpu(interpreted.request, run.before, use_of_buffers(interpreted));
  return {};
}

}  // namespace

Result<GpuRun> run_on_gpu(const Outcome& interpreted, gpu::Session& session, const GpuOptions& options,
                          const std::function<bool()>& keep_going) {
  if (Diagnostics problems = interpreter_only(interpreted.request); !problems.empty()) return problems;
  if (Diagnostics problems = refused_clusters(interpreted); !problems.empty()) return problems;
  GpuRun run{.device = session.device(), .which = {.launches = interpreted.launch_count()}};
  const Request& request = interpreted.request;
  if (Diagnostics errors = load_plain(interpreted, session, options.disassemble, run); !errors.empty()) return errors;

  if (Diagnostics errors = begin_with(interpreted, run); !errors.empty()) return errors;
  if (Diagnostics errors = run_the_launch(interpreted, run, session, options, keep_going); !errors.empty())
    return errors;
  if (const std::size_t further = request.launches.size() - 1; further > 0) {
    if (Diagnostics errors = follow(interpreted, session, further); !errors.empty()) return errors;
    if (Diagnostics errors = run_once(interpreted, run, session, options, run.arguments); !errors.empty())
      return with_the_interpreters_finding(std::move(errors), interpreted, keep_going);
  }
  hold_against(interpreted, run);

  if (options.time) {
    Result<gpu::Timing> timing = session.time(request.first().shape, run.given, options.timing, keep_going);
    if (!timing) return timing.take_errors();
    run.timing = std::move(*timing);
  }
  return run;
}

Result<GpuRun> run_launch_on_gpu(const Outcome& whole, const OneLaunch& one, gpu::Session& session,
                                 const GpuOptions& options, const std::function<bool()>& keep_going) {
  if (Diagnostics problems = refused_clusters(whole); !problems.empty()) return problems;
  GpuRun run{.device = session.device(), .which = one.which, .start_rounds = one.start_rounds};
  Result<std::vector<sim::Argument>> memory = memory_before(whole, one.execution, session, options, keep_going, run);
  if (!memory) return memory.take_errors();
  Result<std::vector<sim::Argument>> before = arranged(one, *memory);
  if (!before) return before.take_errors();
  run.before = std::move(*before);
  run.given = for_gpu(one.outcome.request, run.before);
  if (Diagnostics errors = load_plain(one.outcome, session, options.disassemble, run); !errors.empty()) return errors;
  if (Diagnostics errors = run_the_launch(one.outcome, run, session, options, keep_going); !errors.empty())
    return errors;
  hold_against(one.outcome, run);
  return run;
}

}  // namespace lanescope::job
