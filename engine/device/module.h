#pragma once
// A module that is loaded on the device: its PTX, its kernels by name, and its variables, which exist as long as the
// module.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "device/memory.h"
#include "ptx/module.h"
#include "sim/launch.h"

namespace lanescope::device {

class Module;

// Whether several threads are worthwhile for a kernel's launches, learned from earlier launches. A short launch runs on
// one thread in any case (worth_threads in sim/launch_parallel.cpp), but only after everything has been prepared for
// undoing the work of several. The result is the same either way.
class ThreadsWorthwhile {
 public:
  // For a launch with this many blocks.
  bool for_launch(std::uint64_t blocks) const { return blocks > short_up_to_; }
  void took(std::uint64_t blocks, std::uint64_t lane_instructions);

 private:
  std::uint64_t short_up_to_ = 0;  // blocks
};

struct LaunchShape {
  Dim3 grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  Dim3 cluster{1, 1, 1};
  bool cluster_given = false;  // as an attribute of the launch
  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

struct Kernel {
  Module* module = nullptr;
  const ptx::Function* function = nullptr;
  std::string name;         // as the source writes it
  std::string source_file;  // empty if the PTX does not say
  int line = 0;             // of its first instruction
  // Set by cudaFuncSetAttribute.
  std::uint32_t max_dynamic_shared_bytes = 0;
  int preferred_carveout = -1;
  bool large_clusters = false;  // with more than 8 blocks
  ThreadsWorthwhile threads;
  std::vector<LaunchShape> looked_for_races;  // shapes of which one launch was checked without a request

  // Prepared at the first call. nullptr: diagnostics() has the reason.
  const sim::Program* program();
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  std::shared_ptr<const sim::Program> program_;
  Diagnostics diagnostics_;
};

class Module {
 public:
  // Parses the PTX and creates the variables. `name` is for messages. Errors are those of ptx::parse(), and
  // device.out_of_memory.
  static Result<std::unique_ptr<Module>> load(Memory& memory, std::string_view ptx, std::string name);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  Kernel* kernel(std::string_view mangled);  // nullptr if there is none
  // The kernel whose address a kernel of this module took; nullptr if there is none.
  Kernel* kernel_at(std::uint64_t address);
  struct Variable {
    Allocation* allocation = nullptr;
    bool managed = false;
  };
  const Variable* variable(std::string_view name) const;
  const ptx::Module& text() const { return text_; }
  const std::string& ptx() const { return ptx_; }   // as loaded, after with_device_runtime()
  std::uint64_t serial() const { return serial_; }  // unique in the process
  const sim::VariablePlaces& places() const { return places_; }

 private:
  explicit Module(Memory& memory) : memory_(memory) {}
  bool make_variables();

  Memory& memory_;
  ptx::Module text_;
  std::string ptx_;
  std::uint64_t serial_ = 0;
  sim::VariablePlaces places_;
  std::map<std::string, Variable, std::less<>> variables_;
  std::map<std::string, Kernel, std::less<>> kernels_;
};

}  // namespace lanescope::device
