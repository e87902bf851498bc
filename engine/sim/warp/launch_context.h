#pragma once
// Data that all workers of a launch share. Read-only except for the bytes of the buffers.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/clusters.h"
#include "core/source_name.h"
#include "sim/decode/decode.h"
#include "sim/launch_request.h"
#include "sim/memory/address_space.h"
#include "sim/memory/memory.h"
#include "sim/memory/texture.h"
#include "sim/memory/write_watch.h"

namespace lanescope::sim {

class DeviceHeap;
class RaceDetector;
class Schedule;

struct LaunchContext {
  LaunchContext(const Program& of_program, const LaunchRequest& of_request)
      : program(of_program), request(of_request) {}

  const Program& program;
  const LaunchRequest& request;
  trace::Launch launch;
  // If the kernel does not use its cluster, these are clusters of one block, because the blocks can then run alone.
  Clusters clusters;
  bool explicit_clusters = false;  // the launch or the kernel states their size
  mutable GlobalMemory memory;     // allocations of the device heap come and go
  DeviceHeap* heap = nullptr;
  std::map<std::uint64_t, TextureObject> textures;  // by handle; their bytes change
  mutable WriteWatch writes;                        // must be told of every write to `memory`
  std::vector<std::byte> parameters;                // the kernel's parameter block
  std::uint64_t workspace = 0;                      // for a cooperative launch: the value of %envreg1:%envreg2
  std::uint32_t shared_bytes = 0;                   // static and dynamic
  std::uint32_t reserved_shared = 0;  // start of the system's shared memory; 0: the kernel does not use it
  std::uint32_t shared_end() const {
    return reserved_shared == 0 ? shared_bytes : reserved_shared + address_space::reserved_shared_bytes;
  }
  std::vector<std::vector<std::byte>>
      constants;  // by function: the register file from constants_begin on, launch specials filled in
  // The thread indices of the lanes of each warp of a block, in the layout of slots.
  struct ThreadIndices {
    alignas(64) std::array<std::array<std::uint32_t, 32>, 3> of{};
  };
  std::vector<ThreadIndices> thread_indices;
  std::vector<std::uint32_t> counter_of_site;  // the entry counter of the site's basic block
  std::uint64_t max_steps = 0;
  Schedule* schedule = nullptr;     // for a seed; then blocks run on one thread
  RaceDetector* races = nullptr;    // if requested; then blocks run on one thread
  bool all_resident = false;        // blocks run in turns although the launch is not cooperative
  std::vector<bool> chosen_blocks;  // empty = all
  bool chooses_blocks = false;      // it is not empty
  bool chosen(std::uint32_t block) const { return !chooses_blocks || chosen_blocks[block]; }

  SourcePlace place(const ptx::Instruction& instruction) const {
    return place_of(program.module, instruction, request.user_file);
  }
  // The innermost line, if it is in another file than place(), as in a function of a header; else line 0.
  SourcePlace place_inside(const ptx::Instruction& instruction) const {
    return place_in_other_file(program.module, instruction, request.user_file);
  }
  std::string kernel_name() const {
    return request.kernel_source_name.empty() ? program.kernel->name : request.kernel_source_name;
  }
  std::string short_kernel_name() const { return short_name(kernel_name(), 100); }  // in messages
};

// The value of a special register. If it depends on the lane, fills in each lane.
void fill_special(const SpecialSlot& slot, const LaunchContext& context, std::uint32_t block, std::uint32_t warp,
                  std::byte* to);

}  // namespace lanescope::sim
