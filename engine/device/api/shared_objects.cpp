#include "device/api/shared_objects.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/os/machine.h"
#include "device/api/streams.h"

namespace lanescope::device::api {

namespace {

constexpr std::uint64_t of_memory = 0x7969'656d'6c61'6e65, of_event = 0x7969'7665'6c61'6e65;
constexpr unsigned lazily = 1;                       // cudaIpcMemLazyEnablePeerAccess
constexpr unsigned without_times = 2, sharable = 4;  // flags of an event

struct Packed {
  std::uint64_t kind = 0;
  Memory::SharedPlace place;
};
static_assert(sizeof(Packed) <= sizeof(SharedHandle));

void pack_into(SharedHandle& to, const Packed& from) {
  std::ranges::fill(to, '\0');
  std::memcpy(to, &from, sizeof from);
}
Packed unpacked_from(const SharedHandle& from) {
  Packed made;
  std::memcpy(&made, from, sizeof made);
  return made;
}

// What this process has opened.
struct Opened {
  Memory::SharedPlace place;
  std::uint64_t address = 0;
  int times = 0;
};
std::vector<Opened>& opened() {
  static auto* const all = new std::vector<Opened>;
  return *all;
}

}  // namespace

Status share_memory(Device& device, std::uint64_t address, SharedHandle& to) {
  Allocation* memory = device.memory().find(address);
  if (memory == nullptr || memory->kind != MemoryKind::device || memory->pool != nullptr) return Status::invalid_value;
  const std::optional<Memory::SharedPlace> place = device.memory().share(*memory);
  if (!place) return Status::memory_allocation;
  pack_into(to, {of_memory, *place});
  return Status::success;
}

Status open_shared_memory(Device& device, const SharedHandle& from, unsigned flags, const char* call,
                          std::uint64_t& address) {
  const Packed handle = unpacked_from(from);
  if (handle.kind != of_memory || (flags & lazily) == 0) return Status::invalid_value;
  if (handle.place.process == own_process()) return Status::invalid_context;
  // After cudaDeviceReset nothing is left of it.
  std::erase_if(opened(), [&](const Opened& one) { return device.memory().find(one.address) == nullptr; });
  const auto known = std::ranges::find_if(opened(), [&](const Opened& one) {
    return one.place.process == handle.place.process && one.place.descriptor == handle.place.descriptor;
  });
  if (known != opened().end()) {
    ++known->times;
    address = known->address;
    return Status::success;
  }
  const Allocation* made = device.memory().take_shared(handle.place, call);
  if (made == nullptr) return Status::invalid_handle;
  address = made->address;
  opened().push_back({handle.place, address, 1});
  return Status::success;
}

Status close_shared_memory(Device& device, std::uint64_t address) {
  const auto known = std::ranges::find(opened(), address, &Opened::address);
  if (known == opened().end()) return Status::invalid_value;
  if (--known->times > 0) return Status::success;
  opened().erase(known);
  if (Allocation* memory = device.memory().find(address)) device.memory().release(memory);
  return Status::success;
}

Status share_event(const void* handle, SharedHandle& to) {
  const Event* event = find<Event>(handle);
  if (event == nullptr || (event->flags & sharable) == 0) return Status::invalid_handle;
  pack_into(to, {of_event, {own_process(), 0, 0}});
  return Status::success;
}

Status open_shared_event(const SharedHandle& from, void** to) {
  if (to == nullptr) return Status::invalid_value;
  if (unpacked_from(from).kind != of_event) return Status::map_failed;
  return make_event(to, sharable | without_times);
}

}  // namespace lanescope::device::api
