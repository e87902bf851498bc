// record_on_gpu() and measure_recording(): runs kernels that record themselves.

#include <algorithm>
#include <chrono>

#include "job/witness/gpu_run.h"
#include "job/witness/kept_on_gpu.h"
#include "ptx/module.h"

namespace lanescope::job {
namespace {

// A kernel that records itself, assembled and loaded.
struct RecordingKernel {
  instrument::Instrumented kernel;
  instrument::RegionShape shape;
  std::vector<gpu::Argument> arguments;  // those of the plain kernel
};

// One launch of a recording kernel.
struct RecordingLaunch {
  instrument::Control control;
  instrument::LanePlaces lanes;
  // Those of the plain kernel, then the buffer, the lanes' places and the control.
  std::vector<gpu::Argument> arguments;
};

// The most registers per thread that keep this many blocks resident; 0: no limit. Each quarter of a multiprocessor has
// a quarter of its registers and warps, and allocates eight registers per thread at a time (CUDA C++ Programming Guide,
// "Compute Capabilities").
int most_registers_for(int blocks, const trace::Launch& launch, const gpu::Device& device) {
  const int warps = (blocks * static_cast<int>(launch.warps_per_block()) + 3) / 4;
  if (warps == 0) return 0;
  const int most = device.registers_per_multiprocessor / 4 / warps / (8 * MemoryModel::lanes) * 8;
  return most <= 255 ? most : 0;
}

struct Assembled {
  gpu::KernelAttributes attributes;
  std::uint64_t spilled_bytes = 0;  // per thread, from registers to local memory
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
  gpu::Launch launch = plain.launch;
  launch.kernel = kernel->kernel;
  for (int behind = 0; behind < 3; ++behind)  // launch_of() adds them
    launch.parameters.push_back({static_cast<int>(plain.given.size()) + behind, 0, {}});
  auto loaded = session.load(code, {launch});
  if (!loaded) return loaded.take_errors();
  assembled.attributes = *loaded;
  instrument::RegionShape shape = instrument::region_shape(*kernel, interpreted.first().trace);
  return RecordingKernel{.kernel = std::move(*kernel), .shape = shape, .arguments = plain.given};
}

// Recording takes registers. If not even one block would fit, as with 1,024 threads and more than 64 registers, the
// kernel is limited to those that a block can have.
// `blocks`: number of blocks to record. If they are few, the other blocks determine the time, and recording must not
// slow them down:
// - nvJitLink compiles relocatable code. It leaves some arrays in local memory that NVRTC keeps in registers. The
//   driver's compiler also keeps them in registers, so it compiles such kernels.
// - Recording takes registers, so fewer blocks may be resident. Then the kernel is limited to the plain kernel's
//   registers, unless all blocks are resident anyway or spilling would cost more than it gains. (On an H200 with 16
//   recorded blocks, 8 bytes spilled per thread improved a kernel from 1.24 × plain to 1.04 ×; 56 bytes worsened
//   another from 1.26 × to 1.34 ×.)
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
  int fitting = 0;  // the limit with which a block fits; 0: it fits without one
  Result<RecordingKernel> kernel = load(fitting, large);
  if (kernel && large.attributes.resident_blocks_per_multiprocessor == 0) {
    fitting = most_registers_for(1, launch, session.device());
    kernel = load(fitting, large);
  }
  const bool few = std::uint64_t{blocks} * 4 <= launch.grid.count();
  if (!kernel || !few) return kernel;
  const int resident = large.attributes.resident_blocks_per_multiprocessor,
            wanted = plain.attributes.resident_blocks_per_multiprocessor;
  if (large.attributes.local_bytes > plain.attributes.local_bytes) {
    Result<RecordingKernel> by_driver = load(fitting, whole, Assembler::driver);
    if (by_driver && whole.attributes.local_bytes < large.attributes.local_bytes &&
        whole.attributes.resident_blocks_per_multiprocessor >= resident)
      return by_driver;
    kernel = load(fitting, large);
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
  return load(fitting, large);
}

template <typename T>
std::vector<std::byte> bytes_of(const T& value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  return {first, first + sizeof value};
}

// `room_for_blocks`: the buffer's size in blocks, at least block_count. Launches with equal buffers get the same
// addresses.
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

// `kept`: include variables, which are ordinary memory of a saved launch. Otherwise the interpreter's trace has no
// buffer for them.
std::vector<DeviceRange> ranges_of(const std::vector<gpu::Argument>& arguments, std::size_t own, bool kept) {
  std::vector<DeviceRange> ranges;
  for (std::size_t i = 0; i < own; ++i)
    if (arguments[i].is_buffer && !arguments[i].texture && (kept || arguments[i].variable.empty()))
      ranges.push_back({static_cast<std::int32_t>(i), arguments[i].address, arguments[i].bytes.size()});
  return ranges;
}

// Translates addresses from the buffers of one launch to those of another.
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

// The address range of a buffer, under its name in the interpreter's trace.
trace::Buffer buffer_of(const DeviceRange& range, const trace::Trace& interpreted,
                        const std::vector<DeviceRange>& kept_ranges) {
  const auto kept = std::ranges::find(kept_ranges, range.argument, &DeviceRange::argument);
  if (kept == kept_ranges.end())
    return {"arg " + std::to_string(range.argument), range.argument, range.address, range.bytes};
  const auto same = std::ranges::find(interpreted.buffers, kept->address, &trace::Buffer::address);
  if (same == interpreted.buffers.end()) return {"memory", -1, range.address, range.bytes};
  return {same->name, same->argument, range.address, range.bytes};
}

// Records a range of blocks with as many launches as needed.
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

  // The result of the plain kernel's first launch.
  const std::vector<sim::Argument>* expected = nullptr;
  const std::vector<DeviceRange>* kept_ranges = nullptr;  // GpuRun's

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
      for (std::size_t i = 0; i < std::min(made.arguments.size(), expected->size()); ++i)
        if (made.arguments[i].is_buffer) made.arguments[i].expected = (*expected)[i].contents;
      Result<gpu::Completed> done = session_.run(std::move(made.arguments), watchdog_seconds);
      if (!done) return done.take_errors();
      const instrument::Recording recording = recording_of(made, done->arguments);
      // The hardware may take more steps than the model (lanes that reconverge elsewhere, spinning). Tries again with
      // room for all.
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
    const std::vector<DeviceRange> here = ranges_of(after, kernel_.arguments.size(), !kept_ranges->empty());
    if (blocks == 0) {
      trace = std::move(*part);
      ranges = here;
    } else {
      rebase(*part, here, ranges);
      append(trace, std::move(*part));
    }
    blocks += count;
    if (!kept_ranges->empty()) put_back_addresses(*kept_ranges, after);
    // Without the contents, which a copy of `expected` would hold for nothing.
    std::vector<sim::Argument> result(expected->size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i].is_buffer = (*expected)[i].is_buffer;
      result[i].number = (*expected)[i].number;
      result[i].pointers = (*expected)[i].pointers;
    }
    take_results(result, after);
    same_result = same_result && first_difference(*expected, result).empty();
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
  recorder.kept_ranges = &plain.kept_ranges;
  if (Diagnostics errors = recorder.record(first_block, wanted); !errors.empty()) return errors;

  GpuRecording out;
  out.trace = std::move(recorder.trace);
  out.trace.kernel = interpreted.first().trace.kernel;
  out.trace.compiler_name = interpreted.first().trace.compiler_name;
  out.trace.compiler_version = interpreted.first().trace.compiler_version;
  out.trace.device = session.device().name_and_place();
  out.trace.arch = session.device().arch();
  for (const DeviceRange& range : recorder.ranges)
    out.trace.buffers.push_back(buffer_of(range, interpreted.first().trace, plain.kept_ranges));
  out.kept_ranges = plain.kept_ranges;
  out.ranges = std::move(recorder.ranges);
  out.first_block = first_block;
  out.same_result = recorder.same_result;
  out.blocks = recorder.blocks;
  out.launches = recorder.launches();
  return out;
}

RecordComparison compare_with(const Outcome& interpreted, const GpuRecording& recording, instrument::Pass pass) {
  RecordComparison comparison = compare_records(interpreted.first().trace, recording.trace, pass, recording.first_block,
                                                recording.blocks, recording.ranges, recording.kept_ranges);
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
      Result<gpu::Completed> done = session.run(made.arguments, 20);
      if (!done) return done.take_errors();
      const instrument::Recording first = recording_of(made, done->arguments);
      const instrument::RegionShape larger = instrument::enlarged(kernel->kernel, first);
      if (instrument::count_events(kernel->kernel, first).dropped > 0 &&
          instrument::most_regions(larger.capacity()) >= made.control.regions) {
        kernel->shape = larger;
        made = launch_of(*kernel, launch, 0, recorded, recorded);
        if (done = session.run(made.arguments, 20); !done) return done.take_errors();
      }
      Result<gpu::Timing> timed = session.time(made.arguments, timing, [] { return true; });
      if (!timed) return timed.take_errors();
      RecordingCost::Row row{.pass = pass, .blocks = recorded, .timing = std::move(*timed)};
      row.records = instrument::count_events(kernel->kernel, recording_of(made, done->arguments)).written;
      cost.rows.push_back(std::move(row));
    }
  return cost;
}

}  // namespace lanescope::job
