#include "device/properties.h"

#include <algorithm>
#include <cctype>
#include <climits>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>

#include "core/clusters.h"
#include "device/device.h"
#include "device/machine_code.h"
#include "sim/launch_check.h"

namespace lanescope::device {

namespace {

struct Row {
  int number, value;
};

// The values of an H200. attribute() replaces those that depend on the chosen architecture. Source: CUDA C++
// Programming Guide, "Compute Capabilities", and the data sheet for the rest.
constexpr Row rows[] = {
    {1, 1024},  // threads per block
    {2, 1024},  // in x, y, z
    {3, 1024},
    {4, 64},
    {5, INT_MAX},  // blocks per grid, in x, y, z
    {6, 65535},
    {7, 65535},
    {8, 49152},     // shared memory per block
    {9, 65536},     // constant memory
    {10, 32},       // lanes per warp
    {11, INT_MAX},  // pitch of a copy
    {12, 65536},    // registers per block
    {13, 1980000},  // kHz
    {14, 512},      // alignment of textures
    {15, 1},        // copies concurrent with kernels
    {16, static_cast<int>(imitated_gpu::multiprocessors)},
    {17, 0},       // no time limit
    {18, 0},       // not integrated with the processor
    {19, 1},       // can map host memory
    {20, 0},       // compute mode: default
    {21, 131072},  // sizes of textures
    {22, 131072},
    {23, 65536},
    {24, 16384},
    {25, 16384},
    {26, 16384},
    {27, 32768},
    {28, 32768},
    {29, 2048},
    {30, 512},  // alignment of surfaces
    {31, 1},    // concurrent kernels
    {32, 1},    // error correction
    {33, 0},    // PCI bus and device
    {34, 0},
    {35, 0},
    {36, 3201000},   // memory clock in kHz
    {37, 6016},      // memory bus width in bits
    {38, 62914560},  // L2 bytes
    {39, 2048},      // threads per multiprocessor
    {40, 3},         // copy engines
    {41, 1},         // unified address space
    {42, 32768},
    {43, 2048},
    {44, 1},
    {45, 32768},
    {46, 32768},
    {47, 8192},
    {48, 8192},
    {49, 32768},
    {50, 0},
    {51, 32},
    {52, 32768},
    {53, 32768},
    {54, 2046},
    {55, 32768},  // sizes of surfaces
    {56, 131072},
    {57, 65536},
    {58, 16384},
    {59, 16384},
    {60, 16384},
    {61, 32768},
    {62, 2048},
    {63, 32768},
    {64, 32768},
    {65, 2048},
    {66, 32768},
    {67, 32768},
    {68, 2046},
    {69, 268435456},
    {70, 131072},
    {71, 65000},
    {72, 2097120},
    {73, 32768},
    {74, 32768},
    {77, 32768},
    {78, 1},  // stream priorities
    {79, 1},  // L1
    {80, 1},
    {82, 65536},  // registers per multiprocessor
    {83, 1},      // managed memory
    {84, 0},
    {85, 0},
    {86, 0},
    {87, 2},  // single to double precision performance
    {88, 0},  // access to pageable host memory
    {89, 1},  // concurrent access to managed memory
    {90, 1},
    {91, 1},  // registered memory has the host's address
    {92, 0},
    {93, 0},
    {94, 0},
    {95, 1},  // cooperative launches
    {96, 0},  // cooperative launches on several devices
    {98, 0},
    {99, 1},  // cudaHostRegister
    {100, 0},
    {101, 0},
    {102, 1},  // virtual memory management
    {103, 0},
    {104, 0},
    {105, 0},
    {106, 32},         // blocks per multiprocessor
    {107, 0},          // compressed memory
    {108, 39321600},   // L2 that can be set aside
    {109, 134217728},  // largest window of it
    {110, 0},
    {111, 1024},
    {112, 0},
    {113, 1},  // memory registered as read-only
    {114, 0},
    {115, 1},  // memory pools
    {116, 0},
    {117, 0},
    {118, 0},
    {119, 0},
    {120, 1},  // clusters
    {121, 0},
    {122, 1},  // words of 64 bits that streams write
    {123, 1},  // waits for NOR
    {124, 0},
    {125, 1},  // events that processes share
    {126, 4},  // domains of memory synchronisation
    {127, 1},  // tensor maps
    {128, 0},
    {129, 0},
    {130, 0},
    {131, -1},
    {132, 0},  // multicast
    {133, 0},
    {134, 0},
    {135, 0},
    {136, 0},
    {137, 0},
    {138, 0},
    {139, 0x233510de},  // numbers of the model
    {140, 0x18bf10de},
    {141, 0},
    {142, 1},  // memory pools of the host's nodes, and of the host
    {143, 0},
    {144, 1},
    {145, 0},
    {146, 0},
    {147, 0},
};

MultiprocessorLimits limits_of(const Device& device) {
  return multiprocessor_limits(device.settings().arch).value_or(*multiprocessor_limits(imitated_gpu::arch));
}

}  // namespace

std::optional<int> attribute(const Device& device, int number) {
  const int capability = std::atoi(device.settings().arch.c_str() + 3);
  const MultiprocessorLimits limits = limits_of(device);
  switch (number) {
    case 75:
      return capability / 10;
    case 76:
      return capability % 10;
    case 39:
      return limits.warps * 32;
    case 81:
      return static_cast<int>(limits.shared_bytes);
    case 97:
      return static_cast<int>(limits.block_shared_bytes);
    case 106:
      return limits.blocks;
    case 111:
      return static_cast<int>(limits.reserved_shared_bytes);
    default:
      break;
  }
  const Row* row = std::ranges::find(rows, number, &Row::number);
  if (row == std::end(rows)) return std::nullopt;
  return row->value;
}

namespace {

int most_threads_of(const ptx::Function& function) {
  int most = static_cast<int>(MemoryModel::max_block_threads);
  for (const std::string& directive : function.directives) {
    if (!directive.starts_with(".maxntid") && !directive.starts_with(".reqntid")) continue;
    std::int64_t product = 1;
    for (const char* at = directive.c_str(); *at != '\0';) {
      char* end = nullptr;
      const std::int64_t value = std::strtoll(at, &end, 10);
      if (end != at) product *= std::clamp<std::int64_t>(value, 1, 1024);
      at = end != at ? end : at + 1;
    }
    most = static_cast<int>(std::min<std::int64_t>(most, product));
  }
  return most;
}

// A multiprocessor has four parts with 16,384 registers each. A warp gets its registers from one part, in units of 256
// (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; the occupancy calculator's allocation
// units). This holds for all imitated architectures.
int warps_with_registers(int registers) {
  constexpr int parts = 4, of_a_part = 16384, unit = 256;
  const int of_a_warp = (registers * 32 + unit - 1) / unit * unit;
  return of_a_part / of_a_warp * parts;
}

constexpr int max_dynamic_shared = 8, carveout = 9, cluster_width = 11, large_clusters = 14, cluster_scheduling = 15;

}  // namespace

Status attributes_of(Device& device, Kernel& kernel, KernelAttributes& to) {
  const sim::Program* program = kernel.program();
  if (program == nullptr) {
    for (const Diagnostic& error : kernel.diagnostics()) device.observer().said(error);
    return status_of(kernel.diagnostics().front());
  }
  to.static_shared_bytes = static_cast<int>(sim::static_shared_bytes(*program));
  to.most_threads = most_threads_of(*kernel.function);
  if (const std::optional<MachineCode> code = machine_code_of(device, kernel)) {
    to.registers = code->registers;
    to.local_bytes = code->local_bytes;
    to.constant_bytes = code->constant_bytes;
    to.barriers = code->barriers;
    to.most_threads = std::min(to.most_threads, warps_with_registers(code->registers) * 32);
  }
  to.most_dynamic_shared_bytes =
      kernel.max_dynamic_shared_bytes != 0
          ? static_cast<int>(kernel.max_dynamic_shared_bytes)
          : std::max(0, static_cast<int>(MemoryModel::max_static_shared_bytes) - to.static_shared_bytes);
  to.required_cluster = sim::declared_cluster(*kernel.function);
  return Status::success;
}

Status set_attribute(Device& device, Kernel& kernel, int number, int value) {
  KernelAttributes now;
  if (const Status status = attributes_of(device, kernel, now); status != Status::success) return status;
  // Required sizes of a cluster can be asked for, but set only to 0: a declared one stays.
  const bool is_required_size = number >= cluster_width && number < large_clusters;
  if (is_required_size && now.required_cluster != Dim3{0, 0, 0}) {
    const Dim3& of = now.required_cluster;
    const std::uint32_t own = number == cluster_width ? of.x : number == cluster_width + 1 ? of.y : of.z;
    return static_cast<std::uint32_t>(value) == own ? Status::success : Status::invalid_value;
  }
  if (is_required_size && value >= 0) return value == 0 ? Status::success : Status::not_supported;
  if (number == max_dynamic_shared) {
    const std::int64_t most = static_cast<std::int64_t>(limits_of(device).block_shared_bytes) - now.static_shared_bytes;
    if (value < 0 || value > most) return Status::invalid_value;
    kernel.max_dynamic_shared_bytes = static_cast<std::uint32_t>(value);
    return Status::success;
  }
  if (number == large_clusters) {
    kernel.large_clusters = value != 0;
    return Status::success;
  }
  // How clusters are distributed over the multiprocessors has no effect here.
  if (number == cluster_scheduling) return value >= 0 && value <= 2 ? Status::success : Status::invalid_value;
  if (number != carveout) return Status::invalid_value;
  if (value < -1 || value > 100) return Status::invalid_value;
  kernel.preferred_carveout = value;
  return Status::success;
}

Status resident_blocks(Device& device, Kernel& kernel, int block_threads, std::uint64_t dynamic_shared_bytes,
                       int* blocks) {
  KernelAttributes of;
  if (const Status status = attributes_of(device, kernel, of); status != Status::success) return status;
  if (blocks == nullptr || block_threads <= 0) return Status::invalid_value;
  *blocks = 0;
  const MultiprocessorLimits limits = limits_of(device);
  const std::uint64_t shared = static_cast<std::uint64_t>(of.static_shared_bytes) + dynamic_shared_bytes;
  // __launch_bounds__ does not count (seen on an H200).
  if (block_threads > static_cast<int>(MemoryModel::max_block_threads) || shared > limits.block_shared_bytes ||
      dynamic_shared_bytes > static_cast<std::uint64_t>(std::max(of.most_dynamic_shared_bytes, 0)))
    return Status::success;
  trace::Launch launch;
  launch.block = {static_cast<std::uint32_t>(block_threads), 1, 1};
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(shared);
  *blocks = static_cast<int>(sim::resident_blocks(limits, launch, 1));
  if (of.registers != 0)
    *blocks = std::min(*blocks, warps_with_registers(of.registers) / static_cast<int>(launch.warps_per_block()));
  if (of.barriers != 0 && limits.barriers != 0) *blocks = std::min(*blocks, limits.barriers / of.barriers);
  return Status::success;
}

Status shared_memory_left(Device& device, Kernel& kernel, int blocks, int block_threads, std::uint64_t* bytes) {
  KernelAttributes of;
  if (const Status status = attributes_of(device, kernel, of); status != Status::success) return status;
  if (bytes == nullptr || blocks <= 0) return Status::invalid_value;
  const auto fits = [&](std::uint64_t dynamic, bool& answer) {
    int resident = 0;
    const Status status = resident_blocks(device, kernel, block_threads, dynamic, &resident);
    answer = resident >= blocks;
    return status;
  };
  bool without = false;
  if (const Status status = fits(0, without); status != Status::success) return status;
  if (!without) return Status::invalid_value;
  std::uint64_t low = 0, high = static_cast<std::uint64_t>(std::max(of.most_dynamic_shared_bytes, 0)) + 1;
  while (high - low > 1) {
    const std::uint64_t middle = (low + high) / 2;
    bool so_much = false;
    if (const Status status = fits(middle, so_much); status != Status::success) return status;
    (so_much ? low : high) = middle;
  }
  *bytes = low;
  return Status::success;
}

Status most_blocks_of_cluster(Device& device, Kernel& kernel, const LaunchShape& shape, int* blocks) {
  int resident = 0;
  const Status status =
      resident_blocks(device, kernel, static_cast<int>(shape.block.count()), shape.dynamic_shared_bytes, &resident);
  if (status != Status::success) return status;
  if (blocks == nullptr) return Status::invalid_value;
  *blocks =
      resident == 0 ? 0 : static_cast<int>(kernel.large_clusters ? most_blocks_of_a_cluster : most_portable_cluster);
  return Status::success;
}

Status resident_clusters(Device& device, Kernel& kernel, const LaunchShape& shape, int* clusters) {
  int resident = 0;
  const Status status =
      resident_blocks(device, kernel, static_cast<int>(shape.block.count()), shape.dynamic_shared_bytes, &resident);
  if (status != Status::success) return status;
  if (clusters == nullptr) return Status::invalid_value;
  const Dim3 declared = sim::declared_cluster(*kernel.function);
  const std::uint64_t size =
      shape.cluster == Dim3{} && declared.count() != 0 ? declared.count() : shape.cluster.count();
  const std::uint32_t most = kernel.large_clusters ? most_blocks_of_a_cluster : most_portable_cluster;
  const auto divides = [](std::uint32_t part, std::uint32_t whole) { return part == 0 || whole % part == 0; };
  const bool fits = divides(shape.cluster.x, shape.grid.x) && divides(shape.cluster.y, shape.grid.y) &&
                    divides(shape.cluster.z, shape.grid.z);
  if (size == 0 || size > most || !fits) return Status::invalid_cluster_size;
  const std::uint64_t multiprocessors = imitated_gpu::multiprocessors;
  *clusters = static_cast<int>(static_cast<std::uint64_t>(resident) * multiprocessors / size);
  if (size > 2) device.note_clusters();
  return Status::success;
}

Status find_bus_id(const char* text) {
  std::string separators;
  bool in_number = false, is_zero = true;
  for (const char* at = text; *at != '\0'; ++at) {
    const bool is_digit = std::isxdigit(static_cast<unsigned char>(*at)) != 0;
    if (!is_digit && !in_number) return Status::invalid_value;
    if (!is_digit) separators += *at;
    is_zero &= !is_digit || *at == '0';
    in_number = is_digit;
  }
  if (!in_number || (separators != "::." && separators != "::" && separators != ":.")) return Status::invalid_value;
  return is_zero ? Status::success : Status::invalid_device;
}

}  // namespace lanescope::device
