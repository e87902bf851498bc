#pragma once
// Memory in pieces that the owner frees all at once. Many pieces are cut from one large allocation: a launch whose
// blocks are all resident needs thousands, and the first access to a page costs more than the work that is done with
// it.

#include <cstddef>
#include <vector>

#include "core/os/bulk_vector.h"

namespace lanescope::sim {

class Slabs {
 public:
  Slabs();
  ~Slabs();
  Slabs(const Slabs&) = delete;
  Slabs& operator=(const Slabs&) = delete;

  // Uninitialised memory at a multiple of 64 bytes.
  std::byte* take(std::size_t bytes) {
    bytes = (bytes + 63) / 64 * 64;
    if (left_ < bytes) add(bytes);
    std::byte* const piece = next_;
    next_ += bytes;
    left_ -= bytes;
    return piece;
  }
  std::size_t bytes() const { return bytes_; }  // of all slabs
  void clear();

 private:
  void add(std::size_t bytes);

  std::vector<BulkVector<std::byte>> slabs_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0, bytes_ = 0;
};

}  // namespace lanescope::sim
