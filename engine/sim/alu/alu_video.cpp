// SIMD video instructions on bytes and halves, which __vadd4 and similar functions compile to. Each lane of a is paired
// with the same lane of b, unless selectors take others. The result replaces c, or its lanes that the mask names; with
// .add these lanes are added to c.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <type_traits>

#include "sim/alu/alu_scalar.h"

namespace lanescope::sim {

namespace {

using ptx::Compare;
using ptx::Type;
using U32 = std::uint32_t;

// Lane k of x; a lane has `width` bits.
int lane_of(U32 x, int k, int width, bool is_signed) {
  const int up = 32 - width * (k + 1);
  return is_signed ? static_cast<std::int32_t>(x << up) >> (32 - width) : static_cast<int>((x << up) >> (32 - width));
}

// Operation::extra: see video_extra(); immediate: see video_selectors().
template <int width, class F>
void by_lanes(std::byte* r, const Operation& o, U32 mask) {
  const bool d_signed = (o.extra & 1) != 0, a_signed = (o.extra & 2) != 0, b_signed = (o.extra & 4) != 0;
  const int least = d_signed ? -(1 << (width - 1)) : 0, most = d_signed ? (1 << (width - 1)) - 1 : (1 << width) - 1;
  constexpr U32 field = (width == 16 ? 0xffffu : 0xffu);
  const bool adds = (o.immediate & 1) != 0;
  if ((o.immediate & 2) != 0) {
    const auto selected = [&](U32 a, U32 b, int source, int k, bool is_signed) {
      const int from = static_cast<int>(o.immediate >> (2 + 12 * source + 3 * k)) & 7, lanes = 32 / width;
      return from < lanes ? lane_of(a, from, width, is_signed) : lane_of(b, from - lanes, width, is_signed);
    };
    each_lane(mask, [&](int i) {
      const U32 a = load_lane<U32>(r, o.a, i), b = load_lane<U32>(r, o.b, i);
      U32 merged = load_lane<U32>(r, o.c, i), sum = merged;
      for (int k = 0; k < 32 / width; ++k) {
        if ((o.immediate >> (26 + k) & 1) == 0) continue;
        int t = F()(selected(a, b, 0, k, a_signed), selected(a, b, 1, k, b_signed));
        if ((o.flags & alu_sat) != 0) t = std::clamp(t, least, most);
        merged = (merged & ~(field << (width * k))) | ((static_cast<U32>(t) & field) << (width * k));
        sum += static_cast<U32>(t);
      }
      store_lane(r, o.dst, i, adds ? sum : merged);
    });
    return;
  }
  each_lane(mask, [&](int i) {
    const U32 a = load_lane<U32>(r, o.a, i), b = load_lane<U32>(r, o.b, i);
    U32 merged = 0, sum = load_lane<U32>(r, o.c, i);
    for (int k = 0; k < 32 / width; ++k) {
      int t = F()(lane_of(a, k, width, a_signed), lane_of(b, k, width, b_signed));
      if ((o.flags & alu_sat) != 0) t = std::clamp(t, least, most);
      merged |= (static_cast<U32>(t) & field) << (width * k);
      sum += static_cast<U32>(t);
    }
    store_lane(r, o.dst, i, adds ? sum : merged);
  });
}

template <class F>
void rows(AluTable& t, Mnemonic halves, Mnemonic bytes, F) {
  // The form has only the destination's type. The handler looks up all signs at run time.
  for (Type type : {Type::u32, Type::s32})
    for (U32 flags : {0u, static_cast<U32>(alu_sat), static_cast<U32>(alu_accumulate)}) {
      add_scalar<by_lanes<16, F>>(t, form(halves, type, flags));
      add_scalar<by_lanes<8, F>>(t, form(bytes, type, flags));
    }
}
template <class F>
void set_rows(AluTable& t, Compare compare, F) {
  for (Type type : {Type::u32, Type::s32})
    for (U32 flags : {0u, static_cast<U32>(alu_accumulate)}) {
      AluForm f = form("vset2", type, flags);
      f.compare = compare;
      add_scalar<by_lanes<16, F>>(t, f);
      f.opcode = row_opcode("vset4");
      add_scalar<by_lanes<8, F>>(t, f);
    }
}

}  // namespace

void add_video_rows(AluTable& t) {
  rows(t, "vadd2", "vadd4", [](int a, int b) { return a + b; });
  rows(t, "vsub2", "vsub4", [](int a, int b) { return a - b; });
  rows(t, "vavrg2", "vavrg4", [](int a, int b) { return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1; });
  rows(t, "vabsdiff2", "vabsdiff4", [](int a, int b) { return std::abs(a - b); });
  rows(t, "vmin2", "vmin4", [](int a, int b) { return std::min(a, b); });
  rows(t, "vmax2", "vmax4", [](int a, int b) { return std::max(a, b); });
  set_rows(t, Compare::eq, [](int a, int b) { return a == b ? 1 : 0; });
  set_rows(t, Compare::ne, [](int a, int b) { return a != b ? 1 : 0; });
  set_rows(t, Compare::lt, [](int a, int b) { return a < b ? 1 : 0; });
  set_rows(t, Compare::le, [](int a, int b) { return a <= b ? 1 : 0; });
  set_rows(t, Compare::gt, [](int a, int b) { return a > b ? 1 : 0; });
  set_rows(t, Compare::ge, [](int a, int b) { return a >= b ? 1 : 0; });
}

}  // namespace lanescope::sim
