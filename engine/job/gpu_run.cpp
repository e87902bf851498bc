#include "job/gpu_run.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <fmt/format.h>

namespace lanescope::job {
namespace {

std::vector<std::byte> scalar_bytes(const sim::Argument& argument) {
  if (!argument.raw_parameter.empty()) return argument.raw_parameter;
  std::vector<std::byte> bytes(static_cast<std::size_t>(sim::bytes_of(argument.type)));
  std::memcpy(bytes.data(), &argument.scalar_bits, bytes.size());
  return bytes;
}

// Where two results differ first; empty when nowhere.
std::string first_difference(const std::vector<sim::Argument>& a, const std::vector<sim::Argument>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const auto& left = a[i].contents;
    const auto& right = b[i].contents;
    const auto [at, ignored] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
    if (at != left.end()) return fmt::format("argument {}, byte {}", i, at - left.begin());
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
    for (const ArgumentText& text : *list) {
      Result<sim::Argument> argument = parse_argument(text);
      if (!argument) return argument.take_errors();
      arguments.push_back(std::move(*argument));
    }
  return arguments;
}

std::vector<gpu::Argument> for_gpu(const Request& request, const std::vector<sim::Argument>& arguments) {
  std::vector<gpu::Argument> list;
  for (const sim::Argument& argument : arguments) {
    gpu::Argument& out = list.emplace_back();
    out.is_buffer = argument.is_buffer;
    out.passed = list.size() <= request.arguments.size();
    out.base_offset = argument.base_offset;
    out.bytes = argument.is_buffer ? argument.contents : scalar_bytes(argument);
  }
  return list;
}

// The plain kernel as nvcc assembles it; a PTX file, and an architecture that NVRTC does not know, go through nvJitLink.
Result<compile::Sass> machine_code(const Request& request, const std::string& kernel, const std::string& ptx,
                                   const std::string& mangled, const std::string& arch, bool disassemble = true) {
  if (!request.source.name.ends_with(".ptx")) {
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

// Gives the session the launches that follow the first.
Diagnostics follow(const Outcome& interpreted, gpu::Session& session) {
  const Request& request = interpreted.request;
  std::vector<gpu::Program> programs;
  std::map<std::string, std::size_t> known;
  std::vector<gpu::FurtherLaunch> launches;
  for (const NextLaunch& next : request.launches) {
    const LaterLaunch& later = interpreted.later.at(static_cast<std::size_t>(next.number) - 2);
    const auto [place, is_new] = known.emplace(later.mangled_kernel, programs.size());
    if (is_new) {
      Result<compile::Sass> sass = machine_code(request, next.kernel, later.ptx, later.mangled_kernel, session.device().arch(), false);
      if (!sass) return sass.take_errors();
      programs.push_back({std::move(sass->cubin), later.mangled_kernel});
    }
    gpu::FurtherLaunch& launch = launches.emplace_back(gpu::FurtherLaunch{place->second, next.launch, {}});
    for (const NextLaunch::Parameter& parameter : next.parameters) {
      launch.parameters.push_back({parameter.buffer, {}});
      if (parameter.buffer >= 0) continue;
      Result<sim::Argument> scalar = parse_argument(parameter.scalar);
      if (!scalar) return scalar.take_errors();
      launch.parameters.back().bytes = scalar_bytes(*scalar);
    }
  }
  Result<std::monostate> done = session.follow(programs, launches);
  return done ? Diagnostics{} : done.take_errors();
}

// The most events of a pass that any warp of the chosen blocks had in the interpreter, and some room.
std::uint32_t capacity_for(const trace::Trace& interpreted, instrument::Pass pass) {
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint32_t> counts;
  std::uint32_t most = 0;
  for (const trace::WarpEvent& event : interpreted.events)
    if (belongs_to(event, pass)) most = std::max(most, ++counts[{event.block, event.warp}]);
  return most + most / 4 + 16;
}

}  // namespace

Result<std::vector<gpu::Argument>> gpu_arguments(const Request& request) {
  Result<std::vector<sim::Argument>> arguments = parse_all(request);
  if (!arguments) return arguments.take_errors();
  return for_gpu(request, *arguments);
}

Result<GpuRun> run_on_gpu(const Outcome& interpreted, gpu::Session& session, const GpuOptions& options,
                          const std::function<bool()>& keep_going) {
  GpuRun run{.device = session.device()};
  const Request& request = interpreted.request;
  Result<compile::Sass> sass = machine_code(request, request.kernel, interpreted.ptx, interpreted.mangled_kernel, session.device().arch(), options.disassemble);
  if (!sass) return sass.take_errors();
  run.sass = std::move(*sass);
  Result<gpu::KernelAttributes> attributes = session.load(run.sass.cubin, interpreted.mangled_kernel, request.launch);
  if (!attributes) return attributes.take_errors();
  run.attributes = *attributes;

  Result<std::vector<sim::Argument>> before = parse_all(request);
  if (!before) return before.take_errors();
  const std::vector<gpu::Argument> arguments = for_gpu(request, *before);
  const auto once = [&](std::vector<sim::Argument>& into) -> Diagnostics {
    Result<gpu::Completed> done = session.run(request.launch, arguments, options.watchdog_seconds);
    if (!done) return done.take_errors();
    into = *before;
    take_results(into, done->arguments);
    return {};
  };
  if (Diagnostics errors = once(run.after_first); !errors.empty()) return errors;
  if (options.twice) {
    std::vector<sim::Argument> again;
    if (Diagnostics errors = once(again); !errors.empty()) return errors;
    run.repeatable = first_difference(run.after_first, again).empty();
  }
  run.arguments = run.after_first;
  if (!request.launches.empty()) {
    if (Diagnostics errors = follow(interpreted, session); !errors.empty()) return errors;
    if (Diagnostics errors = once(run.arguments); !errors.empty()) return errors;
  }
  run.first_difference = first_difference(interpreted.arguments, run.arguments);
  run.same_result = run.first_difference.empty();

  if (options.time) {
    Result<gpu::Timing> timing = session.time(request.launch, arguments, options.timing, keep_going);
    if (!timing) return timing.take_errors();
    run.timing = std::move(*timing);
  }
  return run;
}

namespace {

// The kernel that records itself, assembled and loaded, with the arguments of one launch of it.
struct RecordingLaunch {
  instrument::Instrumented kernel;
  instrument::Control control;
  std::vector<gpu::Argument> arguments;   // the kernel's own, then the control, then the three arrays it points at
  std::size_t own = 0;                    // how many are the kernel's own
};

void add_recording_arguments(RecordingLaunch& made, std::uint64_t regions) {
  const instrument::BufferSizes sizes = instrument::buffer_sizes(made.kernel, regions, made.control.capacity);
  made.own = made.arguments.size();
  gpu::Argument control{.is_buffer = true, .bytes = std::vector<std::byte>(sizeof made.control)};
  std::memcpy(control.bytes.data(), &made.control, sizeof made.control);
  control.patches = {{offsetof(instrument::Control, headers), static_cast<std::uint32_t>(made.own + 1)},
                     {offsetof(instrument::Control, lanes), static_cast<std::uint32_t>(made.own + 2)},
                     {offsetof(instrument::Control, counters), static_cast<std::uint32_t>(made.own + 3)}};
  made.arguments.push_back(std::move(control));
  for (const std::uint64_t bytes : {sizes.headers, sizes.lanes, sizes.counters})
    made.arguments.push_back({.is_buffer = true, .passed = false, .zero_bytes = std::max<std::uint64_t>(bytes, 1)});
}

// `capacity`: records a warp's region holds; 0 = as many as the interpreter's events of any warp, and some room.
Result<RecordingLaunch> load_recording(const Outcome& interpreted, gpu::Session& session, instrument::Pass pass,
                                       std::uint32_t first_block, std::uint32_t block_count, std::uint32_t capacity = 0) {
  Result<ptx::Module> module = ptx::parse(interpreted.ptx, interpreted.request.source.name + ".ptx");
  if (!module) return module.take_errors();
  Result<instrument::Instrumented> kernel = instrument::instrument(*module, interpreted.mangled_kernel, pass);
  if (!kernel) return kernel.take_errors();
  Result<compile::Sass> sass = compile::to_cubin(kernel->ptx, kernel->kernel, session.device().arch());
  if (!sass) return sass.take_errors();
  const trace::Launch& launch = interpreted.request.launch;
  if (auto loaded = session.load(sass->cubin, kernel->kernel, launch); !loaded) return loaded.take_errors();

  const std::uint64_t behind = launch.grid.count() - std::min<std::uint64_t>(first_block, launch.grid.count());
  const auto blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(block_count, behind));
  Result<std::vector<gpu::Argument>> arguments = gpu_arguments(interpreted.request);
  if (!arguments) return arguments.take_errors();
  RecordingLaunch made{.kernel = std::move(*kernel),
                       .control = {.first_block = first_block, .block_count = blocks,
                                   .capacity = capacity ? capacity : capacity_for(interpreted.trace, pass),
                                   .warps_per_block = launch.warps_per_block()},
                       .arguments = std::move(*arguments)};
  add_recording_arguments(made, std::uint64_t{blocks} * launch.warps_per_block());
  return made;
}

instrument::Recording recording_of(const RecordingLaunch& made, const std::vector<gpu::Argument>& after) {
  instrument::Recording recording{.control = made.control};
  const auto take = [&](auto& into, std::size_t index) {
    const std::vector<std::byte>& bytes = after[made.own + index].bytes;
    into.resize(bytes.size() / sizeof into[0]);
    if (!into.empty()) std::memcpy(into.data(), bytes.data(), into.size() * sizeof into[0]);
  };
  std::memcpy(&recording.control, after[made.own].bytes.data(), sizeof recording.control);
  take(recording.headers, 1);
  take(recording.lanes, 2);
  take(recording.counters, 3);
  return recording;
}

}  // namespace

std::uint64_t recording_bytes_of_block(const Outcome& interpreted, instrument::Pass pass) {
  const std::uint64_t lanes = pass == instrument::Pass::block_entries ? 0 : 32 * sizeof(std::uint64_t);
  const std::uint64_t a_warp = capacity_for(interpreted.trace, pass) * (sizeof(instrument::Header) + lanes) + sizeof(std::uint32_t);
  return a_warp * interpreted.request.launch.warps_per_block();
}

Result<GpuRecording> record_on_gpu(const Outcome& interpreted, const GpuRun& plain, gpu::Session& session,
                                   instrument::Pass pass, std::uint32_t first_block, std::uint32_t block_count) {
  const trace::Launch& launch = interpreted.request.launch;
  Result<RecordingLaunch> made = load_recording(interpreted, session, pass, first_block, block_count);
  if (!made) return made.take_errors();
  constexpr double watchdog_seconds = 20;
  Result<gpu::Completed> done = session.run(launch, made->arguments, watchdog_seconds);
  if (!done) return done.take_errors();
  // The hardware may take more steps than the model (lanes that join elsewhere). The counters know how many, so a second
  // launch has room for all, within reason; what still does not fit is counted as dropped.
  const std::vector<std::uint32_t> wanted = recording_of(*made, done->arguments).counters;
  const std::uint32_t most = wanted.empty() ? 0 : *std::max_element(wanted.begin(), wanted.end());
  constexpr std::uint64_t most_records = 4u << 20;
  if (most > made->control.capacity && std::uint64_t{most} * wanted.size() <= most_records) {
    made = load_recording(interpreted, session, pass, first_block, block_count, most + most / 4);
    if (!made) return made.take_errors();
    done = session.run(launch, made->arguments, watchdog_seconds);
    if (!done) return done.take_errors();
  }

  Result<trace::Trace> trace = instrument::decode(made->kernel, recording_of(*made, done->arguments), launch, interpreted.trace);
  if (!trace) return trace.take_errors();
  GpuRecording out;
  out.trace = std::move(*trace);
  out.trace.kernel = interpreted.trace.kernel;
  out.trace.compiler_name = interpreted.trace.compiler_name;
  out.trace.compiler_version = interpreted.trace.compiler_version;
  out.trace.device = session.device().name;
  out.trace.arch = session.device().arch();
  std::vector<DeviceRange> ranges;
  for (std::size_t i = 0; i < made->own; ++i) {
    const gpu::Argument& argument = done->arguments[i];
    if (!argument.is_buffer) continue;
    ranges.push_back({static_cast<std::int32_t>(i), argument.address, argument.bytes.size()});
    out.trace.buffers.push_back({fmt::format("arg {}", i), static_cast<std::int32_t>(i), argument.address, argument.bytes.size()});
  }
  out.comparison = compare_records(interpreted.trace, out.trace, pass, first_block, made->control.block_count, ranges);
  Result<std::vector<sim::Argument>> after = parse_all(interpreted.request);
  if (!after) return after.take_errors();
  take_results(*after, done->arguments);
  out.same_result = first_difference(plain.after_first, *after).empty();
  return out;
}

Result<RecordingCost> measure_recording(const Outcome& interpreted, gpu::Session& session, const gpu::TimingOptions& timing,
                                        std::uint32_t chosen) {
  Result<GpuRun> plain = run_on_gpu(interpreted, session, {.time = true, .timing = timing});
  if (!plain) return plain.take_errors();
  RecordingCost cost{.plain = *plain->timing};
  const auto grid = static_cast<std::uint32_t>(interpreted.request.launch.grid.count());
  for (const std::uint32_t blocks : {grid, std::min(chosen, grid)})
    for (const auto pass : {instrument::Pass::memory, instrument::Pass::block_entries, instrument::Pass::operations}) {
      Result<RecordingLaunch> made = load_recording(interpreted, session, pass, 0, blocks);
      if (!made) return made.take_errors();
      const trace::Launch& launch = interpreted.request.launch;
      Result<gpu::Timing> timed = session.time(launch, made->arguments, timing, [] { return true; });
      if (!timed) return timed.take_errors();
      Result<gpu::Completed> done = session.run(launch, made->arguments, 20);
      if (!done) return done.take_errors();
      RecordingCost::Row row{.pass = pass, .blocks = blocks, .timing = std::move(*timed)};
      for (const std::uint32_t count : recording_of(*made, done->arguments).counters)
        row.records += std::min(count, made->control.capacity);
      cost.rows.push_back(std::move(row));
    }
  return cost;
}

}  // namespace lanescope::job
