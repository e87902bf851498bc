#include "sim/decode/atomics.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "sim/alu/half.h"

namespace lanescope::sim {

namespace {

using ptx::AtomicOp;
using ptx::Type;

// How values of type T are computed with. Bits is the unsigned type in memory.
template <typename T>
struct Plain {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static T in(Bits bits) { return std::bit_cast<T>(bits); }
  static Bits out(T value) {
    // f32 arithmetic gives only this NaN on the GPU.
    if constexpr (std::is_same_v<T, float>)
      if (std::isnan(value)) return 0x7fffffffu;
    return std::bit_cast<Bits>(value);
  }
};
struct FlushedFloat {
  using Bits = std::uint32_t;
  static float flush(float value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
  }
  static float in(Bits bits) { return flush(std::bit_cast<float>(bits)); }
  static Bits out(float value) { return Plain<float>::out(flush(value)); }
};
// A sum of two halves, rounded to float and then to half, equals one rounding: 24 ≥ 2 × 11 + 2.
struct Half {
  using Bits = std::uint16_t;
  static float in(Bits bits) { return half_to_float(bits); }
  static Bits out(float value) { return float_to_half(value); }
};
struct Bfloat {
  using Bits = std::uint16_t;
  static float in(Bits bits) { return bfloat_to_float(bits); }
  static Bits out(float value) { return float_to_bfloat(value); }
};

struct Add {
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    } else {
      return a + b;
    }
  }
};
// If one operand is a NaN, the result is the other one; −0 is less than +0.
struct Min {
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a)) return b;
      if (std::isnan(b)) return a;
      if (a == b) return std::signbit(a) ? a : b;
    }
    return b < a ? b : a;
  }
};
struct Max {
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a)) return b;
      if (std::isnan(b)) return a;
      if (a == b) return std::signbit(a) ? b : a;
    }
    return a < b ? b : a;
  }
};
struct Inc {
  template <typename T>
  static T apply(T a, T b) {
    return a >= b ? T{0} : static_cast<T>(a + 1);
  }
};
struct Dec {
  template <typename T>
  static T apply(T a, T b) {
    return a == 0 || a > b ? b : static_cast<T>(a - 1);
  }
};
struct And {
  template <typename T>
  static T apply(T a, T b) {
    return a & b;
  }
};
struct Or {
  template <typename T>
  static T apply(T a, T b) {
    return a | b;
  }
};
struct Xor {
  template <typename T>
  static T apply(T a, T b) {
    return a ^ b;
  }
};
struct Exchange {
  template <typename T>
  static T apply(T, T b) {
    return b;
  }
};

template <typename Bits, typename Change>
std::uint64_t change(void* place, Change new_value) {
  Bits old;
  std::memcpy(&old, place, sizeof(Bits));
  const Bits fresh = new_value(old);
  std::memcpy(place, &fresh, sizeof(Bits));
  return old;
}

template <typename Format, typename Op>
typename Format::Bits combine(typename Format::Bits old, typename Format::Bits operand) {
  return Format::out(Op::apply(Format::in(old), Format::in(operand)));
}

template <typename Format, typename Op>
std::uint64_t one(void* place, std::uint64_t b, std::uint64_t) {
  using Bits = typename Format::Bits;
  return change<Bits>(place, [&](Bits old) { return combine<Format, Op>(old, static_cast<Bits>(b)); });
}

template <typename Format, typename Op>
std::uint64_t two(void* place, std::uint64_t b, std::uint64_t) {
  return change<std::uint32_t>(place, [&](std::uint32_t old) {
    const auto low = combine<Format, Op>(static_cast<std::uint16_t>(old), static_cast<std::uint16_t>(b));
    const auto high = combine<Format, Op>(static_cast<std::uint16_t>(old >> 16), static_cast<std::uint16_t>(b >> 16));
    return static_cast<std::uint32_t>(high) << 16 | low;
  });
}

template <typename Bits>
std::uint64_t compare_and_swap(void* place, std::uint64_t b, std::uint64_t c) {
  return change<Bits>(place, [&](Bits old) { return old == static_cast<Bits>(b) ? static_cast<Bits>(c) : old; });
}
template <typename Bits>
std::uint64_t exchange(void* place, std::uint64_t b, std::uint64_t) {
  return change<Bits>(place, [&](Bits) { return static_cast<Bits>(b); });
}

template <typename T>
AtomicFunction integer(AtomicOp operation) {
  using F = Plain<T>;
  switch (operation) {
    case AtomicOp::add:
      return one<F, Add>;
    case AtomicOp::min:
      return one<F, Min>;
    case AtomicOp::max:
      return one<F, Max>;
    case AtomicOp::inc:
      return one<F, Inc>;
    case AtomicOp::dec:
      return one<F, Dec>;
    case AtomicOp::and_:
      return one<F, And>;
    case AtomicOp::or_:
      return one<F, Or>;
    case AtomicOp::xor_:
      return one<F, Xor>;
    case AtomicOp::exch:
      return one<F, Exchange>;
    case AtomicOp::cas:
      return compare_and_swap<typename F::Bits>;
    case AtomicOp::none:
      break;
  }
  return nullptr;
}

template <typename Format>
AtomicFunction floating(AtomicOp operation) {
  switch (operation) {
    case AtomicOp::add:
      return one<Format, Add>;
    case AtomicOp::min:
      return one<Format, Min>;
    case AtomicOp::max:
      return one<Format, Max>;
    default:
      return nullptr;
  }
}
template <typename Format>
AtomicFunction paired(AtomicOp operation) {
  switch (operation) {
    case AtomicOp::add:
      return two<Format, Add>;
    case AtomicOp::min:
      return two<Format, Min>;
    case AtomicOp::max:
      return two<Format, Max>;
    default:
      return nullptr;
  }
}

}  // namespace

AtomicFunction select_atomic(AtomicOp operation, Type type, bool global) {
  const int bytes = ptx::bytes_of(type);
  if (operation == AtomicOp::exch || operation == AtomicOp::cas) {
    const bool swap = operation == AtomicOp::cas;
    if (bytes == 2) return swap ? compare_and_swap<std::uint16_t> : exchange<std::uint16_t>;
    if (bytes == 4) return swap ? compare_and_swap<std::uint32_t> : exchange<std::uint32_t>;
    if (bytes == 8) return swap ? compare_and_swap<std::uint64_t> : exchange<std::uint64_t>;
    return nullptr;
  }
  switch (type) {
    case Type::s32:
      return integer<std::int32_t>(operation);
    case Type::u32:
    case Type::b32:
      return integer<std::uint32_t>(operation);
    case Type::s64:
      return integer<std::int64_t>(operation);
    case Type::u64:
    case Type::b64:
      return integer<std::uint64_t>(operation);
    case Type::f32:
      if (global && operation == AtomicOp::add) return one<FlushedFloat, Add>;
      return floating<Plain<float>>(operation);
    case Type::f64:
      return floating<Plain<double>>(operation);
    case Type::f16:
      return floating<Half>(operation);
    case Type::bf16:
      return floating<Bfloat>(operation);
    case Type::f16x2:
      return paired<Half>(operation);
    case Type::bf16x2:
      return paired<Bfloat>(operation);
    default:
      return nullptr;
  }
}

AtomicFunction select_bulk_reduction(AtomicOp operation, Type type, bool global) {
  const bool adds = operation == AtomicOp::add, compares = operation == AtomicOp::min || operation == AtomicOp::max;
  const bool counts = operation == AtomicOp::inc || operation == AtomicOp::dec;
  const bool on_bits = operation == AtomicOp::and_ || operation == AtomicOp::or_ || operation == AtomicOp::xor_;
  bool known = false;
  switch (type) {
    case Type::u32:
      known = adds || compares || counts;
      break;
    case Type::s32:
      known = adds || compares;
      break;
    case Type::b32:
      known = on_bits;
      break;
    case Type::u64:
      known = adds || (global && compares);
      break;
    case Type::s64:
      known = global && compares;
      break;
    case Type::b64:
      known = global && on_bits;
      break;
    case Type::f16:
    case Type::bf16:
      known = global && (adds || compares);
      break;
    case Type::f32:
      known = global && adds;
      break;
    case Type::f64:
      return global && adds ? add_doubles : nullptr;
    default:
      break;
  }
  return known ? select_atomic(operation, type, true) : nullptr;
}

std::uint64_t add_doubles(void* place, std::uint64_t operand, std::uint64_t) {
  std::uint64_t old;
  std::memcpy(&old, place, sizeof old);
  const double a = std::bit_cast<double>(old), b = std::bit_cast<double>(operand);
  const std::uint64_t sum = std::isnan(b) ? operand : std::isnan(a) ? old : std::bit_cast<std::uint64_t>(a + b);
  std::memcpy(place, &sum, sizeof sum);
  return old;
}

}  // namespace lanescope::sim
