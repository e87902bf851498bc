// Memory that a program maps itself: it reserves addresses, creates memory, and maps the memory to the addresses.
// "Virtual Memory Management" in the documentation of the driver API says what each call checks.
//
// Adjacent mappings that kernels may access are one allocation of the device, so that copies and kernels can cross them
// as on a GPU. The allocation is made again when they change. The bytes of a mapping that is not in an allocation are
// kept with its memory.

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <vector>

#include "device/api/driver/driver.h"

namespace lanescope::device::api {

namespace {

constexpr std::size_t granularity = std::size_t{2} << 20;  // that of an H200

struct MappedMemory {
  std::size_t bytes = 0;
  CUmemAllocationProp properties{};
  std::vector<std::byte> contents;  // while no allocation has them; empty means all zeros
  bool mapped = false;
};

struct Mapping {
  std::shared_ptr<MappedMemory> memory;
  bool accessible = false;
  bool in_allocation = false;
};

struct Reservation {
  std::size_t bytes = 0;
  std::map<std::uint64_t, Mapping> mappings;
  std::vector<std::uint64_t> allocations;  // only the addresses, because a reset releases the allocations
};

struct Known {
  std::map<std::uint64_t, Reservation> reservations;
  std::map<CUmemGenericAllocationHandle, std::shared_ptr<MappedMemory>> memories;
  CUmemGenericAllocationHandle next = 1;
};
Known& known() {
  static Known* const all = new Known;
  return *all;
}

bool is_whole(std::size_t bytes) {
  return bytes != 0 && bytes % granularity == 0;
}
bool is_this_device(const CUmemLocation& location) {
  return location.type == CU_MEM_LOCATION_TYPE_DEVICE && location.id == 0;
}

Reservation* reservation_of(std::uint64_t address, std::size_t bytes) {
  auto after = known().reservations.upper_bound(address);
  if (after == known().reservations.begin()) return nullptr;
  auto& [first, one] = *std::prev(after);
  return address - first <= one.bytes && bytes <= one.bytes - (address - first) ? &one : nullptr;
}

// The mappings that cover exactly these addresses. Empty if there are none.
std::vector<Mapping*> mappings_of(Reservation& of, std::uint64_t address, std::size_t bytes) {
  std::vector<Mapping*> found;
  std::uint64_t next = address;
  for (auto at = of.mappings.find(address); at != of.mappings.end() && at->first == next && next < address + bytes;
       ++at) {
    found.push_back(&at->second);
    next += at->second.memory->bytes;
  }
  return next == address + bytes ? found : std::vector<Mapping*>();
}

void take_back_contents(Reservation& of) {
  for (const std::uint64_t first : of.allocations) {
    Allocation* allocation = device().memory().find(first);
    if (allocation == nullptr || allocation->address != first) continue;
    for (auto& [address, mapping] : of.mappings) {
      if (!mapping.in_allocation || !allocation->holds(address, mapping.memory->bytes)) continue;
      const std::byte* from = allocation->at(address);
      mapping.memory->contents.assign(from, from + mapping.memory->bytes);
      mapping.in_allocation = false;
    }
    device().memory().release(allocation);
  }
  of.allocations.clear();
}

// Makes one allocation for each run of accessible mappings.
Status settle(Reservation& of) {
  take_back_contents(of);
  for (auto first = of.mappings.begin(); first != of.mappings.end();) {
    std::uint64_t end = first->first;
    auto last = first;
    for (; last != of.mappings.end() && last->first == end && last->second.accessible; ++last)
      end += last->second.memory->bytes;
    if (last == first) {
      ++first;
      continue;
    }
    Allocation* made = device().memory().allocate_at(first->first, end - first->first, "cuMemMap");
    if (made == nullptr) return Status::memory_allocation;
    made->kind = MemoryKind::mapped;
    of.allocations.push_back(made->address);
    for (; first != last; ++first) {
      MappedMemory& memory = *first->second.memory;
      first->second.in_allocation = true;
      if (memory.contents.empty()) continue;
      std::copy(memory.contents.begin(), memory.contents.end(), made->at(first->first));
      mark_written(*made, first->first, memory.bytes);
      memory.contents = {};
    }
  }
  return Status::success;
}

Status make_memory(CUmemGenericAllocationHandle* to, std::size_t bytes, const CUmemAllocationProp* properties,
                   unsigned long long flags) {
  if (to == nullptr || properties == nullptr || flags != 0 || !is_whole(bytes)) return Status::invalid_value;
  if (properties->type != CU_MEM_ALLOCATION_TYPE_PINNED) return Status::invalid_value;
  if (properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE) return Status::not_supported;
  if (!is_this_device(properties->location))
    return properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE ? Status::invalid_device : Status::not_supported;
  const Memory& memory = device().memory();
  if (bytes > memory.total() - memory.used()) return Status::memory_allocation;
  auto made = std::make_shared<MappedMemory>();
  made->bytes = bytes;
  made->properties = *properties;
  *to = known().next++;
  known().memories[*to] = std::move(made);
  return Status::success;
}

Status map_memory(CUdeviceptr address, std::size_t bytes, std::size_t offset, CUmemGenericAllocationHandle handle) {
  const auto memory = known().memories.find(handle);
  Reservation* reservation = reservation_of(address, bytes);
  if (memory == known().memories.end() || reservation == nullptr || address % granularity != 0 || offset != 0 ||
      bytes != memory->second->bytes)
    return memory != known().memories.end() && (offset != 0 || !is_whole(bytes)) ? Status::not_supported
                                                                                 : Status::invalid_value;
  for (const auto& [at, mapping] : reservation->mappings)
    if (at < address + bytes && address < at + mapping.memory->bytes) return Status::invalid_value;
  if (memory->second->mapped) return Status::not_supported;  // mapped at two addresses at the same time
  memory->second->mapped = true;
  reservation->mappings[address].memory = memory->second;
  return Status::success;
}

Status unmap_memory(CUdeviceptr address, std::size_t bytes) {
  Reservation* reservation = reservation_of(address, bytes);
  if (reservation == nullptr) return Status::invalid_value;
  if (!is_whole(bytes) || address % granularity != 0) return Status::invalid_value;
  // Where nothing is mapped there is nothing to do; a mapping is undone as a whole.
  const auto first = reservation->mappings.lower_bound(address),
             end = reservation->mappings.lower_bound(address + bytes);
  const bool cut_at_first = first != reservation->mappings.begin() &&
                            std::prev(first)->first + std::prev(first)->second.memory->bytes > address;
  const bool cut_at_end =
      first != end && std::prev(end)->first + std::prev(end)->second.memory->bytes > address + bytes;
  if (cut_at_first || cut_at_end) return Status::invalid_value;
  take_back_contents(*reservation);
  for (auto one = first; one != end; ++one) one->second.memory->mapped = false;
  reservation->mappings.erase(first, end);
  return settle(*reservation);
}

Status set_access(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc* access, std::size_t count) {
  Reservation* reservation = reservation_of(address, bytes);
  if (reservation == nullptr || access == nullptr || count != 1) return Status::invalid_value;
  if (access->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return Status::invalid_value;
  if (!is_this_device(access->location)) return Status::invalid_device;
  if (access->flags == CU_MEM_ACCESS_FLAGS_PROT_READ) return Status::not_supported;
  const std::vector<Mapping*> mappings = mappings_of(*reservation, address, bytes);
  if (mappings.empty()) return Status::invalid_value;
  for (Mapping* one : mappings) one->accessible = access->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return settle(*reservation);
}

Status reserve(CUdeviceptr* to, std::size_t bytes, std::size_t alignment, unsigned long long flags) {
  if (to == nullptr || flags != 0 || !is_whole(bytes) || (alignment & (alignment - 1)) != 0)
    return Status::invalid_value;
  const std::size_t more = alignment > granularity ? alignment : 0;
  const std::uint64_t address = device().memory().reserve(bytes + more);
  if (address == 0) return Status::memory_allocation;
  *to = more == 0 ? address : (address + alignment - 1) / alignment * alignment;
  known().reservations[*to].bytes = bytes;
  return Status::success;
}

Status free_reserved(CUdeviceptr address, std::size_t bytes) {
  const auto found = known().reservations.find(address);
  if (found == known().reservations.end() || found->second.bytes != bytes || !found->second.mappings.empty())
    return Status::invalid_value;
  known().reservations.erase(found);
  return Status::success;
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuMemGetAllocationGranularity(std::size_t* bytes, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags which) {
  return driver_answer(
      [&](Device&) {
        if (bytes == nullptr || properties == nullptr || which > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
          return Status::invalid_value;
        *bytes = granularity;
        return Status::success;
      },
      Reports::nothing, Needs::driver);
}
CUresult cuMemAddressReserve(CUdeviceptr* to, std::size_t bytes, std::size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  return driver_answer([&](Device&) { return reserve(to, bytes, alignment, flags); }, Reports::nothing, Needs::driver);
}
CUresult cuMemAddressFree(CUdeviceptr address, std::size_t bytes) {
  return driver_answer([&](Device&) { return free_reserved(address, bytes); }, Reports::nothing, Needs::driver);
}
CUresult cuMemCreate(CUmemGenericAllocationHandle* to, std::size_t bytes, const CUmemAllocationProp* properties,
                     unsigned long long flags) {
  return driver_answer([&](Device&) { return make_memory(to, bytes, properties, flags); }, Reports::nothing,
                       Needs::driver);
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return driver_answer(
      [&](Device&) { return known().memories.erase(handle) == 1 ? Status::success : Status::invalid_value; },
      Reports::nothing, Needs::driver);
}
CUresult cuMemMap(CUdeviceptr address, std::size_t bytes, std::size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  return driver_answer(
      [&](Device&) { return flags != 0 ? Status::invalid_value : map_memory(address, bytes, offset, handle); },
      Reports::nothing, Needs::driver);
}
CUresult cuMemUnmap(CUdeviceptr address, std::size_t bytes) {
  return driver_answer([&](Device&) { return unmap_memory(address, bytes); }, Reports::nothing, Needs::driver);
}
CUresult cuMemSetAccess(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc* access, std::size_t count) {
  return driver_answer([&](Device&) { return set_access(address, bytes, access, count); }, Reports::nothing,
                       Needs::driver);
}
CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address) {
  return driver_answer(
      [&](Device&) {
        Reservation* reservation = reservation_of(address, 1);
        if (flags == nullptr || location == nullptr || reservation == nullptr) return Status::invalid_value;
        if (!is_this_device(*location)) return Status::invalid_device;
        auto after = reservation->mappings.upper_bound(address);
        if (after == reservation->mappings.begin()) return Status::invalid_value;
        const auto& [at, mapping] = *std::prev(after);
        if (address - at >= mapping.memory->bytes) return Status::invalid_value;
        *flags = mapping.accessible ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
        return Status::success;
      },
      Reports::nothing, Needs::driver);
}
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* to, CUmemGenericAllocationHandle handle) {
  return driver_answer(
      [&](Device&) {
        const auto found = known().memories.find(handle);
        if (to == nullptr || found == known().memories.end()) return Status::invalid_value;
        *to = found->second->properties;
        return Status::success;
      },
      Reports::nothing, Needs::driver);
}

}  // extern "C"
