#pragma once
// A launch of a program with all that it began with, to be executed again as often as wanted.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/launch.h"
#include "sim/memory/device_memory_copy.h"

namespace lanescope::device {

// What a list of launches says of one.
struct LaunchEntry {
  std::uint64_t number = 0;  // of all launches of the program, from 1: saved ones need not follow each other
  std::string kernel;        // as the source writes it
  std::string mangled;
  std::string source_file;  // may be empty
  int line = 0;             // of the kernel there; 0: not known
  bool in_ptx = false;      // the file is the module's PTX: the program was compiled without line information
  trace::Launch launch;     // without static_shared_bytes
  std::string arch;
};

// The same text for launches of one kernel and shape.
std::string shape_key(const std::string& mangled_kernel, const trace::Launch& launch);

struct KeptLaunch {
  LaunchEntry about;
  std::string ptx, module_name;
  std::string source;  // the text of about.source_file as the program ran; empty: it is not there
  std::shared_ptr<const sim::Program> program;
  sim::VariablePlaces places;  // of the module's variables in `memory`
  std::vector<std::byte> parameters;
  std::uint64_t max_steps = 0;
  sim::DeviceMemory memory;  // as the launch found it: never run on, but on a copy
  std::shared_ptr<const std::vector<sim::TextureObject>> textures;

  // The launch on `memory` and `textures`, which must outlive it, as this must. Nothing is recorded but totals.
  sim::LaunchRequest request() const;

  std::vector<std::unique_ptr<sim::DeviceAllocation>> owned_allocations;
  std::vector<sim::ZeroedBytes> owned_bytes;
};

// Of an address that lies in none of them: what a message says of it, where it is far from all.
std::optional<Wording> what_is_far(std::span<sim::DeviceAllocation* const> memory, std::uint64_t address);

}  // namespace lanescope::device
