#include "job/witness/reasons.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "job/numbers.h"
#include "job/witness/evidence.h"
#include "sim/memory/address_space.h"

namespace lanescope::job {
namespace {

using trace::MemoryClass;

struct Example {
  const char* reason;
  std::function<void(Evidence&)> make;
};

// One per row of the table, in its order.
const Example examples[] = {
    {"reconverges_elsewhere",
     [](Evidence& one) {
       one.values = {2, 3, 3};
       one.known.entries = "line 1";
     }},
    {"grouped_as_recorded",
     [](Evidence& one) {
       one.values = {2, 3, 3};
       one.known.regrouped = "line 1";
     }},
    {"same_address_in_turns",
     [](Evidence& one) {
       one.number = sectors_of(MemoryClass::global_reduction);
       one.values = {1, {}, 4};
       add_site(one, MemorySpace::global, Operation::reduction, 4, "red.global.add.f32");
       add_access(one, 0, MemorySpace::global, LaneMask::first(4), 0);
     }},
    {"atomics_on_local",
     [](Evidence& one) {
       one.number = sectors_of(MemoryClass::global_atomic);
       one.values = {5, 5, 1};
       add_site(one, MemorySpace::none, Operation::atomic, 4, "atom.cas.b32");
       add_access(one, 0, MemorySpace::local, LaneMask::all(), 4);
       add_access(one, 0, MemorySpace::global, LaneMask::first(1), 0);
     }},
    {"turns_of_the_code",
     [](Evidence& one) {
       one.number = conflicts_of(MemoryClass::shared_atomic);
       one.values = {31, {}, 0};
       add_turns(one, "atom.shared.add.f32", trace::Turns::lanes);
       assemble(one, {{10, "LDS R2, [R3]"}, {10, "ATOMS.CAST.SPIN P0, [R3], R2, R5"}, {10, "BRA `(.L_x_1)"}});
     }},
    {"followed_to_sass",
     [](Evidence& one) {
       one.values = {2, {}, 1};
       for (const std::uint32_t site : {0, 1}) {
         add_site(one, MemorySpace::global, Operation::load, 4, "ld.global.u32");
         add_access(one, site, MemorySpace::global, LaneMask::all(), 4);
       }
       assemble(one, {{10, "LDG.E R2, [R2]"}});
     }},
    {"followed_by_instruction",
     [](Evidence& one) {
       one.values = {1, {}, 9};
       one.known.ptx.functions_outside = "vprintf";
       one.beside.by_instruction = 1;
       add_site(one, MemorySpace::global, Operation::load, 4, "ld.global.u32");
       add_access(one, 0, MemorySpace::global, LaneMask::all(), 4);
       assemble(one, {{10, "LDG.E R2, [R2]"}, {20, "CALL.ABS.NOINC R14"}});
     }},
    {"copies_apart_from_stores",
     [](Evidence& one) {
       one.number = conflicts_of(MemoryClass::shared_store);
       one.values = {1, {}, 0};
       one.beside.copies = 2;
       add_site(one, MemorySpace::global, Operation::async_copy, 4, "cp.async.ca.shared.global");
       add_access(one, 0, MemorySpace::shared, LaneMask::all(), 8);
       assemble(one, {{10, "LDGSTS.E [R21], desc[UR8][R2.64]"}});
     }},
    {"counted_by_code",
     [](Evidence& one) {
       one.values = {2, 2, 9};
       add_site(one, MemorySpace::global, Operation::load, 4, "ld.global.u32");
       one.trace.totals.sites[0].memory.requests = one.trace.totals.memory[0].requests = 2;
       assemble(one, {{10, "LDG.E R2, [R4]"}, {10, "LDG.E R3, [R4+0x4]"}});
       one.known.code_counts = {{.global = 4}, {.global = 5}};
       lose_events(one);
     }},
    {"in_turns_by_code",
     [](Evidence& one) {
       one.number = sectors_of(MemoryClass::global_reduction);
       one.values = {2, 2, 9};
       add_site(one, MemorySpace::global, Operation::reduction, 4, "red.global.add.f32");
       one.trace.totals.sites[0].memory.sectors = 2;
       one.trace.totals.memory[static_cast<std::size_t>(MemoryClass::global_reduction)].sectors = 2;
       assemble(one, {{10, "REDG.E.ADD.F32 [R2.64], R5"}});
       one.known.code_counts = {{.global = 1, .lanes = 9, .sectors = 2}};
       lose_events(one);
     }},
    {"mixed_by_code",
     [](Evidence& one) {
       one.values = {3, 3, 2};
       add_site(one, MemorySpace::none, Operation::load, 4, "ld.u32");
       for (int i = 0; i < 3; ++i) {
         add_access(one, 0, MemorySpace::global, LaneMask::first(3), 4);
         add_access(one, 0, MemorySpace::local, LaneMask::first(1), 4);
       }
       one.trace.totals.memory[static_cast<std::size_t>(MemoryClass::global_load)].requests = 3;
       assemble(one, {{10, "LD.E R2, [R2]"}});
       one.known.code_counts = {{.global = 3, .local = 3, .lanes = 12}};
     }},
    {"drivers_by_code",
     [](Evidence& one) {
       one.values = {2, 2, 9};
       add_site(one, MemorySpace::global, Operation::load, 4, "ld.global.u32");
       one.trace.totals.sites[0].memory.requests = one.trace.totals.memory[0].requests = 2;
       assemble(one, {{10, "LDG.E R2, [R4]"}, {10, "CALL.ABS.NOINC R8"}});
       one.known.code_counts = {{.global = 3}, {}};
       one.known.ptx.functions_outside = "vprintf";
       lose_events(one);
     }},
    {"vote_of_lanes_apart",
     [](Evidence& one) {
       one.values = {2, 7, 9};
       add_site(one, MemorySpace::global, Operation::load, 4, "ld.global.u32");
       one.trace.totals.sites[0].memory.requests = one.trace.totals.memory[0].requests = 2;
       assemble(one, {{10, "LDG.E R2, [R4]"}});
       one.known.code_counts = {{.global = 9}};
       one.known.changed = true;
       one.known.vote_apart = "line 3";
       lose_events(one);
     }},
    {"two_runs_differ",
     [](Evidence& one) {
       one.known.unrepeatable = "timing";
       lose_events(one);
     }},
    {"order_of_an_atomic",
     [](Evidence& one) {
       one.number = sectors_of(MemoryClass::global_store);
       one.values = {24, 23, 23};
       add_site(one, MemorySpace::shared, Operation::atomic, 4, "atom.shared.add.u32");
       add_site(one, MemorySpace::global, Operation::store, 4, "st.global.u32");
       one.known.changed = true;
       one.known.records.push_back({.pass = instrument::Pass::memory, .changed_sites = {1}});
       one.known.ptx.addresses_from_atomics = {{20, 10}};
     }},
    {"lanes_race",
     [](Evidence& one) {
       one.known.race = "lines 1 and 2";
       one.known.changed = true;
       lose_events(one);
     }},
    {"lanes_wait_elsewhere",
     [](Evidence& one) {
       one.number = conflicts_of(MemoryClass::shared_load);
       one.values = {3, {}, 0};
       one.known.regrouped = "line 1";
       add_site(one, MemorySpace::shared, Operation::load, 4, "ld.shared.u32");
       add_access(one, 0, MemorySpace::shared, LaneMask::first(4), 128);
       assemble(one, {{10, "BREAK B6"}});
     }},
    {"waits_for_others",
     [](Evidence& one) {
       one.number = requests_of(MemoryClass::global_atomic);
       assemble(one, {{10, "ATOMG.E.CAS.STRONG.GPU PT, R8, [R2], R4, R6"}, {20, "BRA `(.L_x_1)"}});
       lose_events(one);
     }},
    {"allocated_in_the_kernel",
     [](Evidence& one) {
       one.number = sectors_of(MemoryClass::global_load);
       one.values = {4, {}, 1};
       one.known.ptx.functions_outside = "malloc, free";
       add_site(one, MemorySpace::global, Operation::load, 4, "ld.global.u32");
       add_access(one, 0, MemorySpace::global, LaneMask::first(4), 256);
       one.trace.events.back().first_address = sim::address_space::heap;
     }},
    {"words_of_local_memory",
     [](Evidence& one) {
       one.number = requests_of(MemoryClass::local_store);
       one.values = {1, {}, 4};
       add_site(one, MemorySpace::local, Operation::store, 16, "st.local.v4.u32");
       add_access(one, 0, MemorySpace::local, LaneMask::first(9), 16);
       assemble(one, {{0, "STL.128 [R1], R4"}});  // of no line: not followed
     }},
    {"none_of_the_kernels",
     [](Evidence& one) {
       one.number = conflicts_of(MemoryClass::shared_load);
       one.beside.not_the_kernels = "arbitration";
     }},
    {"half_atomic_loops",
     [](Evidence& one) {
       one.number = requests_of(MemoryClass::global_atomic);
       add_site(one, MemorySpace::none, Operation::atomic, 2, "atom.add.noftz.f16");
       assemble(one, {{10, "ATOM.E.CAS.STRONG.GPU PT, R7, [R2], R6, R7"}});
       lose_events(one);
     }},
    {"grid_sync_spins",
     [](Evidence& one) {
       one.trace.launch.cooperative = true;
       add_site(one, MemorySpace::global, Operation::load, 4, "ld.global.u32");
       one.trace.sites.front().file = "cooperative_groups/details/sync.h";
       lose_events(one);
     }},
    {"reductions_made_atomics",
     [](Evidence& one) {
       one.number = requests_of(MemoryClass::global_atomic);
       add_site(one, MemorySpace::global, Operation::reduction, 4, "red.global.add.u32");
       assemble(one, {{10, "ATOMG.E.ADD.STRONG.GPU PT, R5, [R2.64], R5"}});
       lose_events(one);
     }},
    {"array_in_registers",
     [](Evidence& one) {
       one.number = requests_of(MemoryClass::local_store);
       one.values = {8, {}, 0};
       add_site(one, MemorySpace::local, Operation::store, 4, "st.local.f32");
       lose_events(one);
     }},
    {"registers_spilled",
     [](Evidence& one) {
       one.number = requests_of(MemoryClass::local_store);
       assemble(one, {{10, "STL [R1], R2"}, {20, "CALL.REL.NOINC `($k$f)"}});
       lose_events(one);
     }},
    {"merged_into_wider",
     [](Evidence& one) {
       one.values = {2, {}, 1};
       for (int i = 0; i < 2; ++i) add_site(one, MemorySpace::global, Operation::load, 4, "ld.global.u32");
       assemble(one, {{10, "LDG.E.64 R2, [R4]"}});
       lose_events(one);
     }},
    {"removed_or_merged",
     [](Evidence& one) {
       one.values = {2, {}, 1};
       for (int i = 0; i < 2; ++i) add_site(one, MemorySpace::global, Operation::load, 4, "ld.global.u32");
       assemble(one, {{10, "LDG.E R2, [R4]"}});
       lose_events(one);
     }},
    {"unrolled_or_duplicated",
     [](Evidence& one) {
       add_site(one, MemorySpace::global, Operation::load, 4, "ld.global.u32");
       assemble(one, {{10, "LDG.E R2, [R4]"}, {10, "LDG.E R3, [R4+0x4]"}});
       lose_events(one);
     }},
    {"drivers_functions",
     [](Evidence& one) {
       one.known.ptx.functions_outside = "vprintf";
       assemble(one, {{10, "CALL.ABS.NOINC R14"}});
       lose_events(one);
     }},
};

TEST(Reasons, EachHasAnExampleThatItAloneExplainsFirst) {
  ASSERT_EQ(std::size(examples), reasons().size()) << "one example for each row, in the table's order";
  for (std::size_t i = 0; i < std::size(examples); ++i) {
    Evidence evidence;
    examples[i].make(evidence);
    EXPECT_STREQ(reasons()[i].name, examples[i].reason);
    const Explained found = first_reason(evidence.as_case());
    ASSERT_NE(found.reason, nullptr) << examples[i].reason;
    EXPECT_STREQ(found.reason, examples[i].reason);
    EXPECT_NE(found.evidence, "");
  }
}

TEST(Reasons, WithoutEvidenceThereIsNone) {
  const Evidence nothing;
  EXPECT_EQ(first_reason(nothing.as_case()).reason, nullptr);
}

// They follow the recorded accesses themselves, or name what timing changes. All other rows are held to the next test.
const std::string_view may_explain_a_recording[] = {
    "reconverges_elsewhere",   "grouped_as_recorded", "followed_to_sass",     "followed_by_instruction",
    "two_runs_differ",         "lanes_race",          "lanes_wait_elsewhere", "waits_for_others",
    "allocated_in_the_kernel", "grid_sync_spins",     "vote_of_lanes_apart",  "order_of_an_atomic"};

// If the recording differs from the model, ptxas is not the cause, whatever a reason says about the count.
TEST(Reasons, TheStepToSassExplainsNoRecordingThatParts) {
  for (const Example& example : examples) {
    const std::string name = example.reason;
    if (std::ranges::find(may_explain_a_recording, name) != std::end(may_explain_a_recording)) continue;
    Evidence evidence;
    example.make(evidence);
    evidence.values.recorded = evidence.values.interpreted + 1;
    EXPECT_EQ(first_reason(evidence.as_case()).reason, nullptr) << name;
  }
}

TEST(Reasons, ARaceExplainsOnlyWhatTheRecordingShows) {
  Evidence evidence;
  std::ranges::find(examples, std::string_view("lanes_race"), &Example::reason)->make(evidence);
  evidence.known.changed = false;
  EXPECT_EQ(first_reason(evidence.as_case()).reason, nullptr) << "each lane did what the model's did";
}

TEST(Reasons, ReductionsAreMadeAtomicsOneForOne) {
  const std::string atomic = "ATOMG.E.ADD.STRONG.GPU PT, R5, [R2.64], R5";
  const auto reason = [](Number number, std::vector<std::pair<int, std::string>> sass) -> std::string {
    Evidence one;
    one.number = number;
    add_site(one, MemorySpace::global, Operation::reduction, 4, "red.global.add.u32");
    assemble(one, std::move(sass));
    lose_events(one);
    const char* found = first_reason(one.as_case()).reason;
    return found == nullptr ? "" : found;
  };
  const Number wanted = requests_of(MemoryClass::global_atomic);
  EXPECT_EQ(reason(wanted, {{10, atomic}}), "reductions_made_atomics");
  EXPECT_NE(reason(wanted, {{10, atomic}, {10, atomic}}), "reductions_made_atomics") << "two atomics of one reduction";
  EXPECT_NE(reason(wanted, {{10, "REDG.E.ADD.STRONG.GPU [R2.64], R5"}, {10, atomic}}), "reductions_made_atomics")
      << "the reduction is still there";
  EXPECT_NE(reason(requests_of(MemoryClass::shared_atomic), {{10, atomic}}), "reductions_made_atomics");
}

TEST(Reasons, TurnsOfSharedAtomicsAreThoseOfTheCode) {
  using trace::Turns;
  struct Atomic {
    const char* opcode;
    Turns turns;
    int width;
  };
  const auto explained = [](Atomic atomic, std::uint64_t counted, std::vector<std::pair<int, std::string>> sass) {
    Evidence one;
    one.number = conflicts_of(MemoryClass::shared_atomic);
    add_turns(one, atomic.opcode, atomic.turns, atomic.width);
    one.values = {one.trace.totals.sites[0].memory.bank_conflicts(), {}, counted};
    assemble(one, std::move(sass));
    const char* found = first_reason(one.as_case()).reason;
    return found != nullptr && found == std::string_view("turns_of_the_code");
  };
  const Atomic add{"atom.shared.add.u32", Turns::lanes, 4}, one_lane{"atom.shared.add.u32", Turns::words, 4},
      half{"atom.shared.add.noftz.f16", Turns::lanes, 2}, real{"atom.shared.add.f32", Turns::lanes, 4};
  const std::vector<std::pair<int, std::string>> combined = {
      {10, "VOTEU.ANY UR4, UPT, PT"}, {10, "REDUX.SUM UR8, R0"}, {10, "ATOMS.ADD RZ, [UR4], R4"}};
  EXPECT_TRUE(explained(add, 0, combined)) << "ptxas knows that the address is the same";
  EXPECT_FALSE(explained(add, 1, combined)) << "and then there is no conflict";
  EXPECT_TRUE(explained(add, 0, {{10, "ATOMS.POPC.INC.32 RZ, [R4]"}}));
  EXPECT_TRUE(explained(one_lane, 31, {{10, "ATOMS.ADD RZ, [R4], R5"}})) << "ptxas does not know it";
  EXPECT_FALSE(explained(one_lane, 30, {{10, "ATOMS.ADD RZ, [R4], R5"}}));
  EXPECT_FALSE(explained(add, 30, {{10, "ATOMS.ADD RZ, [R4], R5"}})) << "the code does what the model says";
  EXPECT_TRUE(explained(real, 0, {{10, "ATOMS.CAST.SPIN P0, [R3], R2, R5"}}));
  EXPECT_FALSE(explained(real, 7, {{10, "ATOMS.CAST.SPIN P0, [R3], R2, R5"}}));
  EXPECT_TRUE(explained(half, 496, {{10, "ATOMS.CAS R2, [R3], R4, R5"}})) << "repeats";
  EXPECT_FALSE(explained(add, 0, {{20, "ATOMS.POPC.INC.32 RZ, [R4]"}})) << "of another line";
}

TEST(Reasons, CountsOfTheCodeExplainOnlyWhatTheyAddUpTo) {
  Evidence evidence;
  std::ranges::find(examples, std::string_view("counted_by_code"), &Example::reason)->make(evidence);
  evidence.sass.instructions.pop_back();  // so that no other row explains it by the number of instructions
  evidence.known.code_counts = {{.global = 9}};
  EXPECT_STREQ(first_reason(evidence.as_case()).reason, "counted_by_code");
  const auto changed = [&](auto&& change) {
    Evidence other = evidence;
    change(other);
    return first_reason(other.as_case()).reason;
  };
  EXPECT_EQ(changed([](Evidence& one) { one.known.code_counts[0].global = 8; }), nullptr) << "not the counter's";
  EXPECT_EQ(changed([](Evidence& one) { one.number = requests_of(MemoryClass::global_store); }), nullptr);
  EXPECT_EQ(changed([](Evidence& one) { one.trace.totals.sites[0].memory.requests = 1; }), nullptr)
      << "not the interpreter's";
  EXPECT_EQ(changed([](Evidence& one) { one.values.recorded = {}; }), nullptr)
      << "nothing shows that the GPU makes the PTX's accesses";
  EXPECT_EQ(changed([](Evidence& one) { one.values.recorded = 3; }), nullptr) << "the recording shows other accesses";
  const auto regrouped = [](Evidence& one) {
    one.values.recorded = 3;
    one.known.changed = false;
  };
  EXPECT_STREQ(changed(regrouped), "counted_by_code") << "each lane's are the same";
  EXPECT_STREQ(changed([&](Evidence& one) {
                 regrouped(one);
                 one.values.counted = one.known.code_counts[0].global = 2;
               }),
               "counted_by_code")
      << "only the recording groups lanes otherwise";
}

TEST(Reasons, AVoteOfLanesApartExplainsOnlyWhatTheCodeMakes) {
  Evidence evidence;
  std::ranges::find(examples, std::string_view("vote_of_lanes_apart"), &Example::reason)->make(evidence);
  evidence.known.code_counts[0].global = 8;
  EXPECT_EQ(first_reason(evidence.as_case()).reason, nullptr) << "9 counted";
  evidence.number = sectors_of(MemoryClass::global_reduction);
  evidence.trace.sites[0].operation = Operation::reduction;
  evidence.trace.totals.sites[0].memory.sectors = 2;
  evidence.trace.totals.memory[static_cast<std::size_t>(MemoryClass::global_reduction)].sectors = 2;
  evidence.sass.instructions.clear();
  assemble(evidence, {{10, "REDG.E.ADD.F32 [R2.64], R5"}});
  evidence.known.code_counts = {{.global = 3, .lanes = 9, .sectors = 4}};
  EXPECT_STREQ(first_reason(evidence.as_case()).reason, "vote_of_lanes_apart") << "its sums take turns";
  evidence.known.vote_apart = {};
  EXPECT_EQ(first_reason(evidence.as_case()).reason, nullptr);
}

TEST(Reasons, CopiesAreApartFromStoresAlsoWhereOnlyTheRecordingGroupsLanesOtherwise) {
  Evidence evidence;
  std::ranges::find(examples, std::string_view("copies_apart_from_stores"), &Example::reason)->make(evidence);
  evidence.values.recorded = evidence.values.interpreted + 2;
  EXPECT_STRNE(first_reason(evidence.as_case()).reason, "copies_apart_from_stores");
  evidence.known.changed = false;
  EXPECT_STREQ(first_reason(evidence.as_case()).reason, "copies_apart_from_stores");
}

TEST(Reasons, TurnsAreAtMostOnePerLane) {
  Evidence evidence;
  std::ranges::find(examples, std::string_view("in_turns_by_code"), &Example::reason)->make(evidence);
  evidence.known.code_counts[0].lanes = 8;
  EXPECT_EQ(first_reason(evidence.as_case()).reason, nullptr) << "9 counted";
  evidence.known.code_counts[0] = {.global = 1, .lanes = 9, .sectors = 3};
  EXPECT_EQ(first_reason(evidence.as_case()).reason, nullptr) << "the code's sectors are not the recorded ones";
}

TEST(Reasons, AMixedAccessIsMissedAtMostOnce) {
  Evidence evidence;
  std::ranges::find(examples, std::string_view("mixed_by_code"), &Example::reason)->make(evidence);
  evidence.known.code_counts[0].local = 0;
  EXPECT_EQ(first_reason(evidence.as_case()).reason, nullptr) << "no lane reaches local memory";
  evidence.known.code_counts[0].local = 3;
  evidence.values.counted = 7;
  EXPECT_EQ(first_reason(evidence.as_case()).reason, nullptr) << "three accesses are not four";
}

TEST(Reasons, AnOrderExplainsOnlyPlacesThatAnAtomicReturned) {
  const auto example = std::ranges::find(examples, std::string_view("order_of_an_atomic"), &Example::reason);
  Evidence other_address, other_number;
  example->make(other_address);
  other_address.known.ptx.addresses_from_atomics.clear();
  EXPECT_EQ(first_reason(other_address.as_case()).reason, nullptr);
  example->make(other_number);
  other_number.values.counted = 22;
  EXPECT_EQ(first_reason(other_number.as_case()).reason, nullptr) << "23 recorded, 22 counted";
}

TEST(Reasons, WhatTheGpuShowsIsSaidBeforeWhatTheCodeSuggests) {
  Evidence evidence;
  std::ranges::find(examples, std::string_view("unrolled_or_duplicated"), &Example::reason)->make(evidence);
  evidence.known.unrepeatable = "timing";
  EXPECT_STREQ(first_reason(evidence.as_case()).reason, "two_runs_differ");
  evidence.values = {2, 9, 9};
  evidence.known.regrouped = "line 1";
  EXPECT_STREQ(first_reason(evidence.as_case()).reason, "grouped_as_recorded");
}

}  // namespace
}  // namespace lanescope::job
