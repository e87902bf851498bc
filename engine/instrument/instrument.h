#pragma once
// PTX → PTX that records itself: the second witness. The rewritten kernel does what it did before and, for chosen
// blocks, writes down each event of one pass into a buffer in global memory.
//
// Recording code is inlined, free of calls and of branches (every store is predicated), so that ptxas has no reason to
// reconverge elsewhere than in the plain kernel. Memory accesses, basic-block entries and the other events are recorded by
// three separate rewritings (passes): two kinds at once changed the masks that were observed. Blocks that are not
// chosen run an untouched copy of the code behind one uniform branch at the kernel's entry.
//
// Buffer. The kernel gets one more parameter, the last: the global address of a Control. Each warp of a chosen block has a
// region of `capacity` records of its own and a counter, so that warps do not wait for each other:
//   region r = (block − first_block) × warps_per_block + warp
//   counters[r]                      records wanted, also those beyond the capacity: what was dropped is exact
//   headers[r × capacity + i]        Header of the i-th record
//   lanes[(r × capacity + i) × 32]   eight bytes a lane (memory: addresses; shuffle: operands); only executed lanes are written

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "ptx/module.h"
#include "trace/trace.h"

namespace lanescope::instrument {

enum class Pass : std::uint8_t {
  memory,         // loads, stores, atomics, reductions, asynchronous copies
  block_entries,  // entry into each basic block
  operations      // guarded instructions, branches, shuffles, votes, barriers
};
const char* to_string(Pass pass);

// What the kernel's last parameter points at. Written by the host, but for the windows.
struct Control {
  std::uint64_t headers = 0, lanes = 0, counters = 0;  // device addresses
  std::uint32_t first_block = 0, block_count = 0;      // linear; the chosen ones
  std::uint32_t capacity = 0;                          // records a region
  std::uint32_t warps_per_block = 0;
  std::uint64_t shared_window = 0, local_window = 0;   // generic addresses of shared and local byte 0, written by the kernel
};
static_assert(sizeof(Control) == 56);

struct Header {
  std::uint32_t site = 0;      // index into Instrumented::sites
  std::uint32_t executed = 0;  // lanes
  std::uint32_t active = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(Header) == 16);

// A place that records: which instruction (or basic block) of which function of the module.
struct RecordSite {
  std::string function;           // mangled name
  std::int32_t instruction = 0;   // block_entries: the basic block's first instruction
  std::int32_t basic_block = -1;  // block_entries only
  trace::EventKind kind{};
  trace::MemorySpace space{};     // none: generic, decided by the address
  trace::Operation operation{};
  bool shared_part = false;       // the second record of an asynchronous copy
};

struct Instrumented {
  std::string ptx;
  std::string kernel;             // mangled name, as before
  Pass pass{};
  bool has_lanes = false;         // the pass writes the lanes' array
  std::vector<RecordSite> sites;
  // Functions that are only reached through tables of pointers run unrecorded; their names.
  std::vector<std::string> unrecorded_functions;
};

// Diagnostics: instrument.no_such_kernel; instrument.unsupported (an instruction whose accesses cannot be recorded:
// its name and line).
Result<Instrumented> instrument(const ptx::Module& module, const std::string& mangled_kernel, Pass pass);

// What came back from a run.
struct Recording {
  Control control;                        // as the kernel left it
  std::vector<std::uint32_t> counters;    // one a region
  std::vector<Header> headers;            // regions × capacity
  std::vector<std::uint64_t> lanes;       // 32 × that; empty when the pass has no lanes
};

// The trace of a recording: origin recorded; events in (block, warp, order of recording), their `sequence` counting within this
// pass alone; totals are left zero, except events_dropped. Sites and functions are taken from `interpreted`, a trace of the
// same kernel, so that both name the same sites; a record without a site there is an error (instrument.unknown_site).
Result<trace::Trace> decode(const Instrumented& kernel, const Recording& recording, const trace::Launch& launch,
                            const trace::Trace& interpreted);

// Bytes of each array for so many regions.
struct BufferSizes {
  std::uint64_t headers = 0, lanes = 0, counters = 0;
};
BufferSizes buffer_sizes(const Instrumented& kernel, std::uint64_t regions, std::uint32_t capacity);

}  // namespace lanescope::instrument
