#pragma once
// A vector for bulk data, tens of megabytes and more. Two differences from std::vector<T>:
//  * resize(n) leaves new elements unset, whatever T's default member initialisers say: set every one;
//  * large contents lie on pages of 2 MiB where the system has them, so that filling fresh memory costs a five-hundredth of the
//    page faults. Memory that was reserved and never touched takes no room either way.

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanescope {

template <typename T>
struct BulkAllocator {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  using value_type = T;
  static constexpr std::size_t page = std::size_t{2} << 20;

  BulkAllocator() = default;
  template <typename Other>
  BulkAllocator(const BulkAllocator<Other>&) {}

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T) / 2) throw std::bad_alloc();
    const std::size_t bytes = count * sizeof(T);
    if (bytes < 2 * page) return static_cast<T*>(::operator new(bytes));
    const std::size_t rounded = (bytes + page - 1) / page * page;
    void* memory = std::aligned_alloc(page, rounded);
    if (memory == nullptr) throw std::bad_alloc();
    ::madvise(memory, rounded, MADV_HUGEPAGE);  // a wish: without it everything works as well
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < 2 * page) ::operator delete(memory);
    else std::free(memory);
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
