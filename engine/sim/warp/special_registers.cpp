// Values of special registers.

#include "sim/warp/launch_context.h"

#include <cstring>
#include <iterator>
#include <optional>

namespace lanescope::sim {

namespace {

template <typename T>
void store_lanes(std::byte* to, int bytes, T&& value_of_lane) {
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const auto value = static_cast<std::uint64_t>(value_of_lane(lane));
    std::memcpy(to + lane * static_cast<std::uint32_t>(bytes), &value, static_cast<std::size_t>(bytes));
  }
}

// One of x, y, z: `special` is `x` or one of the two enumerators after it.
std::uint32_t axis_of(const Dim3& extent, ptx::SpecialRegister special, ptx::SpecialRegister x) {
  const int axis = static_cast<int>(special) - static_cast<int>(x);
  return axis == 0 ? extent.x : axis == 1 ? extent.y : extent.z;
}

std::uint64_t reserved_offset(std::uint32_t number, const LaunchContext& context) {
  constexpr std::uint32_t from_begin[] = {0, address_space::reserved_shared_bytes, address_space::reserved_shared_bytes,
                                          0, address_space::reserved_for_groups};  // begin, end, cap, 0, 1
  const bool capacity = number == 2;
  return (capacity ? 0 : context.reserved_shared) + from_begin[number % std::size(from_begin)];
}

// The sizes and places of the block, its grid and its cluster; nullopt for another register.
std::optional<std::uint64_t> place_value(ptx::SpecialRegister special, const LaunchContext& context,
                                         std::uint32_t block) {
  using S = ptx::SpecialRegister;
  const Clusters& clusters = context.clusters;
  switch (special) {
    case S::ntid_x:
    case S::ntid_y:
    case S::ntid_z:
      return axis_of(context.launch.block, special, S::ntid_x);
    case S::ctaid_x:
    case S::ctaid_y:
    case S::ctaid_z:
      return axis_of(context.launch.grid.at(block), special, S::ctaid_x);
    case S::nctaid_x:
    case S::nctaid_y:
    case S::nctaid_z:
      return axis_of(context.launch.grid, special, S::nctaid_x);
    case S::clusterid_x:
    case S::clusterid_y:
    case S::clusterid_z:
      return axis_of(clusters.place_of_cluster(block), special, S::clusterid_x);
    case S::nclusterid_x:
    case S::nclusterid_y:
    case S::nclusterid_z:
      return axis_of(clusters.grid_of_clusters(), special, S::nclusterid_x);
    case S::cluster_ctaid_x:
    case S::cluster_ctaid_y:
    case S::cluster_ctaid_z:
      return axis_of(clusters.place_in_cluster(block), special, S::cluster_ctaid_x);
    case S::cluster_nctaid_x:
    case S::cluster_nctaid_y:
    case S::cluster_nctaid_z:
      return axis_of(clusters.size, special, S::cluster_nctaid_x);
    case S::cluster_ctarank:
      return clusters.rank(block);
    case S::cluster_nctarank:
      return clusters.blocks();
    default:
      return std::nullopt;
  }
}

// Other values that all lanes of a warp share. A register without a value here reads as zero.
std::uint64_t warp_value(const SpecialSlot& slot, const LaunchContext& context, std::uint32_t block,
                         std::uint32_t warp) {
  using S = ptx::SpecialRegister;
  switch (slot.special) {
    case S::warpid:
      return warp;
    case S::nwarpid:
      return context.launch.warps_per_block();
    case S::smid:
      return block % context.request.multiprocessors;
    case S::nsmid:
      return context.request.multiprocessors;
    case S::dynamic_smem_size:
      return context.launch.dynamic_shared_bytes;
    case S::total_smem_size:
      return context.shared_bytes;
    case S::aggr_smem_size:
      return context.shared_bytes + address_space::reserved_shared_bytes;
    case S::reserved_smem_offset:
      return reserved_offset(slot.number, context);
    case S::envreg:
      if (slot.number == 1) return context.workspace >> 32;
      return slot.number == 2 ? context.workspace & 0xffffffffu : 0;
    default:
      return 0;
  }
}

void fill_thread_index(const SpecialSlot& slot, const LaunchContext& context, std::uint32_t warp, std::size_t axis,
                       std::byte* to) {
  const auto& values = context.thread_indices[warp].of[axis];
  if (slot.bytes == 4)
    std::memcpy(to, values.data(), sizeof values);
  else
    store_lanes(to, slot.bytes, [&](std::uint32_t lane) { return values[lane]; });
}

}  // namespace

void fill_special(const SpecialSlot& slot, const LaunchContext& context, std::uint32_t block, std::uint32_t warp,
                  std::byte* to) {
  using S = ptx::SpecialRegister;
  const auto lanes = [&](auto&& value) { store_lanes(to, slot.bytes, value); };
  switch (slot.special) {
    case S::tid_x:
      return fill_thread_index(slot, context, warp, 0, to);
    case S::tid_y:
      return fill_thread_index(slot, context, warp, 1, to);
    case S::tid_z:
      return fill_thread_index(slot, context, warp, 2, to);
    case S::laneid:
      return lanes([](std::uint32_t lane) { return lane; });
    case S::lanemask_eq:
      return lanes([](std::uint32_t lane) { return 1u << lane; });
    case S::lanemask_lt:
      return lanes([](std::uint32_t lane) { return (1u << lane) - 1u; });
    case S::lanemask_le:
      return lanes([](std::uint32_t lane) { return (2u << lane) - 1u; });
    case S::lanemask_gt:
      return lanes([](std::uint32_t lane) { return ~((2u << lane) - 1u); });
    case S::lanemask_ge:
      return lanes([](std::uint32_t lane) { return ~((1u << lane) - 1u); });
    case S::is_explicit_cluster: {
      const std::uint32_t all = context.explicit_clusters ? ~0u : 0;
      if (slot.bytes == 0) std::memcpy(to, &all, 4);  // a predicate: one bit per lane
      return;
    }
    default:
      break;
  }
  const auto place = place_value(slot.special, context, block);
  const std::uint64_t value = place ? *place : warp_value(slot, context, block, warp);
  if (slot.bytes != 4) return lanes([&](std::uint32_t) { return value; });
  const auto word = static_cast<std::uint32_t>(value);
  for (std::uint32_t lane = 0; lane < 32; ++lane) std::memcpy(to + lane * 4, &word, 4);
}

}  // namespace lanescope::sim
