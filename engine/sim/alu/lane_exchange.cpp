#include "sim/alu/lane_exchange.h"

#include <bit>
#include <cmath>

namespace lanescope::sim {

namespace {

// source_lane() for loops over lanes.
inline int source_of(ptx::ShuffleMode mode, int lane, std::uint32_t b, std::uint32_t c) {
  const int shift = static_cast<int>(b & 31u);
  const int clamp = static_cast<int>(c & 31u);
  const int segment = static_cast<int>(c >> 8 & 31u);
  const int lowest = lane & segment;
  const int limit = lowest | (clamp & ~segment);
  int source = lane;
  bool in_range = false;
  switch (mode) {
    case ptx::ShuffleMode::up:
      source = lane - shift;
      in_range = source >= limit;
      break;
    case ptx::ShuffleMode::down:
      source = lane + shift;
      in_range = source <= limit;
      break;
    case ptx::ShuffleMode::bfly:
      source = lane ^ shift;
      in_range = source <= limit;
      break;
    case ptx::ShuffleMode::idx:
      source = lowest | (shift & ~segment);
      in_range = source <= limit;
      break;
    case ptx::ShuffleMode::none:
      break;
  }
  return in_range ? source : -1;
}

// The sources of all 32 lanes. A loop for each mode, which compilers turn into vector instructions.
template <ptx::ShuffleMode mode>
std::array<int, 32> sources_in(const Values32& b, const Values32& c) {
  std::array<int, 32> sources;
  for (int lane = 0; lane < 32; ++lane) {
    const auto l = static_cast<std::size_t>(lane);
    sources[l] = source_of(mode, lane, b[l], c[l]);
  }
  return sources;
}
std::array<int, 32> sources_of(ptx::ShuffleMode mode, const Values32& b, const Values32& c) {
  using Mode = ptx::ShuffleMode;
  switch (mode) {
    case Mode::up:
      return sources_in<Mode::up>(b, c);
    case Mode::down:
      return sources_in<Mode::down>(b, c);
    case Mode::bfly:
      return sources_in<Mode::bfly>(b, c);
    case Mode::idx:
      return sources_in<Mode::idx>(b, c);
    case Mode::none:
      break;
  }
  return sources_in<Mode::none>(b, c);
}

float reduce_float(ptx::AtomicOp op, bool nan, float a, float b) {
  if (std::isnan(a) || std::isnan(b)) {
    if (nan) return std::bit_cast<float>(0x7fffffffu);
    return std::isnan(a) ? b : a;
  }
  if (a == b) return (op == ptx::AtomicOp::min) == std::signbit(a) ? a : b;
  return (op == ptx::AtomicOp::min) == (a < b) ? a : b;
}

}  // namespace

bool is_in_all(const std::byte* file, std::uint32_t slot, std::uint32_t lanes, std::uint32_t value) {
  const Values32 values = read32(file, slot);
  std::uint32_t others = 0;
  if (LaneMask{lanes}.full())
    for (const std::uint32_t one : values) others |= one ^ value;
  else
    LaneMask{lanes}.for_each([&](int lane) { others |= values[static_cast<std::size_t>(lane)] ^ value; });
  return others == 0;
}

int source_lane(ptx::ShuffleMode mode, int lane, std::uint32_t b, std::uint32_t c) {
  return source_of(mode, lane, b, c);
}

bool shuffle_among(ptx::ShuffleMode mode, const ShuffleSlots& slots, std::byte* file, std::uint32_t lanes) {
  const Values32 values = read32(file, slots.a);
  const std::array<int, 32> sources = sources_of(mode, read32(file, slots.b), read32(file, slots.c));
  Values32 result;
  std::uint32_t in_range = 0, read = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const auto from = sources[lane] < 0 ? lane : static_cast<std::uint32_t>(sources[lane]);
    result[lane] = values[from];
    in_range |= static_cast<std::uint32_t>(sources[lane] >= 0) << lane;
    read |= (lanes >> lane & 1u) << from;
  }
  if ((read & ~lanes) != 0) return false;
  write32(file, slots.dst, result, lanes);
  write_predicate(file, slots.in_range, in_range, lanes);
  return true;
}

std::uint32_t reduce_pair(ptx::AtomicOp op, ptx::Type type, bool nan, std::uint32_t a, std::uint32_t b) {
  using Op = ptx::AtomicOp;
  const bool is_signed = type == ptx::Type::s32;
  const bool less = is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  if (type == ptx::Type::f32)
    return std::bit_cast<std::uint32_t>(reduce_float(op, nan, std::bit_cast<float>(a), std::bit_cast<float>(b)));
  switch (op) {
    case Op::add:
      return a + b;
    case Op::min:
      return less ? a : b;
    case Op::max:
      return less ? b : a;
    case Op::and_:
      return a & b;
    case Op::or_:
      return a | b;
    case Op::xor_:
      return a ^ b;
    default:
      return a;
  }
}

}  // namespace lanescope::sim
