#pragma once
// A vector for bulk data, hundreds of kilobytes and more. There are two differences from std::vector<T>:
//   * resize(n) leaves new elements uninitialised, even if T has default member initialisers: set every one of them;
//   * large contents come from bulk_memory.h: in large pages, and reused.

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/os/bulk_memory.h"

namespace lanescope {

template <typename T>
struct BulkAllocator {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  using value_type = T;

  BulkAllocator() = default;
  template <typename Other>
  BulkAllocator(const BulkAllocator<Other>&) {}

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T) / 2) throw std::bad_alloc();
    const std::size_t bytes = count * sizeof(T);
    return static_cast<T*>(bytes < bulk_memory::smallest ? ::operator new(bytes) : bulk_memory::take(bytes));
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    if (count * sizeof(T) < bulk_memory::smallest)
      ::operator delete(memory);
    else
      bulk_memory::give_back(memory);
  }
  template <typename U>
  void construct(U*) {}
  template <typename U, typename First, typename... Rest>
  void construct(U* at, First&& first, Rest&&... rest) {
    ::new (static_cast<void*>(at)) U(std::forward<First>(first), std::forward<Rest>(rest)...);
  }
  friend bool operator==(const BulkAllocator&, const BulkAllocator&) { return true; }
};

template <typename T>
using BulkVector = std::vector<T, BulkAllocator<T>>;

}  // namespace lanescope
