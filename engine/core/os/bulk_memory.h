#pragma once
// Recycles the large pieces of memory that every run needs: events, copies of buffers, records of touched memory. Freed
// pieces are kept for a while, because the system clears fresh memory. For a kernel's events that takes as long as
// running the kernel, and threads wait for each other meanwhile.

#include <cstddef>

namespace lanescope::bulk_memory {

inline constexpr std::size_t large_page = std::size_t{2} << 20;
inline constexpr std::size_t smallest = std::size_t{128} << 10;   // bytes; smaller pieces use operator new
inline constexpr std::size_t most_kept = std::size_t{256} << 20;  // bytes of all unused pieces

// Uninitialised memory of at least `bytes`, which must be `smallest` or more. From 4 MiB on, in pages of 2 MiB if the
// system has them. Untouched memory uses no physical memory. From any thread. Throws std::bad_alloc.
void* take(std::size_t bytes);
// `memory` is from take(). From any thread.
void give_back(void* memory) noexcept;
// The bytes of the kept pieces, which nobody uses.
std::size_t kept();

}  // namespace lanescope::bulk_memory
