#include "trace/trace.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace lanescope::trace {

const char* to_string(Origin origin) {
  switch (origin) {
    case Origin::interpreted:
      return "interpreted";
    case Origin::recorded:
      return "recorded";
    case Origin::counted:
      return "counted";
    case Origin::timed:
      return "timed";
  }
  return "unknown";
}

const char* to_string(MemorySpace space) {
  switch (space) {
    case MemorySpace::none:
      return "generic";
    case MemorySpace::global:
      return "global";
    case MemorySpace::shared:
      return "shared";
    case MemorySpace::local:
      return "local";
    case MemorySpace::constant:
      return "constant";
    case MemorySpace::param:
      return "param";
    case MemorySpace::distributed:
      return "distributed";
  }
  return "unknown";
}

const char* to_string(Operation operation) {
  switch (operation) {
    case Operation::none:
      return "none";
    case Operation::load:
      return "load";
    case Operation::store:
      return "store";
    case Operation::atomic:
      return "atomic";
    case Operation::reduction:
      return "reduction";
    case Operation::async_copy:
      return "async copy";
  }
  return "unknown";
}

const char* name_of(MemoryClass memory_class) {
  switch (memory_class) {
    case MemoryClass::global_load:
      return "global_load";
    case MemoryClass::global_store:
      return "global_store";
    case MemoryClass::global_atomic:
      return "global_atomic";
    case MemoryClass::global_reduction:
      return "global_reduction";
    case MemoryClass::local_load:
      return "local_load";
    case MemoryClass::local_store:
      return "local_store";
    case MemoryClass::shared_load:
      return "shared_load";
    case MemoryClass::shared_store:
      return "shared_store";
    case MemoryClass::shared_atomic:
      return "shared_atomic";
    case MemoryClass::constant_load:
      return "constant_load";
    case MemoryClass::param_load:
      return "param_load";
    case MemoryClass::distributed_load:
      return "distributed_load";
    case MemoryClass::distributed_store:
      return "distributed_store";
    case MemoryClass::distributed_atomic:
      return "distributed_atomic";
    case MemoryClass::count_:
      break;
  }
  return "unknown";
}

MemoryClass class_of(MemorySpace space, Operation operation) {
  const bool atomic = is_atomic(operation);
  switch (space) {
    case MemorySpace::global:
      if (operation == Operation::store) return MemoryClass::global_store;
      if (operation == Operation::atomic) return MemoryClass::global_atomic;
      if (operation == Operation::reduction) return MemoryClass::global_reduction;
      return MemoryClass::global_load;
    case MemorySpace::shared:
      if (atomic) return MemoryClass::shared_atomic;
      return operation == Operation::load ? MemoryClass::shared_load : MemoryClass::shared_store;
    case MemorySpace::local:
      if (atomic) return operation == Operation::atomic ? MemoryClass::global_atomic : MemoryClass::global_reduction;
      return operation == Operation::store ? MemoryClass::local_store : MemoryClass::local_load;
    case MemorySpace::constant:
      return MemoryClass::constant_load;
    case MemorySpace::param:
      return MemoryClass::param_load;
    case MemorySpace::distributed:
      if (atomic) return MemoryClass::distributed_atomic;
      return operation == Operation::load ? MemoryClass::distributed_load : MemoryClass::distributed_store;
    case MemorySpace::none:
      break;
  }
  assert(false && "a memory access falls in a space");
  return MemoryClass::global_load;
}

MemoryTotals& MemoryTotals::operator+=(const MemoryTotals& other) {
  requests += other.requests;
  executed_lanes += other.executed_lanes;
  bytes_requested += other.bytes_requested;
  sectors += other.sectors;
  ideal_sectors += other.ideal_sectors;
  wavefronts += other.wavefronts;
  ideal_wavefronts += other.ideal_wavefronts;
  serial_depth += other.serial_depth;
  return *this;
}

double Totals::simt_efficiency() const {
  if (warp_instructions == 0) return 1;
  return static_cast<double>(lane_instructions) /
         (static_cast<double>(MemoryModel::lanes) * static_cast<double>(warp_instructions));
}

Totals& Totals::operator+=(const Totals& other) {
  warp_instructions += other.warp_instructions;
  lane_instructions += other.lane_instructions;
  branches += other.branches;
  divergent_branches += other.divergent_branches;
  barriers += other.barriers;
  shuffles += other.shuffles;
  votes += other.votes;
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] += other.memory[i];
  if (sites.empty()) sites.resize(other.sites.size());
  assert(sites.size() == other.sites.size() || other.sites.empty());
  for (std::size_t i = 0; i < other.sites.size(); ++i) {
    sites[i].executions += other.sites[i].executions;
    sites[i].executed_lanes += other.sites[i].executed_lanes;
    sites[i].divergent += other.sites[i].divergent;
    sites[i].memory += other.sites[i].memory;
    sites[i].memory_shared_part += other.sites[i].memory_shared_part;
  }
  return *this;
}

std::uint64_t Trace::address(const WarpEvent& event, int lane) const {
  assert(event.kind == EventKind::memory && event.executed.test(lane));
  if (event.affine()) {
    const std::int64_t steps = lane - event.executed.lowest();
    return event.first_address + static_cast<std::uint64_t>(event.stride * steps);
  }
  const LaneMask below = event.executed & LaneMask::first(lane);
  return addresses[event.side + static_cast<std::size_t>(below.count())];
}

std::array<std::uint64_t, 32> Trace::lane_addresses(const WarpEvent& event) const {
  std::array<std::uint64_t, 32> result{};
  event.executed.for_each([&](int lane) { result[lane] = address(event, lane); });
  return result;
}

std::span<const WarpEvent> Trace::warp(std::uint32_t block, std::uint32_t warp) const {
  const auto before = [](const WarpEvent& event, std::pair<std::uint32_t, std::uint32_t> key) {
    return std::tuple(event.block, std::uint32_t{event.warp}) < std::tuple(key.first, key.second);
  };
  const auto first = std::lower_bound(events.begin(), events.end(), std::pair(block, warp), before);
  const auto last = std::lower_bound(first, events.end(), std::pair(block, warp + 1), before);
  return {first, last};
}

}  // namespace lanescope::trace
