#include "core/os/sparse_memory.h"

#include <windows.h>

#include <new>

namespace lanescope::sparse_memory {

// This reserves space in the page file for all of it, but physical memory only for the pages that are used.
void* take(std::size_t bytes) {
  void* const memory = ::VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void give_back(void* memory, std::size_t) noexcept {
  ::VirtualFree(memory, 0, MEM_RELEASE);
}

}  // namespace lanescope::sparse_memory
