#include "trace/codec.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <tuple>

namespace lanescope::trace {
namespace {

// --- one description of the layout, walked by the writer and by the reader
// -----------------------------------

class Writer {
 public:
  template <typename T>
  void number(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      unsigned_number(value ? 1 : 0);
    } else if constexpr (std::is_enum_v<T>) {
      unsigned_number(static_cast<std::uint64_t>(value));
    } else if constexpr (std::is_signed_v<T>) {
      signed_number(value);
    } else {
      unsigned_number(value);
    }
  }
  void unsigned_number(std::uint64_t value) {
    while (value >= 0x80) {
      bytes_.push_back(static_cast<std::byte>(value | 0x80));
      value >>= 7;
    }
    bytes_.push_back(static_cast<std::byte>(value));
  }
  void signed_number(std::int64_t value) {
    unsigned_number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void byte(std::uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
  void mask(LaneMask mask) {
    for (int shift = 0; shift < 32; shift += 8) byte(static_cast<std::uint8_t>(mask.bits >> shift));
  }
  void text(const std::string& text) {
    const auto [at, fresh] = pool_.try_emplace(text, strings_.size());
    if (fresh) strings_.push_back(text);
    unsigned_number(at->second);
  }
  template <typename Items, typename Each>
  void list(const Items& items, std::size_t /*bytes_each*/, Each&& each) {
    unsigned_number(items.size());
    for (const auto& item : items) each(*this, item);
  }
  void raw(const BulkVector<std::uint8_t>& bytes) {
    unsigned_number(bytes.size());
    const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
    bytes_.insert(bytes_.end(), data, data + bytes.size());
  }
  // The string pool, then all written bytes.
  std::vector<std::byte> finish() {
    Writer front;
    front.unsigned_number(strings_.size());
    for (const std::string& text : strings_) {
      front.unsigned_number(text.size());
      const auto* data = reinterpret_cast<const std::byte*>(text.data());
      front.bytes_.insert(front.bytes_.end(), data, data + text.size());
    }
    front.bytes_.insert(front.bytes_.end(), bytes_.begin(), bytes_.end());
    return std::move(front.bytes_);
  }

 private:
  std::vector<std::byte> bytes_;
  std::map<std::string, std::size_t> pool_;
  std::vector<std::string> strings_;
};

// After the first invalid value every read returns 0, and good() is false.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {
    strings_.resize(length(1));
    for (std::string& text : strings_) {
      const std::size_t size = length(1);
      text.assign(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
      at_ += size;
    }
  }
  bool good() const { return good_; }
  bool at_end() const { return at_ == bytes_.size(); }
  void fail() { good_ = false; }

  template <typename T>
  void number(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = unsigned_number(1) != 0;
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(unsigned_number(std::numeric_limits<std::underlying_type_t<T>>::max()));
    } else if constexpr (std::is_signed_v<T>) {
      const std::int64_t wide = signed_number();
      if (wide < std::numeric_limits<T>::min() || wide > std::numeric_limits<T>::max()) fail();
      value = static_cast<T>(wide);
    } else {
      value = static_cast<T>(unsigned_number(std::numeric_limits<T>::max()));
    }
  }
  std::uint64_t unsigned_number(std::uint64_t most = ~std::uint64_t{0}) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      const std::uint8_t next = byte();
      if (shift == 63 && next > 1) break;  // more than 64 bits
      value |= std::uint64_t{next & 0x7fu} << shift;
      if ((next & 0x80) == 0) {
        if (value > most) break;
        return value;
      }
    }
    fail();
    return 0;
  }
  std::int64_t signed_number() {
    const std::uint64_t zigzag = unsigned_number();
    return static_cast<std::int64_t>((zigzag >> 1) ^ (~(zigzag & 1) + 1));
  }
  std::uint8_t byte() {
    if (!good_ || at_ >= bytes_.size()) {
      good_ = false;
      return 0;
    }
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  void mask(LaneMask& mask) {
    mask.bits = 0;
    for (int shift = 0; shift < 32; shift += 8) mask.bits |= std::uint32_t{byte()} << shift;
  }
  void text(std::string& text) {
    const std::uint64_t index = unsigned_number();
    if (index < strings_.size()) {
      text = strings_[index];
    } else {
      fail();
    }
  }
  // A count of elements of at least `bytes_each` bytes. A wrong count cannot allocate more than the file could contain.
  std::size_t length(std::size_t bytes_each) {
    const std::uint64_t count = unsigned_number();
    if (count > (bytes_.size() - at_) / bytes_each) {
      fail();
      return 0;
    }
    return good_ ? count : 0;
  }
  template <typename Items, typename Each>
  void list(Items& items, std::size_t bytes_each, Each&& each) {
    items.resize(length(bytes_each));
    for (auto& item : items) {
      if (!good_) return;
      each(*this, item);
    }
  }
  void raw(BulkVector<std::uint8_t>& bytes) {
    bytes.resize(length(1));
    if (!bytes.empty()) std::memcpy(bytes.data(), bytes_.data() + at_, bytes.size());
    at_ += bytes.size();
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
  std::vector<std::string> strings_;
};

template <typename Archive, typename Totals_>
void walk_memory(Archive& archive, Totals_& totals) {
  archive.number(totals.requests);
  archive.number(totals.executed_lanes);
  archive.number(totals.bytes_requested);
  archive.number(totals.sectors);
  archive.number(totals.ideal_sectors);
  archive.number(totals.wavefronts);
  archive.number(totals.ideal_wavefronts);
  archive.number(totals.serial_depth);
}

template <typename Archive, typename Extent>
void walk_extent(Archive& archive, Extent& extent) {
  archive.number(extent.x);
  archive.number(extent.y);
  archive.number(extent.z);
}

// Launches with clusters need format version 2, those that did not end need version 3.
template <typename Archive, typename Trace_>
void walk_mode(Archive& archive, Trace_& trace) {
  constexpr std::uint32_t cooperative = 1, clusters = 2, unfinished = 4;
  auto& launch = trace.launch;
  std::uint32_t mode = (launch.cooperative ? cooperative : 0) | (launch.cluster.count() > 1 ? clusters : 0) |
                       (trace.ended ? 0 : unfinished);
  archive.number(mode);
  if constexpr (!std::is_const_v<Trace_>) {
    launch.cooperative = (mode & cooperative) != 0;
    trace.ended = (mode & unfinished) == 0;
    if (mode > (cooperative | clusters | unfinished)) archive.fail();
  }
  if ((mode & clusters) != 0) walk_extent(archive, launch.cluster);
}

// The memory classes from here on only exist in launches with clusters.
constexpr auto distributed_classes = static_cast<std::size_t>(MemoryClass::distributed_load);

// volatile_access, and above it the turns, of which versions before 4 have none.
template <typename Archive, typename Site_>
void walk_ways(Archive& archive, Site_& site) {
  auto ways = static_cast<std::uint8_t>(static_cast<unsigned>(site.turns) << 1 | (site.volatile_access ? 1u : 0u));
  archive.number(ways);
  if constexpr (!std::is_const_v<Site_>) {
    site.volatile_access = (ways & 1) != 0;
    site.turns = static_cast<Turns>(ways >> 1);
  }
}

template <typename Archive, typename Site_>
void walk_site(Archive& archive, Site_& site) {
  archive.number(site.id);
  archive.number(site.kind);
  archive.number(site.operation);
  archive.number(site.space);
  archive.number(site.width);
  archive.number(site.element_width);
  walk_ways(archive, site);
  archive.text(site.file);
  archive.number(site.line);
  archive.number(site.column);
  archive.number(site.ptx_line);
  archive.number(site.instruction);
  archive.number(site.basic_block);
  archive.number(site.function);
  archive.number(site.instruction_count);
  archive.text(site.opcode);
  archive.text(site.inlined_from);
}

// Everything except the events and their side arrays. Trace_: Trace or const Trace.
template <typename Archive, typename Trace_>
void walk_header(Archive& archive, Trace_& trace) {
  archive.number(trace.origin);
  archive.text(trace.kernel);
  archive.text(trace.compiler_name);
  archive.text(trace.compiler_version);
  archive.text(trace.arch);
  archive.text(trace.device);
  walk_extent(archive, trace.launch.grid);
  walk_extent(archive, trace.launch.block);
  archive.number(trace.launch.dynamic_shared_bytes);
  archive.number(trace.launch.static_shared_bytes);
  walk_mode(archive, trace);
  archive.list(trace.functions, 1, [](auto& a, auto& name) { a.text(name); });
  archive.list(trace.sites, 17, [](auto& a, auto& site) { walk_site(a, site); });
  archive.list(trace.buffers, 4, [](auto& a, auto& buffer) {
    a.text(buffer.name);
    a.number(buffer.argument);
    a.number(buffer.address);
    a.number(buffer.bytes);
  });
  auto& totals = trace.totals;
  archive.number(totals.warp_instructions);
  archive.number(totals.lane_instructions);
  archive.number(totals.branches);
  archive.number(totals.divergent_branches);
  archive.number(totals.barriers);
  archive.number(totals.shuffles);
  archive.number(totals.votes);
  for (std::size_t i = 0; i < totals.memory.size(); ++i)
    if (i < distributed_classes || trace.launch.cluster.count() > 1) walk_memory(archive, totals.memory[i]);
  archive.list(totals.sites, 19, [](auto& a, auto& site) {
    a.number(site.executions);
    a.number(site.executed_lanes);
    a.number(site.divergent);
    walk_memory(a, site.memory);
    walk_memory(a, site.memory_shared_part);
  });
  archive.number(trace.events_dropped);
  archive.number(trace.blocks_not_chosen);
}

// ---- events: what differs from what would be expected ----------------------------------------------

enum Flag : std::uint8_t {
  other_warp = 1,      // block and warp follow
  jump = 2,            // the sequence number is not one more than the last: it follows
  other_active = 4,    // active mask follows
  other_executed = 8,  // executed mask differs from active: it follows
  has_side = 16,       // index into the side array follows, as its distance from the end of the last one
  other_kind = 32,     // kind and space differ from the last event's of this site: they follow
  other_stride = 64,   // stride differs from the last event's of this site: it follows
};

struct SiteHistory {
  EventKind kind{};
  MemorySpace space{};
  std::int32_t stride = 0;
  std::uint64_t first_address = 0;
};

// What writer and reader know before an event.
struct History {
  explicit History(const std::vector<Site>& all) : sites(all.size()) {
    last.sequence = ~0u;
    for (std::size_t i = 0; i < all.size(); ++i) {
      sites[i].kind = all[i].kind;
      sites[i].space = all[i].space;
      sites[i].stride = all[i].width;
    }
  }
  // Where the side data of the next event of this kind begins, unless it is stored elsewhere.
  std::uint32_t& cursor(EventKind kind) { return kind == EventKind::shuffle ? next_source : next_address; }
  void remember(const WarpEvent& event) {
    last = event;
    sites[event.site] = {event.kind, event.space, event.stride, event.first_address};
    if (event.side != WarpEvent::no_side)
      cursor(event.kind) = event.side + static_cast<std::uint32_t>(event.executed.count());
  }
  std::vector<SiteHistory> sites;
  WarpEvent last;
  std::uint32_t next_address = 0, next_source = 0;
};

void write_event(Writer& writer, const WarpEvent& event, History& history) {
  const WarpEvent& last = history.last;
  const SiteHistory& site = history.sites[event.site];
  const bool new_warp = event.block != last.block || event.warp != last.warp;
  const std::uint32_t expected_sequence = new_warp ? 0 : last.sequence + 1;
  const bool new_kind = event.kind != site.kind || event.space != site.space;
  std::uint8_t flags = 0;
  if (new_warp) flags |= other_warp;
  if (event.sequence != expected_sequence) flags |= jump;
  if (event.active != last.active) flags |= other_active;
  if (event.executed != event.active) flags |= other_executed;
  if (event.side != WarpEvent::no_side) flags |= has_side;
  if (new_kind) flags |= other_kind;
  if (event.stride != site.stride) flags |= other_stride;
  writer.byte(flags);
  writer.number(event.site);
  if (flags & other_warp) {
    writer.number(event.block);
    writer.number(event.warp);
  }
  if (flags & jump) writer.number(event.sequence);
  if (flags & other_active) writer.mask(event.active);
  if (flags & other_executed) writer.mask(event.executed);
  if (flags & other_kind) {
    writer.number(event.kind);
    writer.number(event.space);
  }
  if (flags & has_side) writer.signed_number(std::int64_t{event.side} - history.cursor(event.kind));
  if (flags & other_stride) writer.number(event.stride);
  writer.signed_number(static_cast<std::int64_t>(event.first_address - site.first_address));
  history.remember(event);
}

void read_event(Reader& reader, WarpEvent& event, History& history) {
  const WarpEvent& last = history.last;
  const std::uint8_t flags = reader.byte();
  reader.number(event.site);
  if (!reader.good() || event.site >= history.sites.size()) return reader.fail();
  const SiteHistory& site = history.sites[event.site];
  event.block = last.block;
  event.warp = last.warp;
  event.sequence = last.sequence + 1;
  if (flags & other_warp) {
    reader.number(event.block);
    reader.number(event.warp);
    event.sequence = 0;
  }
  if (flags & jump) reader.number(event.sequence);
  event.active = last.active;
  if (flags & other_active) reader.mask(event.active);
  event.executed = event.active;
  if (flags & other_executed) reader.mask(event.executed);
  event.kind = site.kind;
  event.space = site.space;
  if (flags & other_kind) {
    reader.number(event.kind);
    reader.number(event.space);
  }
  if (flags & has_side) {
    const auto distance = static_cast<std::uint64_t>(reader.signed_number());
    const std::uint64_t side = distance + history.cursor(event.kind);
    if (side >= WarpEvent::no_side) return reader.fail();
    event.side = static_cast<std::uint32_t>(side);
  }
  event.stride = site.stride;
  if (flags & other_stride) reader.number(event.stride);
  event.first_address = site.first_address + static_cast<std::uint64_t>(reader.signed_number());
  history.remember(event);
}

// ---- what must hold of a trace that was read -------------------------------------------------------

bool enums_in_range(EventKind kind, MemorySpace space) {
  return kind <= EventKind::matrix && space <= MemorySpace::distributed;
}

bool well_formed(const Trace& trace) {
  const Launch& launch = trace.launch;
  // Views allocate space for every warp of a block.
  for (const std::uint32_t extent : {launch.block.x, launch.block.y, launch.block.z})
    if (extent > MemoryModel::max_block_threads) return false;
  if (launch.block.count() > MemoryModel::max_block_threads) return false;
  for (const std::uint32_t extent : {launch.cluster.x, launch.cluster.y, launch.cluster.z})
    if (extent > MemoryModel::max_block_threads) return false;
  if (launch.cluster.count() == 0 || launch.cluster.count() > MemoryModel::max_block_threads) return false;
  if (trace.origin > Origin::timed) return false;
  if (trace.totals.sites.size() != trace.sites.size() && !trace.totals.sites.empty()) return false;
  for (std::size_t i = 0; i < trace.sites.size(); ++i) {
    const Site& site = trace.sites[i];
    if (site.id != i || !enums_in_range(site.kind, site.space)) return false;
    if (site.operation > Operation::async_copy || site.function < 0) return false;
    if (site.width > 32 || site.turns > Turns::lanes_of_part) return false;
  }
  const WarpEvent* last = nullptr;
  for (const WarpEvent& event : trace.events) {
    if (!enums_in_range(event.kind, event.space)) return false;
    if (event.warp >= launch.warps_per_block()) return false;
    if ((event.executed & ~event.active) != LaneMask::none()) return false;
    if (event.kind == EventKind::memory) {
      const Site& site = trace.sites[event.site];
      if (event.space == MemorySpace::none || site.kind != EventKind::memory || site.width < 1) return false;
      if (event.space == MemorySpace::shared && site.width > 16) return false;  // one instruction's width per lane
    }
    if (event.side != WarpEvent::no_side) {
      const std::size_t size = event.kind == EventKind::shuffle ? trace.source_lanes.size() : trace.addresses.size();
      if (event.side + static_cast<std::size_t>(event.executed.count()) > size) return false;
    }
    const auto key = [](const WarpEvent& e) { return std::tuple(e.block, e.warp, e.sequence); };
    if (last != nullptr && !(key(*last) < key(event))) return false;
    last = &event;
  }
  return true;
}

Diagnostic corrupt() {
  return {Severity::error,
          "trace.corrupt",
          {},
          "The trace file is damaged: its contents contradict themselves.",
          "Record the trace again, or copy the file again from its source."};
}

}  // namespace

std::vector<std::byte> encode(const Trace& trace) {
  Writer writer;
  walk_header(writer, trace);
  History history(trace.sites);
  writer.list(trace.events, 3, [&](Writer& w, const WarpEvent& event) { write_event(w, event, history); });
  std::uint64_t previous = 0;
  writer.list(trace.addresses, 1, [&](Writer& w, std::uint64_t address) {
    w.signed_number(static_cast<std::int64_t>(address - previous));
    previous = address;
  });
  writer.raw(trace.source_lanes);
  return writer.finish();
}

Result<Trace> decode(std::span<const std::byte> payload) {
  Reader reader(payload);
  Trace trace;
  walk_header(reader, trace);
  History history(trace.sites);
  reader.list(trace.events, 3, [&](Reader& r, WarpEvent& event) {
    event = {};
    read_event(r, event, history);
  });
  std::uint64_t previous = 0;
  reader.list(trace.addresses, 1, [&](Reader& r, std::uint64_t& address) {
    previous += static_cast<std::uint64_t>(r.signed_number());
    address = previous;
  });
  reader.raw(trace.source_lanes);
  if (!reader.good() || !reader.at_end() || !well_formed(trace)) return corrupt();
  return trace;
}

}  // namespace lanescope::trace
