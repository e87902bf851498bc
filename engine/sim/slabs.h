#pragma once
// Memory in pieces that stay until their owner gives back all of them at once, many of them cut from one large allocation: a
// launch whose blocks are all resident needs thousands, and a page that is touched for the first time costs more than what is
// done with it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bulk_vector.h"

namespace lanescope::sim {

class Slabs {
 public:
  // Unset memory at a multiple of 64 bytes.
  std::byte* take(std::size_t bytes) {
    bytes = (bytes + 63) / 64 * 64;
    if (left_ < bytes) add(bytes);
    std::byte* const piece = next_;
    next_ += bytes;
    left_ -= bytes;
    return piece;
  }
  std::size_t bytes() const { return bytes_; }  // of all slabs
  void clear() { *this = {}; }

 private:
#if defined(__SANITIZE_ADDRESS__)
  static constexpr std::size_t smallest = 0, largest = 0;  // each piece for itself, so that it is seen who leaves it
#else
  static constexpr std::size_t smallest = std::size_t{256} << 10, largest = std::size_t{4} << 20;
#endif

  void add(std::size_t bytes) {
    left_ = std::max(bytes, std::clamp(bytes_, smallest, largest));
    BulkVector<std::byte>& slab = slabs_.emplace_back();
    slab.resize(left_ + 63);
    bytes_ += slab.size();
    next_ = slab.data() + (64 - reinterpret_cast<std::uintptr_t>(slab.data()) % 64) % 64;
  }

  std::vector<BulkVector<std::byte>> slabs_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0, bytes_ = 0;
};

}  // namespace lanescope::sim
