#include "instrument/site_map.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <optional>

#include "core/worded.h"
#include "instrument/access_spaces.h"
#include "instrument/instrument.h"
#include "instrument/region_layout.h"

namespace lanescope::instrument {
namespace {

// The source lane of shfl, after the pseudo code of the PTX manual. 0xff: out of range, so the lane keeps its own
// value.
std::uint8_t shuffle_source(std::string_view opcode, int lane, std::uint32_t b, std::uint32_t c) {
  const int b_value = static_cast<int>(b & 31), clamp = static_cast<int>(c & 31),
            segment = static_cast<int>(c >> 8 & 31);
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

// A record in the buffer.
struct Record {
  Header header{};
  const RecordGroup* group = nullptr;
  const std::byte* at = nullptr;
  std::uint32_t upper_of_short = 0;

  // Called once the header has been read and its group looked up.
  void belongs_to(const RecordGroup& found, Pass pass) {
    group = &found;
    if (pass == Pass::block_entries) header.executed = header.active;
    if (!group->short_header) return;
    upper_of_short = header.order;
    header = {.group = header.group, .executed = header.executed, .active = header.executed, .order = header.active};
  }
  static constexpr std::uint32_t flags = Header::wide | Header::parallel;
  std::uint32_t number() const { return header.group & ~flags; }
  // The lanes that took part. The lowest of them wrote the record.
  LaneMask lanes() const { return {group->by_active_lanes ? header.active : header.executed}; }
  std::uint32_t units() const { return group->units(header.group, LaneMask{header.executed}.count()); }
  std::uint32_t word(std::int32_t index, int lane, bool upper) const {
    const LaneMask executed{header.executed};
    const std::int64_t before = (executed & LaneMask::first(lane)).count();
    const std::int64_t words = group->header_units();  // the unit where the words begin
    if (group->many()) return word_of_many(index, before, upper);
    if (upper && !(header.group & Header::wide)) return group->short_header ? upper_of_short : at_word(1, index);
    if (header.group & Header::parallel)
      return at_word(words + 1, before) + (index > 0 ? at_word(words, index - 1) : 0);
    return at_word(words + (upper ? group->word_units(executed.count()) : 0), group->words * before + index);
  }
  std::uint64_t address(const RecordSite& site, int lane) const {
    std::uint64_t base = 0;
    if (site.word >= 0) base = word(site.word, lane, false);
    if (site.word >= 0 && site.base_is_64_bit) base |= std::uint64_t{word(site.word, lane, true)} << 32;
    return base + static_cast<std::uint64_t>(site.offset) + bytes_to_element(site, lane);
  }

 private:
  // Of wmma.load and wmma.store; 0 for other instructions.
  std::uint64_t bytes_to_element(const RecordSite& site, int lane) const {
    if (site.elements.empty()) return 0;
    const RecordSite::Element& element = site.elements[static_cast<std::size_t>(lane)];
    const std::uint64_t stride = site.stride_word < 0 ? site.stride : word(site.stride_word, lane, false);
    return (element.line * stride + element.in_line) * site.element_bits / 8;
  }
  std::uint32_t word_of_many(std::int32_t index, std::int64_t before, bool upper) const {
    const std::int64_t words = group->header_units();
    if (!(header.group & Header::parallel))
      return at_word(words + index * static_cast<std::int64_t>(RecordGroup::units_of_one_of_many),
                     2 * before + (upper ? 1 : 0));
    if (upper)
      return group->short_header ? upper_of_short : at_word(1, group->upper_of[static_cast<std::size_t>(index)]);
    return at_word(words + group->distance_units(), before) + (index > 0 ? at_word(words, index - 1) : 0);
  }
  std::uint32_t at_word(std::int64_t unit, std::int64_t index) const {
    std::uint32_t value = 0;
    std::memcpy(&value, at + static_cast<std::int64_t>(sizeof(Header)) * unit + 4 * index, sizeof value);
    return value;
  }
};

// Start of a lane's part of a region. The recording must be complete().
const std::byte* part_of(const Recording& recording, std::size_t region, std::size_t lane) {
  return recording.buffer.data() + recording.control.records +
         recording.lanes[lane].first_unit(recording.control.regions, region) * sizeof(Header);
}

using Stream = std::vector<Record>;
// Indexed by the lane that wrote the records, in the order it wrote them.
using Streams = std::array<Stream, MemoryModel::lanes>;

// Reads the records of one warp. Returns false if this kernel cannot have written what the region holds.
class RegionReader {
 public:
  RegionReader(const Instrumented& kernel, const Recording& recording) : kernel_(kernel), recording_(recording) {}

  bool read(std::size_t region, Streams& streams) const {
    for (std::size_t lane = 0; lane < streams.size(); ++lane)
      if (read_part(part_of(recording_, region, lane), recording_.lanes[lane].units() - 1, streams[lane]) == bad)
        return false;
    return true;
  }

 private:
  static constexpr std::uint32_t bad = 0xffffffffu;

  // Returns the number of units read, or `bad`.
  std::uint32_t read_part(const std::byte* begin, std::uint32_t units, Stream& stream) const {
    std::uint32_t unit = 0;
    while (unit < units) {
      Record record;
      record.at = begin + unit * sizeof(Header);
      std::memcpy(&record.header, record.at, sizeof record.header);
      if (record.header.group == 0) return unit;
      if (record.number() == 0 || record.number() > kernel_.groups.size()) return bad;
      record.belongs_to(kernel_.groups[record.number() - 1], kernel_.pass);
      unit += record.units();
      if (unit > units || record.lanes().empty() || (record.header.executed & ~record.header.active)) return bad;
      stream.push_back(record);
    }
    return unit;
  }

  const Instrumented& kernel_;
  const Recording& recording_;
};

// Merges the streams of a warp's lanes into one that keeps each lane's program order. A lane's records are ordered by
// their clocks. Of diverged paths, the one with the lower lane runs as far as it can.
Stream ordered_by_clocks(const Streams& streams) {
  struct Node {
    std::uint32_t waits_for = 0;  // number of records of its own lanes that must come first
    std::vector<std::size_t> followers;
  };
  std::array<std::size_t, MemoryModel::lanes + 1> first{};
  for (std::size_t lane = 0; lane < streams.size(); ++lane) first[lane + 1] = first[lane] + streams[lane].size();
  std::vector<const Record*> records;
  for (const Stream& stream : streams)
    for (const Record& record : stream) records.push_back(&record);
  std::vector<std::size_t> by_clock(records.size());
  std::iota(by_clock.begin(), by_clock.end(), std::size_t{0});
  std::stable_sort(by_clock.begin(), by_clock.end(),
                   [&](std::size_t a, std::size_t b) { return records[a]->header.order < records[b]->header.order; });

  std::vector<Node> nodes(records.size());
  std::array<std::optional<std::size_t>, MemoryModel::lanes> last{};
  for (const std::size_t index : by_clock)
    LaneMask{records[index]->header.active}.for_each([&](int lane) {
      std::optional<std::size_t>& before = last[static_cast<std::size_t>(lane)];
      if (before) nodes[*before].followers.push_back(index), ++nodes[index].waits_for;
      before = index;
    });

  Stream ordered;
  std::array<std::size_t, MemoryModel::lanes> next{};
  std::copy_n(first.begin(), next.size(), next.begin());
  while (ordered.size() < records.size()) {
    std::size_t lane = 0, any = MemoryModel::lanes;
    for (; lane < next.size(); ++lane) {
      if (next[lane] == first[lane + 1]) continue;
      if (any == MemoryModel::lanes) any = lane;
      if (nodes[next[lane]].waits_for == 0) break;
    }
    if (lane == next.size()) lane = any;  // the clocks are damaged
    const std::size_t index = next[lane]++;
    for (const std::size_t follower : nodes[index].followers) --nodes[follower].waits_for;
    ordered.push_back(*records[index]);
  }
  return ordered;
}

// The same without clocks. Each lane counts the records that it takes part in, and the writer stores its count in each
// record. So a record comes next when its writer has taken part in that many records and none of its other lanes must
// first write one of its own. Dropped records leave gaps; the lowest lane then continues. The order of lanes that write
// nothing may be lost once their writers have exited.
Stream ordered_by_counts(const Streams& streams) {
  Stream ordered;
  std::array<std::size_t, MemoryModel::lanes> next{};
  std::array<std::uint32_t, MemoryModel::lanes> taken_part{};
  const auto head = [&](std::size_t lane) {
    return next[lane] < streams[lane].size() ? &streams[lane][next[lane]] : nullptr;
  };
  const auto ready = [&](std::size_t writer) {
    const Record* record = head(writer);
    if (!record || record->header.order > taken_part[writer]) return false;
    bool others_wait = true;
    record->lanes().for_each([&](int lane) {
      const auto other = static_cast<std::size_t>(lane);
      const Record* own = other == writer ? nullptr : head(other);
      others_wait = others_wait && (!own || own->header.order > taken_part[other]);
    });
    return others_wait;
  };
  for (;;) {
    std::optional<std::size_t> chosen, any;
    for (std::size_t lane = 0; lane < streams.size() && !chosen; ++lane) {
      if (head(lane) && !any) any = lane;
      if (ready(lane)) chosen = lane;
    }
    if (!chosen) chosen = any;
    if (!chosen) return ordered;
    const Record& record = streams[*chosen][next[*chosen]++];
    record.lanes().for_each([&](int lane) { ++taken_part[static_cast<std::size_t>(lane)]; });
    taken_part[*chosen] = std::max(taken_part[*chosen], record.header.order + 1);
    ordered.push_back(record);
  }
}

Stream in_program_order(const Instrumented& kernel, Streams& streams) {
  const auto filled = [](const Stream& stream) { return !stream.empty(); };
  if (std::count_if(streams.begin(), streams.end(), filled) == 1)
    return std::move(*std::find_if(streams.begin(), streams.end(), filled));
  return kernel.clocks ? ordered_by_clocks(streams) : ordered_by_counts(streams);
}

// Writes the events that a record stands for.
class EventWriter {
 public:
  EventWriter(const Instrumented& kernel, const trace::Trace& interpreted, AccessSpaces spaces, trace::Trace& out)
      : kernel_(kernel), spaces_(spaces), out_(out) {
    const SiteMap map(interpreted);
    for (const RecordSite& record : kernel.sites) sites_.push_back(map.find(record));
  }

  // Returns false if the interpreter's trace has no such site.
  bool write(const Record& record, std::uint32_t block, std::uint16_t warp) {
    for (std::int32_t i = 0; i < record.group->sites; ++i) {
      const auto index = static_cast<std::size_t>(record.group->first_site + i);
      if (!sites_[index]) return false;
      trace::WarpEvent event;
      event.site = sites_[index]->id;
      event.block = block;
      event.warp = warp;
      event.kind = kernel_.sites[index].kind;
      event.active = {record.header.active};
      event.executed = {record.header.executed};
      add(event, record, kernel_.sites[index], *sites_[index]);
    }
    return true;
  }

 private:
  void add(trace::WarpEvent& event, const Record& record, const RecordSite& place, const trace::Site& site) {
    if (place.kind == trace::EventKind::memory) {
      std::array<std::uint64_t, MemoryModel::lanes> addresses{};
      event.executed = event.executed & LaneMask{place.lanes};
      if (event.executed.empty()) return;
      event.executed.for_each(
          [&](int lane) { addresses[static_cast<std::size_t>(lane)] = record.address(place, lane); });
      return spaces_.add(out_, event, place.space, addresses);
    }
    if (place.kind == trace::EventKind::shuffle) {
      event.side = static_cast<std::uint32_t>(out_.source_lanes.size());
      event.executed.for_each([&](int lane) {
        const std::uint32_t b = place.constant_operands ? place.b : record.word(0, lane, false);
        const std::uint32_t c = place.constant_operands ? place.c : record.word(1, lane, false);
        out_.source_lanes.push_back(shuffle_source(site.opcode, lane, b, c));
      });
    }
    out_.events.push_back(event);
  }

  const Instrumented& kernel_;
  AccessSpaces spaces_;
  trace::Trace& out_;
  std::vector<const trace::Site*> sites_;
};

std::size_t regions_of(const Recording& recording) {
  return std::size_t{recording.control.block_count} * recording.control.warps_per_block;
}

// The number of events that one lane dropped.
std::uint32_t dropped_in(const Recording& recording, std::size_t region, std::size_t lane, Pass pass) {
  const LanePlace& place = recording.lanes[lane];
  Header last;
  std::memcpy(&last, part_of(recording, region, lane) + (place.units() - 1) * sizeof(Header), sizeof last);
  if (pass != Pass::block_entries || last.group == 0) return last.group;
  const auto end = static_cast<std::uint32_t>(place.first_unit(recording.control.regions, region) + place.units() - 1);
  return last.executed - end + 1;
}

std::uint64_t events_in(const Streams& streams) {
  std::uint64_t events = 0;
  for (const Stream& stream : streams)
    for (const Record& record : stream) events += static_cast<std::uint64_t>(record.group->sites);
  return events;
}

std::uint64_t dropped_in(const Recording& recording, std::size_t region, Pass pass) {
  std::uint64_t events = 0;
  for (std::size_t lane = 0; lane < MemoryModel::lanes; ++lane) events += dropped_in(recording, region, lane, pass);
  return events;
}

bool complete(const Recording& recording) {
  std::uint32_t at = 0;
  for (const LanePlace& place : recording.lanes) {
    if (place.begin != at || place.end <= place.begin) return false;
    at = place.end;
  }
  const Control& control = recording.control;
  return control.regions >= regions_of(recording) && control.records >= sizeof(BufferHead) &&
         recording.buffer.size() >= control.records + std::uint64_t{control.regions} * at * sizeof(Header);
}

Diagnostic damaged(std::size_t region) {
  return {
      .code = "instrument.damaged_recording",
      .message = worded("The recording of warp {} of the selected blocks does not belong to this kernel.", region),
      .cure =
          "The kernel may have overwritten it: look for an index that leaves its buffer in some order of blocks and "
          "warps, and record again."};
}

}  // namespace

EventCount count_events(const Instrumented& kernel, const Recording& recording) {
  EventCount count;
  const RegionReader reader(kernel, recording);
  for (std::size_t region = 0; complete(recording) && region < regions_of(recording); ++region) {
    Streams streams;
    reader.read(region, streams);
    count.written += events_in(streams);
    count.dropped += dropped_in(recording, region, kernel.pass);
  }
  return count;
}

RegionShape enlarged(const Instrumented& kernel, const Recording& recording) {
  const std::uint64_t largest = largest_record(kernel), an_event = largest_event(kernel);
  std::array<std::uint64_t, MemoryModel::lanes> missing{};
  for (std::size_t region = 0; complete(recording) && region < regions_of(recording); ++region)
    for (std::size_t lane = 0; lane < missing.size(); ++lane)
      missing[lane] = std::max<std::uint64_t>(missing[lane], dropped_in(recording, region, lane, kernel.pass));
  for (std::size_t lane = 0; lane < missing.size(); ++lane) {
    const std::uint64_t before = recording.lanes[lane].units() - 1;
    missing[lane] = before + (missing[lane] > 0 ? (missing[lane] + missing[lane] / 4) * an_event + largest : 0);
  }
  return shape_of(missing);
}

Result<trace::Trace> decode(const Instrumented& kernel, const Recording& recording, const trace::Launch& launch,
                            const trace::Trace& interpreted) {
  trace::Trace out;
  out.origin = trace::Origin::recorded;
  out.launch = launch;
  out.sites = interpreted.sites;
  out.functions = interpreted.functions;
  if (!complete(recording)) return damaged(0);
  BufferHead windows;
  std::memcpy(&windows, recording.buffer.data(), sizeof windows);
  EventWriter writer(kernel, interpreted, {windows, launch}, out);
  const RegionReader reader(kernel, recording);

  const Control& control = recording.control;
  for (std::size_t region = 0; region < regions_of(recording); ++region) {
    Streams streams;
    if (!reader.read(region, streams)) return damaged(region);
    out.events_dropped += dropped_in(recording, region, kernel.pass);
    const std::size_t begin = out.events.size();
    for (const Record& record : in_program_order(kernel, streams))
      if (!writer.write(record, control.first_block + static_cast<std::uint32_t>(region / control.warps_per_block),
                        static_cast<std::uint16_t>(region % control.warps_per_block)))
        return Diagnostic{
            .code = "instrument.unknown_site",
            .message = worded("A record of warp {} refers to a place that the kernel does not have.", region),
            .cure = "The recording belongs to another version of this kernel: record again."};
    for (std::size_t i = begin; i < out.events.size(); ++i)
      out.events[i].sequence = static_cast<std::uint32_t>(i - begin);
  }
  return out;
}

}  // namespace lanescope::instrument
