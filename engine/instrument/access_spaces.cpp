#include "instrument/access_spaces.h"

#include "core/local_memory.h"

namespace lanescope::instrument {
namespace {

using trace::MemorySpace;

// Fills in the event's addresses. Equally spaced addresses are stored as first + stride, as in the interpreter.
void store_addresses(trace::Trace& out, trace::WarpEvent& event,
                     const std::array<std::uint64_t, MemoryModel::lanes>& lanes) {
  const auto at = [&](int lane) { return lanes[static_cast<std::size_t>(lane)]; };
  const int lowest = event.executed.lowest();
  event.first_address = at(lowest);
  const LaneMask rest{event.executed.bits & (event.executed.bits - 1)};
  std::int64_t stride = 0;
  bool affine = true;
  if (!rest.empty()) {
    const int second = rest.lowest();
    const auto difference = static_cast<std::int64_t>(at(second) - at(lowest));
    affine = difference % (second - lowest) == 0;
    stride = difference / (second - lowest);
    affine = affine && stride >= INT32_MIN && stride <= INT32_MAX;
    rest.for_each([&](int lane) {
      affine = affine && static_cast<std::int64_t>(at(lane) - at(lowest)) == stride * (lane - lowest);
    });
  }
  if (affine) {
    event.stride = static_cast<std::int32_t>(stride);
    return;
  }
  event.side = static_cast<std::uint32_t>(out.addresses.size());
  event.executed.for_each([&](int lane) { out.addresses.push_back(at(lane)); });
}

// Atomics on local memory count as global ones, at the addresses behind the interleaving.
void interleave(std::array<std::uint64_t, MemoryModel::lanes>& offsets, LaneMask lanes, std::uint64_t width) {
  lanes.for_each([&](int lane) {
    std::uint64_t& offset = offsets[static_cast<std::size_t>(lane)];
    offset = interleaved_in_local(offset, width, lane);
  });
}

}  // namespace

AccessSpaces::AccessSpaces(const BufferHead& windows, const trace::Launch& launch)
    : windows_(windows), clusters_{launch.grid, launch.cluster} {}

AccessSpaces::Place AccessSpaces::in_cluster(std::uint64_t shared, std::uint64_t own_rank) const {
  if (cluster_shared::rank_of(shared) == own_rank) return {MemorySpace::shared, cluster_shared::within_block(shared)};
  return {MemorySpace::distributed, shared};
}

// A generic address belongs to a block's window if it lies within 16 MiB of the window's start. Windows have had this
// size and at least this distance on every architecture so far.
AccessSpaces::Place AccessSpaces::place_of(std::uint64_t address, MemorySpace declared, std::uint64_t own_rank) const {
  switch (declared) {
    case MemorySpace::none: {
      const std::uint64_t shared = address - windows_.shared_window, local = address - windows_.local_window;
      if (local < cluster_shared::block_bytes) return {MemorySpace::local, local};
      if (shared < clusters_.blocks() * cluster_shared::block_bytes) return in_cluster(shared, own_rank);
      return {MemorySpace::global, address};
    }
    case MemorySpace::distributed:
      return in_cluster(address, own_rank);
    default:  // shared: reaches the own block only
      if (cluster_shared::rank_of(address) == own_rank) address = cluster_shared::within_block(address);
      return {MemorySpace::shared, address};
  }
}

void AccessSpaces::add(trace::Trace& out, const trace::WarpEvent& access, MemorySpace declared,
                       const std::array<std::uint64_t, MemoryModel::lanes>& lanes) const {
  const bool several = clusters_.blocks() > 1;
  const bool by_address = declared == MemorySpace::none || declared == MemorySpace::distributed ||
                          (declared == MemorySpace::shared && several);
  if (!by_address) {
    trace::WarpEvent event = access;
    event.space = declared;
    store_addresses(out, event, lanes);
    out.events.push_back(event);
    return;
  }
  const std::uint64_t own_rank = several ? clusters_.rank(access.block) : 0;
  std::array<Place, MemoryModel::lanes> places;
  std::array<std::uint64_t, MemoryModel::lanes> addresses{};
  access.executed.for_each([&](int lane) {
    const auto index = static_cast<std::size_t>(lane);
    places[index] = place_of(lanes[index], declared, own_rank);
    addresses[index] = places[index].address;
  });
  for (LaneMask left = access.executed; !left.empty();) {
    const Place& first = places[static_cast<std::size_t>(left.lowest())];
    trace::WarpEvent event = access;
    event.space = first.space;
    event.executed = LaneMask::none();
    left.for_each([&](int lane) {
      if (places[static_cast<std::size_t>(lane)].space == first.space)
        event.executed = event.executed | LaneMask::lane(lane);
    });
    left.bits &= ~event.executed.bits;
    const trace::Site& site = out.sites[access.site];
    if (event.space == MemorySpace::local && site.operation != trace::Operation::load &&
        site.operation != trace::Operation::store)
      interleave(addresses, event.executed, site.width);
    store_addresses(out, event, addresses);
    out.events.push_back(event);
  }
}

}  // namespace lanescope::instrument
