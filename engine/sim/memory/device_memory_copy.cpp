#include "sim/memory/device_memory_copy.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace lanescope::sim {
namespace {

constexpr std::uint64_t page = 4096;

bool is_zero(const std::byte* from, std::uint64_t bytes) {
  return from[0] == std::byte{0} && std::memcmp(from, from + 1, bytes - 1) == 0;
}

// Does not touch pages that are zero: most of a large allocation may never have been used.
void copy_bytes(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  for (std::uint64_t at = 0; at < bytes; at += page) {
    const std::uint64_t here = std::min(page, bytes - at);
    if (!is_zero(from + at, here)) std::memcpy(to + at, from + at, here);
  }
}

}  // namespace

ZeroedBytes zeroed_bytes(std::uint64_t bytes) {
  auto* made = static_cast<std::byte*>(std::calloc(std::max<std::uint64_t>(bytes, 1), 1));
  if (made == nullptr) throw std::bad_alloc();
  return ZeroedBytes(made);
}

DeviceMemoryCopy::DeviceMemoryCopy(std::span<DeviceAllocation* const> of, const std::vector<TextureObject>* textures) {
  for (const DeviceAllocation* one : of) {
    bytes_.push_back(zeroed_bytes(one->bytes));
    copy_bytes(bytes_.back().get(), one->data, one->bytes);
    owned_.push_back(std::make_unique<DeviceAllocation>(*one));
    owned_.back()->data = bytes_.back().get();
    memory_.push_back(owned_.back().get());
  }
  if (textures == nullptr) return;
  auto objects = std::make_shared<std::vector<TextureObject>>(*textures);
  for (TextureObject& object : *objects)
    for (std::size_t i = 0; i < of.size(); ++i) {
      const DeviceAllocation& original = *of[i];
      if (object.data < original.data || object.data >= original.data + original.bytes) continue;
      object.data = memory_[i]->data + (object.data - original.data);
      if (object.written != nullptr) object.written = &memory_[i]->written;
      break;
    }
  textures_ = std::move(objects);
}

}  // namespace lanescope::sim
