#include "core/os/sparse_memory.h"

#include <sys/mman.h>

#include <new>

namespace lanescope::sparse_memory {

void* take(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Otherwise the first use of a byte would clear a whole page of 2 MiB.
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  return memory;
}

void give_back(void* memory, std::size_t bytes) noexcept {
  munmap(memory, bytes);
}

}  // namespace lanescope::sparse_memory
