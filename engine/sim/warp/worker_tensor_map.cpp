// tensormap.replace and tensormap.cp_fenceproxy: the kernel changes the fields of a tensor map in shared or global
// memory. They are not requests of the warp.

#include <cstring>

#include "core/worded.h"
#include "sim/memory/address_space.h"
#include "sim/memory/tensor_map.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

using trace::MemorySpace;

// The 128 bytes that a lane names.
struct Worker::MapPlace {
  int lane = 0;
  bool shared = false;
  std::uint64_t address = 0;  // in its space
  bool writes = false, reads = false;
};

// The bytes in host memory; nullptr after a fault. Notes that they are used, for the comparison with other workers.
std::byte* Worker::find_map(std::uint32_t site, const MapPlace& place) {
  constexpr std::uint64_t bytes = TensorMap::bytes;
  const MemorySpace space = place.shared ? MemorySpace::shared : MemorySpace::global;
  const auto fault = [&](const char* code) -> std::byte* {
    access_fault({site, place.writes ? trace::Operation::store : trace::Operation::load, bytes}, space, place.lane,
                 place.address, code);
    return nullptr;
  };
  if (place.shared) {
    if (context_.shared_bytes < bytes || place.address > context_.shared_bytes - bytes)
      return fault("memory.out_of_bounds");
    if (place.address % TensorMap::alignment != 0) return fault("memory.misaligned");
    if (place.reads && !block_->shared_written.any(place.address, bytes)) return fault("memory.uninitialised");
    if (place.writes) block_->shared_written.mark(place.address, bytes);
    return block_->shared.data() + place.address;
  }
  const Region* region = context_.memory.find(place.address);
  if (region == nullptr || !region->holds(place.address, place.address, bytes))
    return fault(place.address < address_space::null_bytes ? "memory.null" : "memory.out_of_bounds");
  if (place.address % TensorMap::alignment != 0) return fault("memory.misaligned");
  if (place.writes && region->kind == RegionKind::constant) return fault("memory.write_to_constant");
  const WrittenOverlay& written = written_[region->index];
  if (place.reads && !written.complete() && !written.any(place.address - region->address, bytes))
    return fault("memory.uninitialised");
  return take_global(*region, place.address, bytes, place.reads, place.writes);
}

void Worker::watch_map(std::uint32_t site, const MapPlace& place) {
  if (races_ == nullptr) return;
  RaceDetector::Request request;
  request.block = block_->index;
  request.warp = warp_->index;
  request.site = site;
  request.executed = 1u << place.lane;
  request.width = TensorMap::bytes;
  request.space = place.shared ? MemorySpace::shared : MemorySpace::global;
  request.addresses[static_cast<std::size_t>(place.lane)] = place.address;
  request.reads_only = !place.writes;
  races_->access(request);
}

// Converts an address in shared memory, which must be the block's own.
bool Worker::make_own(std::uint32_t site, int lane, std::uint64_t& address) {
  if (owner_of(site, trace::Operation::store, TensorMap::bytes, false, lane, address) == nullptr) return false;
  address = address_space::within_block(address);
  return true;
}

bool Worker::replace_in_map(const TensorMapOp& op, int lane) {
  MapPlace place{lane, op.shared, address_in(op.to.slot, op.to.offset, op.to.wide, lane), true, true};
  if (op.generic && address_space::in_window(place.address, address_space::shared_window)) {
    place.shared = true;
    place.address -= address_space::shared_window;
  }
  if (place.shared && !make_own(op.site, place.lane, place.address)) return false;
  watch_map(op.site, place);
  std::byte* at = find_map(op.site, place);
  if (at == nullptr) return false;
  TensorMapBytes bytes;
  std::memcpy(bytes.data(), at, sizeof bytes);
  replace_field(bytes, op.field, op.ordinal, read_slot(registers_ + op.value, lane, op.value_bytes));
  std::memcpy(at, bytes.data(), sizeof bytes);
  return true;
}

// Executed by the whole warp together.
bool Worker::copy_map(const TensorMapOp& op, int lane) {
  MapPlace from{lane, true, address_in(op.from.slot, op.from.offset, op.from.wide, lane), false, true};
  if (!make_own(op.site, lane, from.address)) return false;
  const MapPlace to{lane, false, address_in(op.to.slot, op.to.offset, op.to.wide, lane), true, false};
  watch_map(op.site, from);
  watch_map(op.site, to);
  const std::byte* source = find_map(op.site, from);
  std::byte* target = source == nullptr ? nullptr : find_map(op.site, to);
  if (target != nullptr) std::memcpy(target, source, TensorMap::bytes);
  return target != nullptr;
}

template <Mode mode>
bool Worker::change_tensor_map(const Operation& operation, std::uint32_t active) {
  const TensorMapOp& op = frame_->code->tensor_maps[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (op.guarded && !guarded_event<mode>(op.site, active, executed)) return false;
  if (executed == 0) return true;
  if (op.copies) return copy_map(op, LaneMask{executed}.lowest());
  for (std::uint32_t left = executed; left != 0; left &= left - 1)
    if (!replace_in_map(op, LaneMask{left}.lowest())) return false;
  return true;
}

template bool Worker::change_tensor_map<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::change_tensor_map<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::change_tensor_map<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
