#pragma once
// What a reason may look at, made by hand.

#include <string>
#include <utility>
#include <vector>

#include "job/numbers.h"
#include "job/witness/reasons.h"

namespace lanescope::job {

using trace::MemoryClass;
using trace::MemorySpace;
using trace::Operation;

// Everything that a case refers to.
struct Evidence {
  Number number = requests_of(MemoryClass::global_load);
  Values values{.interpreted = 2, .recorded = {}, .counted = 9};
  trace::Trace trace;
  SassCode sass;
  Circumstances known;
  Beside beside;
  Case as_case() const { return {number, values, trace, sass, known, beside}; }
};

inline void add_site(Evidence& to, MemorySpace space, Operation operation, int width, const char* opcode) {
  trace::Site site;
  site.id = static_cast<std::uint32_t>(to.trace.sites.size());
  site.kind = trace::EventKind::memory;
  site.space = space;
  site.operation = operation;
  site.width = static_cast<std::uint8_t>(width);
  site.line = static_cast<std::int32_t>(site.id) + 1;
  site.ptx_line = 10 * site.line;
  site.opcode = opcode;
  to.trace.sites.push_back(site);
  to.trace.totals.sites.emplace_back();
}

inline void add_access(Evidence& to, std::uint32_t site, MemorySpace space, LaneMask lanes, std::int32_t stride) {
  trace::WarpEvent event;
  event.site = site;
  event.kind = trace::EventKind::memory;
  event.space = space;
  event.active = event.executed = lanes;
  event.stride = stride;
  to.trace.events.push_back(event);
}

// An atomic of all lanes on one word of shared memory.
inline void add_turns(Evidence& to, const char* opcode, trace::Turns turns, int width = 4) {
  add_site(to, MemorySpace::shared, Operation::reduction, width, opcode);
  trace::Site& site = to.trace.sites.back();
  site.turns = turns;
  add_access(to, site.id, MemorySpace::shared, LaneMask::all(), 0);
  to.trace.totals.sites[site.id].memory.wavefronts = turns == trace::Turns::words ? 1 : 32;
  to.trace.totals.sites[site.id].memory.ideal_wavefronts = 1;
}

// Lines of the PTX and texts. A label is before the first.
inline void assemble(Evidence& to, std::vector<std::pair<int, std::string>> listed) {
  compile::Sass sass;
  for (auto& [ptx_line, text] : listed) {
    compile::SassInstruction& one = sass.instructions.emplace_back();
    one.text = std::move(text);
    one.ptx_line = ptx_line;
    one.line = ptx_line / 10;
  }
  if (!sass.instructions.empty()) sass.instructions.front().label = ".L_x_1";
  to.sass = sass;
}

// Incomplete events: no access can be followed.
inline void lose_events(Evidence& of) {
  of.trace.events_dropped = 1;
}

}  // namespace lanescope::job
