#include "core/os/pages.h"

#include <sys/mman.h>

#include <cstdlib>

#include "core/os/files.h"

namespace lanescope::pages {

void* take_aligned(std::size_t alignment, std::size_t bytes) {
  return std::aligned_alloc(alignment, bytes);
}

void give_back_aligned(void* memory) {
  std::free(memory);
}

void wish_for_large(void* memory, std::size_t bytes) {
  ::madvise(memory, bytes, MADV_HUGEPAGE);
}

bool clear_now([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  return ::madvise(memory, bytes, MADV_POPULATE_WRITE) == 0;
#else
  return false;
#endif
}

void* take_sparse_at(void* address, std::size_t bytes) {
  const int where = address != nullptr ? MAP_FIXED_NOREPLACE : 0;
  void* memory =
      ::mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | where, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (address != nullptr && memory != address) {  // a kernel older than MAP_FIXED_NOREPLACE
    ::munmap(memory, bytes);
    return nullptr;
  }
  return memory;
}

std::span<const unsigned char> map_for_ever(const std::string& path) {
  Descriptor file;
  FileFacts facts;
  if (open_to_read(path, file) != 0 || facts_of(file.get(), facts) != 0 || facts.bytes == 0) return {};
  void* memory = ::mmap(nullptr, facts.bytes, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (memory == MAP_FAILED) return {};
  return {static_cast<const unsigned char*>(memory), facts.bytes};
}

}  // namespace lanescope::pages
