#pragma once
// The pictures: each a pure function from a trace (and a position in it) to a Scene of at most the
// given width. An event must belong to the trace; a view that an event is no subject for is a Scene
// of height 0 whose caption says so.

#include <cstdint>
#include <string>
#include <vector>

#include "diagram/scene.h"
#include "trace/trace.h"

namespace lanescope::diagram {

struct Options {
  float width = 520;     // available width, px; below 160 the picture is 160 wide
  float max_height = 0;  // 0 = as tall as needed; else fewer rows and a note of what is not shown
};

// Thirty-two cells: executed, guarded off, inactive by divergence, exited or not there.
Scene lanes(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

// The masks of all steps of one warp, side by side; the chosen step is marked. `selected` is an
// index into Trace::warp(); when there are more steps than fit, those around it. Tag::step tells
// what was clicked.
Scene film(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t selected,
           const Options& options);

// All warps of a block at one step: each warp's event number `occurrence` (from 0) of `site`.
Scene block_lanes(const trace::Trace& trace, std::uint32_t block, std::uint32_t site,
                  std::uint32_t occurrence, const Options& options);

// A global or local access: each 128-byte line touched, its sectors, the words used and by whom,
// what moved for nothing.
Scene sectors(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

// A shared access: 32 columns, words stacked in a bank are the conflict; a broadcast is visibly not
// one.
Scene banks(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

// Arrows from source to destination lanes. `before`/`after`: values to print in the cells, one a
// lane, or empty; the lane's number where there is none.
Scene shuffle(const trace::Trace& trace, const trace::WarpEvent& event,
              const std::vector<std::string>& before, const std::vector<std::string>& after,
              const Options& options);

// Lanes queueing on the address they update.
Scene atomics(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

// Which lanes of a warp form a group; a lane's cell shows its rank in its group.
struct GroupRow {
  std::string label;             // "tile 8"
  std::vector<LaneMask> groups;  // disjoint; lanes in none are drawn as not on this path
  bool chosen = false;           // drawn in full; the others stand back
};
Scene groups(const std::vector<GroupRow>& rows, const Options& options);
// Tiles of 32, 16, 8, 4, 2 and 1 lanes, as tiled_partition makes them, with one size chosen.
std::vector<GroupRow> tile_rows(int chosen_size);

// Blocks × phases of a grid-wide sync: what each block did in each phase, and where it waited for
// the others.
struct PhaseWork {
  std::vector<std::string> phases;  // names, in order
  struct Block {
    std::uint32_t block = 0;
    std::vector<std::uint64_t> work;  // one number a phase
  };
  std::vector<Block> blocks;  // ascending
  std::string unit = "warp instruction";
};
Scene phases(const PhaseWork& work, const Options& options);
// The same of a cooperative launch: phases end at grid.sync() of cooperative_groups.h, and a phase's work is the memory
// requests of the block's warps, those of the wait itself left out: a block with nothing to do has none. Of the blocks
// whose events were kept. No blocks when nobody can say: not cooperative, no grid.sync(), or events dropped.
PhaseWork grid_phases(const trace::Trace& trace);

// A running sum as a line, and the exact one beside it: where the line stops rising is where
// precision ended.
struct RunningSum {
  std::vector<double> values;  // after each addition
  std::vector<double> exact;   // the same in double precision; may be empty
  std::string name = "half";   // "half precision"
};
Scene running_sum(const RunningSum& sum, const Options& options);

}  // namespace lanescope::diagram
