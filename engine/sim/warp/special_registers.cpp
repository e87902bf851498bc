// Values of special registers.

#include "sim/warp/launch_context.h"

#include <cstring>
#include <iterator>

namespace lanescope::sim {

namespace {

template <typename T>
void store_lanes(std::byte* to, int bytes, T&& value_of_lane) {
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const auto value = static_cast<std::uint64_t>(value_of_lane(lane));
    std::memcpy(to + lane * static_cast<std::uint32_t>(bytes), &value, static_cast<std::size_t>(bytes));
  }
}

using S = ptx::SpecialRegister;

// The registers that have one value in all threads of a warp. 0 for one that is not known.
std::uint64_t value_of_machine(const SpecialSlot& slot, const LaunchContext& context, std::uint32_t block,
                               std::uint32_t warp) {
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
    case S::reserved_smem_offset: {
      constexpr std::uint32_t from_begin[] = {0, address_space::reserved_shared_bytes,
                                              address_space::reserved_shared_bytes, 0,
                                              address_space::reserved_for_groups};  // begin, end, cap, 0, 1
      const bool capacity = slot.number == 2;
      return (capacity ? 0 : context.reserved_shared) + from_begin[slot.number % std::size(from_begin)];
    }
    case S::envreg:
      if (slot.number == 1) return context.workspace >> 32;
      if (slot.number == 2) return context.workspace & 0xffffffffu;
      return 0;
    default:
      return 0;
  }
}

std::uint64_t value_in_grid(const SpecialSlot& slot, const LaunchContext& context, std::uint32_t block,
                            std::uint32_t warp) {
  const Dim3& grid = context.launch.grid;
  const Clusters& clusters = context.clusters;
  const Dim3& threads = context.launch.block;
  switch (slot.special) {
    case S::ntid_x:
      return threads.x;
    case S::ntid_y:
      return threads.y;
    case S::ntid_z:
      return threads.z;
    case S::ctaid_x:
      return grid.at(block).x;
    case S::ctaid_y:
      return grid.at(block).y;
    case S::ctaid_z:
      return grid.at(block).z;
    case S::nctaid_x:
      return grid.x;
    case S::nctaid_y:
      return grid.y;
    case S::nctaid_z:
      return grid.z;
    case S::clusterid_x:
      return clusters.place_of_cluster(block).x;
    case S::clusterid_y:
      return clusters.place_of_cluster(block).y;
    case S::clusterid_z:
      return clusters.place_of_cluster(block).z;
    case S::nclusterid_x:
      return clusters.grid_of_clusters().x;
    case S::nclusterid_y:
      return clusters.grid_of_clusters().y;
    case S::nclusterid_z:
      return clusters.grid_of_clusters().z;
    case S::cluster_ctaid_x:
      return clusters.place_in_cluster(block).x;
    case S::cluster_ctaid_y:
      return clusters.place_in_cluster(block).y;
    case S::cluster_ctaid_z:
      return clusters.place_in_cluster(block).z;
    case S::cluster_ctarank:
      return clusters.rank(block);
    case S::cluster_nctaid_x:
      return clusters.size.x;
    case S::cluster_nctaid_y:
      return clusters.size.y;
    case S::cluster_nctaid_z:
      return clusters.size.z;
    case S::cluster_nctarank:
      return clusters.blocks();
    default:
      return value_of_machine(slot, context, block, warp);
  }
}

}  // namespace

void fill_special(const SpecialSlot& slot, const LaunchContext& context, std::uint32_t block, std::uint32_t warp,
                  std::byte* to) {
  const auto same = [&](std::uint64_t value) {
    if (slot.bytes == 4) {
      const auto word = static_cast<std::uint32_t>(value);
      for (std::uint32_t lane = 0; lane < 32; ++lane) std::memcpy(to + lane * 4, &word, 4);
      return;
    }
    store_lanes(to, slot.bytes, [&](std::uint32_t) { return value; });
  };
  const auto thread_index = [&](std::size_t axis) {
    const auto& values = context.thread_indices[warp].of[axis];
    if (slot.bytes == 4) {
      std::memcpy(to, values.data(), sizeof values);
      return;
    }
    store_lanes(to, slot.bytes, [&](std::uint32_t lane) { return values[lane]; });
  };
  const auto lanes = [&](auto&& value) { store_lanes(to, slot.bytes, value); };
  switch (slot.special) {
    case S::tid_x:
      return thread_index(0);
    case S::tid_y:
      return thread_index(1);
    case S::tid_z:
      return thread_index(2);
    case S::is_explicit_cluster: {
      const std::uint32_t all = context.explicit_clusters ? ~0u : 0;
      if (slot.bytes == 0) std::memcpy(to, &all, 4);  // a predicate: one bit per lane
      return;
    }
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
    default:
      return same(value_in_grid(slot, context, block, warp));
  }
}

}  // namespace lanescope::sim
