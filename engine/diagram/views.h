#pragma once
// The pictures: each a pure function from a trace (and a position in it) to a Scene of at most the given width.

#include "diagram/scene.h"
#include "trace/trace.h"

namespace lanescope::diagram {

struct Options {
  float width = 520;           // available width
  float max_height = 0;        // 0 = as tall as needed; else fewer rows and a note of what is not shown
};

// Thirty-two cells: executed, guarded off, inactive by divergence, exited or not there.
Scene lanes(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);
// The masks of all steps of one warp, side by side; the chosen step is marked.
Scene film(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t selected, const Options& options);
// All warps of a block at one step of the chosen warp's site.
Scene block_lanes(const trace::Trace& trace, std::uint32_t block, std::uint32_t site, std::uint32_t occurrence, const Options& options);
// A global or local access: each 128-byte line touched, its sectors, the words used and by whom, what moved for nothing.
Scene sectors(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);
// A shared access: 32 columns, words stacked in a bank are the conflict; a broadcast is visibly not one.
Scene banks(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);
// Arrows from source to destination lanes. `before`/`after`: values to print in the cells, may be empty.
Scene shuffle(const trace::Trace& trace, const trace::WarpEvent& event, const std::vector<std::string>& before,
              const std::vector<std::string>& after, const Options& options);
// Lanes stacked on the address they hit.
Scene atomics(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options);

}  // namespace lanescope::diagram
