#pragma once
// What a launch did, warp instruction by warp instruction: the contract between the producers (the interpreter; the
// instrumented kernel on a GPU) and all consumers. Plain structs, versioned. A saved trace can be opened without the
// PTX parser.
//
// Two parts:
//  * totals: exact, for all blocks of the launch, regardless of which events were kept;
//  * events: for chosen blocks, within a memory budget; what was left out is counted in `dropped`.
// Events are ordered by (block, warp, sequence): a GPU has no global order.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/dim3.h"
#include "core/lane_mask.h"
#include "core/memory_model.h"
#include "core/os/bulk_vector.h"
#include "core/result.h"

namespace lanescope::trace {

// 2: launches with clusters, and accesses to distributed shared memory. 3: launches that did not run to their end. 4:
// turns of atomics that can access shared memory. A trace is written as the lowest version that has what it needs.
inline constexpr std::uint32_t format_version = 4;

enum class Origin : std::uint8_t { interpreted, recorded, counted, timed };
const char* to_string(Origin origin);

enum class EventKind : std::uint8_t {
  block_entry,  // a warp enters a basic block; `active` holds for all its instructions
  memory,       // a load, store, atomic or reduction; executing lanes and their addresses
  guarded,      // a guarded instruction that is not a memory access; its executing lanes
  shuffle,      // executed lanes and their source lanes
  vote,         // vote, match, redux, activemask
  barrier,      // bar.sync, bar.warp.sync, barrier…
  branch,       // a conditional branch: `executed` is the mask of lanes that take it
  matrix        // mma, wmma.mma, movmatrix: matrices that are distributed over the warp's registers
};

// The memory space of an access. A generic access counts in the space of its address. distributed: the shared memory of
// another block of the cluster; its addresses are in the .shared::cluster window.
enum class MemorySpace : std::uint8_t { none, global, shared, local, constant, param, distributed };
enum class Operation : std::uint8_t {
  none,
  load,
  store,
  atomic,
  reduction,  // reduction: an atom or red whose result is never used
  async_copy  // cp.async: a global load and a shared store
};

// Both kinds of atomics: those whose result is used, and reductions.
constexpr bool is_atomic(Operation operation) {
  return operation == Operation::atomic || operation == Operation::reduction;
}

const char* to_string(MemorySpace space);  // "global", "shared", …; none is "generic"
const char* to_string(Operation operation);

// How lanes that change shared memory atomically take turns in a bank (docs/glossary.md, "Turn").
enum class Turns : std::uint8_t {
  words,         // lanes that change the same word share a turn: ptxas adds them up, or the bank does
  lanes,         // each lane has a turn of its own
  lanes_of_part  // the same, unless all 32 lanes execute: then `words`
};

// A place in the kernel that can produce events: a memory access, branch, barrier, shuffle, or the entry of a basic
// block.
struct Site {
  std::uint32_t id = 0;  // index into Trace::sites
  EventKind kind{};
  Operation operation{};
  MemorySpace space{};             // declared space; none = generic, decided by each access
  std::uint8_t width = 0;          // bytes per lane, including all vector elements
  std::uint8_t element_width = 0;  // bytes of one element
  bool volatile_access = false;
  Turns turns = Turns::words;  // of an atomic or reduction on shared memory
  std::string file;            // CUDA source: the innermost `.loc` in the user's own file, if there is one
  std::int32_t line = 0;
  std::int32_t column = 0;
  std::int32_t ptx_line = 0;
  std::int32_t instruction = 0;        // index in its function
  std::int32_t basic_block = 0;        // index in its function's control-flow graph
  std::int32_t function = 0;           // index into Trace::functions
  std::int32_t instruction_count = 0;  // block_entry only: instructions in the basic block
  std::string opcode;                  // "ld.global.nc.v4.f32"; block_entry: "entry"
  std::string inlined_from;            // innermost file:line if it differs from file:line; else empty
};

// One event. Fixed size; addresses and source lanes are in side arrays.
struct WarpEvent {
  std::uint32_t site = 0;
  std::uint32_t block = 0;  // linear block index
  std::uint16_t warp = 0;   // in the block
  EventKind kind{};
  MemorySpace space{};         // resolved, for memory events
  std::uint32_t sequence = 0;  // position among this warp's events, including events that were not kept
  LaneMask active;
  LaneMask executed;
  // Memory, affine(): the address of a lane is first_address + stride × (lane − lowest executing lane).
  std::int32_t stride = 0;
  // Memory, not affine(): index of its first address in Trace::addresses. Shuffle: index in Trace::source_lanes.
  std::uint32_t side = no_side;
  std::uint64_t first_address = 0;  // memory: of the lowest executing lane; barrier: its number
  static constexpr std::uint32_t no_side = 0xffffffffu;
  bool affine() const { return side == no_side; }
};
static_assert(sizeof(WarpEvent) == 40);

// Sums over all requests of a site or a class.
struct MemoryTotals {
  std::uint64_t requests = 0;  // warp-level accesses with at least one executing lane
  std::uint64_t executed_lanes = 0;
  std::uint64_t bytes_requested = 0;  // distinct bytes requested, summed over the requests
  // global and local:
  std::uint64_t sectors = 0;
  std::uint64_t ideal_sectors = 0;
  // shared:
  std::uint64_t wavefronts = 0;
  std::uint64_t ideal_wavefronts = 0;
  // atomics and reductions: Σ over requests of the lanes on the most used address
  std::uint64_t serial_depth = 0;
  std::uint64_t bank_conflicts() const { return wavefronts - ideal_wavefronts; }
  std::uint64_t bytes_moved() const { return sectors * MemoryModel::sector_bytes; }
  MemoryTotals& operator+=(const MemoryTotals& other);
  friend bool operator==(const MemoryTotals&, const MemoryTotals&) = default;
};

enum class MemoryClass : std::uint8_t {
  global_load,
  global_store,
  global_atomic,
  global_reduction,
  local_load,
  local_store,
  shared_load,
  shared_store,
  shared_atomic,
  constant_load,
  param_load,
  distributed_load,
  distributed_store,
  distributed_atomic,  // and reductions
  count_
};
const char* name_of(MemoryClass memory_class);  // the key used in JSON
// Shared reductions and atomics are one class. Atomics on local memory count as global ones, as an H100 counts them.
// `space` and `operation` as in an event; pass load (global) and store (shared) separately for an async_copy.
MemoryClass class_of(MemorySpace space, Operation operation);

struct SiteTotals {
  std::uint64_t executions = 0;  // warp-level, with at least one active lane
  std::uint64_t executed_lanes = 0;
  std::uint64_t divergent = 0;      // branches: executions in which active lanes disagreed
  MemoryTotals memory;              // summed over the spaces that a generic site accessed
  MemoryTotals memory_shared_part;  // async_copy: the shared store; else zero
  friend bool operator==(const SiteTotals&, const SiteTotals&) = default;
};

struct Totals {
  std::uint64_t warp_instructions = 0;
  std::uint64_t lane_instructions = 0;  // Σ active lanes over warp instructions
  std::uint64_t branches = 0;           // conditional branches executed by a warp
  std::uint64_t divergent_branches = 0;
  std::uint64_t barriers = 0;  // warp-level: block, warp and grid barrier instructions
  std::uint64_t shuffles = 0;
  std::uint64_t votes = 0;  // vote, match, redux, activemask
  std::array<MemoryTotals, static_cast<std::size_t>(MemoryClass::count_)> memory{};
  std::vector<SiteTotals> sites;  // parallel to Trace::sites
  const MemoryTotals& of(MemoryClass c) const { return memory[static_cast<std::size_t>(c)]; }
  MemoryTotals& of(MemoryClass c) { return memory[static_cast<std::size_t>(c)]; }
  double simt_efficiency() const;           // 1 if nothing ran
  Totals& operator+=(const Totals& other);  // sites must be parallel
  friend bool operator==(const Totals&, const Totals&) = default;
};

struct Buffer {      // a kernel argument that is an address range, or memory of the module
  std::string name;  // "arg 0", or a variable's name
  std::int32_t argument = -1;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

struct Launch {
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  bool cooperative = false;
  Dim3 cluster{};  // blocks per cluster
  std::uint32_t warps_per_block() const {
    return static_cast<std::uint32_t>((block.count() + MemoryModel::lanes - 1) / MemoryModel::lanes);
  }
  // Lanes that exist in a warp: the last one may be partial.
  LaneMask lanes_of(std::uint32_t warp) const {
    const auto threads = static_cast<std::int64_t>(block.count()) - std::int64_t{warp} * MemoryModel::lanes;
    return LaneMask::first(threads > MemoryModel::lanes ? MemoryModel::lanes : static_cast<int>(threads));
  }
  friend bool operator==(const Launch&, const Launch&) = default;
};

struct Trace {
  Origin origin = Origin::interpreted;
  std::string kernel;  // demangled or source name
  std::string compiler_name, compiler_version, arch;
  std::string device;  // of a recording; empty for the interpreter
  Launch launch;
  bool ended = true;  // false: the launch stopped at a fault or a limit, and totals and events go up to there
  // false: read from a file of before version 4, in which Site::turns of atomics on shared memory were not known, so
  // their wavefronts may be too few.
  bool turns_known = true;
  std::vector<std::string> functions;  // mangled names
  std::vector<Site> sites;
  std::vector<Buffer> buffers;
  Totals totals;

  BulkVector<WarpEvent> events;         // sorted by (block, warp, sequence)
  BulkVector<std::uint64_t> addresses;  // side array of non-affine memory events: one per executing lane
  // Side array of shuffles: one per executing lane; 0xff = out of range, the lane keeps its own value.
  BulkVector<std::uint8_t> source_lanes;
  std::uint64_t events_dropped = 0;  // events of chosen blocks that exceeded the memory budget
  std::uint64_t blocks_not_chosen = 0;

  // The address of `lane` in a memory event. `lane` must execute.
  std::uint64_t address(const WarpEvent& event, int lane) const;
  // All addresses, indexed by lane; only those of executing lanes are meaningful.
  std::array<std::uint64_t, 32> lane_addresses(const WarpEvent& event) const;
  // The events of one warp, in order; empty if none were kept.
  std::span<const WarpEvent> warp(std::uint32_t block, std::uint32_t warp) const;
};

// A binary file with a magic number, format_version and a checksum. Diagnostics: trace.io (cannot write; disk full),
// trace.cannot_read, trace.truncated, trace.corrupt, trace.newer (written by a newer version). A failed save leaves an
// existing file unchanged.
Result<std::monostate> save(const Trace& trace, const std::string& path);
Result<Trace> open(const std::string& path);

}  // namespace lanescope::trace
