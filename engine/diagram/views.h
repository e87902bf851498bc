#pragma once
// The pictures: pure functions from a trace (and a position in it) to a Scene of at most the given width. An event must
// belong to the trace. If a view does not apply to an event, the Scene has height 0 and its caption says so.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diagram/scene.h"
#include "metrics/occupancy.h"
#include "trace/trace.h"

namespace lanescope::diagram {

struct Options {
  float width = 520;                      // available width in px; below 160 the picture is 160 wide
  float max_height = 0;                   // 0 = as tall as needed; else fewer rows and a note about the rest
  Language language = Language::english;  // of caption, title, labels, legend and tooltips
  // False: film() and block_lanes(), which have hundreds of tooltips, leave Tag::text empty. film_tip() and
  // block_lanes_tip() write single ones.
  bool tips = true;
};

// True if the picture that lessons call "sectors", "banks", "shuffle", "groups", "atomics" or "matrices" shows such an
// event. False for pictures of a whole run.
bool is_subject(std::string_view view, const trace::Site& site, const trace::WarpEvent& event);

// Thirty-two cells: executed, guarded off, inactive by divergence, exited, or not there.
Scene lanes(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

// The masks of all steps of one warp side by side, with the chosen step marked. `selected` is an index into
// Trace::warp(); if not all steps fit, those around it are drawn. Tag::step identifies the clicked step.
Scene film(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t selected,
           const Options& options);

// All warps of a block at a step of one of them; `step` is an index into Trace::warp(). See metrics::across_warps().
Scene block_lanes(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t step,
                  const Options& options);

// The same for the result of metrics::across_warps(): one event or null per warp, at least one of them not null.
Scene block_lanes(const trace::Trace& trace, std::uint32_t block, const std::vector<const trace::WarpEvent*>& events,
                  const Options& options);

// The tooltip of Scene::tags[tag] of block_lanes() for these events.
std::string block_lanes_tip(const trace::Trace& trace, const std::vector<const trace::WarpEvent*>& events,
                            std::size_t tag, Language language);

// A global or local access: each touched 128-byte line, its sectors, the used words and their lanes, and the bytes
// moved for nothing.
Scene sectors(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

// A shared-memory access as 32 columns: words stacked in a bank are a conflict; a broadcast is visibly not one.
Scene banks(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

// How the 32 bits that a shuffle moves are printed. The caption names the form, except for numbers.
enum class Moved : std::uint8_t {
  number,
  halves,      // two, "low | high"
  half_twice,  // two equal halves, printed once
  // One word of a 64-bit value; another shuffle moves the other word. The whole double or integer is printed.
  low_of_double,
  high_of_double,
  low_of_integer,
  high_of_integer,
  low_bits_of_double,
  high_bits_of_double,  // only this word, in hex
  bits                  // in hex; the type is not known
};

// Arrows from source to destination lanes. `before`/`after`: a text per lane for the cells, or empty. A cell without a
// text shows the lane's number.
Scene shuffle(const trace::Trace& trace, const trace::WarpEvent& event, const std::vector<std::string>& before,
              const std::vector<std::string>& after, const Options& options, Moved what = Moved::number);

// Lanes that queue at the address they update.
Scene atomics(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

// The groups of lanes in a warp; a lane's cell shows its rank in its group.
struct GroupRow {
  int tile = 0;                  // lanes per tile; 0: lanes that were active together
  std::vector<LaneMask> groups;  // disjoint; a lane in no group is drawn as not on this path
  bool chosen = false;           // drawn in full; other rows are drawn dimmed
};
Scene groups(const std::vector<GroupRow>& rows, const Options& options);
// Tiles of 32, 16, 8, 4, 2 and 1 lanes, as tiled_partition makes them, with one size chosen.
std::vector<GroupRow> tile_rows(int chosen_size);
// The groups of one event: lanes that exchange values in tiles of `tile` lanes, next to rows for other tile sizes. Only
// executed lanes are in a group. If `tile` is 0, or the event is an `activemask` (which coalesced_threads() uses): one
// row with the lanes that are active together.
std::vector<GroupRow> group_rows(const trace::Trace& trace, const trace::WarpEvent& event, int tile);

// A vote, match or reduction of a warp: which lanes take part, and what each gets. True for those events; `activemask`
// is a group.
bool is_vote(const trace::Site& site, const trace::WarpEvent& event);
Scene vote(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

// The matrices that one tensor-core instruction multiplies, and the lane and register that hold each element.
struct HeldMatrix {
  struct Place {
    std::uint8_t lane = 0, reg = 0;
  };
  std::string element;  // "f16"
  int rows = 0, columns = 0;
  std::vector<Place> places;  // row by row
};
struct HeldMatrices {
  HeldMatrix a, b, c;  // a: m × k, b: k × n, c: m × n
};
// Draws A left of C and B above C: an element of C lies in the row of A and the column of B that produce it.
Scene matrices(const HeldMatrices& held, const Options& options);

// Blocks × phases of a grid-wide sync: the work of each block per phase, and where it waited for other blocks.
struct PhaseWork {
  std::vector<std::string> phases;   // names, in order; empty: numbered
  std::vector<std::string> chinese;  // the names in Chinese; no elements, or one per phase; empty: as in `phases`
  struct Block {
    std::uint32_t block = 0;
    std::vector<std::uint64_t> work;  // memory requests per phase
  };
  std::vector<Block> blocks;  // ascending
};
Scene phases(const PhaseWork& work, const Options& options);
// Source lines with a name, such as a phase of a kernel.
struct NamedLines {
  std::string name, file;
  std::int32_t first = 0, last = 0;  // both included
  std::string chinese = {};          // the name in Chinese; empty: as in English
};
// The phases of a cooperative launch, for the blocks whose events were kept. A phase ends at grid.sync() of
// cooperative_groups.h. Its work is the number of memory requests by the block's warps, without those of the wait
// itself: a block with nothing to do has 0. A phase takes its name from `names`, from the lines with most of its
// requests; equal names are numbered. No blocks if the launch is not cooperative, has no grid.sync(), or events were
// dropped.
PhaseWork grid_phases(const trace::Trace& trace, const std::vector<NamedLines>& names = {});

// A running sum and the exact sum, as two lines. Precision is lost where the first stops rising.
struct RunningSum {
  std::vector<double> values;  // after each addition
  std::vector<double> exact;   // in double precision; may be empty
  std::string name = "half";   // "half precision"
};
Scene running_sum(const RunningSum& sum, const Options& options);
// `values`, with `exact` as the sums of `terms` in double precision. Both must have the same length.
RunningSum running_sum_of(std::vector<double> values, const std::vector<double>& terms, std::string name);

// The machine code that a GPU of `arch` executes, in order, beside the CUDA lines it comes from. Above it: the share of
// a multiprocessor's resources that the kernel uses.
struct MachineCode {
  struct Instruction {
    std::uint32_t address = 0;  // bytes from the kernel's start
    std::string text;           // "LDG.E R2, desc[UR4][R2.64]"
    std::string predicate;      // "@!P0", or empty
    std::string label;          // the label before it, or empty
    std::int32_t line = 0;      // line of `source`; 0: none
    std::int32_t ptx_line = 0;  // 0: unknown
  };
  std::vector<Instruction> instructions;  // NOPs at the end are padding: they are counted, not drawn
  std::vector<std::string> source;        // the lines of the kernel's file
  std::string arch;                       // "sm_90"
  int registers = 0;                      // per thread
  std::uint64_t shared_bytes = 0;         // per block, static and dynamic
  std::uint64_t local_bytes = 0;          // stack per thread
  std::uint32_t threads = 0;              // per block
  int barriers = 0;                       // the highest number of a barrier that a block uses, plus 1
  // The step on screen: its CUDA line and the line of its own PTX instruction; 0: none.
  std::int32_t step_line = 0, step_ptx_line = 0;
  bool head = true;  // draw the share of a multiprocessor's resources
};
// What an instruction does to memory or to the block, judged by its opcode.
enum class MachineOperation : std::uint8_t { other, load, store, copy, atomic, barrier };
MachineOperation machine_operation(std::string_view instruction);
// Tag::line is the CUDA line of a row.
Scene machine_code(const MachineCode& code, const Options& options);
// The y position of an instruction's row in that picture; 0 if there is no such row.
float machine_code_row(const MachineCode& code, std::size_t instruction, const Options& options);

}  // namespace lanescope::diagram
