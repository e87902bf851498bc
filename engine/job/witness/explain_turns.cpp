#include "job/witness/explain_turns.h"

#include <cstdint>
#include <optional>

#include "job/witness/reasons_of_code.h"
#include "metrics/recompute.h"
#include "metrics/request_cost.h"

namespace lanescope::job {
namespace {

// How the machine code executes one atomic of the PTX text.
struct TurnsOfCode {
  trace::Turns turns = trace::Turns::lanes;
  bool loops = false;    // ATOMS.CAST.SPIN: each round changes at most one word per bank
  bool repeats = false;  // a loop around ATOMS.CAS, for 16 bits
  const MachineInstruction* shown = nullptr;
};

// nullopt if nothing of it remains.
std::optional<TurnsOfCode> turns_of(const trace::Site& site, const SassCode& sass) {
  TurnsOfCode found;
  bool votes = false, scans = false, adds_one = false;
  for (const MachineInstruction& instruction : sass.instructions) {
    if (instruction.ptx_line != site.ptx_line) continue;
    // The vote of a basic block may serve several atomics; then only the sum is this one's.
    votes |= instruction.is("VOTE") || instruction.is("VOTEU") || instruction.is("REDUX") || instruction.is("CREDUX");
    scans |= instruction.is("SHFL") && instruction.parts.has("UP");
    if (!instruction.is("ATOMS") && !instruction.is("ATOM")) continue;
    if (found.shown == nullptr) found.shown = &instruction;
    adds_one |= instruction.parts.has("POPC");
    found.loops |= instruction.parts.has("SPIN");
    found.repeats |= instruction.access.kind == SassAccess::Kind::compare_and_swap && site.width == 2;
  }
  if (found.shown == nullptr) return std::nullopt;
  if (scans)
    found.turns = trace::Turns::lanes_of_part;
  else if (adds_one || votes)
    found.turns = trace::Turns::words;
  return found;
}

// The conflicts of one site's accesses if its lanes took turns in another way.
std::uint64_t conflicts_if(const trace::Trace& trace, trace::Site site, trace::Turns turns) {
  site.turns = turns;
  std::uint64_t conflicts = 0;
  for (const trace::WarpEvent& event : trace.events)
    if (event.site == site.id && event.space == trace::MemorySpace::shared)
      conflicts += metrics::bank_cost(trace.lane_addresses(event), event.executed, site.width, metrics::phases_of(site))
                       .bank_conflicts();
  return conflicts;
}

Wording how(const TurnsOfCode& code, const trace::Site& site) {
  const MachineInstruction& shown = *code.shown;
  if (code.repeats) return half_atomic_is_a_loop(shown, site.line);
  if (code.loops)
    return worded(
        "ptxas makes a loop of this atomic, in which each turn is an instruction of its own, without a conflict: {} at "
        "0x{:x}, line {}",
        shown.text, shown.address, site.line);
  if (code.turns == trace::Turns::lanes)
    return worded("ptxas does not combine the lanes' operands here, so each lane takes a turn: {} at 0x{:x}, line {}",
                  shown.text, shown.address, site.line);
  return worded("ptxas combines the lanes' operands here before one lane executes the atomic: {} at 0x{:x}, line {}",
                shown.text, shown.address, site.line);
}

}  // namespace

bool counts_shared_atomics(const Case& one) {
  return one.number == Number{trace::MemoryClass::shared_atomic, Quantity::conflicts} && one.values.counted &&
         !one.recording_parts();
}

Wording turns_of_the_code(const Case& one) {
  std::uint64_t conflicts = 0;
  std::optional<Wording> first;
  bool repeats = false;
  for (const trace::Site& site : one.trace.sites) {
    const trace::MemoryTotals& totals = one.trace.totals.sites[site.id].memory;
    if (site.kind != trace::EventKind::memory || !trace::is_atomic(site.operation) || totals.wavefronts == 0) continue;
    const std::optional<TurnsOfCode> code = turns_of(site, one.sass);
    if (!code) return {};
    repeats |= code->repeats;
    std::uint64_t here = 0;
    if (!code->loops && !code->repeats) {
      if (code->turns != site.turns && !metrics::events_are_complete(one.trace)) return {};
      here = code->turns == site.turns ? totals.bank_conflicts() : conflicts_if(one.trace, site, code->turns);
    }
    conflicts += here;
    if (!first && (here != totals.bank_conflicts() || code->repeats)) first = how(*code, site);
  }
  const bool fits = repeats ? *one.values.counted >= conflicts : *one.values.counted == conflicts;
  return first && fits ? *first : Wording();
}

}  // namespace lanescope::job
