#pragma once
// Memory by pages: alignment, page sizes, files in memory.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "core/os/descriptor.h"

namespace lanescope::pages {

// Uninitialised memory; nullptr if there is none. `alignment` is a power of two, and `bytes` is a multiple of it.
void* take_aligned(std::size_t alignment, std::size_t bytes);
void give_back_aligned(void* memory);

// For fresh memory that begins and ends at a multiple of 2 MiB. The system may ignore this.
void wish_for_large(void* memory, std::size_t bytes);
// The same, and clears the memory now. False if the system cannot do this.
bool clear_now(void* memory, std::size_t bytes);

// Zeros that use physical memory only once they are used, at exactly that address; anywhere for nullptr. Returns
// nullptr if there is no memory or if the address is in use. Free it with sparse_memory::give_back().
void* take_sparse_at(void* address, std::size_t bytes);

// Memory that another process of the same user can map. Replaces these pages, of take_sparse_at(), by such memory with
// the same contents, at the same address. Others find it by this process's number and the descriptor `made`, as long as
// that is open. 0 or errno; then nothing has changed.
int share(void* memory, std::size_t bytes, Descriptor& made);
// Maps what `process` has shared; nullptr if it has ended or closed it. Free it with sparse_memory::give_back().
void* take_shared(int process, int descriptor, std::size_t bytes);

// How many of these bytes, from the first on, lie in mapped pages.
std::size_t count_mapped(const void* from, std::size_t bytes);

// A file's contents, mapped until the process ends and read from disk when they are accessed. Empty if that is not
// possible.
std::span<const unsigned char> map_for_ever(const std::string& path);

// Bytes of a file that is open for reading and writing. What is written to them is in the file at once, for all that
// read it, and stays there if this process is killed. The file may be closed meanwhile.
class MappedPart {
 public:
  MappedPart() = default;
  // Empty if that is not possible.
  MappedPart(int file, std::uint64_t offset, std::size_t bytes);
  MappedPart(MappedPart&& other) noexcept { swap(other); }
  MappedPart& operator=(MappedPart&& other) noexcept {
    swap(other);
    return *this;
  }
  ~MappedPart();

  std::span<char> bytes() const { return bytes_; }

 private:
  void swap(MappedPart& other) {
    std::swap(bytes_, other.bytes_);
    std::swap(pages_, other.pages_);
  }

  std::span<char> bytes_, pages_;
};

}  // namespace lanescope::pages
