#include "metrics/occupancy.h"

#include <algorithm>
#include <limits>

#include "core/architecture.h"

namespace lanescope::metrics {
std::optional<Occupancy> occupancy(const std::string& arch, const BlockNeeds& block) {
  const auto limits = multiprocessor_limits(arch);
  if (!limits || block.threads == 0) return std::nullopt;
  constexpr int warp = 32, register_unit = 256, quarters = 4;
  const int warps = static_cast<int>((block.threads + warp - 1) / warp);
  const int no_limit = std::numeric_limits<int>::max();

  const int registers_a_warp =
      (std::max(block.registers_per_thread, 1) * warp + register_unit - 1) / register_unit * register_unit;
  const int by_registers = limits->registers / quarters / registers_a_warp * quarters / warps;
  const std::uint64_t shared_a_block = limits->shared_bytes_taken(block.shared_bytes);
  const int by_shared = shared_a_block == 0 ? no_limit : static_cast<int>(limits->shared_bytes / shared_a_block);
  const int by_barriers = limits->barriers == 0 || block.barriers == 0 ? no_limit : limits->barriers / block.barriers;

  using Limit = Occupancy::Limit;
  const std::pair<int, Limit> bounds[] = {{limits->warps / warps, Limit::warps},
                                          {limits->blocks, Limit::blocks},
                                          {by_registers, Limit::registers},
                                          {by_shared, Limit::shared_memory},
                                          {by_barriers, Limit::barriers}};
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
