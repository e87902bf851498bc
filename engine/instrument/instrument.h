#pragma once
// PTX → PTX that records itself: the second witness. The rewritten kernel computes the same as before. For chosen
// blocks it also writes each event of one pass to a buffer in global memory.
//
// Recording code is inlined and contains no calls and no branches. Only stores and plain arithmetic are predicated:
// ptxas turns a predicated atomic, reduction, load or shuffle into a branch, and such branches changed a result on an
// H200 (docs/agreement-history.md, "Recording that changed a result"). Memory accesses, basic-block entries and other
// events are recorded by three separate rewritings (passes): recording two kinds at once changed the observed masks.
// Blocks that are not chosen run an unmodified copy of the code behind one uniform branch at the kernel's entry.
//
// A record stands for one event or for a group of memory accesses. The accesses of a group are neighbours within a
// basic block and are executed by the same lanes: they have the same guard, and no branch, call, barrier, vote or
// shuffle lies between them. A group is recorded once, before its last access, with the values of its base registers:
// thirty loads at constant distances from two registers are one record of two words per lane.
//
// The kernel gets three more parameters, the last ones: the address of a buffer of zeros, the address of LanePlaces,
// and a Control by value. (By value, LanePlaces would be constants that each lane of a warp reads at a different
// address, one after another.) The buffer holds:
//   BufferHead
//   from Control::records on: regions × capacity units of 16 bytes
// A region belongs to one warp of a chosen block: r = (block − first_block) × warps_per_block + warp. It consists of
// one part per lane. The parts of lane 0 of all regions come first, then those of lane 1, and so on. So written records
// lie close together even if most lanes write nothing.
//
// The lowest executing lane writes the record into its own part of the region (LanePlaces). It keeps its write position
// in a register, so no lane waits for another. A record that finds no room is counted as dropped. A function that the
// kernel calls, by name or through a pointer, has a recorded copy, which receives each lane's position as arguments and
// returns it after its result (calls.h).
//
// Layout of a record of at most four words: Header; if the group has 64-bit bases, the upper words of the lowest lane
// (4 × 32 bits); the words of the executing lanes, lane by lane without gaps, padded to a whole unit; if the lanes'
// upper words differ (`wide`), all upper words in the same layout. If a group has four words and their distances are
// the same in all lanes (`parallel`), the distances from the first word are stored once (three words, one unit), and
// only the first word of each lane is kept: the neighbours of a stencil.
// More than four words share a record if the PTX suggests that their distances are the same in all lanes
// (`RecordGroup::many`). If they are (`parallel`): the upper words, one per pointer; the distances, padded to a whole
// unit; the lanes' first words. If not: the upper words, then each word in turn with its own upper word, 64 bits per
// lane, without gaps between executing lanes, 256 bytes per word. (With a slot for every lane, half the sectors that a
// divergent warp wrote were written in part, and each of those costs a read of DRAM.)

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/memory_model.h"
#include "core/result.h"
#include "trace/trace.h"

namespace lanescope::ptx {
struct Module;  // ptx/module.h
}  // namespace lanescope::ptx

namespace lanescope::instrument {

enum class Pass : std::uint8_t {
  memory,         // loads, stores, atomics, reductions, asynchronous copies, loads and stores of matrices
  block_entries,  // entry into each basic block
  operations      // guarded instructions, branches, shuffles, votes, barriers
};
const char* to_string(Pass pass);

// The kernel's last parameter, by value.
struct Control {
  std::uint32_t first_block = 0, block_count = 0;  // linear block indices; the chosen blocks
  std::uint32_t regions = 0;  // number of regions in the buffer: at least block_count × warps_per_block
  std::uint32_t warps_per_block = 0;
  std::uint64_t records = 0;  // where the first part begins, in bytes from the start of the buffer
};
static_assert(sizeof(Control) == 24);

struct BufferHead {
  // Generic addresses of byte 0 of shared and of local memory, written by the kernel.
  std::uint64_t shared_window = 0, local_window = 0;
};
// A lane's part of a region, in units; never empty. Its last unit holds the exact number of dropped events in its first
// word. In Pass::block_entries, where each event takes one unit, the last unit holds the last event that found no room.
struct LanePlace {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t units() const { return end - begin; }
  // Where this lane's part of a region begins, in units from the start of the first region.
  std::uint64_t first_unit(std::uint64_t regions, std::uint64_t region) const {
    return regions * begin + region * units();
  }
};
using LanePlaces = std::array<LanePlace, MemoryModel::lanes>;
static_assert(sizeof(LanePlaces) == 256);

// With RecordGroup::short_header the four words are: group, active (all have executed), order, the upper word. In
// Pass::block_entries `executed` holds the unit, counted from the first region, that the writer would have used; there
// all active lanes have executed.
struct Header {
  std::uint32_t group = 0;     // index into Instrumented::groups, plus 1 (0: nothing was written here)
  std::uint32_t executed = 0;  // lane mask
  std::uint32_t active = 0;
  // With Instrumented::clocks: at each record the active lanes take the highest of their clocks, store it here, and
  // increment it (Lamport clocks: they only rise along each lane). Otherwise: the number of records that the writer had
  // taken part in before.
  std::uint32_t order = 0;
  static constexpr std::uint32_t wide = 0x80000000u, parallel = 0x40000000u;  // flags in `group`; at most one is set
};
static_assert(sizeof(Header) == 16);

// A recording site: an instruction (or basic block) of a function of the module.
struct RecordSite {
  std::string function;           // mangled name
  std::int32_t instruction = 0;   // block_entries: the basic block's first instruction
  std::int32_t basic_block = -1;  // block_entries only
  trace::EventKind kind{};
  trace::MemorySpace space{};  // none: generic, so the address decides
  trace::Operation operation{};
  bool shared_part = false;  // the second event of an asynchronous copy, its access to shared memory
  // Memory events: address = base + offset. The base is this word of each lane, extended by its upper word to 64 bits;
  // -1: base 0.
  std::int32_t word = -1;
  bool base_is_64_bit = false;
  // The executing lanes whose addresses count. For ldmatrix and stmatrix of one matrix these are 8 lanes.
  std::uint32_t lanes = 0xffffffffu;
  std::int64_t offset = 0;
  // wmma.load and wmma.store, which have one such site for each of their requests: the address of a lane is further by
  // (line × stride + place in the line) elements.
  struct Element {
    std::uint32_t line = 0, in_line = 0;
  };
  std::vector<Element> elements;  // by lane; empty for other instructions
  std::uint32_t element_bits = 0;
  std::int32_t stride_word = -1;  // the word of each lane that is the stride, in elements; -1: it is `stride`
  std::uint32_t stride = 0;
  // Shuffles: the second and third source operands are words 0 and 1, or these constants.
  bool constant_operands = false;
  std::uint32_t b = 0, c = 0;
};

// The layout of one kind of record.
struct RecordGroup {
  std::int32_t first_site = 0, sites = 0;  // in Instrumented::sites, in program order
  static constexpr std::size_t most_words = 12, most_uppers = 4;
  std::int32_t words = 0;  // 32-bit words per lane: 0, 1, 2, 4, or 5 to most_words
  // With many(): which of the record's upper words belongs to this word.
  std::array<std::uint8_t, most_words> upper_of{0, 1, 2, 3};
  bool has_upper = false;  // a base is a 64-bit register
  // The only upper word stands in the header: one base (or one upper word with many()) and no guard.
  bool short_header = false;
  bool by_active_lanes = false;  // also written when no lane has executed: guarded instructions, branches
  bool many() const { return words > 4; }
  std::uint32_t header_units() const { return has_upper && !short_header ? 2 : 1; }
  // Sizes in units of 16 bytes: the words of `lanes` lanes; the distances; the whole record, by the flags of
  // Header::group.
  std::uint32_t word_units(int lanes) const { return (static_cast<std::uint32_t>(words * lanes) + 3) / 4; }
  std::uint32_t distance_units() const { return (static_cast<std::uint32_t>(words) + 2) / 4; }
  static constexpr std::uint32_t units_of_one_of_many = 16;
  std::uint32_t units(std::uint32_t flags, int lanes) const {
    if (flags & Header::parallel)
      return header_units() + distance_units() + (static_cast<std::uint32_t>(lanes) + 3) / 4;
    if (many()) return header_units() + static_cast<std::uint32_t>(words) * units_of_one_of_many;
    return header_units() + word_units(lanes) * (flags & Header::wide ? 2 : 1);
  }
  std::uint32_t most_units() const { return units(has_upper && !many() ? Header::wide : 0, MemoryModel::lanes); }
};

struct Instrumented {
  std::string ptx;
  std::string kernel;  // mangled name, as before
  Pass pass{};
  std::vector<RecordSite> sites;
  std::vector<RecordGroup> groups;
  bool clocks = false;  // Header::order holds clocks; this needs an instruction of sm_80
};

// Diagnostics: instrument.no_such_kernel; instrument.unsupported, with the line of an instruction whose accesses cannot
// be recorded, or of a call that cannot pass the places on. `most_registers`: the limit of registers per thread that
// keeps as many blocks resident as for the plain kernel; 0: no limit. A kernel that sets a limit itself keeps it. A
// kernel that calls through pointers gets none.
Result<Instrumented> instrument(const ptx::Module& module, const std::string& mangled_kernel, Pass pass,
                                int most_registers = 0);

// How a region is shared among its lanes.
struct RegionShape {
  LanePlaces lanes;
  std::uint32_t capacity() const { return lanes.back().end; }  // units
};
// Estimated from the interpreter's events of the same kernel, with a reserve: on hardware lanes may diverge at other
// places.
RegionShape region_shape(const Instrumented& kernel, const trace::Trace& interpreted);

// The value of Control::records.
inline constexpr std::uint64_t records_offset = 256;
// Size of the whole buffer in bytes. `regions` is at most most_regions(), because units are counted in 32 bits.
std::uint64_t buffer_bytes(std::uint64_t regions, std::uint32_t capacity);
std::uint64_t most_regions(std::uint32_t capacity);  // always enough for the warps of one block

// What came back from a run.
struct Recording {
  Control control;
  LanePlaces lanes;
  std::span<const std::byte> buffer;
};
struct EventCount {
  std::uint64_t written = 0, dropped = 0;
};
EventCount count_events(const Instrumented& kernel, const Recording& recording);
// A shape that also has room for the dropped events.
RegionShape enlarged(const Instrumented& kernel, const Recording& recording);

// The trace of a recording, with origin `recorded`. Events are ordered by block and warp. Within a warp they keep every
// lane's program order. Diverged paths have no order; the one with the lower lane comes first. `sequence` counts within
// this pass. Totals stay zero, except events_dropped. Sites and functions come from `interpreted`, a trace of the same
// kernel, so that both traces use the same sites. Errors: instrument.unknown_site for a record whose site `interpreted`
// lacks; instrument.damaged_recording for a record that does not fit its place.
Result<trace::Trace> decode(const Instrumented& kernel, const Recording& recording, const trace::Launch& launch,
                            const trace::Trace& interpreted);

}  // namespace lanescope::instrument
