#include "device/properties.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <iterator>

#include "device/device.h"
#include "sim/launch_check.h"

namespace lanescope::device {

namespace {

struct Row {
  int number, value;
};

// An H200's, where nothing says otherwise. Source: CUDA C++ Programming Guide, "Compute Capabilities"; what it leaves
// open, the data sheet.
constexpr Row rows[] = {
    {1, 1024},  // threads of a block
    {2, 1024},  // in x, y, z
    {3, 1024},
    {4, 64},
    {5, INT_MAX},  // blocks of a grid, in x, y, z
    {6, 65535},
    {7, 65535},
    {8, 49152},     // shared memory of a block
    {9, 65536},     // constant memory
    {10, 32},       // lanes of a warp
    {11, INT_MAX},  // pitch of a copy
    {12, 65536},    // registers of a block
    {13, 1980000},  // kHz
    {14, 512},      // alignment of textures
    {15, 1},        // copies beside kernels
    {16, static_cast<int>(imitated_gpu::multiprocessors)},
    {17, 0},       // no time limit
    {18, 0},       // not part of the processor
    {19, 1},       // maps the host's memory
    {20, 0},       // for everybody
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
    {31, 1},    // kernels beside one another
    {32, 1},    // error correction
    {33, 0},    // place on the bus
    {34, 0},
    {35, 0},
    {36, 3201000},   // kHz of the memory
    {37, 6144},      // its bits
    {38, 62914560},  // L2
    {39, 2048},      // threads of a multiprocessor
    {40, 3},         // copies at a time
    {41, 1},         // one address space
    {42, 32768},
    {43, 2048},
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
    {78, 1},  // priorities of streams
    {79, 1},  // L1
    {80, 1},
    {82, 65536},  // registers of a multiprocessor
    {83, 1},      // managed memory
    {84, 0},
    {85, 0},
    {86, 0},
    {87, 2},  // single over double precision
    {88, 0},  // the host's own memory
    {89, 1},  // managed memory, from both sides at once
    {90, 1},
    {91, 1},  // registered memory lies where the host has it
    {95, 1},  // cooperative launches
    {98, 0},
    {99, 1},  // cudaHostRegister
    {100, 0},
    {101, 0},
    {106, 32},  // blocks of a multiprocessor
    {108, 0},
    {109, 0},
    {111, 1024},
    {112, 0},
    {113, 0},
    {114, 0},
    {115, 0},  // memory pools
    {116, 0},
    {117, 0},
    {118, 0},
    {119, 0},
    {120, 0},  // clusters: of one block alone
    {121, 0},
    {125, 0},
    {126, 1},
    {129, 0},
    {130, 0},
    {131, -1},
    {133, 0},
    {134, 0},
    {135, 0},
    {138, 0},
    {139, 0},
    {140, 0},
    {142, 0},
    {143, 0},
    {144, 0},
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

int resident_blocks_per_multiprocessor(const Device& device, std::uint32_t static_shared_bytes,
                                       std::uint32_t block_threads, std::uint64_t dynamic_shared_bytes) {
  trace::Launch launch;
  launch.block = {block_threads, 1, 1};
  launch.static_shared_bytes = static_shared_bytes;
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(dynamic_shared_bytes);
  return static_cast<int>(sim::resident_blocks(limits_of(device), launch, 1));
}

}  // namespace lanescope::device
