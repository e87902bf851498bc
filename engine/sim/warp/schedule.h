#pragma once
// One of the many orders in which a GPU may run a launch, drawn from a seed: which blocks are resident together, which
// warp gets its turn, where a turn ends, which side of a divergent branch runs first, where lanes of a warp diverge,
// and in which order the lanes of an atomic take effect. All of them are legal: CUDA promises no order between threads
// except that of barriers, fences and atomics, and the lanes of a warp need not run in lockstep.

#include <bit>
#include <cstdint>

namespace lanescope::sim {

class Schedule {
 public:
  // Seeds also differ in kind: some let warps run far ahead, others switch at every access.
  explicit Schedule(std::uint32_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 0x2545f4914f6cdd1dull) {
    constexpr std::uint32_t preempting[] = {0, 2, 16, 64, 128};
    constexpr std::uint32_t skipping[] = {0, 128, 224};
    constexpr std::uint32_t parting[] = {0, 0, 32, 96};
    preempting_ = preempting[below(5)];
    skipping_ = skipping[below(3)];
    parting_ = parting[below(4)];
  }

  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>((next() >> 33) % count); }
  // Whether a turn ends before this access; whether a warp is skipped; whether the lanes diverge where a turn ends.
  bool preempts() { return chance(preempting_); }
  bool skips() { return chance(skipping_); }
  bool parts() { return chance(parting_); }
  bool flips() { return chance(128); }
  // Some of these lanes. If there are at least two, neither none nor all.
  std::uint32_t some_of(std::uint32_t lanes) {
    const std::uint32_t some = lanes & static_cast<std::uint32_t>(next() >> 32);
    if (some != 0 && some != lanes) return some;
    return lanes & (lanes - 1) ? lanes & (lanes - 1) : lanes;
  }
  // The lanes in a random order.
  std::uint32_t order(std::uint32_t lanes, std::uint8_t (&ordered)[32]) {
    std::uint32_t count = 0;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1)
      ordered[count++] = static_cast<std::uint8_t>(std::countr_zero(left));
    for (std::uint32_t i = count; i > 1; --i) {
      const std::uint32_t other = below(i);
      const std::uint8_t kept = ordered[i - 1];
      ordered[i - 1] = ordered[other];
      ordered[other] = kept;
    }
    return count;
  }

 private:
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  bool chance(std::uint32_t of_256) { return of_256 != 0 && (next() >> 56) < of_256; }

  std::uint64_t state_;
  std::uint32_t preempting_ = 0, skipping_ = 0, parting_ = 0;  // out of 256
};

}  // namespace lanescope::sim
