#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "instrument/instrument.h"

namespace lanescope::instrument {
namespace {

using Key = std::tuple<std::string, std::int32_t, trace::EventKind>;  // function, instruction, kind

// Record site → the interpreter's sites of the same place: the second is an asynchronous copy's shared part.
class SiteMap {
 public:
  explicit SiteMap(const trace::Trace& trace) {
    for (const trace::Site& site : trace.sites)
      sites_[{trace.functions[static_cast<std::size_t>(site.function)], site.kind == trace::EventKind::block_entry ? site.basic_block : site.instruction, site.kind}]
          .push_back(&site);
  }
  const trace::Site* find(const RecordSite& record) const {
    const bool entry = record.kind == trace::EventKind::block_entry;
    const auto found = sites_.find({record.function, entry ? record.basic_block : record.instruction, record.kind});
    if (found == sites_.end()) return nullptr;
    const auto& candidates = found->second;
    return candidates[record.shared_part && candidates.size() > 1 ? 1 : 0];
  }

 private:
  std::map<Key, std::vector<const trace::Site*>> sites_;
};

// An address belongs to a window when it lies within 16 MiB of its start: windows are that large and that far apart on every
// architecture so far.
trace::MemorySpace space_of(std::uint64_t generic, const Control& control) {
  constexpr std::uint64_t window_bytes = 1ull << 24;
  if (generic - control.shared_window < window_bytes) return trace::MemorySpace::shared;
  if (generic - control.local_window < window_bytes) return trace::MemorySpace::local;
  return trace::MemorySpace::global;
}

// shfl's source lane by the PTX manual's pseudo code; 0xff = out of range, the lane keeps its own value.
std::uint8_t shuffle_source(std::string_view opcode, int lane, std::uint32_t b, std::uint32_t c) {
  const int b_value = static_cast<int>(b & 31), clamp = static_cast<int>(c & 31), segment = static_cast<int>(c >> 8 & 31);
  const int most = (lane & segment) | (clamp & ~segment), least = lane & segment;
  int source = lane;
  bool in_range = false;
  if (opcode.find(".up") != std::string_view::npos) {
    source = lane - b_value;
    in_range = source >= most;
  } else if (opcode.find(".down") != std::string_view::npos) {
    source = lane + b_value;
    in_range = source <= most;
  } else if (opcode.find(".bfly") != std::string_view::npos) {
    source = lane ^ b_value;
    in_range = source <= most;
  } else {
    source = least | (b_value & ~segment);
    in_range = source <= most;
  }
  return in_range ? static_cast<std::uint8_t>(source) : std::uint8_t{0xff};
}

// Fills address fields; equal spacing is kept as first + stride, like the interpreter does.
void store_addresses(trace::Trace& out, trace::WarpEvent& event, const std::uint64_t* lanes) {
  const int lowest = event.executed.lowest();
  event.first_address = lanes[lowest];
  const LaneMask rest{event.executed.bits & (event.executed.bits - 1)};
  std::int64_t stride = 0;
  bool affine = true;
  if (!rest.empty()) {
    const int second = rest.lowest();
    const auto difference = static_cast<std::int64_t>(lanes[second] - lanes[lowest]);
    affine = difference % (second - lowest) == 0;
    stride = difference / (second - lowest);
    affine = affine && stride >= INT32_MIN && stride <= INT32_MAX;
    rest.for_each([&](int lane) {
      affine = affine && static_cast<std::int64_t>(lanes[lane] - lanes[lowest]) == stride * (lane - lowest);
    });
  }
  if (affine) {
    event.stride = static_cast<std::int32_t>(stride);
    return;
  }
  event.side = static_cast<std::uint32_t>(out.addresses.size());
  event.executed.for_each([&](int lane) { out.addresses.push_back(lanes[lane]); });
}

// A generic access is one event for each space that its lanes' addresses fall in, as the interpreter has it. Within a
// window the trace keeps the address in its own space, as a declared access does.
void add_generic(trace::Trace& out, const trace::WarpEvent& whole, const std::uint64_t* lanes, const Control& control) {
  for (const auto space : {trace::MemorySpace::global, trace::MemorySpace::shared, trace::MemorySpace::local}) {
    trace::WarpEvent event = whole;
    event.space = space;
    event.executed = LaneMask::none();
    const std::uint64_t window = space == trace::MemorySpace::shared  ? control.shared_window
                                 : space == trace::MemorySpace::local ? control.local_window : 0;
    std::array<std::uint64_t, MemoryModel::lanes> own{};
    whole.executed.for_each([&](int lane) {
      if (space_of(lanes[lane], control) != space) return;
      event.executed = event.executed | LaneMask::lane(lane);
      own[static_cast<std::size_t>(lane)] = lanes[lane] - window;
    });
    if (event.executed.empty()) continue;
    store_addresses(out, event, own.data());
    out.events.push_back(event);
  }
}

}  // namespace

Result<trace::Trace> decode(const Instrumented& kernel, const Recording& recording, const trace::Launch& launch,
                            const trace::Trace& interpreted) {
  trace::Trace out;
  out.origin = trace::Origin::recorded;
  out.launch = launch;
  out.sites = interpreted.sites;
  out.functions = interpreted.functions;
  const SiteMap map(interpreted);
  std::vector<const trace::Site*> site_of;
  for (const RecordSite& record : kernel.sites) site_of.push_back(map.find(record));

  const Control& control = recording.control;
  for (std::size_t region = 0; region < recording.counters.size(); ++region) {
    const std::uint32_t wanted = recording.counters[region];
    const std::uint32_t kept = std::min(wanted, control.capacity);
    out.events_dropped += wanted - kept;
    for (std::uint32_t i = 0; i < kept; ++i) {
      const std::size_t slot = region * control.capacity + i;
      const Header& header = recording.headers[slot];
      const trace::Site* site = header.site < site_of.size() ? site_of[header.site] : nullptr;
      if (!site)
        return Diagnostic{.code = "instrument.unknown_site",
                          .message = fmt::format("Record {} of region {} names a place the kernel does not have.", i, region),
                          .cure = "The recording belongs to another version of this kernel: record again."};
      const RecordSite& record = kernel.sites[header.site];
      trace::WarpEvent event;
      event.site = site->id;
      event.block = control.first_block + static_cast<std::uint32_t>(region / control.warps_per_block);
      event.warp = static_cast<std::uint16_t>(region % control.warps_per_block);
      event.kind = record.kind;
      event.sequence = i;
      event.active = {header.active};
      event.executed = {header.executed};
      const std::uint64_t* lanes = recording.lanes.empty() ? nullptr : &recording.lanes[slot * MemoryModel::lanes];
      if (record.kind == trace::EventKind::memory && lanes) {
        if (record.space == trace::MemorySpace::none) {
          add_generic(out, event, lanes, control);
          continue;
        }
        event.space = record.space;
        store_addresses(out, event, lanes);
      } else if (record.kind == trace::EventKind::shuffle && lanes) {
        event.side = static_cast<std::uint32_t>(out.source_lanes.size());
        event.executed.for_each([&](int lane) {
          out.source_lanes.push_back(shuffle_source(site->opcode, lane, static_cast<std::uint32_t>(lanes[lane]),
                                                    static_cast<std::uint32_t>(lanes[lane] >> 32)));
        });
      }
      out.events.push_back(event);
    }
  }
  return out;
}

}  // namespace lanescope::instrument
