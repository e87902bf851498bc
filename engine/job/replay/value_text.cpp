#include "job/replay/value_text.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "sim/alu/half.h"

namespace lanescope::job {
namespace {

using ptx::Type;

std::string half_text(std::uint64_t bits, bool bfloat) {
  const auto half = static_cast<std::uint16_t>(bits);
  return fmt::format("{}", bfloat ? sim::bfloat_to_float(half) : sim::half_to_float(half));
}

std::string decimal_text(std::uint64_t bits, Type type, const std::string& otherwise) {
  const auto low = static_cast<std::uint32_t>(bits);
  switch (type) {
    case Type::f32:
    case Type::tf32:
      return fmt::format("{}", std::bit_cast<float>(low));
    case Type::f64:
      return fmt::format("{}", std::bit_cast<double>(bits));
    case Type::f16:
    case Type::bf16:
      return half_text(bits, type == Type::bf16);
    case Type::f16x2:
    case Type::bf16x2:
      return half_text(bits, type == Type::bf16x2) + " | " + half_text(bits >> 16, type == Type::bf16x2);
    case Type::s8:
      return fmt::format("{}", static_cast<int>(static_cast<std::int8_t>(bits)));
    case Type::s16:
      return fmt::format("{}", static_cast<std::int16_t>(bits));
    case Type::s32:
      return fmt::format("{}", static_cast<std::int32_t>(low));
    case Type::s64:
      return fmt::format("{}", static_cast<std::int64_t>(bits));
    case Type::u8:
      return fmt::format("{}", bits & 0xff);
    case Type::u16:
      return fmt::format("{}", bits & 0xffff);
    case Type::u32:
      return fmt::format("{}", low);
    case Type::u64:
      return fmt::format("{}", bits);
    default:
      return otherwise;
  }
}

}  // namespace

bool has_decimal(Type type) {
  return type == Type::pred || !decimal_text(0, type, "").empty();
}

std::string value_text(std::uint64_t bits, Type type, Base base) {
  if (type == Type::pred) {
    if (base == Base::decimal) return (bits & 1) != 0 ? "true" : "false";
    return (bits & 1) != 0 ? "1" : "0";
  }
  const int bytes = ptx::bytes_of(type) == 0 ? 8 : std::min(ptx::bytes_of(type), 8);
  if (bytes < 8) bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
  if (base == Base::bits) return fmt::format("{:0{}b}", bits, 8 * bytes);
  const std::string hexadecimal = fmt::format("0x{:0{}x}", bits, 2 * bytes);
  return base == Base::hexadecimal ? hexadecimal : decimal_text(bits, type, hexadecimal);
}

}  // namespace lanescope::job
