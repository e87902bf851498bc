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
    for (const ArgumentText& text : *list) {
      Result<sim::Argument> argument = parse_argument(text);
      if (!argument) return argument.take_errors();
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
      Result<sim::Argument> scalar = parse_argument(parameter.scalar);
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
  const auto shares = [](const ArgumentText& argument) { return argument.text.starts_with("same:"); };
  const auto moves = [](const RequestedLaunch& next) {
    return std::ranges::any_of(next.parameters, [](const auto& one) { return one.offset != 0; });
  };
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

Result<GpuRun> run_on_gpu(const Outcome& interpreted, gpu::Session& session, const GpuOptions& options,
                          const std::function<bool()>& keep_going) {
  if (Diagnostics problems = interpreter_only(interpreted.request); !problems.empty()) return problems;
  GpuRun run{.device = session.device(), .which = {.launches = interpreted.launch_count()}};
  const Request& request = interpreted.request;
  if (Diagnostics errors = load_plain(interpreted, session, options.disassemble, run); !errors.empty()) return errors;

  Result<std::vector<sim::Argument>> before = parse_all(request);
  if (!before) return before.take_errors();
  run.before = std::move(*before);
  run.given = for_gpu(request, run.before, use_of_buffers(interpreted));
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

namespace {

// The kernel that records itself, assembled and loaded.
struct RecordingKernel {
  instrument::Instrumented kernel;
  instrument::RegionShape shape;
  std::vector<gpu::Argument> arguments;  // the kernel's own
};

// One launch of it.
struct RecordingLaunch {
  instrument::Control control;
  instrument::LanePlaces lanes;
  std::vector<gpu::Argument> arguments;  // the kernel's own, then the buffer, the lanes' places and the control
};

// Registers a thread may have so that so many blocks are resident; 0: any number. A quarter of a multiprocessor's
// registers goes to a quarter of its warps, in pieces of eight a thread (CUDA C++ Programming Guide, "Compute
// Capabilities").
int most_registers_for(int blocks, const trace::Launch& launch, const gpu::Device& device) {
  const int warps = (blocks * static_cast<int>(launch.warps_per_block()) + 3) / 4;
  if (warps == 0) return 0;
  const int most = device.registers_per_multiprocessor / 4 / warps / (8 * MemoryModel::lanes) * 8;
  return most <= 255 ? most : 0;
}

struct Assembled {
  gpu::KernelAttributes attributes;
  std::uint64_t spilled_bytes = 0;  // of a thread, from registers to local memory
};

enum class Assembler { nvjitlink, driver };

Result<RecordingKernel> load_recording_with(const Outcome& interpreted, const GpuRun& plain, gpu::Session& session,
                                            const ptx::Module& module, instrument::Pass pass, int most_registers,
                                            Assembled& assembled, Assembler assembler = Assembler::nvjitlink) {
  Result<instrument::Instrumented> kernel =
      instrument::instrument(module, interpreted.first().mangled_kernel, pass, most_registers);
  if (!kernel) return kernel.take_errors();
  std::vector<std::uint8_t> code;
  if (assembler == Assembler::driver) {
    code.assign(kernel->ptx.c_str(), kernel->ptx.c_str() + kernel->ptx.size() + 1);
  } else {
    Result<compile::Sass> sass = compile::to_cubin(kernel->ptx, kernel->kernel, session.device().arch());
    if (!sass) return sass.take_errors();
    code = std::move(sass->cubin);
    assembled.spilled_bytes = sass->spill_store_bytes;
  }
  auto loaded = session.load(code, kernel->kernel, interpreted.request.first().shape);
  if (!loaded) return loaded.take_errors();
  assembled.attributes = *loaded;
  instrument::RegionShape shape = instrument::region_shape(*kernel, interpreted.first().trace);
  return RecordingKernel{.kernel = std::move(*kernel), .shape = shape, .arguments = plain.given};
}

// `blocks`: to record. Where these are few, the others set the pace, and what recording takes must not cost them more
// than it must:
// - nvJitLink assembles as if others were to be linked to it, and leaves arrays in local memory that NVRTC keeps in
// registers. The
//   driver's own compiler keeps them there too, and is asked where that is so.
// - The registers that recording takes must not cost the blocks their places: fewer then, unless the blocks fit all at
// once anyway, or
//   more would lie in local memory than pays. (On an H200, 16 blocks: with 8 bytes of a thread there a kernel went
//   from 1.24 × plain to 1.04, with 56 another from 1.26 to 1.34.)
Result<RecordingKernel> load_recording(const Outcome& interpreted, const GpuRun& plain, gpu::Session& session,
                                       instrument::Pass pass, std::uint32_t blocks) {
  constexpr std::uint64_t most_spilled_bytes = 32;
  Result<ptx::Module> module = ptx::parse(interpreted.first().ptx, interpreted.request.source.name + ".ptx");
  if (!module) return module.take_errors();
  const trace::Launch& launch = interpreted.request.first().shape;
  Assembled large, small, whole;
  const auto load = [&](int most_registers, Assembled& assembled, Assembler assembler = Assembler::nvjitlink) {
    return load_recording_with(interpreted, plain, session, *module, pass, most_registers, assembled, assembler);
  };
  Result<RecordingKernel> kernel = load(0, large);
  const bool few = std::uint64_t{blocks} * 4 <= launch.grid.count();
  if (!kernel || !few) return kernel;
  const int resident = large.attributes.resident_blocks_per_multiprocessor,
            wanted = plain.attributes.resident_blocks_per_multiprocessor;
  if (large.attributes.local_bytes > plain.attributes.local_bytes) {
    Result<RecordingKernel> by_driver = load(0, whole, Assembler::driver);
    if (by_driver && whole.attributes.local_bytes < large.attributes.local_bytes &&
        whole.attributes.resident_blocks_per_multiprocessor >= resident)
      return by_driver;
    kernel = load(0, large);
  }
  const bool all_at_once = launch.grid.count() <= static_cast<std::uint64_t>(resident) *
                                                      static_cast<std::uint64_t>(session.device().multiprocessors);
  if (!kernel || all_at_once || resident >= wanted) return kernel;
  const int most = most_registers_for(wanted, launch, session.device());
  if (most == 0 || most >= large.attributes.registers) return kernel;
  Result<RecordingKernel> smaller = load(most, small);
  if (smaller && small.spilled_bytes <= most_spilled_bytes &&
      small.attributes.resident_blocks_per_multiprocessor > resident)
    return smaller;
  return load(0, large);
}

template <typename T>
std::vector<std::byte> bytes_of(const T& value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  return {first, first + sizeof value};
}

// `room_for_blocks`: the buffer's size, at least block_count: launches of equal buffers find their memory in the same
// places.
RecordingLaunch launch_of(const RecordingKernel& kernel, const trace::Launch& launch, std::uint32_t first_block,
                          std::uint32_t block_count, std::uint32_t room_for_blocks) {
  const std::uint64_t regions = std::uint64_t{room_for_blocks} * launch.warps_per_block();
  RecordingLaunch made{.control = {.first_block = first_block,
                                   .block_count = block_count,
                                   .regions = static_cast<std::uint32_t>(regions),
                                   .warps_per_block = launch.warps_per_block(),
                                   .records = instrument::records_offset},
                       .lanes = kernel.shape.lanes,
                       .arguments = kernel.arguments};
  made.arguments.push_back(
      {.is_buffer = true, .zero_bytes = instrument::buffer_bytes(regions, kernel.shape.capacity())});
  made.arguments.push_back({.is_buffer = true, .bytes = bytes_of(made.lanes)});
  made.arguments.push_back({.bytes = bytes_of(made.control)});
  return made;
}

instrument::Recording recording_of(const RecordingLaunch& made, const std::vector<gpu::Argument>& after) {
  return {.control = made.control, .lanes = made.lanes, .buffer = after[after.size() - 3].bytes};
}

std::uint64_t bytes_of_block(const instrument::RegionShape& shape, const trace::Launch& launch) {
  return instrument::buffer_bytes(launch.warps_per_block(), shape.capacity());
}

std::vector<DeviceRange> ranges_of(const std::vector<gpu::Argument>& arguments, std::size_t own) {
  std::vector<DeviceRange> ranges;
  for (std::size_t i = 0; i < own; ++i)
    if (arguments[i].is_buffer)
      ranges.push_back({static_cast<std::int32_t>(i), arguments[i].address, arguments[i].bytes.size()});
  return ranges;
}

// Moves addresses from where one launch found its buffers to where another did.
void rebase(trace::Trace& trace, const std::vector<DeviceRange>& from, const std::vector<DeviceRange>& to) {
  const auto moved = [&](std::uint64_t address) {
    for (std::size_t i = 0; i < from.size(); ++i)
      if (address - from[i].address < from[i].bytes) return address - from[i].address + to[i].address;
    return address;
  };
  for (trace::WarpEvent& event : trace.events) {
    if (event.kind != trace::EventKind::memory || event.space != trace::MemorySpace::global) continue;
    event.first_address = moved(event.first_address);
    for (int i = 0; !event.affine() && i < event.executed.count(); ++i) {
      std::uint64_t& address = trace.addresses[event.side + static_cast<std::uint32_t>(i)];
      address = moved(address);
    }
  }
}

void append(trace::Trace& whole, trace::Trace part) {
  const auto addresses = static_cast<std::uint32_t>(whole.addresses.size());
  const auto lanes = static_cast<std::uint32_t>(whole.source_lanes.size());
  for (trace::WarpEvent& event : part.events)
    if (event.side != trace::WarpEvent::no_side)
      event.side += event.kind == trace::EventKind::shuffle ? lanes : addresses;
  whole.events.insert(whole.events.end(), part.events.begin(), part.events.end());
  whole.addresses.insert(whole.addresses.end(), part.addresses.begin(), part.addresses.end());
  whole.source_lanes.insert(whole.source_lanes.end(), part.source_lanes.begin(), part.source_lanes.end());
  whole.events_dropped += part.events_dropped;
}

// Records a range of blocks, as many launches as it takes.
class Recorder {
 public:
  Recorder(const Outcome& interpreted, gpu::Session& session, RecordingKernel kernel, const RecordingLimits& limits)
      : interpreted_(interpreted),
        launch_(interpreted.request.first().shape),
        session_(session),
        kernel_(std::move(kernel)),
        limits_(limits) {}

  Diagnostics record(std::uint32_t first_block, std::uint32_t block_count) {
    const auto begin = std::chrono::steady_clock::now();
    const std::uint32_t end = first_block + block_count;
    for (std::uint32_t block = first_block; block < end;) {
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
      if (launches_ > 0 && (launches_ >= limits_.launches || passed.count() > limits_.seconds)) break;
      if (Diagnostics errors = record_next(block, end); !errors.empty()) return errors;
    }
    return {};
  }

  trace::Trace trace;
  std::vector<DeviceRange> ranges;
  std::uint32_t blocks = 0;
  bool same_result = true;
  std::uint32_t launches() const { return launches_; }

  // What the plain kernel's first launch gave.
  const std::vector<sim::Argument>* expected = nullptr;

 private:
  std::uint32_t blocks_that_fit(std::uint32_t wanted) const {
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(limits_.bytes / bytes_of_block(kernel_.shape, launch_), 1, wanted));
  }

  Diagnostics record_next(std::uint32_t& block, std::uint32_t end) {
    constexpr double watchdog_seconds = 20;
    constexpr int most_tries = 4;
    for (int tries = 1;; ++tries) {
      const std::uint32_t room = blocks_that_fit(end - block);
      const std::uint32_t count = std::min(room, end - block);
      RecordingLaunch made = launch_of(kernel_, launch_, block, count, std::max(room, room_));
      ++launches_;
      Result<gpu::Completed> done = session_.run(launch_, std::move(made.arguments), watchdog_seconds);
      if (!done) return done.take_errors();
      const instrument::Recording recording = recording_of(made, done->arguments);
      // The hardware may take more steps than the model (lanes that join elsewhere, spinning): again, with room for
      // all.
      if (tries < most_tries && instrument::count_events(kernel_.kernel, recording).dropped > 0) {
        const instrument::RegionShape larger = instrument::enlarged(kernel_.kernel, recording);
        if (bytes_of_block(larger, launch_) <= limits_.bytes) {
          kernel_.shape = larger;
          room_ = 0;
          continue;
        }
      }
      room_ = std::max(room, room_);
      block += count;
      return take(recording, done->arguments, count);
    }
  }

  Diagnostics take(const instrument::Recording& recording, std::vector<gpu::Argument>& after, std::uint32_t count) {
    Result<trace::Trace> part = instrument::decode(kernel_.kernel, recording, launch_, interpreted_.first().trace);
    if (!part) return part.take_errors();
    const std::vector<DeviceRange> here = ranges_of(after, kernel_.arguments.size());
    if (blocks == 0) {
      trace = std::move(*part);
      ranges = here;
    } else {
      rebase(*part, here, ranges);
      append(trace, std::move(*part));
    }
    blocks += count;
    for (std::size_t i = 0; i < expected->size(); ++i)
      same_result = same_result && (!(*expected)[i].is_buffer || (*expected)[i].contents == after[i].bytes);
    return {};
  }

  const Outcome& interpreted_;
  const trace::Launch& launch_;
  gpu::Session& session_;
  RecordingKernel kernel_;
  RecordingLimits limits_;
  std::uint32_t launches_ = 0, room_ = 0;
};

}  // namespace

Result<GpuRecording> record_on_gpu(const Outcome& interpreted, const GpuRun& plain, gpu::Session& session,
                                   instrument::Pass pass, std::uint32_t first_block, std::uint32_t block_count,
                                   const RecordingLimits& limits) {
  const trace::Launch& launch = interpreted.request.first().shape;
  const std::uint64_t behind = launch.grid.count() - std::min<std::uint64_t>(first_block, launch.grid.count());
  const auto wanted = static_cast<std::uint32_t>(std::min<std::uint64_t>(block_count, behind));
  Result<RecordingKernel> kernel = load_recording(interpreted, plain, session, pass, wanted);
  if (!kernel) return kernel.take_errors();
  Recorder recorder(interpreted, session, std::move(*kernel), limits);
  recorder.expected = &plain.after_first;
  if (Diagnostics errors = recorder.record(first_block, wanted); !errors.empty()) return errors;

  GpuRecording out;
  out.trace = std::move(recorder.trace);
  out.trace.kernel = interpreted.first().trace.kernel;
  out.trace.compiler_name = interpreted.first().trace.compiler_name;
  out.trace.compiler_version = interpreted.first().trace.compiler_version;
  out.trace.device = session.device().name;
  out.trace.arch = session.device().arch();
  for (const DeviceRange& range : recorder.ranges)
    out.trace.buffers.push_back({"arg " + std::to_string(range.argument), range.argument, range.address, range.bytes});
  out.ranges = std::move(recorder.ranges);
  out.first_block = first_block;
  out.same_result = recorder.same_result;
  out.blocks = recorder.blocks;
  out.launches = recorder.launches();
  return out;
}

RecordComparison compare_with(const Outcome& interpreted, const GpuRecording& recording, instrument::Pass pass) {
  RecordComparison comparison = compare_records(interpreted.first().trace, recording.trace, pass, recording.first_block,
                                                recording.blocks, recording.ranges);
  comparison.launches = recording.launches;
  return comparison;
}

Result<RecordingCost> measure_recording(const Outcome& interpreted, gpu::Session& session,
                                        const gpu::TimingOptions& timing, std::uint32_t chosen) {
  Result<GpuRun> plain = run_on_gpu(interpreted, session, {.time = true, .timing = timing});
  if (!plain) return plain.take_errors();
  RecordingCost cost{.plain = *plain->timing};
  const trace::Launch& launch = interpreted.request.first().shape;
  const auto grid = static_cast<std::uint32_t>(launch.grid.count());
  for (const std::uint32_t blocks : {grid, std::min(chosen, grid)})
    for (const auto pass : {instrument::Pass::memory, instrument::Pass::block_entries, instrument::Pass::operations}) {
      Result<RecordingKernel> kernel = load_recording(interpreted, *plain, session, pass, blocks);
      if (!kernel) return kernel.take_errors();
      const std::uint64_t room = instrument::most_regions(kernel->shape.capacity()) / launch.warps_per_block();
      const auto recorded = static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, room));
      RecordingLaunch made = launch_of(*kernel, launch, 0, recorded, recorded);
      Result<gpu::Completed> done = session.run(launch, made.arguments, 20);
      if (!done) return done.take_errors();
      const instrument::Recording first = recording_of(made, done->arguments);
      const instrument::RegionShape larger = instrument::enlarged(kernel->kernel, first);
      if (instrument::count_events(kernel->kernel, first).dropped > 0 &&
          instrument::most_regions(larger.capacity()) >= made.control.regions) {
        kernel->shape = larger;
        made = launch_of(*kernel, launch, 0, recorded, recorded);
        if (done = session.run(launch, made.arguments, 20); !done) return done.take_errors();
      }
      Result<gpu::Timing> timed = session.time(launch, made.arguments, timing, [] { return true; });
      if (!timed) return timed.take_errors();
      RecordingCost::Row row{.pass = pass, .blocks = recorded, .timing = std::move(*timed)};
      row.records = instrument::count_events(kernel->kernel, recording_of(made, done->arguments)).written;
      cost.rows.push_back(std::move(row));
    }
  return cost;
}

}  // namespace lanescope::job
