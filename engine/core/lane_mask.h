#pragma once
// A set of lanes of one warp: bit i stands for lane i. The variable's name tells its role: `active` (on the warp's
// current path) or `executed` (active and guard true).

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope {

struct LaneMask {
  std::uint32_t bits = 0;

  static constexpr LaneMask all() { return {0xffffffffu}; }
  static constexpr LaneMask none() { return {0}; }
  static constexpr LaneMask lane(int index) { return {1u << index}; }
  // The first `count` lanes, 0 ≤ count ≤ 32.
  static constexpr LaneMask first(int count) { return {count >= 32 ? 0xffffffffu : (1u << count) - 1u}; }

  constexpr bool test(int lane) const { return (bits >> lane) & 1u; }
  // Written out, because std::popcount is a library call on baseline x86-64. Inlined always: else the linker may keep a
  // copy from a file that was not compiled for speed.
  [[gnu::always_inline]] constexpr int count() const {
    std::uint32_t sums = bits - ((bits >> 1) & 0x55555555u);
    sums = (sums & 0x33333333u) + ((sums >> 2) & 0x33333333u);
    return static_cast<int>((((sums + (sums >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24);
  }
  constexpr bool empty() const { return bits == 0; }
  constexpr bool full() const { return bits == 0xffffffffu; }
  // The lowest lane of the set; 32 if it is empty.
  constexpr int lowest() const { return std::countr_zero(bits); }

  // Calls visit(lane) for each lane of the set in ascending order.
  template <typename Visit>
  constexpr void for_each(Visit&& visit) const {
    for (std::uint32_t rest = bits; rest != 0; rest &= rest - 1) visit(std::countr_zero(rest));
  }

  friend constexpr bool operator==(LaneMask, LaneMask) = default;
  friend constexpr LaneMask operator&(LaneMask a, LaneMask b) { return {a.bits & b.bits}; }
  friend constexpr LaneMask operator|(LaneMask a, LaneMask b) { return {a.bits | b.bits}; }
  friend constexpr LaneMask operator^(LaneMask a, LaneMask b) { return {a.bits ^ b.bits}; }
  friend constexpr LaneMask operator~(LaneMask a) { return {~a.bits}; }
};

// "0, 4–7": lanes that follow one another are joined by `dash`.
inline std::string lane_ranges(LaneMask lanes, std::string_view dash = "–") {
  std::string text;
  for (int lane = 0; lane < 32; ++lane) {
    if (!lanes.test(lane)) continue;
    int last = lane;
    while (last < 31 && lanes.test(last + 1)) ++last;
    if (!text.empty()) text += ", ";
    text += std::to_string(lane);
    if (last > lane) text.append(dash).append(std::to_string(last));
    lane = last;
  }
  return text;
}

}  // namespace lanescope
