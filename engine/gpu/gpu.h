#pragma once
// Runs and times kernels on an NVIDIA GPU. This is the public interface of gpu/ and needs no CUDA header.
//
// A kernel that faults makes the GPU context of its process unusable. A program that must survive (the window)
// therefore uses a worker process (gpu/worker.h). The command line may call these functions directly.

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

#include "core/content_rule.h"
#include "core/result.h"
#include "metrics/statistics.h"
#include "sim/memory/texture.h"
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
  std::string where;                   // "ssh:lab3"; empty for a GPU of this machine
  std::string arch() const;            // "sm_90"
  std::string name_and_place() const;  // "NVIDIA H200 (ssh:lab3)"
  // Double data rate × bus width, in bytes per second; 0 if the memory clock is unknown.
  double peak_bandwidth() const;
};

// All GPUs of this machine. Diagnostics: gpu.no_driver, gpu.driver_too_old, gpu.no_device.
Result<std::vector<Device>> devices();

// A kernel argument: the bytes of a scalar, or a buffer.
struct Argument {
  bool is_buffer = false;
  std::vector<std::byte> bytes;   // the value of a scalar; the contents of a buffer before the run, and after it
  std::uint64_t base_offset = 0;  // the kernel receives the buffer's address plus this
  bool restored = true;           // false: timing need not restore this buffer (TimingOptions::restore_buffers)
  // If not 0: the buffer starts with this many zeros, and `bytes` is empty before the run.
  std::uint64_t zero_bytes = 0;
  std::uint64_t address = 0;  // of a buffer, after a run: its address on the device
  // Places in `bytes` that receive the address of buffer `argument` plus `offset` at upload.
  struct Address {
    std::uint64_t at = 0;
    std::int64_t argument = 0;
    std::uint64_t offset = 0;
  };
  std::vector<Address> addresses;
  // For a buffer: the name of the module variable that is used as its memory. If the machine code has no such variable,
  // memory is allocated.
  std::string variable;
  // For a buffer: the kernel gets an object of these texels instead of an address. No mipmaps, cube maps or pitched
  // rows.
  std::optional<sim::TextureDescription> texture;
  // Two hints that make a worker's messages short. They change no result and may be wrong.
  std::optional<ContentRule> rule;      // that makes `bytes` before the run
  std::span<const std::byte> expected;  // what a buffer probably holds after the run; alive until then
};

// One launch of a kernel in the loaded module. All launches of a run share the same arguments.
struct Launch {
  struct Parameter {
    int argument = -1;             // index of the argument; -1: a value that only this launch uses, in `bytes`
    std::uint64_t offset = 0;      // added to a buffer's address
    std::vector<std::byte> bytes;  // the value, if argument is -1
  };
  std::string kernel;  // mangled
  trace::Launch shape;
  std::vector<Parameter> parameters;
  // Stack per thread that the machine code does not state, because calls are recursive or go through pointers. 0: it
  // states all that the kernel needs.
  std::uint64_t stack_bytes = 0;
};
// Parameters 0, 1, … are arguments 0, 1, ….
std::vector<Launch::Parameter> parameters_in_order(std::size_t count);

struct KernelAttributes {
  int registers = 0;
  std::uint64_t static_shared_bytes = 0, local_bytes = 0;
  int max_threads_per_block = 0;
  int resident_blocks_per_multiprocessor = 0;
  double occupancy = 0;  // resident warps ÷ the most that a multiprocessor can hold
};

// The state of L2 before a sample. flushed: it holds no data of the kernel and nothing to write back, because a buffer
// larger than L2 was read and then (from compute capability 8.0) discarded. warm: as the last sample left it.
// overwritten, as in nvbench: a buffer was written, so the measured kernel also pays for the write-back.
enum class CacheState : std::uint8_t { flushed, warm, overwritten };
// "flushed", "warm" or "overwritten", as in JSON; and the inverse, which returns nullopt for any other text.
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
  // Before each sample, outside the timed interval, buffers with Argument::restored get their initial contents. So
  // every launch starts from the same memory, as a kernel that accumulates with atomics requires. Buffers of more than
  // `most_restored_bytes` keep what the last launch wrote.
  bool restore_buffers = true;
  static constexpr std::uint64_t most_restored_bytes = 256u << 20;
  // The addresses of the buffers affect the time of a short kernel: of sixteen placements on an H200, fourteen gave the
  // same median, and two took 5 and 15 % longer (docs/agreement-history.md). Small buffers are therefore allocated at
  // `places` addresses, which the samples use in turn. With a warm L2 there is only one.
  static constexpr std::size_t places = 4;
  static constexpr std::uint64_t most_bytes_in_places = 16u << 20;
};

// A sample is the time between two events of one stream, recorded around the launch, in µs with the resolution of
// cuEventElapsedTime. A gate kernel (one thread that waits for a word in host memory) holds the stream back until both
// events and the launch are queued, so the sample does not contain the host's launch overhead. Before that, L2 is
// brought into its state (CacheState). The sample does contain the events' own cost, about a microsecond, as in
// nvbench's cold measurement, which is taken the same way. Nsight Compute's gpu__time_duration does not, so it is
// shorter by this amount. The time of an empty kernel (job/witness/empty_launch.h) shows how much it is.
struct Timing {
  metrics::Interval seconds;    // of the unmodified kernel
  std::vector<double> samples;  // accepted samples in order, seconds
  std::uint64_t discarded = 0;  // samples dropped because the clock was throttled
  // The state that was used: overwritten instead of flushed if the driver cannot assemble PTX.
  CacheState cache = CacheState::flushed;
  int sm_clock_khz_low = 0, sm_clock_khz_high = 0;  // the range while sampling; 0 = unknown
  std::string stop_reason;                          // "interval narrow enough", "time limit", "sample limit", "stopped"
};

// Hardware counters of one launch, by Nsight Compute's names, in the requested order.
struct Counted {
  std::vector<std::string> names;
  std::vector<double> values;
  int passes = 0;  // launches needed; the buffers are restored before each
};

// Hardware counts of one launch for each machine instruction.
struct CountedInstructions {
  struct Instruction {
    std::string function;               // mangled
    std::uint32_t address = 0;          // bytes from the function's start
    std::vector<std::uint64_t> values;  // in the order of `names`
    bool operator==(const Instruction&) const = default;
  };
  std::vector<std::string> names;
  std::vector<Instruction> instructions;  // in the order of functions and addresses
};

struct Completed {
  std::vector<Argument> arguments;  // with the buffers' contents after the run
};

// One GPU, one context, one loaded module at a time. Not thread-safe.
// Diagnostics: gpu.cuda_error (a driver call failed), gpu.kernel_fault (the kernel used an invalid or misaligned
// address or failed an assertion; the context is lost), gpu.hang.
class Session {
 public:
  static Result<std::unique_ptr<Session>> open(int device_index);
  virtual ~Session() = default;

  virtual const Device& device() const = 0;
  // Loads a cubin for this GPU's architecture, or PTX with its terminating zero, which the driver assembles.
  // `launches`, at least one, are what run() and time() execute in order. Each load() sets the module's variables to
  // their initial values. Returns the attributes of the first launch's kernel. Diagnostics: gpu.cuda_error,
  // gpu.driver_too_old.
  virtual Result<KernelAttributes> load(std::span<const std::uint8_t> cubin, const std::vector<Launch>& launches) = 0;
  // Uploads the arguments, executes the launches, waits at most `watchdog_seconds`, downloads the buffers. gpu.hang:
  // the launches did not finish in time, and the process must be replaced.
  virtual Result<Completed> run(std::vector<Argument> arguments, double watchdog_seconds) = 0;
  // Times all launches together on these arguments. `keep_going` is called between samples; false stops.
  virtual Result<Timing> time(const std::vector<Argument>& arguments, const TimingOptions& options,
                              const std::function<bool()>& keep_going) = 0;
  // Counts `metrics` over the first launch only. Diagnostics: gpu.no_counters, gpu.counters_forbidden,
  // gpu.counters_busy, gpu.counters_failed.
  virtual Result<Counted> count(const std::vector<Argument>& arguments, const std::vector<std::string>& metrics) = 0;
  // The same for each machine instruction of the first launch, by CUPTI's SASS metrics ("smsp__sass_inst_executed"):
  // CUPTI adds counting code to the kernel's copy on the device, once in a process: a worker starts another for it. An
  // instruction to which a metric does not apply has 0. Diagnostics: those of count().
  virtual Result<CountedInstructions> count_instructions(const std::vector<Argument>& arguments,
                                                         const std::vector<std::string>& metrics) = 0;
  // Times the driver's device-to-device copy of `bytes` in the same way: the yardstick for copies.
  virtual Result<Timing> time_copy(std::uint64_t bytes, const TimingOptions& options) = 0;
  // Times a library's own sum of `count` floats in the same way. library.h lists what the shared library must export.
  // Diagnostics: gpu.library (it does not load, or it fails).
  virtual Result<Timing> time_library(const std::string& shared_library, std::uint64_t count,
                                      const TimingOptions& options) = 0;
  // True if a fault or hang has made this process's context unusable.
  virtual bool lost() const = 0;
};

}  // namespace lanescope::gpu
