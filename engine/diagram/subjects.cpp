#include "diagram/views.h"

namespace lanescope::diagram {

using trace::EventKind;
using trace::MemorySpace;
using trace::Operation;

bool is_subject(std::string_view view, const trace::Site& site, const trace::WarpEvent& event) {
  const bool memory = event.kind == EventKind::memory;
  if (view == "sectors") return memory && (event.space == MemorySpace::global || event.space == MemorySpace::local);
  if (view == "banks") return memory && (event.space == MemorySpace::shared || event.space == MemorySpace::distributed);
  if (view == "atomics") return memory && trace::is_atomic(site.operation);
  if (view == "shuffle") return event.kind == EventKind::shuffle;
  if (view == "groups") return event.kind == EventKind::shuffle || event.kind == EventKind::vote;
  if (view == "matrices") return event.kind == EventKind::matrix && site.opcode.find("mma") != std::string::npos;
  return false;
}

}  // namespace lanescope::diagram
