#pragma once
// An imitated GPU: memory, modules and launches of one process, executed by the interpreter. The CUDA libraries
// (device/api) are thin layers over it.
//
// All work is executed when it is submitted, whatever the stream. This is one of the orders that CUDA allows. Errors of
// a launch are reported as on a GPU: not by the launch, but by the next call that waits for it. If the error is sticky,
// every later call reports it too.
//
// Not thread-safe: callers must hold lock().

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/architecture.h"
#include "core/memory_model.h"
#include "device/launch_watch.h"
#include "device/memory.h"
#include "device/module.h"
#include "device/observer.h"
#include "device/status.h"
#include "device/textures.h"

namespace lanescope::sim {
struct LaunchRequest;
}

namespace lanescope::device {

struct DeviceSettings {
  std::string arch = imitated_gpu::arch;
  std::uint64_t max_steps = 0;
  int threads = 0;
  bool totals = true;
  bool races = false;           // in all launches
  bool races_at_first = false;  // else at the beginning of the first launch of each kernel and shape
  std::string ptxas;            // its path; empty: there is none (machine_code.h)
};

// cudaDeviceSetLimit and cuCtxSetLimit. Values and rounding as an H200 answers them (driver 580.159).
class Limits {
 public:
  enum Which : unsigned { stack, printf_buffer, heap, sync_depth, pending_launches, l2_fetch, persisting_l2, count };
  // invalid_value: `value` is null, or there is no such limit.
  Status get(unsigned which, std::size_t* value) const;
  // Rounds up as the driver does. invalid_value: no such limit, too large, or a kernel has already used it.
  Status set(unsigned which, std::size_t value);
  std::size_t operator[](Which which) const { return values_[which]; }
  // A kernel has called malloc() or printf(): its buffer can no longer be resized.
  void use(Which which) { used_[which] = true; }

 private:
  std::array<std::size_t, count> values_ = {default_stack_bytes, 8650752, default_heap_bytes, 2, 2048, 128, 11796480};
  std::array<bool, count> used_ = {};
};

class Device {
 public:
  explicit Device(DeviceSettings settings, std::unique_ptr<Observer> observer);
  ~Device();

  // Recursive, because a callback of the program may call the API.
  std::unique_lock<std::recursive_mutex> lock() { return std::unique_lock(mutex_); }
  // Does not own the lock if another thread is working. For a program that ends in the meantime.
  std::unique_lock<std::recursive_mutex> try_lock() { return std::unique_lock(mutex_, std::try_to_lock); }
  Memory& memory() { return memory_; }
  Textures& textures() { return textures_; }
  const DeviceSettings& settings() const { return settings_; }
  Observer& observer() { return *observer_; }
  Limits& limits() { return limits_; }

  // nullptr and the reason in `status`.
  Module* load(std::string_view ptx, std::string name, Status& status);
  void unload(Module* module);
  // The errors of the last load() that failed, one line each.
  const std::string& why_not_loaded() const { return why_not_loaded_; }

  // `parameters`: the kernel's parameter block. Errors of a launch that cannot start are returned immediately. Launches
  // by the kernel itself, and by those, follow when it has ended.
  Status launch(Kernel& kernel, const LaunchShape& shape, std::span<const std::byte> parameters);
  // Packs the parameter block from the addresses of the parameters. invalid_value, and a message, if an address is
  // null.
  Status pack(const Kernel& kernel, const void* const* arguments, std::vector<std::byte>& parameters);
  // The same with the addresses of the parameters.
  Status launch(Kernel& kernel, const LaunchShape& shape, const void* const* arguments);
  // A launch that cannot start, for the API's own reason: tells it at the kernel's line, and returns `status`.
  Status refuse_launch(const Kernel& kernel, const LaunchShape& shape, std::string code, Wording why, Wording cure,
                       Status status);

  // The sticky error if a call has already reported it; else success.
  Status lost() const { return lost_; }
  // As lost(), after the device has completed all work; its errors are reported from now on. Also prints the output of
  // kernels.
  Status wait();
  // Back to the initial state: frees all memory.
  void reset();

  // Copies and fills. Addresses are the host's or the device's, as the call states. A range that exceeds its allocation
  // is reported and gives invalid_value.
  enum class Side : std::uint8_t { host, device, either };
  struct Range {
    std::uint64_t address = 0, bytes = 0;
    Side side = Side::either;
  };
  Status copy(Range to, Range from, const char* call);
  Status copy_rows(Range to, std::uint64_t to_pitch, Range from, std::uint64_t from_pitch, std::uint64_t rows,
                   const char* call);
  // One side of a copy with three dimensions: the first byte, and the distances between rows and between slices.
  struct Block {
    std::uint64_t address = 0, pitch = 0, slice = 0;
    Side side = Side::either;
  };
  Status copy_block(const Block& to, const Block& from, std::uint64_t width, std::uint64_t rows, std::uint64_t slices,
                    const char* call);
  Status fill(std::uint64_t address, std::uint64_t value, std::uint32_t value_bytes, std::uint64_t count,
              const char* call);
  Status free(std::uint64_t address, bool host, const char* call);
  // What copy() and fill() answer because of one side alone, for work that is done later.
  Status check(const Range& range, const char* call);
  // What launch() answers because of the shape, for a launch that happens later.
  Status check_launch(Kernel& kernel, const LaunchShape& shape);

  // What tells the name of the variable of the device that has this address on the host; empty: none has.
  using HostVariables = std::function<std::string(std::uint64_t address)>;
  void know_host_variables(HostVariables names) { host_variables_ = std::move(names); }

  void say(std::string code, Wording message, Wording cure);
  // The program measures time. Reports once that it measures the interpreter's time.
  void note_times();
  // A kernel reads clock(). Says once what it counts.
  void note_clocks();
  // The program ends. Says which launch was still running, if there is one.
  void note_cut_off();
  // A kernel launches kernels. Says once what counts for it.
  void note_children();
  // The program queries how many clusters fit on the device. Reports once that a GPU may hold fewer.
  void note_clusters();

 private:
  struct Place {
    std::byte* data = nullptr;
    Allocation* allocation = nullptr;  // nullptr: plain memory of the host
    bool on_device() const { return allocation != nullptr && !allocation->on_host(); }
  };
  Status find_place(const Range& range, const char* call, Place& place);
  Status move_rows(Range to, std::uint64_t to_pitch, Range from, std::uint64_t from_pitch, std::uint64_t rows,
                   const char* call, CopyDirection& direction);
  void note_once(bool& told, const char* code, Wording message);
  Status refuse(const Range& range, const Allocation& allocation, const char* call);
  Status refuse_launch(const Kernel& kernel, const LaunchShape& shape, Diagnostics why, Status status);
  Status launch_alone(Kernel& kernel, const LaunchShape& shape, std::span<const std::byte> parameters);
  bool looks_for_races(Kernel& kernel, const LaunchShape& shape) const;
  Status check_limits(Kernel& kernel, const LaunchShape& shape, const sim::LaunchRequest& request);

  std::recursive_mutex mutex_;
  DeviceSettings settings_;
  std::unique_ptr<Observer> observer_;
  HostVariables host_variables_ = [](std::uint64_t) { return std::string(); };
  LaunchWatch watch_;
  Memory memory_;
  Textures textures_{memory_};
  std::vector<std::unique_ptr<Module>> modules_;
  std::set<std::string, std::less<>>
      told_of_sides_;  // calls that named the wrong side: a loop may copy a thousand times
  Status pending_ = Status::success, lost_ = Status::success;
  std::string printed_, why_not_loaded_;
  std::uint64_t watched_unasked_ = 40'000'000;  // accesses of lanes that may still be watched for races unasked
  bool told_of_times_ = false, told_of_clocks_ = false, told_of_clusters_ = false, told_of_children_ = false;
  Limits limits_;
  std::shared_ptr<const sim::DeviceHeap> heap_;  // the heap of malloc() in kernels; nullptr: not used so far
};

}  // namespace lanescope::device
