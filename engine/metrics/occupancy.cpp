#include "metrics/occupancy.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace lanescope::metrics {
namespace {

constexpr std::uint64_t kib = 1024;

struct Generation {
  int first, last;  // compute capability × 10
  MultiprocessorLimits limits;
};
constexpr Generation table[] = {{75, 75, {32, 16, 65536, 64 * kib, 0, 256}},
                         {80, 80, {64, 32, 65536, 164 * kib, kib, 128}},
                         {86, 86, {48, 16, 65536, 100 * kib, kib, 128}},
                         {87, 87, {48, 16, 65536, 164 * kib, kib, 128}},
                         {89, 89, {48, 24, 65536, 100 * kib, kib, 128}},
                         {90, 90, {64, 32, 65536, 228 * kib, kib, 128}},
                         {100, 103, {64, 32, 65536, 228 * kib, kib, 128}},
                         {120, 121, {48, 24, 65536, 100 * kib, kib, 128}}};

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

std::optional<MultiprocessorLimits> limits_of(const std::string& arch) {
  if (!arch.starts_with("sm_")) return std::nullopt;
  const int number = std::atoi(arch.c_str() + 3);
  for (const Generation& row : table)
    if (number >= row.first && number <= row.last) return row.limits;
  return std::nullopt;
}

std::optional<Occupancy> occupancy(const std::string& arch, int registers_per_thread,
                                   std::uint64_t shared_bytes, std::uint32_t threads_per_block) {
  const auto limits = limits_of(arch);
  if (!limits || threads_per_block == 0) return std::nullopt;
  constexpr int warp = 32, register_unit = 256, quarters = 4;
  const int warps = static_cast<int>((threads_per_block + warp - 1) / warp);
  const int no_limit = std::numeric_limits<int>::max();

  const int registers_a_warp = static_cast<int>(rounded_up(
      static_cast<std::uint64_t>(std::max(registers_per_thread, 1)) * warp, register_unit));
  const int by_registers =
      limits->registers / quarters / registers_a_warp * quarters / warps;
  const std::uint64_t shared_a_block =
      rounded_up(shared_bytes + limits->reserved_shared_bytes, limits->shared_unit);
  const int by_shared =
      shared_a_block == 0 ? no_limit : static_cast<int>(limits->shared_bytes / shared_a_block);

  using Limit = Occupancy::Limit;
  const std::pair<int, Limit> bounds[] = {{limits->warps / warps, Limit::warps},
                                          {limits->blocks, Limit::blocks},
                                          {by_registers, Limit::registers},
                                          {by_shared, Limit::shared_memory}};
  const auto least = std::min_element(std::begin(bounds), std::end(bounds),
                                      [](const auto& a, const auto& b) { return a.first < b.first; });
  Occupancy made;
  made.blocks = least->first;
  made.limit = least->second;
  made.warps = made.blocks * warps;
  made.fraction = static_cast<double>(made.warps) / limits->warps;
  return made;
}

}  // namespace lanescope::metrics
