#include "job/witness/explain_account.h"

#include <algorithm>

#include "metrics/recompute.h"
#include "metrics/request_cost.h"

namespace lanescope::job {
namespace {

using Kind = SassAccess::Kind;
using trace::MemorySpace;
using trace::WarpEvent;

// Describes how the machine code changed the accesses.
Wording changes(const Account& account) {
  const Wording gone = account.accesses.gone == 0
                           ? Wording()
                           : worded("; ptxas removed or merged {} of {} (the first in line {})", account.accesses.gone,
                                    account.accesses.executed, account.accesses.gone_line);
  const Wording moved = account.moved.saved == 0 ? Wording()
                                                 : worded(
                                                       "; {} fewer because ptxas moved a load out of its loop (the "
                                                       "first in line {})",
                                                       account.moved.saved, account.moved.line);
  const Wording wide = !account.shown.wide
                           ? Wording()
                           : worded(
                                 "; local memory takes one request per 4 bytes of a lane ({} at "
                                 "0x{:x}, line {})",
                                 account.shown.wide->text, account.shown.wide->address, account.shown.wide->line);
  const Wording kept = !account.shown.kept
                           ? Wording()
                           : worded("; registers are spilled to local memory ({} at 0x{:x}, line {})",
                                    account.shown.kept->text, account.shown.kept->address, account.shown.kept->line);
  const Wording read =
      !account.shown.first_load
          ? Wording()
          : worded(
                "; a compare-and-swap first reads the value it changes ({} at "
                "0x{:x}, line {})",
                account.shown.first_load->text, account.shown.first_load->address, account.shown.first_load->line);
  const Wording apart = !account.shown.past_l1 ? Wording()
                                               : worded(
                                                     "; a copy that bypasses L1 fetches again for lanes whose data "
                                                     "is not adjacent in shared memory ({} at 0x{:x}, line {})",
                                                     account.shown.past_l1->text, account.shown.past_l1->address,
                                                     account.shown.past_l1->line);
  return joined({gone, moved, wide, kept, read, apart}, "{}{}");
}

Wording made_by(const Account& account, std::uint64_t counted, const Wording& company) {
  if (account.total.low == account.total.high)
    return worded(
        "followed instruction by instruction from PTX to SASS, the accesses of this run make {}, exactly the "
        "count{}{}",
        counted, changes(account), company);
  return worded(
      "followed instruction by instruction from PTX to SASS, the accesses of this run make {} to {}; the hardware "
      "counted {}{}{}",
      account.total.low, account.total.high, counted, changes(account), company);
}

}  // namespace

Wording explain_by_account(Number number, const trace::Trace& interpreted, const trace::Trace* recorded,
                           const SassCode& sass, CountedBy by, std::uint64_t counted,
                           const std::vector<RecordComparison>& records, const PtxLines& instruction_lines) {
  const std::optional<Account> plain = account_of(number, interpreted, sass, by, records, instruction_lines);
  if (!plain) return {};
  const bool in_registers = class_of(number).space == MemorySpace::local && plain->accesses.executed > 0 &&
                            plain->accesses.gone == plain->accesses.executed && plain->parts.empty();
  if (in_registers && counted == 0) return "the array lives in registers: SASS has no local access (LDL, STL)";
  if (plain->contains(counted)) {
    const Wording aside = plain->regrouped.accesses == 0
                              ? Wording()
                              : worded(
                                    "; in {} of them (the first in line {}) the lanes are grouped "
                                    "differently only while the kernel records itself, and each lane "
                                    "makes the same accesses",
                                    plain->regrouped.accesses, plain->regrouped.line);
    return made_by(*plain, counted, aside);
  }
  // Not if the record has another lane grouping: the effects of grouping and of merging could not be separated.
  if (by == CountedBy::l1tex && plain->regrouped.accesses == 0 && counted < plain->total.low &&
      plain->total.low - counted <= plain->unrolled.again)
    return worded(
        "followed instruction by instruction from PTX to SASS, the accesses of this run make {}, {} of them where "
        "ptxas unrolled an access into several instructions (the first in line {}) and merged those that read the "
        "same data; the hardware counted {}{}",
        plain->total.low, plain->unrolled.counted, plain->unrolled.line, counted, changes(*plain));
  if (!recorded || plain->regrouped.accesses == 0) return {};
  const Wording others = worded(
      "; in {} of them (the first in line {}) the GPU recorded a different lane grouping than the "
      "model's, and each lane makes the same accesses",
      plain->regrouped.accesses, plain->regrouped.line);
  const std::optional<Account> same = account_of(number, *recorded, sass, by, records, instruction_lines);
  if (!same) return {};
  if (same->contains(counted)) return made_by(*same, counted, others);
  const Wording some = worded(
      "; in {} of them (the first in line {}) the GPU recorded a different lane grouping than the "
      "model's: each lane makes the same accesses, and the count lies between the two groupings",
      plain->regrouped.accesses, plain->regrouped.line);
  if (const Account any = between(*plain, *same); any.contains(counted)) return made_by(any, counted, some);
  return {};
}

Wording beyond_instructions(Number number, const trace::Trace& interpreted, const SassCode& sass,
                            const std::string& outside) {
  if (const MachineInstruction* call = call_of_driver(sass); call && !outside.empty())
    return worded("{} is driver code, not the kernel's ({} at 0x{:x}, line {})", outside, call->text, call->address,
                  call->line);
  const AccessClass wanted = class_of(number);
  const auto generic =
      std::find_if(sass.instructions.begin(), sass.instructions.end(), [&](const MachineInstruction& one) {
        const SassAccess access = one.access;
        return access.kind == wanted.kind && access.space == MemorySpace::none;
      });
  if (wanted.space == MemorySpace::shared || generic == sass.instructions.end()) return {};
  int both = 0;
  for (std::size_t i = 0; i < interpreted.events.size(); ++i) {
    const WarpEvent& event = interpreted.events[i];
    both += event.kind == trace::EventKind::memory && event.space == MemorySpace::local &&
            kind_of(interpreted.sites[event.site].operation) == wanted.kind &&
            reaches_also(interpreted, i, MemorySpace::global);
  }
  if (both == 0) return {};
  return worded(
      "in generic accesses ({} of them) some lanes reach local memory and others global memory ({} at 0x{:x}, line "
      "{})",
      both, generic->text, generic->address, generic->line);
}

Wording explain_by_instruction(Number number, const trace::Trace& interpreted, const trace::Trace* recorded,
                               const SassCode& sass, std::uint64_t counted, std::uint64_t by_instruction,
                               const std::string& counters, const Wording& beyond,
                               const std::vector<RecordComparison>& records, const PtxLines& instruction_lines) {
  if (beyond.empty() || counted <= by_instruction) return {};
  const Wording made = explain_by_account(number, interpreted, recorded, sass, CountedBy::instruction, by_instruction,
                                          records, instruction_lines);
  if (made.empty()) return {};
  return worded(
      "the counter includes more than the kernel's own instructions: {}. Counted per instruction ({}) it is {}: {}",
      beyond, counters, by_instruction, made);
}

Wording explain_copies(Number number, const trace::Trace& interpreted, const SassCode& sass, std::uint64_t counted,
                       std::optional<std::uint64_t> wavefronts) {
  if (number != Number{trace::MemoryClass::shared_store, Quantity::conflicts} || !wavefronts ||
      !metrics::events_are_complete(interpreted))
    return {};
  const MachineInstruction* copy = find_instruction(sass, Kind::async_copy);
  if (!copy) return {};
  std::uint64_t of_stores = 0, of_copies = 0, banks = 0, lanes = 0;
  for (const WarpEvent& event : interpreted.events) {
    if (event.kind != trace::EventKind::memory || event.space != MemorySpace::shared) continue;
    const trace::Site& site = interpreted.sites[event.site];
    const metrics::RequestCost cost =
        metrics::bank_cost(interpreted.lane_addresses(event), event.executed, site.width, metrics::phases_of(site));
    if (site.operation == trace::Operation::store) of_stores += cost.bank_conflicts();
    if (site.operation != trace::Operation::async_copy) continue;
    of_copies += cost.bank_conflicts();
    banks += cost.wavefronts;
    lanes += static_cast<std::uint64_t>(event.executed.count());
  }
  if (of_stores != counted || of_copies == 0 || *wavefronts < banks || *wavefronts > lanes) return {};
  return worded(
      "the counter includes only the conflicts of stores, {} as interpreted; the other {} come from copies to "
      "shared memory ({} at 0x{:x}, line {}), which have a counter of their own: {} wavefronts, where their banks "
      "need {} and each lane alone {}",
      of_stores, of_copies, copy->text, copy->address, copy->line, *wavefronts, banks, lanes);
}

}  // namespace lanescope::job
