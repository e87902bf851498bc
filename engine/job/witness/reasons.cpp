#include "job/witness/reasons.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "job/sass/same_address.h"
#include "job/witness/explain_account.h"
#include "job/witness/explain_turns.h"
#include "job/witness/reasons_of_code.h"
#include "job/witness/sass_evidence.h"
#include "metrics/recompute.h"
#include "metrics/request_cost.h"
#include "sim/memory/address_space.h"

namespace lanescope::job {
namespace {

bool always(const Case&) {
  return true;
}
bool is_counted(const Case& one) {
  return one.values.counted.has_value();
}
bool is_counted_as_recorded(const Case& one) {
  return one.values.recorded && one.values.counted && *one.values.recorded == *one.values.counted;
}
bool is_counted_by_instruction(const Case& one) {
  return one.values.counted && one.beside.by_instruction;
}
bool only_the_count_parts(const Case& one) {
  return one.values.counted && !one.recording_parts();
}
// The recording shows the interpreter's accesses, or those of each lane.
bool counts_what_the_lanes_make(const Case& one) {
  return one.values.counted && (!one.recording_parts() || one.known.changed == false);
}
bool is_more_than_recorded(const Case& one) {
  return !one.recording_parts() && one.more();
}
// If the recording already differs, the translation to SASS has nothing to explain, unless the kernel spins.
bool machine_code_may_tell(const Case& one) {
  return !one.recording_parts() || spins_in_grid_sync(one);
}
bool repeats_by_timing(const Case& one) {
  return machine_code_may_tell(one) && changes_global_values_or_reads_them(one);
}
// If each access was followed to what remains of it and gave another number, instruction counts explain nothing.
bool only_instructions_tell(const Case& one) {
  return machine_code_may_tell(one) && !one.account();
}

Wording reconverges_elsewhere(const Case& one) {
  if (one.known.entries.empty()) return {};
  return worded(
      "the GPU's record shows that the warp's lanes reconverged elsewhere than at the immediate post-dominator: {}",
      one.known.entries);
}

Wording grouped_as_recorded(const Case& one) {
  if (one.known.regrouped.empty()) return {};
  return worded("the GPU recorded a different lane grouping; each lane makes the same accesses as in the model: {}",
                one.known.regrouped);
}

// Those on local memory count too (trace::class_of()).
std::uint64_t all_in_turns(const trace::Trace& trace, trace::Operation operation, const SassCode& sass) {
  std::uint64_t sectors = 0;
  for (const trace::WarpEvent& event : trace.events)
    if (event.kind == trace::EventKind::memory && trace.sites[event.site].operation == operation &&
        (event.space == trace::MemorySpace::global || event.space == trace::MemorySpace::local))
      sectors += sectors_in_turns(trace, event, sass);
  return sectors;
}

// Calls visit(event, its site) for each of the run's accesses of this kind to this space.
template <typename Visit>
void each_access(const trace::Trace& trace, trace::MemorySpace space, SassAccess::Kind kind, Visit&& visit) {
  for (const trace::WarpEvent& event : trace.events)
    if (const trace::Site& site = trace.sites[event.site];
        event.kind == trace::EventKind::memory && event.space == space && kind_of(site.operation) == kind)
      visit(event, site);
}

bool counts_atomics(const Case& one) {
  const trace::MemoryClass of = one.number.memory_class;
  return one.values.counted && !one.recording_parts() &&
         (of == trace::MemoryClass::global_reduction || of == trace::MemoryClass::global_atomic) &&
         metrics::events_are_complete(one.trace);
}
bool counts_sectors_of_atomics(const Case& one) {
  return counts_atomics(one) && one.number.quantity == Quantity::sectors;
}

Wording same_address_in_turns(const Case& one) {
  const bool reductions = one.number.memory_class == trace::MemoryClass::global_reduction;
  if (all_in_turns(one.trace, reductions ? trace::Operation::reduction : trace::Operation::atomic, one.sass) !=
      *one.values.counted)
    return {};
  return "the hardware serves lanes with the same address one after another, and counts the sectors each time";
}

Wording followed_to_sass(const Case& one) {
  return explain_by_account(one.number, one.trace, one.known.recorded, one.sass, CountedBy::l1tex, *one.values.counted,
                            one.known.records, one.known.ptx.instruction_lines);
}

Wording followed_by_instruction(const Case& one) {
  return explain_by_instruction(one.number, one.trace, one.known.recorded, one.sass, *one.values.counted,
                                *one.beside.by_instruction, one.beside.counters,
                                beyond_instructions(one.number, one.trace, one.sass, one.known.ptx.functions_outside),
                                one.known.records, one.known.ptx.instruction_lines);
}

Wording copies_apart(const Case& one) {
  return explain_copies(one.number, one.trace, one.sass, *one.values.counted, one.beside.copies);
}

Wording two_runs_differ(const Case& one) {
  return one.known.unrepeatable;
}

// The recording shows that the PTX makes the interpreter's accesses on the GPU: all of them, or those of each lane.
bool code_is_counted(const Case& one) {
  const bool as_interpreted = one.values.recorded == one.values.interpreted;
  return one.values.counted && !one.known.code_counts.empty() && (as_interpreted || one.known.changed == false);
}

Wording counted_by_code(const Case& one) {
  return explain_by_code_counts(one.number, one.trace, one.sass, one.known.code_counts, *one.values.counted);
}

bool code_tells_of_a_vote(const Case& one) {
  return one.values.counted && !one.known.code_counts.empty() && !one.known.vote_apart.empty();
}

Wording vote_of_lanes_apart_by_code(const Case& one) {
  Wording counts = explain_by_code_counts(one.number, one.trace, one.sass, one.known.code_counts, *one.values.counted);
  if (counts.empty())
    counts =
        explain_turns_by_code_counts(one.number, one.trace, one.sass, one.known.code_counts, *one.values.counted, {});
  return counts.empty() ? Wording() : worded("{}; {}", counts, one.known.vote_apart);
}

Wording drivers_by_code(const Case& one) {
  return explain_drivers_by_code_counts(one.number, one.trace, one.sass, one.known.code_counts, *one.values.counted,
                                        explain_outside(one.known.ptx.functions_outside, one.sass));
}

Wording in_turns_by_code(const Case& one) {
  return explain_turns_by_code_counts(one.number, one.trace, one.sass, one.known.code_counts, *one.values.counted,
                                      one.values.recorded.value_or(one.values.interpreted));
}

Wording mixed_by_code(const Case& one) {
  return explain_mixed_by_code_counts(one.number, one.trace, one.sass, one.known.code_counts, *one.values.counted);
}

bool some_lane_did_otherwise(const Case& one) {
  return one.known.changed.value_or(false);
}

Wording lanes_race(const Case& one) {
  return one.known.race;
}

// Some lane accessed another place, as often as in the model.
bool accesses_other_places(const Case& one) {
  return some_lane_did_otherwise(one) && one.recording_parts() && one.number.quantity != Quantity::requests &&
         one.beside.requests != Agreed::unexplained &&
         one.values.counted.value_or(*one.values.recorded) == *one.values.recorded;
}

const trace::Site* site_at(const trace::Trace& trace, int ptx_line) {
  const auto found = std::ranges::find(trace.sites, ptx_line, &trace::Site::ptx_line);
  return found == trace.sites.end() ? nullptr : &*found;
}

// All accesses of this kind that differ have an address that an atomic returned.
Wording order_of_an_atomic(const Case& one) {
  const AccessClass wanted = class_of(one.number);
  const trace::Site *access = nullptr, *atomic = nullptr;
  for (const RecordComparison& record : one.known.records) {
    if (record.pass != instrument::Pass::memory) continue;
    for (const std::uint32_t id : record.changed_sites) {
      const trace::Site& site = one.trace.sites[id];
      const bool is_of_class = kind_of(site.operation) == wanted.kind &&
                               (site.space == wanted.space || site.space == trace::MemorySpace::none);
      if (!is_of_class) continue;
      const auto source = one.known.ptx.addresses_from_atomics.find(site.ptx_line);
      if (source == one.known.ptx.addresses_from_atomics.end()) return {};
      if (access == nullptr) access = &site, atomic = site_at(one.trace, source->second);
    }
  }
  if (access == nullptr || atomic == nullptr) return {};
  return worded(
      "`{}` (line {}) accesses the place that `{}` (line {}) returned, which depends on the order of the warps; the "
      "recorded accesses make this number",
      access->opcode, access->line, atomic->opcode, atomic->line);
}

bool lanes_may_wait_elsewhere(const Case& one) {
  return !one.known.regrouped.empty() && one.beside.requests != Agreed::unexplained;
}

// The account did not explain the number, but it still bounds what the lanes can make.
Wording lanes_wait_elsewhere(const Case& one) {
  if (one.account())
    return explain_meeting_elsewhere(one.sass, {*one.values.counted}, bounds_where_regrouped(*one.account()));
  std::vector<std::uint64_t> said{one.values.interpreted};
  for (const auto& value : {one.values.recorded, one.values.counted})
    if (value) said.push_back(*value);
  return explain_meeting_elsewhere(one.sass, said, bounds_of(one.number, one.trace));
}

bool may_have_waited(const Case& one) {
  return one.beside.requests != Agreed::equal;
}

// In SASS, a generic compare-and-swap or addition of floats is a branch with a load and a store for local memory.
Wording atomics_on_local(const Case& one) {
  std::uint64_t share = 0;
  const trace::Site* first = nullptr;
  each_access(one.trace, trace::MemorySpace::local, class_of(one.number).kind,
              [&](const trace::WarpEvent& event, const trace::Site& site) {
                if (first == nullptr) first = &site;
                share +=
                    one.number.quantity == Quantity::requests
                        ? 1
                        : metrics::sector_cost(one.trace.lane_addresses(event), event.executed, site.width).sectors;
              });
  if (first == nullptr || *one.values.counted + share != one.values.interpreted) return {};
  return worded(
      "{} of these are of atomics on local memory, from line {} on, of which ptxas makes other accesses; no other "
      "thread can see that memory",
      share, first->line);
}

Wording waits_for_others(const Case& one) {
  return explain_waiting(one.number, one.sass, {one.known.lines_that_part, one.known.changed, one.more()});
}

Wording words_of_local_memory(const Case& one) {
  return explain_by_words(one.number, one.trace, one.sass, *one.values.counted);
}

Wording none_of_the_kernels(const Case& one) {
  return one.beside.not_the_kernels;
}

bool may_be_the_drivers(const Case& one) {
  return is_more_than_recorded(one) && !one.beside.by_instruction;
}

Wording drivers_functions(const Case& one) {
  return explain_outside(one.known.ptx.functions_outside, one.sass);
}

bool may_lie_elsewhere(const Case& one) {
  return one.number.quantity == Quantity::sectors && class_of(one.number).space == trace::MemorySpace::global &&
         one.known.ptx.functions_outside.find("malloc") != std::string::npos && metrics::events_are_complete(one.trace);
}

// Heap memory has other addresses on the GPU, so each lane may touch other sectors: from one for the whole request to
// two per lane (a wide access across a boundary).
Wording allocated_in_the_kernel(const Case& one) {
  const AccessClass wanted = class_of(one.number);
  std::uint64_t lanes = 0;
  const trace::Site* first = nullptr;
  each_access(one.trace, wanted.space, wanted.kind, [&](const trace::WarpEvent& event, const trace::Site& site) {
    const auto addresses = one.trace.lane_addresses(event);
    event.executed.for_each([&](int lane) {
      if (addresses[static_cast<std::size_t>(lane)] < sim::address_space::heap) return;
      ++lanes;
      if (first == nullptr) first = &site;
    });
  });
  const std::uint64_t a = one.values.interpreted, b = one.other();
  if (first == nullptr || (a > b ? a - b : b - a) > 2 * lanes) return {};
  return worded(
      "{} lanes access what malloc() gave, from line {} on: where that lies, and so how many sectors it takes, is "
      "the driver's choice",
      lanes, first->line);
}

constexpr Reason table[] = {
    // Every access is followed and gives the number.
    {"reconverges_elsewhere", is_counted_as_recorded, reconverges_elsewhere},
    {"grouped_as_recorded", is_counted_as_recorded, grouped_as_recorded},
    {"same_address_in_turns", counts_sectors_of_atomics, same_address_in_turns},
    {"atomics_on_local", counts_atomics, atomics_on_local},
    {"turns_of_the_code", counts_shared_atomics, turns_of_the_code},
    {"followed_to_sass", is_counted, followed_to_sass},
    {"followed_by_instruction", is_counted_by_instruction, followed_by_instruction},
    {"copies_apart_from_stores", counts_what_the_lanes_make, copies_apart},
    {"counted_by_code", code_is_counted, counted_by_code},
    {"in_turns_by_code", code_is_counted, in_turns_by_code},
    {"mixed_by_code", code_is_counted, mixed_by_code},
    {"drivers_by_code", code_is_counted, drivers_by_code},
    {"vote_of_lanes_apart", code_tells_of_a_vote, vote_of_lanes_apart_by_code},
    // What the GPU itself shows.
    {"two_runs_differ", always, two_runs_differ},
    {"order_of_an_atomic", accesses_other_places, order_of_an_atomic},
    {"lanes_race", some_lane_did_otherwise, lanes_race},
    {"lanes_wait_elsewhere", lanes_may_wait_elsewhere, lanes_wait_elsewhere},
    {"waits_for_others", may_have_waited, waits_for_others},
    // Other counters and other units.
    {"allocated_in_the_kernel", may_lie_elsewhere, allocated_in_the_kernel},
    {"words_of_local_memory", only_the_count_parts, words_of_local_memory},
    {"none_of_the_kernels", is_more_than_recorded, none_of_the_kernels},
    // What the machine code suggests, special cases before general ones.
    {"half_atomic_loops", repeats_by_timing, half_atomic_loops},
    {"grid_sync_spins", repeats_by_timing, grid_sync_spins},
    {"reductions_made_atomics", machine_code_may_tell, reductions_made_atomics},
    {"array_in_registers", only_instructions_tell, array_in_registers},
    {"registers_spilled", only_instructions_tell, registers_spilled},
    {"merged_into_wider", only_instructions_tell, merged_into_wider},
    {"removed_or_merged", only_instructions_tell, removed_or_merged},
    {"unrolled_or_duplicated", only_instructions_tell, unrolled_or_duplicated},
    // Last, because it only tells whose accesses the rest may be.
    {"drivers_functions", may_be_the_drivers, drivers_functions},
};

}  // namespace

const std::optional<Account>& Case::account() const {
  if (!account_)
    account_ = values.counted
                   ? account_of(number, trace, sass, CountedBy::l1tex, known.records, known.ptx.instruction_lines)
                   : std::optional<Account>();
  return *account_;
}

std::span<const Reason> reasons() {
  return table;
}

Explained first_reason(const Case& one) {
  for (const Reason& reason : table) {
    if (!reason.applies(one)) continue;
    if (Wording evidence = reason.explain(one); !evidence.empty()) return {reason.name, std::move(evidence)};
  }
  return {};
}

}  // namespace lanescope::job
