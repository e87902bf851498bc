#include "core/os/pages.h"

#include <io.h>
#include <malloc.h>
#include <windows.h>

#include <cerrno>

#include "core/os/files.h"

namespace lanescope::pages {

void* take_aligned(std::size_t alignment, std::size_t bytes) {
  return ::_aligned_malloc(bytes, alignment);
}

void give_back_aligned(void* memory) {
  ::_aligned_free(memory);
}

// On Windows large pages need a privilege that users do not have.
void wish_for_large(void*, std::size_t) {}

bool clear_now(void*, std::size_t) {
  return false;
}

void* take_sparse_at(void* address, std::size_t bytes) {
  void* memory = ::VirtualAlloc(address, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (memory != nullptr && address != nullptr && memory != address) {
    ::VirtualFree(memory, 0, MEM_RELEASE);
    return nullptr;
  }
  return memory;
}

// Only whole programs share memory, and those do not run here.
int share(void*, std::size_t, Descriptor&) {
  return ENOSYS;
}

void* take_shared(int, int, std::size_t) {
  return nullptr;
}

std::size_t count_mapped(const void* from, std::size_t bytes) {
  const auto* const first = static_cast<const std::byte*>(from);
  for (std::size_t at = 0; at < bytes;) {
    MEMORY_BASIC_INFORMATION found{};
    if (::VirtualQuery(first + at, &found, sizeof found) == 0 || found.State != MEM_COMMIT) return at;
    at = static_cast<std::size_t>(static_cast<const std::byte*>(found.BaseAddress) + found.RegionSize - first);
  }
  return bytes;
}

std::span<const unsigned char> map_for_ever(const std::string& path) {
  Descriptor file;
  FileFacts facts;
  if (open_to_read(path, file) != 0 || facts_of(file.get(), facts) != 0 || facts.bytes == 0) return {};
  const HANDLE mapping = ::CreateFileMappingW(reinterpret_cast<HANDLE>(::_get_osfhandle(file.get())), nullptr,
                                              PAGE_READONLY, 0, 0, nullptr);
  if (mapping == nullptr) return {};
  const void* memory = ::MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
  ::CloseHandle(mapping);
  if (memory == nullptr) return {};
  return {static_cast<const unsigned char*>(memory), facts.bytes};
}

// Only the log of a whole program needs it, and those do not run here.
MappedPart::MappedPart(int, std::uint64_t, std::size_t) {}
MappedPart::~MappedPart() = default;

}  // namespace lanescope::pages
