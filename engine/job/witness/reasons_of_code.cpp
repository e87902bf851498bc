#include "job/witness/reasons_of_code.h"

#include <algorithm>

#include "core/text.h"

namespace lanescope::job {
namespace {

// Number of static instructions of a class, in PTX and in SASS.
struct StaticCount {
  int instructions = 0, bytes = 0;
};

// The class of atomics on shared memory includes the reductions, as its counters do.
SassAccess::Kind kind_within(trace::MemorySpace space, SassAccess::Kind kind) {
  return space == trace::MemorySpace::shared && kind == SassAccess::Kind::reduction ? SassAccess::Kind::atomic : kind;
}

StaticCount in_ptx(const trace::Trace& trace, AccessClass wanted) {
  StaticCount count;
  for (const trace::Site& site : trace.sites) {
    if (site.kind != trace::EventKind::memory || kind_within(wanted.space, kind_of(site.operation)) != wanted.kind)
      continue;
    if (site.space != wanted.space && site.space != trace::MemorySpace::none) continue;
    ++count.instructions;
    count.bytes += site.width;
  }
  return count;
}

StaticCount in_sass(const SassCode& sass, AccessClass wanted) {
  StaticCount count;
  for (const MachineInstruction& instruction : sass.instructions) {
    const SassAccess& access = instruction.access;
    if (kind_within(wanted.space, access.kind) != wanted.kind) continue;
    if (access.space != wanted.space && access.space != trace::MemorySpace::none) continue;
    ++count.instructions;
    count.bytes += access.bytes;
  }
  return count;
}

bool is_half_atomic(const trace::Site& site) {
  return trace::is_atomic(site.operation) && (contains(site.opcode, ".f16") || contains(site.opcode, ".bf16"));
}

Wording instructions(std::uint64_t count) {
  return count == 1 ? worded("1 instruction") : worded("{} instructions", count);
}
Wording bytes(std::uint64_t count) {
  return count == 1 ? worded("1 byte") : worded("{} bytes", count);
}

// Conflicts may grow if accesses become fewer and wider. Requests and sectors do not, and repeated execution does not
// reduce them.
bool may_be_fewer(const Case& one) {
  return one.number.quantity == Quantity::conflicts || one.other() < one.values.interpreted;
}
bool may_be_more(const Case& one) {
  return one.number.quantity == Quantity::conflicts || one.more();
}

}  // namespace

bool spins_in_grid_sync(const Case& one) {
  return one.trace.launch.cooperative &&
         std::any_of(one.trace.sites.begin(), one.trace.sites.end(), [](const trace::Site& site) {
           return contains(site.file, "cooperative_groups") || contains(site.inlined_from, "cooperative_groups");
         });
}

bool changes_global_values_or_reads_them(const Case& one) {
  const AccessClass wanted = class_of(one.number);
  return wanted.space == trace::MemorySpace::global && wanted.kind != SassAccess::Kind::store;
}

Wording half_atomic_is_a_loop(const MachineInstruction& swap, int line) {
  return worded(
      "the 16-bit atomic is a compare-and-swap loop in SASS, which repeats under contention: {} at 0x{:x}, line {}",
      swap.text, swap.address, line);
}

// The loop reads the word first, so the number of loads grows too.
Wording half_atomic_loops(const Case& one) {
  const MachineInstruction* swap = find_instruction(one.sass, SassAccess::Kind::compare_and_swap);
  if (!swap || std::none_of(one.trace.sites.begin(), one.trace.sites.end(), is_half_atomic)) return {};
  return half_atomic_is_a_loop(*swap, swap->line);
}

Wording grid_sync_spins(const Case& one) {
  if (!spins_in_grid_sync(one) || one.other() == one.values.interpreted) return {};
  return "grid.sync() spins: each block polls the barrier word until the last block arrives, so the number of reads "
         "depends on timing";
}

Wording reductions_made_atomics(const Case& one) {
  const AccessClass wanted = class_of(one.number);
  if (wanted.space != trace::MemorySpace::global ||
      (wanted.kind != SassAccess::Kind::atomic && wanted.kind != SassAccess::Kind::reduction))
    return {};
  const AccessClass atomics{wanted.space, SassAccess::Kind::atomic},
      reductions{wanted.space, SassAccess::Kind::reduction};
  const int made = in_ptx(one.trace, reductions).instructions - in_sass(one.sass, reductions).instructions;
  const MachineInstruction* atomic = find_instruction(one.sass, SassAccess::Kind::atomic);
  if (made <= 0 || !atomic || in_sass(one.sass, atomics).instructions - in_ptx(one.trace, atomics).instructions != made)
    return {};
  return worded(
      "ptxas turned {} of the reductions into atomics, and the hardware counts them as atomics: {} at 0x{:x}, line {}",
      made, atomic->text, atomic->address, atomic->line);
}

Wording array_in_registers(const Case& one) {
  const AccessClass wanted = class_of(one.number);
  if (wanted.space != trace::MemorySpace::local || one.other() >= one.values.interpreted ||
      in_sass(one.sass, wanted).instructions != 0)
    return {};
  return "the array lives in registers: SASS has no local access (LDL, STL)";
}

Wording registers_spilled(const Case& one) {
  const AccessClass wanted = class_of(one.number);
  const StaticCount ptx = in_ptx(one.trace, wanted), machine = in_sass(one.sass, wanted);
  const bool calls = has_opcode(one.sass, "CALL");
  if (wanted.space != trace::MemorySpace::local || machine.instructions <= ptx.instructions ||
      (!calls && one.sass.spill_store_bytes == 0))
    return {};
  return worded(
      "ptxas spills registers to local memory, around calls or because there are too few; local-memory instructions: "
      "{} in PTX, {} in SASS",
      ptx.instructions, machine.instructions);
}

Wording merged_into_wider(const Case& one) {
  const AccessClass wanted = class_of(one.number);
  const StaticCount ptx = in_ptx(one.trace, wanted), machine = in_sass(one.sass, wanted);
  if (!may_be_fewer(one) || machine.instructions >= ptx.instructions || machine.bytes != ptx.bytes) return {};
  return worded("ptxas merged neighbouring accesses into wider ones: {} in PTX, {} in SASS, {} per lane in both",
                instructions(ptx.instructions), machine.instructions, bytes(ptx.bytes));
}

Wording removed_or_merged(const Case& one) {
  const AccessClass wanted = class_of(one.number);
  const StaticCount ptx = in_ptx(one.trace, wanted), machine = in_sass(one.sass, wanted);
  if (!may_be_fewer(one) || machine.instructions >= ptx.instructions) return {};
  return worded("ptxas removed or merged accesses: {} ({} per lane) in PTX, {} ({}) in SASS",
                instructions(ptx.instructions), bytes(ptx.bytes), machine.instructions, bytes(machine.bytes));
}

Wording unrolled_or_duplicated(const Case& one) {
  const AccessClass wanted = class_of(one.number);
  const StaticCount ptx = in_ptx(one.trace, wanted), machine = in_sass(one.sass, wanted);
  if (!may_be_more(one) || machine.instructions <= ptx.instructions) return {};
  return worded("ptxas unrolled or duplicated accesses: {} in PTX, {} in SASS", instructions(ptx.instructions),
                machine.instructions);
}

}  // namespace lanescope::job
