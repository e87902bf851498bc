// malloc() and free() in a kernel, which new and delete call. Lane by lane, the lowest first.

#include <algorithm>
#include <cstring>

#include "core/worded.h"
#include "sim/memory/device_heap.h"
#include "sim/races/races.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

HeapCall Worker::heap_call(const CallOp& call, int lane) const {
  HeapCall made;
  made.line = context_.heap->number_of({context_.place(*call.instruction), context_.kernel_name()});
  made.block = context_.launch.grid.at(block_->index);
  made.thread = context_.launch.block.at(std::uint64_t{warp_->index} * 32 + static_cast<std::uint64_t>(lane));
  return made;
}

void Worker::allocate_on_heap(const CallOp& call, std::uint32_t lanes) {
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    const std::uint64_t thread = block_->index * context_.launch.block.count() + std::uint64_t{warp_->index} * 32 +
                                 static_cast<std::uint64_t>(lane);
    HeapAllocation* const made = context_.heap->allocate(argument(call, 0, lane), thread, heap_call(call, lane));
    std::uint64_t pointer = 0;
    if (made != nullptr) {
      pointer = made->address;
      Region region;
      region.address = made->address;
      region.bytes = made->bytes();
      region.data = made->contents.data();
      const Region& added = context_.memory.add_heap(std::move(region));
      written_.resize(std::max<std::size_t>(written_.size(), added.index + 1));
      written_[added.index] = WrittenOverlay(added.bytes);
    }
    give_result(call, lane, pointer);
  }
}

// False on a fault.
bool Worker::free_on_heap(const CallOp& call, std::uint32_t lanes) {
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    const std::uint64_t address = argument(call, 0, lane);
    if (address == 0) continue;
    if (const auto known = context_.heap->allocations().find(address);
        known != context_.heap->allocations().end() && known->second.bytes() == 0) {
      Region nothing;
      nothing.address = address;
      context_.memory.remove_heap(nothing);
      context_.heap->release(address, heap_call(call, lane));
      continue;
    }
    const Region* const region = context_.memory.find(address);
    if (region == nullptr || region->kind != RegionKind::heap || region->address != address) {
      bad_free_fault(call, lane, address);
      return false;
    }
    for (Reach& reach : reaches_)
      if (reach.region == region) reach = {};
    written_[region->index] = {};
    if (races_ != nullptr) races_->forget(*region);
    context_.memory.remove_heap(*region);
    context_.heap->release(address, heap_call(call, lane));
  }
  return true;
}

// "thread (1, 0, 0) of block (0, 0, 0)"
Wording Worker::who_called(const HeapCall& call) {
  return worded("thread ({}, {}, {}) of block ({}, {}, {})", call.thread.x, call.thread.y, call.thread.z, call.block.x,
                call.block.y, call.block.z);
}

Wording Worker::name_of_allocation(std::uint64_t bytes, const HeapCall& by) const {
  return worded("the {} bytes that {} allocated in line {}", bytes, who_called(by), context_.heap->line(by).place.line);
}

void Worker::bad_free_fault(const CallOp& call, int lane, std::uint64_t address) {
  const Wording what = worded("{}: free() or delete gets the address 0x{:x}", who(lane), address);
  if (const FreedAllocation* freed = context_.heap->freed_at(address); freed != nullptr && freed->address == address)
    return fail(
        *call.instruction, "memory.double_free",
        worded("{} a second time: {} freed {} in line {} before", what, who_called(freed->freed),
               name_of_allocation(freed->bytes, freed->allocated), context_.heap->line(freed->freed).place.line),
        "Free it once: let one thread do it, and set the pointer to nullptr after that.");
  const Region* const region = context_.memory.find(address);
  if (region == nullptr)
    return fail(*call.instruction, "memory.bad_free", worded("{}, where nothing is allocated", what),
                "Pass what malloc() or new returned in a kernel, or a null pointer.");
  if (region->kind != RegionKind::heap)
    return fail(*call.instruction, "memory.bad_free",
                worded("{}, which lies in {}: that is not on the device heap", what, region->name),
                "Free in a kernel only what malloc() or new returned in a kernel.");
  fail(*call.instruction, "memory.bad_free",
       worded("{}, which lies {} bytes into {}", what, address - region->address, name_in_messages(*region)),
       "Pass the address that malloc() or new returned, not one behind it.");
}

// Reports an access to memory that was freed. False if it is not one.
bool Worker::use_after_free_fault(const FaultyAccess& faulty, const Wording& access, std::uint64_t address) {
  const FreedAllocation* const freed = context_.heap->freed_at(address);
  if (freed == nullptr) return false;
  fail(*context_.program.site_instruction[faulty.site], "memory.use_after_free",
       worded("{} comes after free(): it is {} bytes into {}, which {} freed in line {}", access,
              address - freed->address, name_of_allocation(freed->bytes, freed->allocated), who_called(freed->freed),
              context_.heap->line(freed->freed).place.line),
       "Free it after the last access. Where other threads use it too, synchronise first.");
  return true;
}

Wording Worker::name_in_messages(const Region& region) const {
  if (region.kind != RegionKind::heap) return region.shown_name();
  const HeapAllocation& one = context_.heap->allocations().at(region.address);
  return name_of_allocation(one.bytes(), one.allocated);
}

}  // namespace lanescope::sim
