#pragma once
// Runs and times kernels on an NVIDIA GPU. The public face of gpu/: no CUDA header is needed to use it.
//
// A faulting kernel makes the GPU context of its process unusable. A program that must survive (the window) therefore
// uses a worker process (gpu/worker.h); the command line may call these functions directly.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/result.h"
#include "metrics/statistics.h"
#include "trace/trace.h"

namespace lanescope::gpu {

struct Device {
  int index = 0;
  std::string name;          // "NVIDIA H200"
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  int max_threads_per_multiprocessor = 0;
  int registers_per_multiprocessor = 0;
  std::uint64_t shared_bytes_per_multiprocessor = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t l2_bytes = 0;
  int memory_clock_khz = 0;  // 0 if the driver does not report it
  int memory_bus_bits = 0;
  int sm_clock_khz = 0;
  std::string driver_version;         // CUDA version of the driver, "13.0"
  std::string kernel_driver_version;  // "580.159.04", empty when unknown
  bool supports_cooperative_launch = false;
  std::string where;                   // "ssh:lab3", of a GPU that is not this machine's
  std::string arch() const;            // "sm_90"
  std::string name_and_place() const;  // "NVIDIA H200 (ssh:lab3)"
  // Double data rate × bus width, bytes per second; 0 when the clock is unknown.
  double peak_bandwidth() const;
};

// All GPUs of this machine. Diagnostics: gpu.no_driver, gpu.driver_too_old, gpu.no_device.
Result<std::vector<Device>> devices();

// A kernel argument on the GPU: bytes of a scalar, or a buffer.
struct Argument {
  bool is_buffer = false;
  std::vector<std::byte> bytes;   // a scalar's value, or a buffer's contents before and after
  std::uint64_t base_offset = 0;  // the kernel gets the buffer's address plus this
  bool restored = true;           // false: timing needs no restoring of it (TimingOptions::restore_buffers)
  std::uint64_t zero_bytes = 0;   // not 0: the buffer begins as so many zeros, and `bytes` is empty until a run is over
  std::uint64_t address = 0;      // of a buffer, after a run: where it lay on the device
  // Places in its bytes that get a buffer's address, and so many bytes more, when they go to the GPU.
  struct Address {
    std::uint64_t at = 0;
    std::int32_t argument = 0;
    std::uint64_t offset = 0;
  };
  std::vector<Address> addresses;
  // Of a buffer: the module's variable of this name, where it lies; if the machine code has none, any memory.
  std::string variable;
};

// One launch of a kernel of the loaded module. All launches of a run take the same arguments.
struct Launch {
  struct Parameter {
    int argument = -1;         // its place among the arguments; -1: a value of this launch alone, which is in `bytes`
    std::uint64_t offset = 0;  // added to a buffer's address
    std::vector<std::byte> bytes;  // of the value
  };
  std::string kernel;  // mangled
  trace::Launch shape;
  std::vector<Parameter> parameters;
};
// Arguments 0, 1, … as they are.
std::vector<Launch::Parameter> parameters_in_order(std::size_t count);

struct KernelAttributes {
  int registers = 0;
  std::uint64_t static_shared_bytes = 0, local_bytes = 0;
  int max_threads_per_block = 0;
  int resident_blocks_per_multiprocessor = 0;
  double occupancy = 0;  // resident warps ÷ the most a multiprocessor holds
};

// State of L2 when a sample begins. flushed: no data of the kernel and nothing to write back (a buffer larger than L2
// was read). warm: as the last sample left it. overwritten, as in nvbench: filled by writing a buffer, so the measured
// kernel also pays for the write-back.
enum class CacheState : std::uint8_t { flushed, warm, overwritten };
// "flushed", "warm", "overwritten": as JSON has it. The reverse; nullopt for another text.
std::string_view to_string(CacheState cache);
std::optional<CacheState> cache_state_from(std::string_view text);

struct TimingOptions {
  CacheState cache = CacheState::flushed;
  int warm_up = 3;
  int min_samples = 20, max_samples = 2000;
  double target_relative_half_width = 0.005;  // stop when the 95 % interval of the median is this narrow
  double time_limit_seconds = 1.0;
  // Sampling lasts at least this long, within the time limit: an early interval is not reliable.
  double least_seconds = 0.05;
  // Before each sample, outside of what is timed, the buffers that need it (Argument::restored) become what they were:
  // every launch starts from the same memory, as a kernel that counts on with an atomic needs. Those of more than
  // `most_restored_bytes` are left as the last launch left them.
  bool restore_buffers = true;
  static constexpr std::uint64_t most_restored_bytes = 256u << 20;
  // Where its buffers lie makes a short kernel's time: of sixteen places on an H200 fourteen gave the same median, two
  // were 5 and 15 % longer (docs/agreement-history.md). Small ones therefore lie in so many places, which the samples
  // take in turn. With a warm L2 there is one.
  static constexpr std::size_t places = 4;
  static constexpr std::uint64_t most_bytes_in_places = 16u << 20;
};

// What a sample is: the time between two events of one stream, recorded around the launch, in µs with the resolution of
// cuEventElapsedTime. The stream is held back by a kernel of ours (one thread that waits for a word in the host's
// memory) until both events and the launch are queued, so that the host's overhead is not in it; before that L2 is
// emptied (CacheState). The events' own share, about a microsecond, is in it, as it is in nvbench's cold measurement,
// which is taken the same way; Nsight Compute's gpu__time_duration has none and is shorter by it. What a launch of a
// kernel that does nothing takes (job/witness/empty_launch.h) says how much.
struct Timing {
  metrics::Interval seconds;               // of the unmodified kernel
  std::vector<double> samples;             // accepted, in order, seconds
  std::uint64_t discarded = 0;             // the clock had dropped (throttling)
  CacheState cache = CacheState::flushed;  // as it was: overwritten where reading it empty was asked for and the driver
                                           // assembles no PTX
  int sm_clock_khz_low = 0, sm_clock_khz_high = 0;  // seen while sampling; 0 = unknown
  std::string stop_reason;                          // "interval narrow enough", "time limit", "sample limit"
};

// Hardware counters over one launch, by Nsight Compute's names, in the order asked.
struct Counted {
  std::vector<std::string> names;
  std::vector<double> values;
  int passes = 0;  // launches it took; the buffers are restored before each
};

struct Completed {
  std::vector<Argument> arguments;  // with the buffers' contents after one launch
};

// One GPU, one context, one loaded module at a time. Not thread-safe.
// Diagnostics: gpu.cuda_error (a call of the driver failed), gpu.kernel_fault (the kernel did: an address that is not
// its own or not aligned, an assertion; the context is lost), gpu.hang.
class Session {
 public:
  static Result<std::unique_ptr<Session>> open(int device_index);
  virtual ~Session() = default;

  virtual const Device& device() const = 0;
  // A cubin for this GPU's architecture, or PTX with its zero, which the driver assembles; and the launches, at least
  // one, that run() and time() go through in order. The module's variables hold what it begins with, as after each
  // load(). The first launch's attributes. Diagnostics: gpu.cuda_error, gpu.driver_too_old.
  virtual Result<KernelAttributes> load(std::span<const std::uint8_t> cubin, const std::vector<Launch>& launches) = 0;
  // Uploads the arguments, goes through the launches, waits at most `watchdog_seconds`, downloads the buffers.
  // gpu.hang: they did not end in time; the process must be replaced.
  virtual Result<Completed> run(std::vector<Argument> arguments, double watchdog_seconds) = 0;
  // Times the launches on these arguments, as one. `keep_going` is asked between samples (false = stop).
  virtual Result<Timing> time(const std::vector<Argument>& arguments, const TimingOptions& options,
                              const std::function<bool()>& keep_going) = 0;
  // Counts `metrics` over the first launch alone. Diagnostics: gpu.no_counters, gpu.counters_forbidden,
  // gpu.counters_failed.
  virtual Result<Counted> count(const std::vector<Argument>& arguments, const std::vector<std::string>& metrics) = 0;
  // The runtime's device-to-device copy of so many bytes, timed the same way: the yardstick for copies.
  virtual Result<Timing> time_copy(std::uint64_t bytes, const TimingOptions& options) = 0;
  // A library's own sum of `count` floats into one, timed the same way; see library.h for what the shared library
  // exports. Diagnostics: gpu.library (it does not load, or fails).
  virtual Result<Timing> time_library(const std::string& shared_library, std::uint64_t count,
                                      const TimingOptions& options) = 0;
  // True when a fault or hang has made this process's context unusable.
  virtual bool lost() const = 0;
};

}  // namespace lanescope::gpu
