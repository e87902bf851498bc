// A launch on the device: checks, the run, its results, and the watch over the time that it takes.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/clusters.h"
#include "core/worded.h"
#include "device/device.h"
#include "device/kept_launch.h"
#include "device/launch_watch.h"
#include "ptx/module.h"
#include "sim/decode/decode.h"
#include "sim/launch_check.h"

namespace lanescope::device {

namespace {

// Accesses of lanes that one launch watches for races unasked: about 0.3 seconds.
constexpr std::uint64_t most_watched_unasked = 4'000'000;
// Unasked, larger launches are watched in their first blocks only, and not as long. Most races are within a block or
// between neighbours, and in a loop each pass shows them.
constexpr std::uint64_t most_threads_unasked = 16'384;
constexpr std::uint32_t blocks_watched_unasked = 2;
constexpr std::uint64_t most_watched_in_blocks = 1'000'000;

// Describes an address that is in no allocation.
std::optional<Wording> where_is(const Memory& memory, const Device::HostVariables& host_variables,
                                std::uint64_t address) {
  if (const std::string name = host_variables(address); !name.empty())
    return worded(
        "it is the host's address of {}, a variable of the device: kernels name it themselves, or get the address from "
        "cudaGetSymbolAddress",
        name);
  if (const Freed* freed = memory.find_freed(address))
    return worded("{} bytes into {}, which was given back", address - freed->address, freed->name);
  return what_is_far(memory.all(), address);
}

trace::Launch launch_of(const LaunchShape& shape) {
  return {shape.grid, shape.block, shape.dynamic_shared_bytes, 0, shape.cooperative, shape.cluster};
}

Diagnostic not_launched(const Kernel& kernel, Diagnostic why) {
  why.message = worded("kernel {} was not launched: {}", kernel.name, why.message);
  return why;
}

// Of the argument whose address is null; nullopt if there is none.
std::optional<Diagnostic> what_is_missing(const Kernel& kernel, const void* const* arguments) {
  for (std::size_t i = 0; i < kernel.function->parameters.size(); ++i)
    if (arguments == nullptr || arguments[i] == nullptr)
      return not_launched(
          kernel,
          {Severity::error,
           "device.argument_missing",
           {kernel.source_file, kernel.line},
           worded("it takes {} arguments, numbered from 0, and the launch has none for argument {}: its address is 0",
                  kernel.function->parameters.size(), i),
           "Pass a list with the address of each argument, in their order."});
  return std::nullopt;
}

// The parameter block. No address is null.
std::vector<std::byte> packed_arguments(const Kernel& kernel, const void* const* arguments) {
  std::vector<std::byte> block(kernel.function->parameter_bytes, std::byte{0});
  for (std::size_t i = 0; i < kernel.function->parameters.size(); ++i) {
    const ptx::Parameter& parameter = kernel.function->parameters[i];
    std::memcpy(block.data() + parameter.offset, arguments[i], parameter.bytes());
  }
  return block;
}

}  // namespace

Status Device::refuse_launch(const Kernel& kernel, const LaunchShape& shape, Diagnostics why, Status status) {
  LaunchReport report{kernel.name, kernel.source_file, launch_of(shape), false, nullptr};
  for (Diagnostic& one : why)
    if (one.place.file.empty()) one.place = {kernel.source_file, kernel.line};
  observer_->refused(report, why);
  return status;
}

Status Device::refuse_launch(const Kernel& kernel, const LaunchShape& shape, std::string code, Wording why,
                             Wording cure, Status status) {
  return refuse_launch(kernel, shape,
                       {not_launched(kernel, {Severity::error, std::move(code), {}, std::move(why), std::move(cure)})},
                       status);
}

// Checks the kernel's own limits too, which the interpreter does not check.
Status Device::check_limits(Kernel& kernel, const LaunchShape& shape, const sim::LaunchRequest& request) {
  const sim::Program* program = kernel.program();
  if (program == nullptr)
    return refuse_launch(kernel, shape, kernel.diagnostics(), status_of(kernel.diagnostics().front()));
  const std::uint64_t shared = std::uint64_t{sim::static_shared_bytes(*program)} + shape.dynamic_shared_bytes;
  const std::uint64_t allowed = MemoryModel::max_static_shared_bytes;
  if (shared > allowed && shape.dynamic_shared_bytes > kernel.max_dynamic_shared_bytes)
    return refuse_launch(
        kernel, shape, "device.shared_not_allowed",
        worded("{} bytes of dynamic shared memory; more than {} bytes of shared memory must be allowed first",
               shape.dynamic_shared_bytes, allowed),
        "Call cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) before the launch.",
        Status::invalid_value);
  const std::uint64_t cluster = sim::whole_launch(*program, request).cluster.count();
  if (cluster > most_portable_cluster && !kernel.large_clusters)
    return refuse_launch(
        kernel, shape, "device.cluster_not_allowed",
        worded("a cluster of {} blocks; more than {} must be allowed first", cluster, most_portable_cluster),
        "Call cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) before the launch.",
        Status::invalid_cluster_size);
  Diagnostics wrong = sim::check_shape(*program, request);
  if (!has_error(wrong)) return Status::success;
  const Status status = status_of(wrong.front());
  for (Diagnostic& one : wrong) one = not_launched(kernel, std::move(one));
  return refuse_launch(kernel, shape, std::move(wrong), status);
}

Status Device::check_launch(Kernel& kernel, const LaunchShape& shape) {
  sim::LaunchRequest request;
  request.launch = launch_of(shape);
  request.cluster_given = shape.cluster_given;
  request.arch = settings_.arch;
  return check_limits(kernel, shape, request);
}

// Unasked, the first launch of each shape is checked.
bool Device::looks_for_races(Kernel& kernel, const LaunchShape& shape) const {
  constexpr std::size_t most_shapes = 8;
  if (settings_.races) return true;
  std::vector<LaunchShape>& known = kernel.looked_for_races;
  if (!settings_.races_at_first || known.size() == most_shapes || watched_unasked_ == 0 ||
      std::ranges::find(known, shape) != known.end())
    return false;
  known.push_back(shape);
  return true;
}

Status Device::pack(const Kernel& kernel, const void* const* arguments, std::vector<std::byte>& parameters) {
  if (const std::optional<Diagnostic> missing = what_is_missing(kernel, arguments)) {
    observer_->said(*missing);
    return Status::invalid_value;
  }
  parameters = packed_arguments(kernel, arguments);
  return Status::success;
}

void Device::note_cut_off() {
  const std::optional<RunningRow> launch = watch_.running();
  if (!launch) return;
  observer_->said(
      {Severity::note,
       "device.cut_off",
       {launch->source_file, launch->line},
       worded("The program ended while kernel {} was running; the table does not have this launch", launch->kernel),
       "Wait for the device before the program ends: cudaDeviceSynchronize()."});
}

Status Device::launch(Kernel& kernel, const LaunchShape& shape, const void* const* arguments) {
  if (std::optional<Diagnostic> missing = what_is_missing(kernel, arguments))
    return refuse_launch(kernel, shape, {std::move(*missing)}, Status::invalid_value);
  return launch(kernel, shape, packed_arguments(kernel, arguments));
}

Status Device::launch_alone(Kernel& kernel, const LaunchShape& shape, std::span<const std::byte> parameters) {
  if (lost_ != Status::success) return lost_;
  if (pending_ != Status::success && is_sticky(pending_)) return Status::success;  // it would not run on a GPU either
  sim::LaunchRequest request;
  request.launch = launch_of(shape);
  request.cluster_given = shape.cluster_given;
  request.device_memory = memory_.all();
  request.parameters.emplace(parameters.begin(), parameters.end());
  request.parameters->resize(kernel.function->parameter_bytes);
  request.explain_address = [this](std::uint64_t address) { return where_is(memory_, host_variables_, address); };
  request.record.totals = settings_.totals && observer_->counts(kernel.name);
  request.max_steps = settings_.max_steps;
  request.threads = settings_.threads;
  request.races = request.record.totals && looks_for_races(kernel, shape);
  if (!settings_.races) {
    request.races_up_to = std::min(most_watched_unasked, watched_unasked_);
    if (shape.grid.count() * shape.block.count() > most_threads_unasked) {
      request.races_in_first_blocks = blocks_watched_unasked;
      request.races_up_to = std::min(most_watched_in_blocks, request.races_up_to);
    }
  }
  request.arch = settings_.arch;
  request.unwritten = std::byte{0};
  request.unwritten_is_a_warning = true;
  request.kernel_source_name = kernel.name;
  request.user_file = kernel.source_file;

  if (const Status status = check_limits(kernel, shape, request); status != Status::success) return status;
  const sim::Program* program = kernel.program();
  LaunchReport report{kernel.name, kernel.source_file, request.launch, false, nullptr};
  request.heap = heap_;
  request.heap_bytes = limits_[Limits::heap];
  request.printf_bytes = limits_[Limits::printf_buffer];
  if (std::ranges::any_of(program->functions, [](const auto& one) { return !one->textures.empty(); }))
    request.textures = textures_.objects();
  if (request.record.totals) observer_->launching(kernel, request);
  if (std::ranges::any_of(program->functions, [](const auto& one) { return !one->clocks.empty(); })) note_clocks();
  if (!kernel.threads.for_launch(shape.grid.count())) request.threads = 1;
  request.progress = &watch_.progress();
  watch_.begin({kernel.name, kernel.source_file, kernel.line, shape.grid, shape.block, 0, 0});
  sim::LaunchResult result = sim::run(*program, std::move(request));
  watch_.end();
  if (!settings_.races) watched_unasked_ -= std::min(watched_unasked_, result.races.effort());
  kernel.threads.took(shape.grid.count(), result.lane_instructions);
  if (result.heap != nullptr) {
    heap_ = result.heap;
    limits_.use(Limits::heap);
  }
  if (!result.printf_output.empty()) limits_.use(Limits::printf_buffer);
  if (std::optional<Diagnostic> beyond = sim::beyond_the_stack(result.stack, limits_[Limits::stack]))
    result.diagnostics.push_back(*std::move(beyond));
  printed_ += result.printf_output;
  for (const Diagnostic& one : result.diagnostics)
    if (one.severity == Severity::error && pending_ == Status::success) {
      pending_ = status_of(one);
      if (pending_ == Status::assertion) std::fprintf(stderr, "%s\n", format(one).c_str());
    }
  report.ran = true;
  report.result = &result;
  observer_->launched(report);
  return Status::success;
}

bool RareLines::allow(std::chrono::seconds now) {
  constexpr std::array<std::chrono::seconds, 3> gaps{std::chrono::minutes(1), std::chrono::minutes(5),
                                                     std::chrono::minutes(10)};
  if (now < next_) return false;
  next_ = now + gaps[std::min(printed_, gaps.size() - 1)];
  ++printed_;
  return true;
}

LaunchWatch::LaunchWatch(std::chrono::milliseconds interval, std::function<void(const RunningRow&)> tell)
    : interval_(interval), tell_(std::move(tell)) {}

LaunchWatch::~LaunchWatch() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void LaunchWatch::begin(RunningRow of) {
  const std::lock_guard lock(mutex_);
  launch_ = std::move(of);
  progress_.blocks_done = 0;
  running_ = true;
  since_ = std::chrono::steady_clock::now();
  next_ = since_ + interval_;
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this] { loop(); });
  } catch (const std::system_error&) {
    // Without a thread long launches are silent.
  }
}

std::optional<RunningRow> LaunchWatch::running() {
  const std::lock_guard lock(mutex_);
  return running_ ? std::optional(launch_) : std::nullopt;
}

void LaunchWatch::end() {
  const std::lock_guard lock(mutex_);
  running_ = false;
}

// Launches do not wake it, because most are short.
void LaunchWatch::loop() {
  std::unique_lock lock(mutex_);
  const auto step = std::min<std::chrono::milliseconds>(interval_, std::chrono::seconds(1));
  while (!ended_.wait_for(lock, step, [this] { return over_; })) {
    const auto now = std::chrono::steady_clock::now();
    if (!running_ || now < next_) continue;
    next_ += interval_;
    RunningRow row = launch_;
    row.seconds = std::chrono::duration<double>(now - since_).count();
    row.blocks_done = progress_.blocks_done;
    tell_(row);
  }
}

}  // namespace lanescope::device
