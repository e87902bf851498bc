#pragma once
// The pictures: each a pure function from a trace (and a position in it) to a Scene of at most the given width. An
// event must belong to the trace; a view that does not apply to an event returns a Scene of height 0 whose caption says
// so.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diagram/scene.h"
#include "metrics/occupancy.h"
#include "trace/trace.h"

namespace lanescope::diagram {

struct Options {
  float width = 520;                      // available width, px; below 160 the picture is 160 wide
  float max_height = 0;                   // 0 = as tall as needed; else fewer rows and a note of what is not shown
  Language language = Language::english;  // of caption, title, labels, legend and tooltips
};

// Whether the picture that lessons call "sectors", "banks", "shuffle", "groups" or "atomics" shows such an event; false
// for pictures of a whole run.
bool is_subject(std::string_view view, const trace::Site& site, const trace::WarpEvent& event);

// Thirty-two cells: executed, guarded off, inactive by divergence, exited or not there.
Scene lanes(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

// The masks of all steps of one warp, side by side; the chosen step is marked. `selected` is an index into
// Trace::warp(); when there are more steps than fit, those around it. Tag::step tells what was clicked.
Scene film(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t selected,
           const Options& options);

// All warps of a block at a step of one of them, an index into Trace::warp(): see metrics::across_warps().
Scene block_lanes(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t step,
                  const Options& options);

// A global or local access: each 128-byte line touched, its sectors, the words used and by whom, what moved for
// nothing.
Scene sectors(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

// A shared access: 32 columns, words stacked in a bank are the conflict; a broadcast is visibly not one.
Scene banks(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

// What the 32 bits that a shuffle moves are, and so what is printed for them; the caption says it, but of numbers.
enum class Moved : std::uint8_t {
  number,
  halves,      // two, "low | high"
  half_twice,  // both the same: printed once
  // A word of 64 bits, of which another shuffle moves the other one: the whole double or integer is printed.
  low_of_double,
  high_of_double,
  low_of_integer,
  high_of_integer,
  low_bits_of_double,
  high_bits_of_double,  // the word alone, in hex
  bits                  // in hex: what they are is not known
};

// Arrows from source to destination lanes. `before`/`after`: values to print in the cells, one a lane, or empty; the
// lane's number where there is none.
Scene shuffle(const trace::Trace& trace, const trace::WarpEvent& event, const std::vector<std::string>& before,
              const std::vector<std::string>& after, const Options& options, Moved what = Moved::number);

// Lanes queueing on the address they update.
Scene atomics(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

// Which lanes of a warp form a group; a lane's cell shows its rank in its group.
struct GroupRow {
  int tile = 0;                  // lanes of a tile; 0: lanes that were active together
  std::vector<LaneMask> groups;  // disjoint; lanes in none are drawn as not on this path
  bool chosen = false;           // drawn in full; the others stand back
};
Scene groups(const std::vector<GroupRow>& rows, const Options& options);
// Tiles of 32, 16, 8, 4, 2 and 1 lanes, as tiled_partition makes them, with one size chosen.
std::vector<GroupRow> tile_rows(int chosen_size);
// The groups of one event: lanes that exchange among themselves in tiles of `tile` lanes, beside other sizes of tiles;
// executed lanes alone are in a group. `tile` 0, or a vote of `activemask` (what coalesced_threads() makes a group of):
// one row of the lanes that are active together.
std::vector<GroupRow> group_rows(const trace::Trace& trace, const trace::WarpEvent& event, int tile);

// Blocks × phases of a grid-wide sync: what each block did in each phase, and where it waited for the others.
struct PhaseWork {
  std::vector<std::string> phases;   // names, in order; empty: named by its number
  std::vector<std::string> chinese;  // the same in Chinese; none, or parallel; empty: as in `phases`
  struct Block {
    std::uint32_t block = 0;
    std::vector<std::uint64_t> work;  // memory requests, one number per phase
  };
  std::vector<Block> blocks;  // ascending
};
Scene phases(const PhaseWork& work, const Options& options);
// Lines of a source file that have a name; those of a kernel's phases name what happened in them.
struct NamedLines {
  std::string name, file;
  std::int32_t first = 0, last = 0;  // both included
  std::string chinese = {};          // the name in Chinese; empty: as in English
};
// The same of a cooperative launch: phases end at grid.sync() of cooperative_groups.h, and a phase's work is the memory
// requests of the block's warps, those of the wait itself left out: a block with nothing to do has none. Of the blocks
// whose events were kept. A phase gets the name that most of its requests bear by `names`, numbered where several do.
// No blocks when nobody can say: not cooperative, no grid.sync(), or events dropped.
PhaseWork grid_phases(const trace::Trace& trace, const std::vector<NamedLines>& names = {});

// A running sum as a line, and the exact one beside it: where the line stops rising is where precision ended.
struct RunningSum {
  std::vector<double> values;  // after each addition
  std::vector<double> exact;   // the same in double precision; may be empty
  std::string name = "half";   // "half precision"
};
Scene running_sum(const RunningSum& sum, const Options& options);
// `values` beside the sums in double precision of `terms`, of which there must be as many.
RunningSum running_sum_of(std::vector<double> values, const std::vector<double>& terms, std::string name);

// What a GPU of `arch` executes: the machine code's instructions in their order, next to the CUDA lines that they come
// from; above them what the kernel takes of a multiprocessor.
struct MachineCode {
  struct Instruction {
    std::uint32_t address = 0;  // bytes from the kernel's start
    std::string text;           // "LDG.E R2, desc[UR4][R2.64]"
    std::string predicate;      // "@!P0", or empty
    std::string label;          // that stands before it, or empty
    std::int32_t line = 0;      // of `source`; 0: of none of its lines
    std::int32_t ptx_line = 0;  // 0: unknown
  };
  std::vector<Instruction> instructions;  // NOPs at the end only fill up: they are counted, not drawn
  std::vector<std::string> source;        // the lines of the kernel's file
  std::string arch;                       // "sm_90"
  int registers = 0;                      // per thread
  std::uint64_t shared_bytes = 0;         // per block, static and dynamic
  std::uint64_t local_bytes = 0;          // stack per thread
  std::uint32_t threads = 0;              // per block
  // The step on screen: its CUDA line and the line of its own PTX instruction; 0: none.
  std::int32_t step_line = 0, step_ptx_line = 0;
  bool head = true;  // draw what the kernel takes of a multiprocessor
};
// What an instruction does to memory or to the block, as far as its name tells.
enum class MachineOperation : std::uint8_t { other, load, store, copy, atomic, barrier };
MachineOperation machine_operation(std::string_view instruction);
// Tag::line is the CUDA line of a row.
Scene machine_code(const MachineCode& code, const Options& options);
// Where the row of an instruction begins in that picture, from its top; 0 when there is no such instruction.
float machine_code_row(const MachineCode& code, std::size_t instruction, const Options& options);

}  // namespace lanescope::diagram
