#pragma once
// Where things lie in the interpreter's 64-bit generic address space. As on a GPU, shared and local memory are windows
// of it; an address within a window, less the window's base, is the address in that space. Global and constant
// addresses are the same in both.
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

// Shared memory that the system keeps for itself, 1 KiB of each block from sm_90 on; cooperative groups keep there what
// a tile of several warps needs. On a GPU it lies before the user's shared memory (H200, driver 580: begin 0, end 288,
// capacity 1024; the user's begins at 1024), here behind it, some way off: then what lies just outside of the user's is
// nothing, and shared addresses begin at 0, whatever the architecture. Banks are the same, since 1024 is a multiple of
// 128. Only a kernel that stores or prints what __cvta_generic_to_shared gives sees other numbers than on a GPU; PTX
// promises none.
inline constexpr std::uint32_t reserved_shared_bytes = 1024;
inline constexpr std::uint32_t reserved_for_groups = 512;  // of them, from here on: what %reserved_smem_offset_1 says
constexpr std::uint32_t reserved_shared(std::uint32_t shared_bytes) {
  return (shared_bytes + 8191) / 4096 * 4096;
}

// "Addresses" of functions, for function pointers: nothing can be loaded from them.
inline constexpr std::uint64_t functions = 0x7f00'2400'0000;
inline constexpr std::uint64_t function_bytes = 256;

inline constexpr std::uint64_t variables = 0x7f20'0000'0000;  // the module's .global and .const
inline constexpr std::uint64_t workspace = 0x7f30'0000'0000;  // of a cooperative launch
inline constexpr std::uint64_t buffers = 0x7f40'0000'0000;    // the arguments
// What malloc() in a kernel gives, up to twice this (sim/memory/device_heap.h).
inline constexpr std::uint64_t heap = 0x1'0000'0000'0000;
// Between any two of them lies at least this much that nothing is mapped to.
inline constexpr std::uint64_t gap_bytes = 16ull << 20;
inline constexpr std::uint64_t alignment = 256;

// An access below this is meant for a null pointer.
inline constexpr std::uint64_t null_bytes = 1ull << 20;

constexpr bool in_window(std::uint64_t address, std::uint64_t window) {
  return address - window < (window == shared_window ? shared_window_bytes : window_bytes);
}
constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t to) {
  return to <= 1 ? value : (value + to - 1) / to * to;
}
// Whether an address lies where anything can be mapped, apart from the heap.
constexpr bool could_be_mapped(std::uint64_t address) {
  return address >= shared_window && address < heap;
}
// The next free address after a region that ends at `end`.
constexpr std::uint64_t after(std::uint64_t end) {
  return align_up(end + gap_bytes, alignment);
}

}  // namespace lanescope::sim::address_space
