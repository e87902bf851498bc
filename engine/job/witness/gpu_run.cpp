#include "job/witness/gpu_run.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "compile/nvcc/nvcc_kernels.h"
#include "core/source_name.h"
#include "core/worded.h"
#include "job/run/buffer_use.h"
#include "job/witness/gpu_fault.h"
#include "job/witness/kept_on_gpu.h"
#include "sim/memory/address_space.h"
#include "sim/memory/texture.h"
#include "sim/pointer_tables.h"

namespace lanescope::job {
Wording first_difference(const std::vector<sim::Argument>& a, const std::vector<sim::Argument>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const auto& left = a[i].contents;
    const auto& right = b[i].contents;
    if (left.size() == right.size() && (left.empty() || std::memcmp(left.data(), right.data(), left.size()) == 0)) {
      const auto [one, other] = std::ranges::mismatch(a[i].pointers, b[i].pointers);
      if (!a[i].is_buffer || (one == a[i].pointers.end() && other == b[i].pointers.end())) continue;
      return worded("argument {}, byte {}", i, one != a[i].pointers.end() ? one->at : other->at);
    }
    const auto [at, ignored] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
    if (at != left.end()) return worded("argument {}, byte {}", i, at - left.begin());
  }
  return {};
}

void take_results(std::vector<sim::Argument>& arguments, std::vector<gpu::Argument>& done) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].is_buffer) arguments[i].contents = std::move(done[i].bytes);
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = 0; i < arguments.size(); ++i) addresses.push_back(done[i].address);
  sim::take_pointers(arguments, addresses);
}

namespace {

// The buffer to which a pointer in `from` points, and how far into it.
gpu::Argument::Address address_of(const std::vector<sim::Argument>& arguments, const sim::Argument& from,
                                  const sim::Argument::Pointer& one) {
  if (!from.is_buffer) return {one.at, one.argument, arguments.at(one.argument).base_offset + one.offset};
  const std::size_t index = sim::index_of_number(arguments, one.argument).value();
  return {one.at, static_cast<std::int64_t>(index), one.offset};
}

// The arguments of the first launch, then the buffers that only later launches use.
Result<std::vector<sim::Argument>> arguments_for_gpu(const Request& request) {
  return make_arguments({&request.arguments, &request.buffers});
}

// The rules of the request's arguments and buffers, in this order.
std::vector<std::optional<ContentRule>> rules_of(const Request& request) {
  std::vector<std::optional<ContentRule>> rules;
  for (const RequestedArguments* list : {&request.arguments, &request.buffers})
    for (const RequestedArgument& argument : *list) rules.push_back(content_rule(argument));
  return rules;
}

std::vector<gpu::Argument> for_gpu(const std::vector<sim::Argument>& arguments, const std::vector<BufferUse>& use,
                                   const std::vector<std::optional<ContentRule>>& rules) {
  std::vector<gpu::Argument> list;
  for (const sim::Argument& argument : arguments) {
    gpu::Argument& out = list.emplace_back();
    out.is_buffer = argument.is_buffer;
    out.base_offset = argument.base_offset;
    out.bytes = argument.is_buffer ? argument.contents : parameter_bytes(argument);
    for (const sim::Argument::Pointer& one : argument.pointers)
      out.addresses.push_back(address_of(arguments, argument, one));
    // A buffer that is only read does not change, and one that is only written does not affect the launch.
    if (list.size() <= use.size()) out.restored = use[list.size() - 1].read && use[list.size() - 1].written;
    if (argument.texture != nullptr) {
      out.texture = *argument.texture;
      out.restored = out.texture->surface;
    }
    if (list.size() <= rules.size()) out.rule = rules[list.size() - 1];
  }
  return list;
}

// The parameter for an argument. One that shares another's buffer (same:N) passes that buffer's address plus an offset.
gpu::Launch::Parameter taking(const std::vector<sim::Argument>& arguments, int place, std::uint64_t offset = 0) {
  const sim::Argument& argument = arguments.at(static_cast<std::size_t>(place));
  if (argument.same_as < 0) return {place, offset, {}};
  return {argument.same_as, offset + argument.scalar_bits, {}};
}

// The structs with pointers that only later launches receive. They are arguments of the GPU's run of their own, behind
// the request's, in this order.
struct LaterStruct {
  int launch = 0;  // its number
  std::size_t parameter = 0;
  gpu::Argument argument;
};
Result<std::vector<LaterStruct>> later_structs(const Request& request, const std::vector<sim::Argument>& arguments) {
  std::vector<LaterStruct> list;
  for (const RequestedLaunch& launch : request.launches)
    for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
      const bool known =
          !list.empty() && std::tie(list.back().launch, list.back().parameter) >= std::tie(launch.number, i);
      if (launch.parameters[i].buffer >= 0 || known) continue;
      const Result<sim::Argument> made = make_argument(launch.parameters[i].scalar);
      if (!made) return made.errors();
      if (made->pointers.empty()) continue;
      gpu::Argument& out = list.emplace_back(LaterStruct{launch.number, i, {.bytes = parameter_bytes(*made)}}).argument;
      for (const sim::Argument::Pointer& one : made->pointers) {
        const RequestedLaunch::Parameter& to = launch.parameters.at(one.argument);
        const std::uint64_t from = arguments.at(static_cast<std::size_t>(to.buffer)).base_offset + to.offset;
        out.addresses.push_back({one.at, to.buffer, from + one.offset});
      }
    }
  return list;
}

std::uint64_t stack_bytes_of(const LaunchOutcome& outcome) {
  return outcome.stack.open_ended ? outcome.stack.enough_bytes() : 0;
}

// A launch of the request that takes its parameters from `arguments`.
Result<gpu::Launch> launch_for_gpu(const Outcome& interpreted, const RequestedLaunch& requested,
                                   const std::vector<sim::Argument>& arguments,
                                   const std::vector<LaterStruct>& structs) {
  const LaunchOutcome& outcome = interpreted.launches.at(static_cast<std::size_t>(requested.number) - 1);
  gpu::Launch launch{outcome.mangled_kernel, requested.shape, {}, stack_bytes_of(outcome)};
  std::vector<RequestedLaunch::Parameter> parameters = interpreted.request.parameters_of(requested);
  parameters.resize(parameters.size() - requested.pointed_at);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const RequestedLaunch::Parameter& parameter = parameters[i];
    const auto with_pointers = std::ranges::find_if(
        structs, [&](const LaterStruct& one) { return one.launch == requested.number && one.parameter == i; });
    if (with_pointers != structs.end()) {
      const auto place = static_cast<std::size_t>(with_pointers - structs.begin());
      launch.parameters.push_back({static_cast<int>(arguments.size() + place), 0, {}});
      continue;
    }
    if (parameter.buffer >= 0) {
      launch.parameters.push_back(taking(arguments, parameter.buffer, parameter.offset));
      continue;
    }
    Result<sim::Argument> scalar = make_argument(parameter.scalar);
    if (!scalar) return scalar.take_errors();
    launch.parameters.push_back({-1, 0, parameter_bytes(*scalar)});
  }
  return launch;
}

Result<std::vector<gpu::Launch>> launches_for_gpu(const Outcome& interpreted, std::size_t count,
                                                  const std::vector<sim::Argument>& arguments) {
  std::vector<gpu::Launch> launches;
  const Result<std::vector<LaterStruct>> structs = later_structs(interpreted.request, arguments);
  if (!structs) return structs.errors();
  for (const RequestedLaunch& requested : std::span(interpreted.request.launches).first(count)) {
    Result<gpu::Launch> launch = launch_for_gpu(interpreted, requested, arguments, *structs);
    if (!launch) return launch.take_errors();
    launches.push_back(std::move(*launch));
  }
  return launches;
}

// How many of its words may be addresses.
std::size_t words_like_addresses(const std::vector<std::byte>& contents) {
  std::size_t count = 0;
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= contents.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, contents.data() + at, sizeof word);
    if (sim::address_space::could_be_mapped(word)) ++count;
  }
  return count;
}

// Appends the module's variables that the request or an earlier launch set; they have no parameter. Addresses of
// buffers become those on the GPU.
Diagnostics add_variables(const Outcome& interpreted, std::vector<gpu::Argument>& given) {
  const std::vector<std::uint64_t> addresses = sim::addresses_of(interpreted.arguments);
  for (const auto& [name, contents] : interpreted.first().variables) {
    const auto pointers = sim::pointers_in(contents, interpreted.arguments, addresses);
    if (pointers.size() != words_like_addresses(contents))
      return {{.code = "gpu.stored_address",
               .message = worded("The variable `{}` holds an address that is not a buffer's, and is another one on a "
                                 "GPU.",
                                 source_name(name)),
               .cure = "Run this launch in the interpreter alone."}};
    gpu::Argument& variable = given.emplace_back();
    variable.is_buffer = true;
    variable.bytes = contents;
    variable.variable = name;
    for (const sim::Argument::Pointer& one : pointers) variable.addresses.push_back({one.at, one.argument, one.offset});
  }
  return {};
}

// Compiles all kernels of the request into one module, as nvcc does, because they share its variables. A PTX file, or
// an architecture that NVRTC does not know, goes through ptxas, or nvJitLink where that is not there. The listing is of
// the first launch's kernel.
Result<compile::Sass> sass_of_kernel(const Outcome& interpreted, const std::string& arch, bool disassemble) {
  const Request& request = interpreted.request;
  const std::string& mangled = interpreted.first().mangled_kernel;
  std::string ptx = interpreted.first().ptx;
  if (request.kept == nullptr && !request.source.name.ends_with(".ptx")) {
    compile::Options options = options_for_gpu(request, arch);
    Result<compile::Ptx> compiled = compile::compile_with_either(request.source, options);
    if (compiled && !compiled->cubin.empty()) {
      if (disassemble) return compile::disassemble(std::move(compiled->cubin), mangled, arch);
      compile::Sass sass;
      sass.kernel = mangled, sass.arch = arch, sass.cubin = std::move(compiled->cubin);
      return sass;
    }
    if (options.name_expressions.size() > 1) {
      options.machine_code = false;
      options.arch = request.arch;
      compiled = compile::compile_with_either(request.source, options);
      if (!compiled) return compiled.take_errors();
      ptx = std::move(compiled->text);
    }
  }
  Result<compile::Sass> sass = compile::to_cubin_as_nvcc(ptx, mangled, arch);
  if (!sass || !disassemble) return sass;
  return compile::disassemble(std::move(*sass));
}

// Compiles the outcome's kernels and loads the first launch.
Diagnostics load_plain(const Outcome& interpreted, gpu::Session& session, bool disassemble, GpuRun& run) {
  const std::string arch = session.device().arch();
  Result<compile::Sass> sass = sass_of_kernel(interpreted, arch, disassemble);
  if (!sass && disassemble) {
    run.not_listed = sass.take_errors();
    for (Diagnostic& one : run.not_listed) one.severity = Severity::warning;
    sass = sass_of_kernel(interpreted, arch, false);
  }
  if (!sass) return sass.take_errors();
  run.sass = std::move(*sass);
  Result<gpu::KernelAttributes> attributes = session.load(run.sass.cubin, {run.launch});
  if (!attributes) return attributes.take_errors();
  run.attributes = *attributes;
  return {};
}

// Loads the first `count` launches of the run.
Diagnostics load_launches(const Outcome& interpreted, gpu::Session& session, std::size_t count, const GpuRun& run) {
  Result<std::vector<gpu::Launch>> launches = launches_for_gpu(interpreted, count, run.before);
  if (!launches) return launches.take_errors();
  Result<gpu::KernelAttributes> loaded = session.load(run.sass.cubin, *launches);
  return loaded ? Diagnostics{} : loaded.take_errors();
}

// The contents that each argument probably has after a run (gpu::Argument::expected).
using Expected = std::vector<std::span<const std::byte>>;

Expected contents_of(const std::vector<sim::Argument>& arguments) {
  Expected contents;
  for (const sim::Argument& argument : arguments) contents.emplace_back(argument.contents);
  return contents;
}

// The interpreter's result.
Expected expected_of(const Outcome& interpreted, const GpuRun& run) {
  return interpreted.request.kept == nullptr ? contents_of(interpreted.arguments)
                                             : expected_of_kept(interpreted, run.kept_ranges, run.given.size());
}

// Runs the loaded launches from the starting memory of `run`.
Diagnostics run_once(const GpuRun& run, gpu::Session& session, const GpuOptions& options, const Expected& expected,
                     std::vector<sim::Argument>& into) {
  std::vector<gpu::Argument> given = run.given;
  for (std::size_t i = 0; i < std::min(given.size(), expected.size()); ++i) given[i].expected = expected[i];
  Result<gpu::Completed> done = session.run(std::move(given), options.watchdog_seconds);
  if (!done) return done.take_errors();
  if (!run.kept_ranges.empty()) put_back_addresses(run.kept_ranges, done->arguments);
  into = run.before;
  take_results(into, done->arguments);
  return {};
}

Diagnostics run_the_launch(const Outcome& interpreted, GpuRun& run, gpu::Session& session, const GpuOptions& options,
                           const std::function<bool()>& keep_going) {
  std::vector<sim::Argument> first;
  if (Diagnostics errors = run_once(run, session, options, expected_of(interpreted, run), first); !errors.empty())
    return with_the_interpreters_finding(std::move(errors), interpreted, keep_going);
  run.after_first = std::move(first);
  if (options.twice) {
    std::vector<sim::Argument> again;
    if (Diagnostics errors = run_once(run, session, options, contents_of(run.after_first), again); !errors.empty())
      return errors;
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

// Sets the arguments that the launch starts from.
Diagnostics begin_with(const Outcome& interpreted, std::vector<sim::Argument> before, const std::vector<BufferUse>& use,
                       GpuRun& run) {
  Result<std::vector<LaterStruct>> structs = later_structs(interpreted.request, before);
  if (!structs) return structs.take_errors();
  Result<gpu::Launch> launch = launch_for_gpu(interpreted, interpreted.request.first(), before, *structs);
  if (!launch) return launch.take_errors();
  run.launch = std::move(*launch);
  run.before = std::move(before);
  run.given = for_gpu(run.before, use, rules_of(interpreted.request));
  for (LaterStruct& one : *structs) run.given.push_back(std::move(one.argument));
  return add_variables(interpreted, run.given);
}

// Sets the starting memory that the request describes.
Diagnostics begin(const Outcome& interpreted, GpuRun& run) {
  if (interpreted.request.kept == nullptr) {
    Result<std::vector<sim::Argument>> before = arguments_for_gpu(interpreted.request);
    if (!before) return before.take_errors();
    return begin_with(interpreted, std::move(*before), use_of_buffers(interpreted), run);
  }
  Result<KeptOnGpu> kept = kept_on_gpu(interpreted);
  if (!kept) return kept.take_errors();
  run.launch = {interpreted.first().mangled_kernel, interpreted.request.first().shape,
                gpu::parameters_in_order(kept->parameters), stack_bytes_of(interpreted.first())};
  run.before = std::move(kept->before);
  run.given = std::move(kept->given);
  run.kept_ranges = std::move(kept->ranges);
  return {};
}

// The memory of the whole run as the launches before this execution leave it on the GPU.
Result<std::vector<sim::Argument>> memory_before(const Outcome& whole, std::size_t execution, gpu::Session& session,
                                                 const GpuOptions& options, const std::function<bool()>& keep_going,
                                                 GpuRun& run) {
  Result<std::vector<sim::Argument>> memory = arguments_for_gpu(whole.request);
  if (!memory || execution == 0) return memory;
  GpuRun earlier;
  if (Diagnostics errors = begin_with(whole, std::move(*memory), {}, earlier); !errors.empty()) return errors;
  if (Diagnostics errors = load_plain(whole, session, false, earlier); !errors.empty()) return errors;
  if (execution > 1)
    if (Diagnostics errors = load_launches(whole, session, execution, earlier); !errors.empty()) return errors;
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

Diagnostics refused_clusters(const Outcome& interpreted, const gpu::Device& device) {
  const auto of_several = [](const LaunchOutcome& one) { return one.trace.launch.cluster.count() > 1; };
  constexpr int first_with_clusters = 9;
  if (device.major >= first_with_clusters || std::ranges::none_of(interpreted.launches, of_several)) return {};
  return {{Severity::error,
           "gpu.no_clusters",
           {},
           worded("{} has no thread block clusters: it has compute capability {}.{}, and clusters need 9.0.",
                  device.name_and_place(), device.major, device.minor),
           "Use a GPU of compute capability 9.0 or newer, or run it in the interpreter alone."}};
}

}  // namespace

Result<GpuRun> run_on_gpu(const Outcome& interpreted, gpu::Session& session, const GpuOptions& options,
                          const std::function<bool()>& keep_going) {
  if (Diagnostics problems = refused_clusters(interpreted, session.device()); !problems.empty()) return problems;
  GpuRun run{.device = session.device(), .which = {.launches = interpreted.launch_count()}};
  if (Diagnostics errors = begin(interpreted, run); !errors.empty()) return errors;
  if (Diagnostics errors = load_plain(interpreted, session, options.disassemble, run); !errors.empty()) return errors;
  if (Diagnostics errors = run_the_launch(interpreted, run, session, options, keep_going); !errors.empty())
    return errors;
  if (const std::size_t count = interpreted.request.launches.size(); count > 1) {
    if (Diagnostics errors = load_launches(interpreted, session, count, run); !errors.empty()) return errors;
    if (Diagnostics errors = run_once(run, session, options, expected_of(interpreted, run), run.arguments);
        !errors.empty())
      return with_the_interpreters_finding(std::move(errors), interpreted, keep_going);
  }
  hold_against(interpreted, run);

  if (options.time) {
    Result<gpu::Timing> timing = session.time(run.given, options.timing, keep_going);
    if (!timing) return timing.take_errors();
    run.timing = std::move(*timing);
  }
  return run;
}

compile::Options options_for_gpu(const Request& request, const std::string& arch) {
  compile::Options options;
  options.arch = arch;
  options.machine_code = true;
  std::set<std::string> kernels;
  for (const RequestedLaunch& launch : request.launches) kernels.insert(launch.kernel);
  options.name_expressions.assign(kernels.begin(), kernels.end());
  return options;
}

void compile_for_gpu(const Outcome& interpreted, const std::string& arch) {
  (void)sass_of_kernel(interpreted, arch, true);
}

Result<GpuRun> run_launch_on_gpu(const Outcome& whole, const OneLaunch& one, gpu::Session& session,
                                 const GpuOptions& options, const std::function<bool()>& keep_going) {
  if (Diagnostics problems = refused_clusters(whole, session.device()); !problems.empty()) return problems;
  GpuRun run{.device = session.device(), .which = one.which, .start_rounds = one.start_rounds};
  Result<std::vector<sim::Argument>> memory = memory_before(whole, one.execution, session, options, keep_going, run);
  if (!memory) return memory.take_errors();
  Result<std::vector<sim::Argument>> before = arranged(one, *memory);
  if (!before) return before.take_errors();
  if (Diagnostics errors = begin_with(one.outcome, std::move(*before), {}, run); !errors.empty()) return errors;
  if (Diagnostics errors = load_plain(one.outcome, session, options.disassemble, run); !errors.empty()) return errors;
  if (Diagnostics errors = run_the_launch(one.outcome, run, session, options, keep_going); !errors.empty())
    return errors;
  hold_against(one.outcome, run);
  return run;
}

}  // namespace lanescope::job
