// The programs' operator new: whatever takes 4 MiB or more, such as the contents of a launch's buffers, lies in pages
// of 2 MiB if the system has them. The interpreter then waits less for memory: with pages of 4 KiB, the processor looks
// up where each one is, and which lines of its caches the pages share is a matter of chance.
//
// Only programs have this file. The libraries that are loaded into other programs must not replace those programs'
// operator new, so it is no part of the engine.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "core/os/bulk_memory.h"
#include "core/os/pages.h"

namespace {

void* take(std::size_t bytes) {
  using lanescope::bulk_memory::large_page;
  if (bytes < 2 * large_page || bytes > PTRDIFF_MAX) return std::malloc(bytes != 0 ? bytes : 1);
  void* const memory = lanescope::pages::take_aligned(large_page, (bytes + large_page - 1) / large_page * large_page);
  // Not the last page, of which only a part may be used.
  if (memory != nullptr) lanescope::pages::wish_for_large(memory, bytes / large_page * large_page);
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
  for (;;) {
    void* const memory = take(bytes);
    if (memory != nullptr) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
