#include "device/api/host_memory.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "core/os/pages.h"
#include "core/worded.h"
#include "device/api/library.h"
#include "device/api/streams.h"

namespace lanescope::device::api {
namespace {

constexpr std::uint64_t page_bytes = 4096;
constexpr int no_device = -2, the_host = -1;  // cudaInvalidDeviceId, cudaCpuDeviceId

struct Advice {
  bool mostly_read = false, used_by_device = false, used_by_host = false;
  MemoryPlace preferred, prefetched;
};
// By the first page from which it holds, up to the next entry.
using AdvisedPages = std::map<std::uint64_t, Advice>;

struct Advised {
  std::string name;  // of the allocation, with its number: another one may get its address
  AdvisedPages pages;
};
std::map<std::uint64_t, Advised>& all_advised() {
  static auto* const made = new std::map<std::uint64_t, Advised>;
  return *made;
}

struct Pages {
  AdvisedPages* of = nullptr;
  std::uint64_t first = 0, end = 0;
};

Status pages_of(std::uint64_t at, std::size_t bytes, Pages& to) {
  const Allocation* one = device().memory().find(at);
  if (one == nullptr || one->kind != MemoryKind::managed || bytes == 0 || !one->holds(at, bytes))
    return Status::invalid_value;
  Advised& known = all_advised()[one->address];
  if (const std::string name = one->name; known.name != name) known = {name, {{0, Advice{}}}};
  to = {&known.pages, at / page_bytes, (at + bytes + page_bytes - 1) / page_bytes};
  return Status::success;
}

// Lets an entry begin at this page.
AdvisedPages::iterator split_at(AdvisedPages& pages, std::uint64_t page) {
  const auto after = pages.upper_bound(page);
  return pages.try_emplace(page, std::prev(after)->second).first;
}

template <typename Change>
Status change(std::uint64_t at, std::size_t bytes, Change&& change_one) {
  Pages pages;
  if (const Status status = pages_of(at, bytes, pages); status != Status::success) return status;
  const auto end = split_at(*pages.of, pages.end);
  for (auto one = split_at(*pages.of, pages.first); one != end; ++one) change_one(one->second);
  return Status::success;
}

std::vector<Advice> advice_in(const Pages& pages) {
  std::vector<Advice> found;
  for (auto one = std::prev(pages.of->upper_bound(pages.first)); one != pages.of->end() && one->first < pages.end;
       ++one)
    found.push_back(one->second);
  return found;
}

// The place if all agree.
MemoryPlace common(const std::vector<Advice>& of, MemoryPlace Advice::*which) {
  const bool alike = std::ranges::all_of(of, [&](const Advice& one) { return one.*which == of.front().*which; });
  return alike ? of.front().*which : MemoryPlace{};
}

int number_of(const MemoryPlace& place) {
  if (place.kind == MemoryPlaceKind::device) return place.id;
  return place.kind == MemoryPlaceKind::host ? the_host : no_device;
}

int id_of(const MemoryPlace& place) {
  return place.kind == MemoryPlaceKind::host_node ? place.id : number_of(place);
}

enum RangeAttribute : int {
  mostly_read = 1,
  preferred,
  used_by,
  prefetched,
  preferred_kind,
  preferred_id,
  prefetched_kind,
  prefetched_id
};

}  // namespace

MemoryPlace place_of(int device) {
  return device == the_host ? MemoryPlace{MemoryPlaceKind::host, 0} : MemoryPlace{MemoryPlaceKind::device, device};
}

std::optional<MemoryPlace> place_of(int kind, int id) {
  if (kind < static_cast<int>(MemoryPlaceKind::device) || kind > static_cast<int>(MemoryPlaceKind::nearest_host_node))
    return {};
  const auto of = static_cast<MemoryPlaceKind>(kind);
  return MemoryPlace{of, of == MemoryPlaceKind::device || of == MemoryPlaceKind::host_node ? id : 0};
}

Status advise(std::uint64_t at, std::size_t bytes, int advice, std::optional<MemoryPlace> place) {
  enum : int { read = 1, not_read, prefer, not_prefer, use, not_use };
  const bool needs_place = advice == prefer || advice == use || advice == not_use;
  if (advice < read || advice > not_use || (needs_place && !place)) return Status::invalid_value;
  if (needs_place && place->kind == MemoryPlaceKind::device && place->id != 0) return Status::invalid_value;
  return change(at, bytes, [&](Advice& one) {
    if (advice == read || advice == not_read) one.mostly_read = advice == read;
    if (advice == prefer || advice == not_prefer) one.preferred = advice == prefer ? *place : MemoryPlace{};
    if (advice == use || advice == not_use)
      (place->kind == MemoryPlaceKind::device ? one.used_by_device : one.used_by_host) = advice == use;
  });
}

Status attach(const void* stream, std::uint64_t at, std::size_t bytes, unsigned flags) {
  enum : unsigned { everywhere = 1, host = 2, one_stream = 4 };
  const Allocation* one = device().memory().find(at);
  if (const Status known = expect_stream(stream); known != Status::success) return known;
  if (one == nullptr || one->kind != MemoryKind::managed || one->address != at) return Status::invalid_value;
  if ((bytes != 0 && bytes != one->bytes) || (flags != everywhere && flags != host && flags != one_stream))
    return Status::invalid_value;
  return flags == one_stream && find<Stream>(stream) == nullptr ? Status::invalid_value : Status::success;
}

Status prefetch(std::uint64_t at, std::size_t bytes, std::optional<MemoryPlace> place) {
  if (!place) return Status::invalid_value;
  if (place->kind == MemoryPlaceKind::device && place->id != 0) return Status::invalid_device;
  return change(at, bytes, [&](Advice& one) { one.prefetched = *place; });
}

Status tell_advice(void* to, std::size_t size, int which, std::uint64_t at, std::size_t bytes) {
  Pages pages;
  if (const Status status = pages_of(at, bytes, pages); status != Status::success) return status;
  if (to == nullptr || size == 0 || size % sizeof(int) != 0 || (which != used_by && size != sizeof(int)))
    return Status::invalid_value;
  const std::vector<Advice> found = advice_in(pages);
  std::vector<int> values;
  const auto by = [&](bool Advice::*flag) {
    return std::ranges::all_of(found, [&](const Advice& one) { return one.*flag; });
  };
  switch (which) {
    case mostly_read:
      values = {by(&Advice::mostly_read) ? 1 : 0};
      break;
    case preferred:
      values = {number_of(common(found, &Advice::preferred))};
      break;
    case prefetched:
      values = {number_of(common(found, &Advice::prefetched))};
      break;
    case preferred_kind:
      values = {static_cast<int>(common(found, &Advice::preferred).kind)};
      break;
    case preferred_id:
      values = {id_of(common(found, &Advice::preferred))};
      break;
    case prefetched_kind:
      values = {static_cast<int>(common(found, &Advice::prefetched).kind)};
      break;
    case prefetched_id:
      values = {id_of(common(found, &Advice::prefetched))};
      break;
    case used_by:
      if (by(&Advice::used_by_device)) values.push_back(0);
      if (by(&Advice::used_by_host)) values.push_back(the_host);
      break;
    default:
      return Status::invalid_value;
  }
  values.resize(size / sizeof(int), no_device);
  std::memcpy(to, values.data(), size);
  return Status::success;
}

namespace {

constexpr unsigned mapped = 2, of_devices = 4, known_flags = 15;  // those of cudaHostRegister

std::uint64_t address_of(const void* memory) {
  return reinterpret_cast<std::uint64_t>(memory);
}

}  // namespace

Status register_host(void* memory, std::size_t bytes, unsigned flags, const char* call) {
  // No memory here is that of another device.
  if (memory == nullptr || bytes == 0 || (flags & ~known_flags) != 0 || (flags & of_devices) != 0)
    return Status::invalid_value;
  const std::uint64_t first = address_of(memory);
  Memory& all = device().memory();
  Status status = Status::success;
  for (const sim::DeviceAllocation* one : all.all()) {
    if (first >= one->end() || one->address >= first + bytes) continue;
    if (static_cast<const Allocation*>(one)->kind != MemoryKind::registered) return Status::invalid_value;
    status = Status::host_memory_already_registered;
  }
  if (status != Status::success) return status;
  if (pages::count_mapped(memory, bytes) < bytes) {
    device().say("device.not_mapped",
                 worded("{}: of the {} bytes from 0x{:x} on, the program has no memory for the last {}",
                        std::string(call), bytes, first, bytes - pages::count_mapped(memory, bytes)),
                 "Pass memory of the host, and how many bytes of it there are.");
    return Status::invalid_value;
  }
  Allocation* made = all.take_host(memory, bytes);
  if (made == nullptr) return Status::not_supported;
  made->flags = flags;
  made->name = worded("{} of {} bytes", std::string(call), bytes);
  return Status::success;
}

Status unregister_host(void* memory) {
  Allocation* one = device().memory().find(address_of(memory));
  if (one == nullptr) return memory == nullptr ? Status::invalid_value : Status::host_memory_not_registered;
  if (one->kind != MemoryKind::registered || one->address != address_of(memory)) return Status::invalid_value;
  device().memory().release(one);
  return Status::success;
}

Status flags_of_host(const void* memory, unsigned* flags) {
  const Allocation* one = device().memory().find(address_of(memory));
  if (flags == nullptr || one == nullptr || !one->on_host()) return Status::invalid_value;
  *flags = (one->kind == MemoryKind::managed ? 0 : one->flags) | mapped;
  return Status::success;
}

}  // namespace lanescope::device::api
