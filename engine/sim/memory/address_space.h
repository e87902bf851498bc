#pragma once
// The layout of the interpreter's 64-bit generic address space. As on a GPU, shared and local memory are windows in it:
// an address in a window minus the window's base is the address in that space. Global and constant addresses are equal
// to generic ones.
//
// The window of shared memory is that of .shared::cluster (core/cluster_shared.h). A block that is alone has rank 0.

#include <cstdint>

#include "core/cluster_shared.h"
#include "core/clusters.h"

namespace lanescope::sim::address_space {

using cluster_shared::rank_of;
using cluster_shared::rank_shift;
using cluster_shared::within_block;
inline constexpr std::uint64_t window_bytes = cluster_shared::block_bytes;
inline constexpr std::uint64_t shared_window = 0x7f00'0000'0000;
inline constexpr std::uint64_t shared_window_bytes = most_blocks_of_a_cluster * window_bytes;
inline constexpr std::uint64_t local_window = 0x7f00'2000'0000;
inline constexpr std::uint64_t param_window = 0x7f00'2200'0000;  // the kernel's own parameters

// The system's own shared memory: 1 KiB per block from sm_90 on. Cooperative groups use it for tiles of several warps.
// On a GPU it is before the user's shared memory (H200, driver 580: begin 0, end 288, capacity 1024; the user's memory
// begins at 1024). Here it is after it, at a distance, so that just outside the user's memory there is nothing, and
// shared addresses begin at 0 on every architecture. The banks are the same, since 1024 is a multiple of 128. Only a
// kernel that stores or prints the result of __cvta_generic_to_shared sees other numbers than on a GPU; PTX does not
// promise any.
inline constexpr std::uint32_t reserved_shared_bytes = 1024;
inline constexpr std::uint32_t reserved_for_groups = 512;  // start of the part for groups: %reserved_smem_offset_1
constexpr std::uint32_t reserved_shared(std::uint32_t shared_bytes) {
  return (shared_bytes + 8191) / 4096 * 4096;
}

// "Addresses" of functions for function pointers. Nothing can be loaded from them.
inline constexpr std::uint64_t functions = 0x7f00'2400'0000;
inline constexpr std::uint64_t function_bytes = 256;

inline constexpr std::uint64_t variables = 0x7f20'0000'0000;  // the module's .global and .const
inline constexpr std::uint64_t workspace = 0x7f30'0000'0000;  // of a cooperative launch
inline constexpr std::uint64_t buffers = 0x7f40'0000'0000;    // the arguments
// The results of malloc() in kernels, up to twice this address (sim/memory/device_heap.h).
inline constexpr std::uint64_t heap = 0x1'0000'0000'0000;
// Between any two regions there are at least this many unmapped bytes.
inline constexpr std::uint64_t gap_bytes = 16ull << 20;
inline constexpr std::uint64_t alignment = 256;

// Accesses below this address are reported as null pointers.
inline constexpr std::uint64_t null_bytes = 1ull << 20;

constexpr bool in_window(std::uint64_t address, std::uint64_t window) {
  return address - window < (window == shared_window ? shared_window_bytes : window_bytes);
}
constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t to) {
  return to <= 1 ? value : (value + to - 1) / to * to;
}
// Whether anything except the heap can be mapped at this address.
constexpr bool could_be_mapped(std::uint64_t address) {
  return address >= shared_window && address < heap;
}
// The next free address after a region that ends at `end`.
constexpr std::uint64_t after(std::uint64_t end) {
  return align_up(end + gap_bytes, alignment);
}

}  // namespace lanescope::sim::address_space
