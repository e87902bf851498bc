#pragma once
// PTX → PTX that records itself: the second witness. The rewritten kernel does what it did before and, for chosen
// blocks, writes down each event of one pass into a buffer in global memory.
//
// Recording code is inlined, free of calls and of branches. Only stores and plain arithmetic are predicated: of a
// predicated atomic, reduction, load or shuffle ptxas makes a branch, and such branches changed a result on an H200
// (docs/agreement-history.md, "Recording that changed a result"). Memory accesses, basic-block entries and the other
// events are recorded by three separate rewritings (passes): two kinds at once changed the masks that were observed.
// Blocks that are not chosen run an unmodified copy of the code behind one uniform branch at the kernel's entry.
//
// A record stands for one event, or for a group of memory accesses: neighbours within a basic block that the same lanes
// execute (the same guard; no branch, call, barrier, vote or shuffle between them). A group is written down once,
// before its last access, with the values of the registers that its addresses start from: thirty loads at constant
// distances from two registers are one record of two words per lane.
//
// The kernel gets three more parameters, the last: the address of a buffer of zeros, the address of LanePlaces (by
// value they would be constants that each lane of a warp reads at another place, one after another), and a Control by
// value. In the buffer:
//   BufferHead
//   from Control::records on: regions × capacity units of 16 bytes. A region is what a warp of a chosen block has:
//                                    r = (block − first_block) × warps_per_block + warp
//                                    It is in parts: those of lane 0 of all regions stand first, then those of lane 1,
//                                    and so on, so that what is written lies close together, whatever room the lanes
//                                    have that write nothing.
// Records are written by the lowest lane that executes, into that lane's own part of the region (LanePlaces), and the
// place is kept in a register: nothing is waited for. A record that finds no room is counted as dropped. A function
// that the kernel calls, by name or through a pointer, has a recorded copy, which gets its lane's place as arguments
// and gives it back behind its result (calls.h).
//
// A record: Header; where a group has 64-bit bases, their upper words of the lowest lane (4 × 32 bits); the words of
// the lanes that executed, lane by lane, without gaps, up to a whole unit; and when upper words differ between the
// lanes (`wide`), those in the same way. Where a group has four words and they are as far from each other in all lanes
// (`parallel`), the distances from the first one take their place, once (three words, a unit), and of the lanes' words
// only the first is kept: a stencil's neighbours. More words than four are recorded together where the text lets expect
// that they are as far from each other in all lanes (`RecordGroup::many`). If they are (`parallel`): the upper words,
// one for each pointer they start from; the distances, up to a whole unit; the lanes' first words. If not: the upper
// words, and every word, one after another, each with its own upper one, 64 bits a lane, without gaps up to the lanes
// that executed, 256 bytes a word. (With a place for every lane, half the sectors that a divergent warp wrote were
// written in part, which costs a read of DRAM each.)

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
  memory,         // loads, stores, atomics, reductions, asynchronous copies, ldmatrix, stmatrix
  block_entries,  // entry into each basic block
  operations      // guarded instructions, branches, shuffles, votes, barriers
};
const char* to_string(Pass pass);

// The kernel's last parameter, by value.
struct Control {
  std::uint32_t first_block = 0, block_count = 0;  // linear; the chosen ones
  std::uint32_t regions = 0;                       // in the buffer: at least block_count × warps_per_block
  std::uint32_t warps_per_block = 0;
  std::uint64_t records = 0;  // where the first part begins, in bytes from the buffer's start
};
static_assert(sizeof(Control) == 24);

struct BufferHead {
  std::uint64_t shared_window = 0,
                local_window = 0;  // generic addresses of shared and local byte 0, written by the kernel
};
// A lane's share of a region's units, never empty: the last one tells how many events found no room, exactly, in its
// first word. In Pass::block_entries, where each event is one unit, the last that found none stands there.
struct LanePlace {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t units() const { return end - begin; }
  // Where its part of a region begins, in units from the first region's.
  std::uint64_t first_unit(std::uint64_t regions, std::uint64_t region) const {
    return regions * begin + region * units();
  }
};
using LanePlaces = std::array<LanePlace, MemoryModel::lanes>;
static_assert(sizeof(LanePlaces) == 256);

// Of a group with RecordGroup::short_header it is instead: group, active (all have executed), order, the upper word. In
// Pass::block_entries `executed` is instead the index of the unit, from the first region's, that the writer would have
// it in: all active lanes have executed.
struct Header {
  std::uint32_t group = 0;     // index into Instrumented::groups, plus 1 (0: nothing was written here)
  std::uint32_t executed = 0;  // lanes
  std::uint32_t active = 0;
  // With Instrumented::clocks: at each record its active lanes agree on the highest of their clocks, write it here, and
  // count one on from it (Lamport's clocks: along each lane they only rise). Else the records that this one's writer
  // had taken part in before.
  std::uint32_t order = 0;
  static constexpr std::uint32_t wide = 0x80000000u, parallel = 0x40000000u;  // in `group`, at most one of them
};
static_assert(sizeof(Header) == 16);

// A place that records: which instruction (or basic block) of which function of the module.
struct RecordSite {
  std::string function;           // mangled name
  std::int32_t instruction = 0;   // block_entries: the basic block's first instruction
  std::int32_t basic_block = -1;  // block_entries only
  trace::EventKind kind{};
  trace::MemorySpace space{};  // none: generic, decided by the address
  trace::Operation operation{};
  bool shared_part = false;  // the second event of an asynchronous copy
  // Memory: address = base + offset. The base is this word of each lane, 64 bits with its upper word; no word: 0.
  std::int32_t word = -1;
  bool base_is_64_bit = false;
  // Of the lanes that executed, those whose addresses count: ldmatrix and stmatrix of one matrix take those of 8 lanes.
  std::uint32_t lanes = 0xffffffffu;
  std::int64_t offset = 0;
  // Shuffles: the second and third source are the words 0 and 1, or constants.
  bool constant_operands = false;
  std::uint32_t b = 0, c = 0;
};

// What one record holds.
struct RecordGroup {
  std::int32_t first_site = 0, sites = 0;  // in Instrumented::sites, in program order
  static constexpr std::size_t most_words = 12, most_uppers = 4;
  std::int32_t words = 0;  // 32 bits each, a lane: 0, 1, 2, 4, or 5 to most_words
  std::array<std::uint8_t, most_words> upper_of{0, 1, 2,
                                                3};  // of many: which of the record's upper words is this word's
  bool has_upper = false;                            // a base is a 64-bit register
  bool short_header = false;     // there is one upper word (of many) or one base, and no guard: it stands in the header
  bool by_active_lanes = false;  // made also when no lane has executed: guarded instructions, branches
  bool many() const { return words > 4; }
  std::uint32_t header_units() const { return has_upper && !short_header ? 2 : 1; }
  // Of 16 bytes: what so many lanes' words take, once; the whole record, by the flags of Header::group.
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
  bool clocks = false;  // what Header::order is; they take an instruction of sm_80
};

// Diagnostics: instrument.no_such_kernel; instrument.unsupported, with the line of an instruction whose accesses cannot
// be recorded, or of a call that cannot pass the places on. `most_registers`: the limit of registers per thread that
// keeps as many blocks resident as for the plain kernel; 0: no limit. A kernel that sets a limit itself keeps it; a
// kernel that calls through pointers gets none.
Result<Instrumented> instrument(const ptx::Module& module, const std::string& mangled_kernel, Pass pass,
                                int most_registers = 0);

// How a region is shared among its lanes.
struct RegionShape {
  LanePlaces lanes;
  std::uint32_t capacity() const { return lanes.back().end; }  // units
};
// Estimated from the interpreter's events of the same kernel, with a reserve: on hardware lanes may diverge elsewhere.
RegionShape region_shape(const Instrumented& kernel, const trace::Trace& interpreted);

// Control::records.
inline constexpr std::uint64_t records_offset = 256;
// Size of the whole buffer. `regions` is at most most_regions(), because units are counted in 32 bits.
std::uint64_t buffer_bytes(std::uint64_t regions, std::uint32_t capacity);
std::uint64_t most_regions(std::uint32_t capacity);  // at least the warps of a block

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
// A shape that also has room for what was dropped.
RegionShape enlarged(const Instrumented& kernel, const Recording& recording);

// The trace of a recording, with origin `recorded`. Events are ordered by block and warp. Within a warp they keep every
// lane's program order; of diverged paths, which have no order, the one with the lower lane comes first. `sequence`
// counts within this pass. Totals stay zero, except events_dropped. Sites and functions come from `interpreted`, a
// trace of the same kernel, so that both traces use the same sites. Errors: instrument.unknown_site for a record
// without a site in it, instrument.damaged_recording for a record that does not fit its place.
Result<trace::Trace> decode(const Instrumented& kernel, const Recording& recording, const trace::Launch& launch,
                            const trace::Trace& interpreted);

}  // namespace lanescope::instrument
