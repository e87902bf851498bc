// Loads of parameters at fixed offsets, and accesses to a function's own frame. No address is computed for these.

#include <algorithm>
#include <cstring>

#include "sim/warp/worker.h"

namespace lanescope::sim {

using trace::MemorySpace;

template <Mode mode>
bool Worker::parameter_load(const Operation& operation, std::uint32_t active) {
  const ParameterLoad& load = frame_->code->parameter_loads[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (executed == 0) return true;
  if constexpr (mode != Mode::plain) {
    found_.first = load.offset;
    found_.stride = 0;
    found_.affine = true;
    if (!record<mode>(load.site, MemorySpace::param, active, executed, found_, load.width)) return false;
  }
  for (const ParameterLoad::Copy& copy : load.copies) {
    std::byte* to = registers_ + copy.to;
    const std::byte* from = registers_ + copy.from;
    if (executed == ~0u) {
      std::memcpy(to, from, 32u * copy.bytes);
    } else {
      LaneMask{executed}.for_each([&](int lane) {
        const std::uint32_t at = static_cast<std::uint32_t>(lane) * copy.bytes;
        std::memcpy(to + at, from + at, copy.bytes);
      });
    }
  }
  return true;
}

namespace {

// Whether each element has its register's size and consists of whole words, as in nearly all calls.
bool is_of_words(const FrameAccess& frame) {
  return frame.element_bytes == frame.register_bytes && frame.element_bytes % 4 == 0 && frame.offset % 4 == 0;
}

// The executed lanes' words, which are adjacent, and every `stride`th word of their registers.
template <std::uint32_t stride>
void copy_word(std::byte* words, std::byte* registers, std::uint32_t executed, bool is_load) {
  const auto copy = [&](std::uint32_t lane) {
    std::byte* word = words + lane * 4;
    std::byte* part = registers + lane * stride * 4;
    is_load ? std::memcpy(part, word, 4) : std::memcpy(word, part, 4);
  };
  if (executed != ~0u) return LaneMask{executed}.for_each([&](int lane) { copy(static_cast<std::uint32_t>(lane)); });
  for (std::uint32_t lane = 0; lane < 32; ++lane) copy(lane);
}

}  // namespace

template <Mode mode>
bool Worker::frame_access(const Operation& operation, std::uint32_t active, bool is_load) {
  const FrameAccess& frame = frame_->code->frame_accesses[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (!guarded_event<mode>(frame.site, active, executed)) return false;
  for (std::uint32_t e = 0; e < frame.elements; ++e) {
    std::byte* slot = registers_ + frame.value[e];
    const std::uint32_t offset = frame.offset + e * frame.element_bytes;
    if (is_of_words(frame)) {
      std::byte* words = registers_ + frame.area + offset / 4 * 128;
      if (frame.element_bytes == 4) {
        copy_word<1>(words, slot, executed, is_load);
      } else {
        copy_word<2>(words, slot, executed, is_load);
        copy_word<2>(words + 128, slot + 4, executed, is_load);
      }
      continue;
    }
    LaneMask{executed}.for_each([&](int lane) {
      const auto l = static_cast<std::uint32_t>(lane);
      std::byte* value = slot + l * frame.register_bytes;
      std::uint64_t bits = 0;
      const std::uint32_t chunk = std::min<std::uint32_t>(frame.element_bytes, 4);
      const auto place = [&](std::uint32_t byte) {
        const std::uint32_t at = offset + byte;
        return registers_ + frame.area + (at / 4 * 32 + l) * 4 + at % 4;
      };
      if (!is_load) std::memcpy(&bits, value, frame.register_bytes);
      for (std::uint32_t byte = 0; byte < frame.element_bytes; byte += chunk) {
        auto* part = reinterpret_cast<std::byte*>(&bits) + byte;
        if (is_load)
          std::memcpy(part, place(byte), chunk);
        else
          std::memcpy(place(byte), part, chunk);
      }
      if (!is_load) return;
      if (frame.is_signed && frame.element_bytes < 8) {
        const int unused = 64 - 8 * frame.element_bytes;
        bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
      }
      std::memcpy(value, &bits, frame.register_bytes);
    });
  }
  return true;
}

template bool Worker::parameter_load<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::parameter_load<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::parameter_load<Mode::events>(const Operation&, std::uint32_t);
template bool Worker::frame_access<Mode::plain>(const Operation&, std::uint32_t, bool);
template bool Worker::frame_access<Mode::totals>(const Operation&, std::uint32_t, bool);
template bool Worker::frame_access<Mode::events>(const Operation&, std::uint32_t, bool);

}  // namespace lanescope::sim
