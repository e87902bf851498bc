#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <thread>

#include "core/os/clock.h"
#include "core/os/program_name.h"
#include "core/worded.h"
#include "gpu/clocks.h"
#include "gpu/counters.h"
#include "gpu/device_memory.h"
#include "gpu/device_pool.h"
#include "gpu/driver_api.h"
#include "gpu/gpu.h"
#include "gpu/instruction_counts.h"
#include "gpu/launches.h"
#include "gpu/library.h"
#include "gpu/own_kernels.h"

namespace lanescope::gpu {
namespace {

using Clock = std::chrono::steady_clock;

class SessionOnDevice final : public Session {
 public:
  SessionOnDevice(const DriverApi& api, Device device) : api_(api), device_(std::move(device)), pool_(api) {
    LANESCOPE_CUDA(api_.device_get(&handle_, device_.index));
    LANESCOPE_CUDA(api_.primary_ctx_retain(&context_, handle_));
    LANESCOPE_CUDA(api_.ctx_set_current(context_));
    LANESCOPE_CUDA(api_.stream_create(&stream_, CU_STREAM_NON_BLOCKING));
    LANESCOPE_CUDA(api_.event_create(&start_, CU_EVENT_DEFAULT));
    LANESCOPE_CUDA(api_.event_create(&stop_, CU_EVENT_DEFAULT));
    void* gate = nullptr;
    LANESCOPE_CUDA(api_.mem_host_alloc(&gate, 2 * sizeof(std::uint32_t), CU_MEMHOSTALLOC_DEVICEMAP));
    gate_ = static_cast<volatile std::uint32_t*>(gate);
    LANESCOPE_CUDA(api_.mem_host_get_device_pointer(&gate_on_device_, gate, 0));
    clocks_ = std::make_unique<ClockMonitor>(pci_bus_id(api_, handle_));
  }

  ~SessionOnDevice() override {
    for (const OwnKernel* own : {&gate_kernel_, &reader_, &discarder_})
      if (own->module) api_.module_unload(own->module);
    if (module_) api_.module_unload(module_);
    api_.mem_free_host(const_cast<std::uint32_t*>(gate_));
    api_.event_destroy(start_);
    api_.event_destroy(stop_);
    api_.stream_destroy(stream_);
    flush_ = {};
    pool_.clear();
    api_.primary_ctx_release(handle_);
  }

  const Device& device() const override { return device_; }
  bool lost() const override { return lost_; }

  Result<KernelAttributes> load(std::span<const std::uint8_t> cubin, const std::vector<Launch>& launches) override {
    return guarded<KernelAttributes>([&]() -> Result<KernelAttributes> {
      LANESCOPE_CUDA(api_.ctx_set_current(context_));
      launches_.clear();
      if (module_) LANESCOPE_CUDA(api_.module_unload(module_));
      module_ = nullptr;
      provide_stack(api_, launches);
      if (std::optional<Diagnostic> refused = load_module(module_, cubin)) return *std::move(refused);
      for (const Launch& launch : launches) launches_.push_back(load_launch(api_, module_, launch));
      return attributes(launches_.front());
    });
  }

  Result<Completed> run(std::vector<Argument> arguments, double watchdog_seconds) override {
    return guarded<Completed>([&]() -> Result<Completed> {
      DeviceArguments on_device(api_, pool_, module_, arguments);
      enqueue_all(on_device);
      if (!wait(watchdog_seconds)) {
        lost_ = true;
        on_device.abandon();
        return Diagnostic{.code = "gpu.hang",
                          .message = worded("The kernel did not end within {:g} s on the GPU.", watchdog_seconds),
                          .cure = "Run the launch in the interpreter: it reports the line where the kernel loops."};
      }
      on_device.download(arguments);
      return Completed{std::move(arguments)};
    });
  }

  Result<Timing> time(const std::vector<Argument>& arguments, const TimingOptions& options,
                      const std::function<bool()>& keep_going) override {
    return guarded<Timing>([&]() -> Result<Timing> {
      std::deque<DeviceArguments> places;
      for (std::size_t left = places_for(arguments, options.cache); left > 0; --left) {
        places.emplace_back(api_, pool_, module_, arguments);
        if (options.restore_buffers) places.back().keep_originals(arguments);
      }
      std::size_t turn = 0;
      const auto prepare = [&] {
        turn = (turn + 1) % places.size();
        if (options.restore_buffers) places[turn].restore(arguments, stream_);
      };
      return sample(options, keep_going, prepare, [&] { enqueue_all(places[turn]); });
    });
  }

  Result<Counted> count(const std::vector<Argument>& arguments, const std::vector<std::string>& metrics) override {
    return guarded<Counted>([&]() -> Result<Counted> {
      DeviceArguments on_device(api_, pool_, module_, arguments);
      Counted counted{.names = metrics};
      auto values = gpu::count(
          context_, device_.index, metrics, [&] { run_first(arguments, on_device); }, counted.passes);
      if (!values) return values.take_errors();
      counted.values = std::move(values).value();
      return counted;
    });
  }

  Result<CountedInstructions> count_instructions(const std::vector<Argument>& arguments,
                                                 const std::vector<std::string>& metrics) override {
    return guarded<CountedInstructions>([&] {
      DeviceArguments on_device(api_, pool_, module_, arguments);
      return gpu::count_instructions(context_, device_.index, metrics, [&] { run_first(arguments, on_device); });
    });
  }

  Result<Timing> time_copy(std::uint64_t bytes, const TimingOptions& options) override {
    return guarded<Timing>([&]() -> Result<Timing> {
      DeviceMemory from(pool_, bytes), to(pool_, bytes);
      LANESCOPE_CUDA(api_.memset_d8(from.get(), 1, bytes));
      LANESCOPE_CUDA(api_.ctx_synchronize());
      return sample(
          options, [] { return true; }, [] {},
          [&] { LANESCOPE_CUDA(api_.memcpy_d_to_d_async(to.get(), from.get(), bytes, stream_)); });
    });
  }

  Result<Timing> time_library(const std::string& shared_library, std::uint64_t count,
                              const TimingOptions& options) override {
    Result<Library> library = load_library(shared_library);
    if (!library) return library.take_errors();
    return guarded<Timing>([&]() -> Result<Timing> {
      LANESCOPE_CUDA(api_.ctx_set_current(context_));
      DeviceMemory in(pool_, count * sizeof(float)), out(pool_, sizeof(float));
      LANESCOPE_CUDA(api_.memset_d8(in.get(), 0, count * sizeof(float)));
      LANESCOPE_CUDA(api_.ctx_synchronize());
      const auto call = [&](void* scratch, std::size_t& bytes) {
        const int code = library->run(scratch, &bytes, reinterpret_cast<void*>(in.get()),
                                      reinterpret_cast<void*>(out.get()), count, stream_);
        check(static_cast<CUresult>(code), "lanescope_library_run");
      };
      std::size_t bytes = 0;
      call(nullptr, bytes);
      const DeviceMemory scratch(pool_, bytes);
      if (library->prepare) {
        const int code = library->prepare(reinterpret_cast<void*>(scratch.get()), bytes, count, stream_);
        check(static_cast<CUresult>(code), "lanescope_library_prepare");
        LANESCOPE_CUDA(api_.ctx_synchronize());
      }
      return sample(
          options, [] { return true; }, [] {}, [&] { call(reinterpret_cast<void*>(scratch.get()), bytes); });
    });
  }

 private:
  // Runs a body whose driver calls may throw, and turns the exception into a Diagnostic: the border of gpu/.
  template <typename T, typename Body>
  Result<T> guarded(Body&& body) {
    try {
      return body();
    } catch (const CudaError& error) {
      lost_ = lost_ || error.sticky();
      return error.diagnostic();
    }
  }

  // A driver that is older than the compiler's CUDA reports machine code only as invalid. This function reports the
  // real cause instead.
  std::optional<Diagnostic> load_module(CUmodule& module, std::span<const std::uint8_t> cubin) {
    const CUresult code = api_.module_load_data(&module, cubin.data());
    const int compiler_major = compiler_major_for(device_.major * 10 + device_.minor);
    int version = 0;
    if (code != CUDA_SUCCESS && code != CUDA_ERROR_OUT_OF_MEMORY && api_.driver_get_version(&version) == CUDA_SUCCESS &&
        major_of_version(version) < compiler_major)
      return image_refused(code, version, compiler_major);
    check(code, "cuModuleLoadData");
    return std::nullopt;
  }

  static std::size_t places_for(const std::vector<Argument>& arguments, CacheState cache) {
    std::uint64_t bytes = 0;
    for (const Argument& argument : arguments)
      if (!argument.variable.empty()) return 1;  // it stays at the module's variable
    for (const Argument& argument : arguments)
      if (argument.is_buffer) bytes += std::max<std::uint64_t>(argument.bytes.size(), argument.zero_bytes);
    return cache != CacheState::warm && bytes <= TimingOptions::most_bytes_in_places ? TimingOptions::places : 1;
  }

  KernelAttributes attributes(const LoadedLaunch& loaded) {
    const trace::Launch& launch = loaded.launch.shape;
    KernelAttributes found;
    const auto get = [&](CUfunction_attribute which) { return attribute_of(api_, loaded.function, which); };
    found.registers = get(CU_FUNC_ATTRIBUTE_NUM_REGS);
    found.static_shared_bytes = static_cast<std::uint64_t>(get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
    found.local_bytes = static_cast<std::uint64_t>(get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
    found.max_threads_per_block = get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    const auto threads = static_cast<int>(launch.block.count());
    LANESCOPE_CUDA(api_.occupancy_max_active_blocks(&found.resident_blocks_per_multiprocessor, loaded.function, threads,
                                                    launch.dynamic_shared_bytes));
    const double warps = static_cast<double>(launch.warps_per_block()) * found.resident_blocks_per_multiprocessor;
    const double most = static_cast<double>(device_.max_threads_per_multiprocessor) / MemoryModel::lanes;
    found.occupancy = most > 0 ? warps / most : 0;
    return found;
  }

  // Runs the first launch on its initial buffers.
  void run_first(const std::vector<Argument>& arguments, DeviceArguments& on_device) {
    on_device.upload(arguments);
    enqueue(api_, launches_.front(), on_device, stream_);
    LANESCOPE_CUDA(api_.stream_synchronize(stream_));
  }

  void enqueue_all(const DeviceArguments& arguments) {
    for (const LoadedLaunch& loaded : launches_) enqueue(api_, loaded, arguments, stream_);
  }

  // Returns false if the stream's work has not finished after `limit_seconds`.
  bool wait(double limit_seconds) {
    const auto begin = Clock::now();
    for (int spins = 0;; ++spins) {
      const CUresult state = api_.stream_query(stream_);
      if (state == CUDA_SUCCESS) return true;
      if (state != CUDA_ERROR_NOT_READY) check(state, "cuStreamQuery");
      if (seconds_since(begin) > limit_seconds) return false;
      if (spins > 200) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }

  // Removes the next kernel's data from L2. Reads leave nothing to be written back while the kernel is timed. They
  // cover three times the size of L2, because its replacement policy is not known. What was read is then discarded: on
  // an H200, replacing clean lines cost a kernel that reads 12 MB 0.2 µs.
  void empty_l2(CacheState cache) {
    if (cache == CacheState::warm) return;
    const std::size_t l2 = std::max<std::size_t>(device_.l2_bytes, 1 << 20),
                      bytes = cache == CacheState::flushed ? 3 * l2 : l2;
    if (flush_bytes_ < bytes) {
      flush_ = {};
      flush_ = DeviceMemory(pool_, bytes);
      flush_bytes_ = bytes;
      LANESCOPE_CUDA(api_.memset_d8_async(flush_.get(), 0, bytes, stream_));
    }
    if (cache == CacheState::overwritten) {
      LANESCOPE_CUDA(api_.memset_d8_async(flush_.get(), 0, bytes, stream_));
      return;
    }
    CUdeviceptr buffer = flush_.get();
    std::uint64_t size = bytes;
    void* parameters[] = {&buffer, &size};
    constexpr unsigned threads = 512, blocks_a_multiprocessor = 4;
    const unsigned blocks = static_cast<unsigned>(std::max(device_.multiprocessors, 1)) * blocks_a_multiprocessor;
    for (const CUfunction kernel : {reader_.function, discarder_.function})
      if (kernel)
        LANESCOPE_CUDA(api_.launch_kernel(kernel, blocks, 1, 1, threads, 1, 1, 0, stream_, parameters, nullptr));
  }

  // A kernel of own_kernels.h. `function` stays null if the driver cannot assemble PTX (its JIT library is a separate
  // package).
  struct OwnKernel {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    bool tried = false;
  };
  void load_own(OwnKernel& kernel, const std::string& ptx, const char* name) {
    if (kernel.tried) return;
    kernel.tried = true;
    if (api_.module_load_data(&kernel.module, ptx.c_str()) != CUDA_SUCCESS) kernel.module = nullptr;
    if (kernel.module) LANESCOPE_CUDA(api_.module_get_function(&kernel.function, kernel.module, name));
  }

  void close_gate() {
    gate_[0] = 0;
    gate_[1] = 0;
    if (!gate_kernel_.function) {
      LANESCOPE_CUDA(api_.stream_wait_value(stream_, gate_on_device_, 1, CU_STREAM_WAIT_VALUE_EQ));
      return;
    }
    std::uint64_t nanoseconds = gate_seconds * 1'000'000'000ull;
    void* parameters[] = {&gate_on_device_, &nanoseconds};
    LANESCOPE_CUDA(api_.launch_kernel(gate_kernel_.function, 1, 1, 1, 1, 1, 1, 0, stream_, parameters, nullptr));
  }

  // Takes one sample in seconds. The stream waits at the gate until event, work and event are queued, so that the
  // host's launch overhead stays outside the two events. Returns a negative value if the gate opened by its time limit:
  // the sample is then invalid.
  template <typename Work>
  double one_sample(CacheState cache, Work&& work) {
    empty_l2(cache);
    LANESCOPE_CUDA(api_.stream_synchronize(stream_));
    const auto closed = Clock::now();
    close_gate();
    try {
      LANESCOPE_CUDA(api_.event_record(start_, stream_));
      work();
      LANESCOPE_CUDA(api_.event_record(stop_, stream_));
    } catch (...) {
      *gate_ = 1;  // otherwise the stream would wait until the time limit
      throw;
    }
    while (gate_kernel_.function && gate_[1] == 0 && seconds_since(closed) < gate_seconds) {
    }
    *gate_ = 1;
    const bool opened_by_itself = gate_kernel_.function && seconds_since(closed) > gate_seconds;
    LANESCOPE_CUDA(api_.event_synchronize(stop_));
    float milliseconds = 0;
    LANESCOPE_CUDA(api_.event_elapsed_time(&milliseconds, start_, stop_));
    return opened_by_itself ? -1 : static_cast<double>(milliseconds) * 1e-3;
  }

  template <typename Prepare, typename Work>
  Timing sample(const TimingOptions& options, const std::function<bool()>& keep_going, Prepare&& prepare, Work&& work) {
    Timing timing;
    load_own(gate_kernel_, gate_ptx, "lanescope_gate");
    load_own(reader_, ptx_of(reader), reader.name.data());
    load_own(discarder_, ptx_of(discarder), discarder.name.data());
    timing.cache = options.cache == CacheState::flushed && !reader_.function ? CacheState::overwritten : options.cache;
    warm_up(options, prepare, work);
    const auto begin = Clock::now();
    constexpr int batch = 16;  // samples between two readings of the clock
    const double least_seconds = std::min(options.least_seconds, options.time_limit_seconds);
    std::vector<double> recent;
    while (timing.stop_reason.empty()) {
      recent.clear();
      for (int i = 0; i < batch && keep_going(); ++i) {
        prepare();
        if (const double seconds = one_sample(timing.cache, work); seconds >= 0)
          recent.push_back(seconds);
        else
          ++timing.discarded;
        if (seconds_since(begin) > options.time_limit_seconds) break;
      }
      keep_batch(timing, recent);
      timing.seconds = metrics::median_interval(timing.samples);
      const auto taken = static_cast<int>(timing.samples.size());
      if (!keep_going())
        timing.stop_reason = "stopped";
      else if (taken >= options.min_samples && seconds_since(begin) >= least_seconds &&
               timing.seconds.relative_half_width() <= options.target_relative_half_width)
        timing.stop_reason = "interval narrow enough";
      else if (taken >= options.max_samples)
        timing.stop_reason = "sample limit";
      else if (seconds_since(begin) > options.time_limit_seconds)
        timing.stop_reason = "time limit";
    }
    return timing;
  }

  // Launches at least options.warm_up times and for 2 ms, and until the clock has risen from idle; for 30 ms if NVML
  // does not report the clock. (On an H200 the clock stays up while a context is open: after six idle seconds, the
  // samples of the first millisecond equalled those of the next 150.)
  template <typename Prepare, typename Work>
  void warm_up(const TimingOptions& options, Prepare&& prepare, Work&& work) {
    constexpr double least_seconds = 0.002, most_seconds = 0.03;
    const auto begin = Clock::now();
    const auto warm = [&] {
      const double passed = seconds_since(begin);
      if (passed < least_seconds) return false;
      return passed >= most_seconds || (clocks_->sm_clock_khz() > 0 && !slow(clocks_->sm_clock_khz()));
    };
    for (int i = 0; i < options.warm_up || !warm(); ++i) {
      prepare();
      work();
      LANESCOPE_CUDA(api_.stream_synchronize(stream_));
    }
  }

  bool slow(int clock_khz) const {
    const int full = clocks_->max_sm_clock_khz();
    return clock_khz > 0 && full > 0 && clock_khz < full * 3 / 4;
  }

  // Discards and counts a batch if the GPU is throttled or the clock is below three quarters of its maximum.
  void keep_batch(Timing& timing, const std::vector<double>& recent) {
    const int clock = clocks_->sm_clock_khz();
    if (slow(clock) || clocks_->throttled()) {
      timing.discarded += recent.size();
      return;
    }
    if (clock > 0) {
      timing.sm_clock_khz_low = timing.sm_clock_khz_low ? std::min(timing.sm_clock_khz_low, clock) : clock;
      timing.sm_clock_khz_high = std::max(timing.sm_clock_khz_high, clock);
    }
    timing.samples.insert(timing.samples.end(), recent.begin(), recent.end());
  }

  const DriverApi& api_;
  Device device_;
  MemoryPool pool_;
  CUdevice handle_{};
  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
  CUevent start_ = nullptr, stop_ = nullptr;
  CUmodule module_ = nullptr;
  std::vector<LoadedLaunch> launches_;
  volatile std::uint32_t* gate_ = nullptr;
  CUdeviceptr gate_on_device_ = 0;
  static constexpr std::uint64_t gate_seconds = 2;
  OwnKernel gate_kernel_, reader_, discarder_;
  DeviceMemory flush_;
  std::size_t flush_bytes_ = 0;
  std::unique_ptr<ClockMonitor> clocks_;
  bool lost_ = false;
};

}  // namespace

std::vector<Launch::Parameter> parameters_in_order(std::size_t count) {
  std::vector<Launch::Parameter> parameters(count);
  for (std::size_t i = 0; i < count; ++i) parameters[i].argument = static_cast<int>(i);
  return parameters;
}

Result<std::unique_ptr<Session>> Session::open(int device_index) {
  auto found = devices();
  if (!found) return found.take_errors();
  if (device_index < 0 || device_index >= static_cast<int>(found->size()))
    return Diagnostic{.code = "gpu.no_device",
                      .message = worded("There is no GPU {} on this machine; it has {}.", device_index, found->size()),
                      .cure = worded("Choose one that `{} doctor` lists.", program_name())};
  try {
    return std::unique_ptr<Session>(
        std::make_unique<SessionOnDevice>(*driver().value(), (*found)[static_cast<std::size_t>(device_index)]));
  } catch (const CudaError& error) {
    return error.diagnostic();
  }
}

}  // namespace lanescope::gpu
