// These functions are not in the header: without optimisation, a vector with a custom allocator visits each byte when
// it is constructed or destroyed.
#include "sim/memory/slabs.h"

#include <algorithm>
#include <cstdint>

namespace lanescope::sim {

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t smallest_slab = 0, largest_slab = 0;  // no slabs: AddressSanitizer then sees overruns
#else
constexpr std::size_t smallest_slab = std::size_t{256} << 10, largest_slab = std::size_t{4} << 20;
#endif

}  // namespace

Slabs::Slabs() = default;
Slabs::~Slabs() = default;

void Slabs::clear() {
  slabs_.clear();
  next_ = nullptr;
  left_ = bytes_ = 0;
}

void Slabs::add(std::size_t bytes) {
  left_ = std::max(bytes, std::clamp(bytes_, smallest_slab, largest_slab));
  BulkVector<std::byte>& slab = slabs_.emplace_back();
  slab.resize(left_ + 63);
  bytes_ += slab.size();
  next_ = slab.data() + (64 - reinterpret_cast<std::uintptr_t>(slab.data()) % 64) % 64;
}

}  // namespace lanescope::sim
