#include "core/os/pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
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

int share(void* memory, std::size_t bytes, Descriptor& made) {
  Descriptor file(::memfd_create("lanescope-device-memory", MFD_CLOEXEC));
  if (!file || ::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0) return errno;
  // Pages of zeros stay unused.
  constexpr std::size_t part = std::size_t{64} << 10;
  const auto* const from = static_cast<const char*>(memory);
  for (std::size_t at = 0; at < bytes; at += part) {
    const std::size_t here = std::min(part, bytes - at);
    if (std::all_of(from + at, from + at + here, [](char byte) { return byte == 0; })) continue;
    for (std::size_t done = 0; done < here;) {
      const ssize_t written = ::pwrite(file.get(), from + at + done, here - done, static_cast<off_t>(at + done));
      if (written <= 0) return written < 0 ? errno : EIO;
      done += static_cast<std::size_t>(written);
    }
  }
  void* const shared =
      ::mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file.get(), 0);
  if (shared == MAP_FAILED) return errno;
  made.reset(file.release());
  return 0;
}

void* take_shared(int process, int descriptor, std::size_t bytes) {
  const std::string name = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
  const Descriptor file(::open(name.c_str(), O_RDWR | O_CLOEXEC));
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0 || static_cast<std::uint64_t>(facts.st_size) != bytes) return nullptr;
  // Another file may have the number by now. This one is a file in memory, which can be sealed.
  if (::fcntl(file.get(), F_GET_SEALS) < 0) return nullptr;
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file.get(), 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

std::size_t count_mapped(const void* from, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t within = reinterpret_cast<std::uintptr_t>(from) % page;
  auto* const first = const_cast<std::byte*>(static_cast<const std::byte*>(from)) - within;
  bytes = std::min(bytes, SIZE_MAX / 2);
  std::array<unsigned char, 4096> resident{};
  std::size_t step = page * resident.size();
  for (std::size_t at = 0; at < within + bytes;) {
    if (::mincore(first + at, std::min(step, within + bytes - at), resident.data()) == 0)
      at += step;
    else if (step > page)  // somewhere in there is a hole
      step = page;
    else
      return at > within ? at - within : 0;
  }
  return bytes;
}

std::span<const unsigned char> map_for_ever(const std::string& path) {
  Descriptor file;
  FileFacts facts;
  if (open_to_read(path, file) != 0 || facts_of(file.get(), facts) != 0 || facts.bytes == 0) return {};
  void* memory = ::mmap(nullptr, facts.bytes, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (memory == MAP_FAILED) return {};
  return {static_cast<const unsigned char*>(memory), facts.bytes};
}

MappedPart::MappedPart(int file, std::uint64_t offset, std::size_t bytes) {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t before = offset % page;
  void* const memory =
      ::mmap(nullptr, before + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(offset - before));
  if (memory == MAP_FAILED) return;
  pages_ = {static_cast<char*>(memory), before + bytes};
  bytes_ = pages_.subspan(before);
}

MappedPart::~MappedPart() {
  if (!pages_.empty()) ::munmap(pages_.data(), pages_.size());
}

}  // namespace lanescope::pages
