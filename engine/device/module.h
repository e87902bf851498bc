#pragma once
// A module that was loaded on the device: a text of PTX, its kernels by name, and its variables, which live as long as
// the module.

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

// Whether a kernel's launches are worth several threads, learned from the launches before. A short one runs on one
// thread in any case (worth_threads in sim/launch_parallel.cpp), but only after all was prepared for several: what they
// would have to undo. The result is the same either way.
class ThreadsWorthwhile {
 public:
  // Of a launch of so many blocks.
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
  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

struct Kernel {
  Module* module = nullptr;
  const ptx::Function* function = nullptr;
  std::string name;         // as the source writes it
  std::string source_file;  // where it lies; empty when the PTX does not say
  int line = 0;             // there, of its first instruction
  // What cudaFuncSetAttribute may change.
  std::uint32_t max_dynamic_shared_bytes = 0;
  int preferred_carveout = -1;
  bool large_clusters = false;  // of more than 8 blocks
  ThreadsWorthwhile threads;
  std::vector<LaunchShape> looked_for_races;  // launches of these shapes were checked unasked

  // Made at the first call. Nothing: diagnostics() says why.
  const sim::Program* program();
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  std::shared_ptr<const sim::Program> program_;
  Diagnostics diagnostics_;
};

class Module {
 public:
  // Reads the PTX and makes the variables. `name` is for messages. Errors are those of ptx::parse(), and
  // device.out_of_memory.
  static Result<std::unique_ptr<Module>> load(Memory& memory, std::string_view ptx, std::string name);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  Kernel* kernel(std::string_view mangled);  // nullptr where there is none
  struct Variable {
    Allocation* allocation = nullptr;
    bool managed = false;
  };
  const Variable* variable(std::string_view name) const;
  const ptx::Module& text() const { return text_; }
  const std::string& ptx() const { return ptx_; }   // as it was loaded, with_device_runtime()
  std::uint64_t serial() const { return serial_; }  // no two modules of a process have the same
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
