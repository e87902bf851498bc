#include "device/api/advice.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "device/api/library.h"

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
AdvisedPages::iterator split(AdvisedPages& pages, std::uint64_t page) {
  const auto after = pages.upper_bound(page);
  return pages.try_emplace(page, std::prev(after)->second).first;
}

template <typename Change>
Status change(std::uint64_t at, std::size_t bytes, Change&& change_one) {
  Pages pages;
  if (const Status status = pages_of(at, bytes, pages); status != Status::success) return status;
  const auto end = split(*pages.of, pages.end);
  for (auto one = split(*pages.of, pages.first); one != end; ++one) change_one(one->second);
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

enum Attribute : int {
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

}  // namespace lanescope::device::api
