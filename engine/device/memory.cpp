#include "device/memory.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/os/machine.h"
#include "core/os/pages.h"
#include "core/os/sparse_memory.h"
#include "core/worded.h"
#include "sim/memory/address_space.h"

namespace lanescope::device {

namespace {

namespace space = sim::address_space;

// Device addresses. They avoid the places that the system, a sanitizer or a program that is not position-independent
// uses, and words that two small integers or two usual floats form. So a word that looks like an address is one.
constexpr std::uint64_t first_address = 0x2a6d'd3c0'0000, last_address = 0x5000'0000'0000;
constexpr std::uint64_t gap = std::uint64_t{4} << 20;
constexpr std::uint64_t imitated_bytes = std::uint64_t{141} << 30;  // that of an H200
constexpr std::uint64_t mapped_from = std::uint64_t{64} << 10;      // smaller allocations come from the heap
constexpr std::size_t most_freed = 4096;
// Places of the interpreter's own. The system maps a program's memory anywhere from 0x7eff'0000'0000 on, so it could
// lie there.
struct Place {
  std::uint64_t begin, end;
};
constexpr std::array own_places{Place{space::shared_window, space::functions + space::window_bytes},
                                Place{space::workspace, space::workspace + (std::uint64_t{2} << 20)}};
// Where large device memory begins in its first page. malloc() gives large memory that begins shortly after a page
// does; a copy whose target begins shortly after its source, modulo a page, takes three times as long, because its
// loads seem to read what it has just stored.
constexpr std::uint64_t in_page = 2048;

// Keeps the program's later memory out of these places. Fails where something lies already; take_host() refuses that.
void reserve_own_places() {
  [[maybe_unused]] static const bool once = [] {
    for (const Place& own : own_places) pages::take_sparse_at(reinterpret_cast<void*>(own.begin), own.end - own.begin);
    return true;
  }();
}

std::uint64_t bytes_of_the_machine() {
  const std::uint64_t there = memory_of_the_machine();
  return there != 0 ? std::min(imitated_bytes, there) : imitated_bytes;
}

}  // namespace

struct Memory::Owned {
  Allocation allocation;
  enum class By : std::uint8_t { heap, map, host } by = By::heap;
  Descriptor shared;           // of memory that other processes may map
  std::byte* pages = nullptr;  // By::map: what is mapped, and how much
  std::uint64_t mapped = 0;

  // Null data if there is no memory.
  void map(void* at, std::uint64_t bytes, std::uint64_t begin) {
    by = By::map;
    mapped = bytes + begin;
    pages = static_cast<std::byte*>(pages::take_sparse_at(at, mapped));
    allocation.data = pages == nullptr ? nullptr : pages + begin;
  }

  ~Owned() {
    if (by == By::heap) pages::give_back_aligned(allocation.data);
    if (by == By::map) sparse_memory::give_back(pages, mapped);
  }
};

Memory::Memory() : next_(first_address), total_(bytes_of_the_machine()) {
  reserve_own_places();
}
Memory::~Memory() = default;

Allocation* Memory::add(std::unique_ptr<Owned> owned) {
  Allocation* allocation = &owned->allocation;
  const auto at = std::ranges::upper_bound(sorted_, allocation->address, {}, &sim::DeviceAllocation::address);
  owned_.insert(owned_.begin() + (at - sorted_.begin()), std::move(owned));
  sorted_.insert(at, allocation);
  return allocation;
}

Allocation* Memory::allocate(MemoryKind kind, std::uint64_t bytes, const char* call) {
  return make(kind, next_, bytes, call);
}

Allocation* Memory::allocate_at(std::uint64_t address, std::uint64_t bytes, const char* call) {
  const auto after = std::ranges::upper_bound(sorted_, address, {}, &sim::DeviceAllocation::address);
  const bool taken = (after != sorted_.begin() && (*(after - 1))->end() > address) ||
                     (after != sorted_.end() && (*after)->address < address + bytes);
  return taken ? nullptr : make(MemoryKind::device, address, bytes, call);
}

std::uint64_t Memory::reserve(std::uint64_t bytes) {
  if (bytes == 0 || bytes >= last_address - next_) return 0;
  const std::uint64_t address = next_;
  next_ = space::align_up(address + bytes + gap, std::uint64_t{2} << 20);
  return address;
}

Allocation* Memory::make(MemoryKind kind, std::uint64_t address, std::uint64_t bytes, const char* call) {
  auto owned = std::make_unique<Owned>();
  Allocation& made = owned->allocation;
  made.kind = kind;
  made.bytes = bytes;
  made.address = address;
  if (!made.on_host() && bytes > total_ - used_) return nullptr;
  if (bytes == 0 || bytes >= last_address - address) return nullptr;
  if (made.on_host()) {
    owned->map(reinterpret_cast<void*>(made.address), bytes, 0);
  } else if (bytes >= mapped_from) {
    owned->map(nullptr, bytes, in_page);
  } else {
    made.data = static_cast<std::byte*>(pages::take_aligned(256, (bytes + 255) / 256 * 256));
    if (made.data != nullptr) std::memset(made.data, 0, bytes);
  }
  if (made.data == nullptr) {
    owned->by = Owned::By::host;  // nothing to free
    return nullptr;
  }
  if (kind == MemoryKind::device || kind == MemoryKind::array) made.written.reset(bytes, 0);
  ++made_;
  made.name = worded("{} of {} byte{} (allocation {})", std::string(call), bytes, bytes == 1 ? "" : "s", made_);
  if (!made.on_host()) used_ += bytes;
  next_ = std::max(next_, space::align_up(made.end() + gap, std::uint64_t{2} << 20));
  return add(std::move(owned));
}

std::optional<Memory::SharedPlace> Memory::share(Allocation& allocation) {
  const auto at = std::ranges::lower_bound(sorted_, allocation.address, {}, &sim::DeviceAllocation::address);
  Owned& owned = *owned_[static_cast<std::size_t>(at - sorted_.begin())];
  if (allocation.on_host() || owned.by == Owned::By::host) return std::nullopt;
  if (!owned.shared) {
    if (owned.by == Owned::By::heap) {
      std::byte* const before = allocation.data;
      owned.map(nullptr, allocation.bytes, in_page);
      if (owned.pages == nullptr) {
        owned.by = Owned::By::heap;
        allocation.data = before;
        return std::nullopt;
      }
      std::memcpy(allocation.data, before, allocation.bytes);
      pages::give_back_aligned(before);
    }
    if (pages::share(owned.pages, owned.mapped, owned.shared) != 0) return std::nullopt;
  }
  return SharedPlace{own_process(), owned.shared.get(), owned.mapped};
}

Allocation* Memory::take_shared(const SharedPlace& place, const char* call) {
  if (place.bytes <= in_page || place.bytes >= last_address - next_) return nullptr;
  auto owned = std::make_unique<Owned>();
  Allocation& made = owned->allocation;
  made.kind = MemoryKind::device;
  made.bytes = place.bytes - in_page;
  made.address = next_;
  owned->pages = static_cast<std::byte*>(pages::take_shared(place.process, place.descriptor, place.bytes));
  owned->by = owned->pages != nullptr ? Owned::By::map : Owned::By::host;
  if (owned->pages == nullptr) return nullptr;
  owned->mapped = place.bytes;
  made.data = owned->pages + in_page;
  ++made_;
  made.name =
      worded("{} of {} byte{} (allocation {})", std::string(call), made.bytes, made.bytes == 1 ? "" : "s", made_);
  used_ += made.bytes;
  next_ = space::align_up(made.end() + gap, std::uint64_t{2} << 20);
  return add(std::move(owned));
}

Allocation* Memory::allocate_variable(bool constant, std::uint64_t bytes, Wording name) {
  Allocation* made =
      allocate(constant ? MemoryKind::constant : MemoryKind::variable, std::max<std::uint64_t>(bytes, 1), "variable");
  if (made == nullptr) return nullptr;
  --made_;
  made->bytes = bytes;
  made->variable = true;
  made->constant = constant;
  made->name = std::move(name);
  return made;
}

Allocation* Memory::take_host(void* memory, std::uint64_t bytes) {
  auto owned = std::make_unique<Owned>();
  owned->by = Owned::By::host;
  Allocation& made = owned->allocation;
  made.kind = MemoryKind::registered;
  made.bytes = bytes;
  made.address = reinterpret_cast<std::uint64_t>(memory);
  made.data = static_cast<std::byte*>(memory);
  made.name = worded("cudaHostRegister of {} bytes", bytes);
  const auto holds = [&](const Place& own) { return made.address < own.end && made.end() > own.begin; };
  if (std::ranges::any_of(own_places, holds)) return nullptr;
  return add(std::move(owned));
}

void Memory::release(Allocation* allocation) {
  const auto at = std::ranges::lower_bound(sorted_, allocation->address, {}, &sim::DeviceAllocation::address);
  if (!allocation->on_host()) used_ -= allocation->bytes;
  if (allocation->kind != MemoryKind::registered) {
    freed_.push_back({allocation->address, allocation->bytes, allocation->name});
    if (freed_.size() > most_freed) freed_.pop_front();
  }
  owned_.erase(owned_.begin() + (at - sorted_.begin()));
  sorted_.erase(at);
}

void Memory::release_all() {
  while (!sorted_.empty()) release(static_cast<Allocation*>(sorted_.back()));
}

Allocation* Memory::find(std::uint64_t address) const {
  const auto after = std::ranges::upper_bound(sorted_, address, {}, &sim::DeviceAllocation::address);
  if (after == sorted_.begin()) return nullptr;
  auto* allocation = static_cast<Allocation*>(*(after - 1));
  return address < allocation->end() ? allocation : nullptr;
}

const Freed* Memory::find_freed(std::uint64_t address) const {
  const auto found = std::ranges::find_if(
      freed_, [&](const Freed& one) { return address >= one.address && address - one.address < one.bytes; });
  return found == freed_.end() ? nullptr : &*found;
}

void mark_written(sim::DeviceAllocation& to, std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0 || to.written.complete()) return;
  if (bytes == to.bytes)
    to.written = {};
  else
    to.written.mark(address - to.address, bytes);
  if (to.written.complete()) to.written = {};
}

void copy_written(sim::DeviceAllocation& to, std::uint64_t to_address, const sim::DeviceAllocation& from,
                  std::uint64_t from_address, std::uint64_t bytes) {
  if (from.written.complete() || from.written.all(from_address - from.address, bytes))
    return mark_written(to, to_address, bytes);
  if (to.written.complete()) return;  // where it was written before, the copied bytes count as written too
  const std::uint64_t source = from_address - from.address, target = to_address - to.address;
  constexpr std::uint64_t part = 4096;  // mostly either all or none of it was written
  for (std::uint64_t at = 0; at < bytes; at += part) {
    const std::uint64_t here = std::min(part, bytes - at);
    if (from.written.all(source + at, here)) {
      to.written.mark(target + at, here);
    } else if (from.written.any(source + at, here)) {
      for (std::uint64_t byte = at; byte < at + here; ++byte)
        if (from.written.any(source + byte, 1)) to.written.mark(target + byte, 1);
    }
  }
}

}  // namespace lanescope::device
