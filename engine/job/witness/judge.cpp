#include "job/witness/judge.h"

#include <algorithm>

#include "core/text.h"
#include "job/witness/sass_account.h"
#include "job/witness/sass_evidence.h"
#include "metrics/recompute.h"

namespace lanescope::job {

namespace {

const char* wavefront_counter(const std::string& number) {
  return wavefront_counters[number.starts_with("shared_store") ? 1 : 0];
}

// Static instructions of one class in the program as compiled to PTX and as assembled.
struct StaticCount {
  int instructions = 0, bytes = 0;
};

StaticCount in_ptx(const trace::Trace& trace, AccessClass wanted) {
  StaticCount count;
  for (const trace::Site& site : trace.sites) {
    if (site.kind != trace::EventKind::memory || kind_of(site.operation) != wanted.kind) continue;
    if (site.space != wanted.space && site.space != trace::MemorySpace::none) continue;
    ++count.instructions;
    count.bytes += site.width;
  }
  return count;
}

StaticCount in_sass(const compile::Sass& sass, AccessClass wanted) {
  StaticCount count;
  for (const compile::SassInstruction& instruction : sass.instructions) {
    const SassAccess access = classify(instruction.text);
    if (access.kind != wanted.kind) continue;
    if (access.space != wanted.space && access.space != trace::MemorySpace::none) continue;
    ++count.instructions;
    count.bytes += access.bytes;
  }
  return count;
}

// Reductions (no result) that ptxas made atomics of, such as those before a fence that has to wait for them.
Wording explain_made_atomics(AccessClass wanted, const trace::Trace& trace, const compile::Sass& sass) {
  if (wanted.space != trace::MemorySpace::global ||
      (wanted.kind != SassAccess::Kind::atomic && wanted.kind != SassAccess::Kind::reduction))
    return {};
  const AccessClass atomics{wanted.space, SassAccess::Kind::atomic},
      reductions{wanted.space, SassAccess::Kind::reduction};
  const int made = in_ptx(trace, reductions).instructions - in_sass(sass, reductions).instructions;
  const compile::SassInstruction* atomic = find_instruction(sass, SassAccess::Kind::atomic);
  if (made <= 0 || !atomic || in_sass(sass, atomics).instructions - in_ptx(trace, atomics).instructions != made)
    return {};
  return worded(
      "ptxas turned {} of the reductions into atomics, and the hardware counts them as atomics: {} at 0x{:x}, line {}",
      made, atomic->text, atomic->address, atomic->line);
}

bool is_half_atomic(const trace::Site& site) {
  const bool atomic = site.operation == trace::Operation::atomic || site.operation == trace::Operation::reduction;
  return atomic && (contains(site.opcode, ".f16") || contains(site.opcode, ".bf16"));
}

bool spins_in_grid_sync(const trace::Trace& trace) {
  return trace.launch.cooperative && std::any_of(trace.sites.begin(), trace.sites.end(), [](const trace::Site& site) {
           return contains(site.file, "cooperative_groups") || contains(site.inlined_from, "cooperative_groups");
         });
}

}  // namespace

SassAccess classify(const std::string& text) {
  using Kind = SassAccess::Kind;
  using enum trace::MemorySpace;
  struct Row {
    const char* lead;
    Kind kind;
    trace::MemorySpace space;
  };
  // The longest lead first: LDGSTS is no LDG.
  static constexpr Row rows[] = {
      {"LDGSTS", Kind::async_copy, global}, {"LDGDEPBAR", Kind::none, none},   {"LDG", Kind::load, global},
      {"LDSM", Kind::load, shared},         {"LDS", Kind::load, shared},       {"LDL", Kind::load, local},
      {"LDC", Kind::none, constant},        {"LD.", Kind::load, none},         {"STG", Kind::store, global},
      {"STS", Kind::store, shared},         {"STL", Kind::store, local},       {"ST.", Kind::store, none},
      {"ATOMS", Kind::atomic, shared},      {"ATOMG", Kind::atomic, global},   {"ATOM.", Kind::atomic, none},
      {"REDG", Kind::reduction, global},    {"RED.", Kind::reduction, global},
  };
  for (const Row& row : rows) {
    if (!text.starts_with(row.lead)) continue;
    if (row.kind == Kind::none) return {};
    SassAccess access{.kind = row.kind, .space = row.space};
    const std::string word = text.substr(0, text.find(' '));
    if (access.kind == Kind::atomic && contains(word, ".CAS")) access.kind = Kind::compare_and_swap;
    if (contains(word, ".128"))
      access.bytes = 16;
    else if (contains(word, ".64"))
      access.bytes = 8;
    else if (contains(word, "16") && !contains(word, "F16x2"))
      access.bytes = 2;
    else if (contains(word, ".U8") || contains(word, ".S8"))
      access.bytes = 1;
    return access;
  }
  return {};
}

namespace {

Wording instructions(std::uint64_t count) {
  return count == 1 ? worded("1 instruction") : worded("{} instructions", count);
}
Wording bytes(std::uint64_t count) {
  return count == 1 ? worded("1 byte") : worded("{} bytes", count);
}

}  // namespace

Wording explain(const std::string& number, const trace::Trace& interpreted, const compile::Sass& sass,
                std::uint64_t interpreted_value, std::uint64_t counted_value, bool followed) {
  const AccessClass wanted = class_of_number(number);
  const bool atomics = wanted.kind == SassAccess::Kind::atomic || wanted.kind == SassAccess::Kind::reduction;
  if (wanted.space == trace::MemorySpace::global) {
    const compile::SassInstruction* swap = find_instruction(sass, SassAccess::Kind::compare_and_swap);
    const bool half = std::any_of(interpreted.sites.begin(), interpreted.sites.end(), is_half_atomic);
    // The loop reads the word first, so loads grow too.
    if (half && swap && (atomics || wanted.kind == SassAccess::Kind::load))
      return worded(
          "the 16-bit atomic is a compare-and-swap loop in SASS, which repeats under contention: {} at 0x{:x}, line {}",
          swap->text, swap->address, swap->line);
    if (spins_in_grid_sync(interpreted) && (atomics || wanted.kind == SassAccess::Kind::load) &&
        counted_value != interpreted_value)
      return "grid.sync() spins: each block polls the barrier word until the last block arrives, so the number of "
             "reads "
             "depends on timing";
  }
  if (Wording made = explain_made_atomics(wanted, interpreted, sass); !made.empty()) return made;
  if (followed) return {};
  if (wanted.space == trace::MemorySpace::local && counted_value < interpreted_value &&
      in_sass(sass, wanted).instructions == 0)
    return "the array lives in registers: SASS has no local access (LDL, STL)";
  const StaticCount ptx = in_ptx(interpreted, wanted), machine = in_sass(sass, wanted);
  const bool calls = std::any_of(sass.instructions.begin(), sass.instructions.end(),
                                 [](const auto& instruction) { return instruction.text.starts_with("CALL"); });
  if (wanted.space == trace::MemorySpace::local && machine.instructions > ptx.instructions &&
      (calls || sass.spill_store_bytes > 0))
    return worded(
        "ptxas spills registers to local memory, around calls or because there are too few; local-memory "
        "instructions: {} in PTX, {} in SASS",
        ptx.instructions, machine.instructions);
  // Conflicts may grow as accesses become fewer and wider; requests and sectors do not, and what is executed twice is
  // not fewer.
  const bool fewer = number.ends_with(".bank_conflicts") || counted_value < interpreted_value,
             more = number.ends_with(".bank_conflicts") || counted_value > interpreted_value;
  if (fewer && machine.instructions < ptx.instructions && machine.bytes == ptx.bytes)
    return worded("ptxas merged neighbouring accesses into wider ones: {} in PTX, {} in SASS, {} per lane in both",
                  instructions(ptx.instructions), machine.instructions, bytes(ptx.bytes));
  if (fewer && machine.instructions < ptx.instructions)
    return worded("ptxas removed or merged accesses: {} ({} per lane) in PTX, {} ({}) in SASS",
                  instructions(ptx.instructions), bytes(ptx.bytes), machine.instructions, bytes(machine.bytes));
  if (more && machine.instructions > ptx.instructions)
    return worded("ptxas unrolled or duplicated accesses: {} in PTX, {} in SASS", instructions(ptx.instructions),
                  machine.instructions);
  return {};
}

Wording explain_conflicts(const std::string& number, std::uint64_t interpreted_wavefronts,
                          const ConflictCounts& counts) {
  if (counts.wavefronts != interpreted_wavefronts || counts.arbitration.value_or(0) == 0) return {};
  return worded(
      "the counter also includes passes lost to arbitration between L1's clients ({}: {} in a separate count); per "
      "instruction ({}) these accesses took {} wavefronts, as interpreted",
      std::string(arbitration_counter), *counts.arbitration, std::string(wavefront_counter(number)),
      interpreted_wavefronts);
}

namespace {

std::uint64_t all_in_turns(const trace::Trace& trace, trace::Operation operation, const compile::Sass& sass) {
  std::uint64_t sectors = 0;
  for (const trace::WarpEvent& event : trace.events)
    if (event.kind == trace::EventKind::memory && event.space == trace::MemorySpace::global &&
        trace.sites[event.site].operation == operation)
      sectors += sectors_in_turns(trace, event, sass);
  return sectors;
}

Wording counted_as_recorded(const AgreementRow& row, const Circumstances& known) {
  if (!row.recorded || !row.counted || *row.recorded != *row.counted) return {};
  if (!known.entries.empty())
    return worded(
        "the GPU's record shows that the warp's lanes reconverged elsewhere than at the immediate post-dominator: {}",
        known.entries);
  if (!known.regrouped.empty())
    return worded("the GPU recorded a different lane grouping; each lane makes the same accesses as in the model: {}",
                  known.regrouped);
  return {};
}

Wording counted_in_turns(const AgreementRow& row, const trace::Trace& interpreted, const compile::Sass& sass) {
  const bool reductions = row.number == "global_reduction.sectors", atomics = row.number == "global_atomic.sectors";
  if (!row.counted || (!reductions && !atomics) || !metrics::events_are_complete(interpreted)) return {};
  if (all_in_turns(interpreted, reductions ? trace::Operation::reduction : trace::Operation::atomic, sass) !=
      *row.counted)
    return {};
  return "the hardware serves lanes with the same address one after another, and counts the sectors each time";
}

// What follows the accesses to the last one, then what only says why they may part.
Wording why(const AgreementRow& row, const trace::Trace& interpreted, const compile::Sass& sass,
            const Circumstances& known, const Beside& beside, const std::vector<std::uint64_t>& said) {
  // The recording runs the same PTX as the interpreter: only timing may part those two, never the step to SASS.
  const bool recording_parts = row.recorded && *row.recorded != *row.interpreted;
  if (Wording as_recorded = counted_as_recorded(row, known); !as_recorded.empty()) return as_recorded;
  if (Wording in_turns = counted_in_turns(row, interpreted, sass); !in_turns.empty()) return in_turns;
  if (row.counted) {
    Wording made = explain_by_account(row.number, interpreted, known.recorded, sass, CountedBy::l1tex, *row.counted,
                                      known.records, known.instruction_lines);
    if (made.empty() && beside.by_instruction)
      made = explain_by_instruction(row.number, interpreted, known.recorded, sass, *row.counted, *beside.by_instruction,
                                    beside.counters, beyond_instructions(row.number, interpreted, sass, known.outside),
                                    known.records, known.instruction_lines);
    if (made.empty() && !recording_parts)
      made = explain_copies(row.number, interpreted, sass, *row.counted, beside.copies);
    if (!made.empty()) return made;
  }
  if (!known.unrepeatable.empty()) return known.unrepeatable;
  // It has explained nothing: it still bounds what others may.
  const std::optional<Account> account =
      row.counted ? account_of(row.number, interpreted, sass, CountedBy::l1tex, known.records, known.instruction_lines)
                  : std::nullopt;
  if (!known.regrouped.empty() && beside.requests != Agreed::unexplained) {
    const Wording elsewhere = account
                                  ? explain_meeting_elsewhere(sass, {*row.counted}, bounds_where_regrouped(*account))
                                  : explain_meeting_elsewhere(sass, said, bounds_of(row.number, interpreted));
    if (!elsewhere.empty()) return elsewhere;
  }
  const bool more = row.counted.value_or(row.recorded.value_or(0)) > *row.interpreted;
  if (beside.requests != Agreed::equal)
    if (Wording waiting = explain_waiting(row.number, sass, {known.lines_that_part, known.changed, more});
        !waiting.empty())
      return waiting;
  if (row.counted && !recording_parts)
    if (Wording words = explain_by_words(row.number, interpreted, sass, *row.counted); !words.empty()) return words;
  const std::uint64_t other = row.counted ? *row.counted : *row.recorded;
  if (!recording_parts && other > *row.interpreted && !beside.not_the_kernels.empty()) return beside.not_the_kernels;
  if (!recording_parts || spins_in_grid_sync(interpreted))
    if (Wording changed = explain(row.number, interpreted, sass, *row.interpreted, other, account.has_value());
        !changed.empty())
      return changed;
  if (!recording_parts && other > *row.interpreted && !beside.by_instruction)
    return explain_outside(known.outside, sass);
  return {};
}

}  // namespace

void judge(AgreementRow& row, const trace::Trace& interpreted, const compile::Sass& sass, const Circumstances& known,
           const Beside& beside) {
  std::vector<std::uint64_t> said;
  for (const auto& value : {row.interpreted, row.recorded, row.counted})
    if (value) said.push_back(*value);
  if (said.size() < 2) return;
  if (std::all_of(said.begin(), said.end(), [&](std::uint64_t value) { return value == said.front(); })) {
    row.agreed = Agreed::equal;
    return;
  }
  row.evidence = why(row, interpreted, sass, known, beside, said);
  row.agreed = row.evidence.empty() ? Agreed::unexplained : Agreed::explained;
}

}  // namespace lanescope::job
