#pragma once
// Memory by pages: how it is aligned, how large its pages are, files in it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace lanescope::pages {

// Unset memory; nullptr when there is none. `alignment` is a power of two, and `bytes` a multiple of it.
void* take_aligned(std::size_t alignment, std::size_t bytes);
void give_back_aligned(void* memory);

// For fresh memory that begins and ends on a boundary of 2 MiB. A wish: without it everything works as well.
void wish_for_large(void* memory, std::size_t bytes);
// The same, and clears the memory now. False where the system has no word for that.
bool clear_now(void* memory, std::size_t bytes);

// Zeros that take room from their first use on, at that address and nowhere else; anywhere for nullptr. Returns nullptr
// when there is no room or something lies there. Give it back by sparse_memory::give_back().
void* take_sparse_at(void* address, std::size_t bytes);

// What a file holds, in memory until the process ends; read from the disk when it is looked at. Empty when it cannot be
// had.
std::span<const unsigned char> map_for_ever(const std::string& path);

}  // namespace lanescope::pages
