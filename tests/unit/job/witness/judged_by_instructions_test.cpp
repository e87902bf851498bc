// What counts by instruction, and machine code, say about numbers on which interpreter and GPU differ.
#include <gtest/gtest.h>

#include "job/numbers.h"
#include "job/witness/explain_account.h"
#include "job/witness/judge.h"
#include "job/witness/made_accesses.h"

namespace lanescope::job {
namespace {

using by_hand::Accesses;
using by_hand::assembled;
using by_hand::expect_told;
using by_hand::instruction;
using by_hand::recorded;
using trace::MemoryClass;
using trace::MemorySpace;
using trace::Operation;

// k7055_0: 411 sectors of stores in the model and by instruction, but 416 by the counter, which includes local lanes of
// generic stores. k7005_0: 34 stores by instruction and in the record, but 221 by the counter, which includes
// vprintf's.
TEST(CountedByInstruction, TellsTheKernelsOwnFromWhatIsCountedBesides) {
  Accesses run;
  const std::uint32_t store = run.site(MemorySpace::none, Operation::store, 4, "st.u32");
  run.access(store, LaneMask::first(4), 32, MemorySpace::global);
  run.access(store, LaneMask{0xf0}, 4, MemorySpace::local);
  const compile::Sass sass = assembled({instruction(10, "ST.E desc[UR4][R12.64], R5")});
  const Wording both = beyond_instructions(sectors_of(MemoryClass::global_store), run.trace(), sass, "");
  expect_told(both, "in generic accesses (1 of them) some lanes reach local memory");
  const auto reason = [&](std::uint64_t counted, std::uint64_t by_instruction, const Wording& beyond) {
    return explain_by_instruction(sectors_of(MemoryClass::global_store), run.trace(), nullptr, sass, counted,
                                  by_instruction, "a counter", beyond, {}, {});
  };
  expect_told(reason(5, 4, both), "Counted per instruction (a counter) it is 4");
  EXPECT_EQ(reason(5, 4, {}), "") << "no reason";
  EXPECT_EQ(reason(5, 5, both), "") << "the kernel's own instructions make another number";
  EXPECT_EQ(reason(5, 3, both), "") << "likewise";
  EXPECT_EQ(reason(3, 4, both), "") << "the counter has less than the instructions";

  EXPECT_EQ(beyond_instructions(sectors_of(MemoryClass::global_load), run.trace(), sass, ""), "")
      << "no load is generic";
  EXPECT_EQ(beyond_instructions(conflicts_of(MemoryClass::shared_store), run.trace(), sass, ""), "");
  Accesses one_space;
  one_space.access(one_space.site(MemorySpace::none, Operation::store, 4, "st.u32"), LaneMask::first(4), 32,
                   MemorySpace::global);
  EXPECT_EQ(beyond_instructions(sectors_of(MemoryClass::global_store), one_space.trace(), sass, ""), "");

  const compile::Sass prints = assembled({instruction(10, "STG.E [R12], R5"), instruction(20, "CALL.ABS.NOINC R14")});
  expect_told(beyond_instructions(sectors_of(MemoryClass::global_store), one_space.trace(), prints, "vprintf"),
              "vprintf is driver code, not the kernel's");
  EXPECT_EQ(beyond_instructions(sectors_of(MemoryClass::global_store), one_space.trace(), prints, ""), "");
  EXPECT_EQ(beyond_instructions(sectors_of(MemoryClass::global_store), one_space.trace(), sass, "vprintf"), "");
}

// Counted by instruction, a generic access that reaches both spaces counts once in each.
TEST(CountedByInstruction, LocalAccessesAreOneEach) {
  Accesses run;
  const std::uint32_t load = run.site(MemorySpace::none, Operation::load, 16, "ld.v4.u32");
  run.access(load, LaneMask::first(4), 16, MemorySpace::global);
  run.access(load, LaneMask{0xf0}, 16, MemorySpace::local);
  run.access(load, LaneMask::first(4), 16, MemorySpace::local);
  const compile::Sass sass = assembled({instruction(10, "LD.E.128 R4, desc[UR4][R12.64]")});
  const auto made = [&](CountedBy by) {
    return account_of(requests_of(MemoryClass::local_load), run.trace(), sass, by, {}, {})->total.low;
  };
  EXPECT_EQ(made(CountedBy::instruction), 2u);
  EXPECT_EQ(made(CountedBy::l1tex), 4u);
}

// k7003_0: three conflicts, all from a cp.async. The counter of stores had none; the counter of copies had 16
// wavefronts.
TEST(ExplainCopies, AreNoStoresToTheCounter) {
  Accesses run;
  const std::uint32_t copy = run.site(MemorySpace::global, Operation::async_copy, 4, "cp.async.ca.shared.global"),
                      store = run.site(MemorySpace::shared, Operation::store, 4, "st.shared.u32");
  run.access(copy, LaneMask::all(), 4);
  run.access(copy, LaneMask::all(), 8, MemorySpace::shared);  // two lanes per bank: 1 conflict, 2 wavefronts
  run.access(store, LaneMask::all(), 16);                     // four lanes per bank: 3 conflicts
  const compile::Sass sass =
      assembled({instruction(10, "LDGSTS.E [R21], desc[UR8][R2.64]"), instruction(20, "STS [R2], R3")});
  const auto reason = [&](std::uint64_t counted, std::optional<std::uint64_t> wavefronts) {
    return explain_copies(conflicts_of(MemoryClass::shared_store), run.trace(), sass, counted, wavefronts);
  };
  expect_told(reason(3, 2), "2 wavefronts, where their banks need 2 and each lane alone 32");
  EXPECT_NE(reason(3, 32), "");
  EXPECT_EQ(reason(3, 1), "") << "fewer than the banks of the model take";
  EXPECT_EQ(reason(3, 33), "") << "more than the lanes";
  EXPECT_EQ(reason(3, std::nullopt), "") << "nobody counted the copies";
  EXPECT_EQ(reason(0, 2), "") << "the stores have conflicts of their own";
  EXPECT_EQ(reason(4, 2), "");
  EXPECT_EQ(explain_copies(conflicts_of(MemoryClass::shared_load), run.trace(), sass, 3, 2), "");
  EXPECT_EQ(explain_copies(conflicts_of(MemoryClass::shared_store), run.trace(),
                           assembled({instruction(20, "STS [R2], R3")}), 3, 2),
            "");
}

struct Row {
  Number number;
  AgreementRow row;
};

Row row_of(Number number, std::uint64_t interpreted, std::uint64_t recorded, std::uint64_t counted) {
  Row made{number, {}};
  made.row.interpreted = interpreted, made.row.recorded = recorded, made.row.counted = counted;
  return made;
}

TEST(JudgedCopies, DoNotExplainARecordingThatParts) {
  Accesses run;
  const std::uint32_t copy = run.site(MemorySpace::global, Operation::async_copy, 4, "cp.async.ca.shared.global");
  run.access(copy, LaneMask::all(), 4);
  run.access(copy, LaneMask::all(), 8, MemorySpace::shared);  // 1 conflict, 2 wavefronts
  const compile::Sass sass = assembled({instruction(10, "LDGSTS.E [R21], desc[UR8][R2.64]")});
  const auto agreed = [&](std::uint64_t recorded) {
    auto [number, row] = row_of(conflicts_of(MemoryClass::shared_store), 1, recorded, 0);
    judge(row, number, run.trace(), sass, {}, {.copies = 2});
    return row.agreed;
  };
  EXPECT_EQ(agreed(1), Agreed::explained);
  EXPECT_EQ(agreed(5), Agreed::unexplained);
}

// Two loads of 4 lanes. In the recorded run, the first one's lanes were split; the machine code has a BREAK.
class Judged : public testing::Test {
 protected:
  Judged() {
    for (Accesses* run : {&model_, &record_}) run->load(), run->load();
    model_.access(0, LaneMask::first(4), 64);
    model_.access(1, LaneMask::first(4), 64);
    record_.access(0, LaneMask::first(2), 64);
    record_.access(0, LaneMask{0xc}, 64);
    record_.access(1, LaneMask::first(4), 64);
    known_.regrouped = "line 1";
    known_.changed = false;
    known_.recorded = &record_.trace();
    known_.records = {recorded({0})};
  }
  AgreementRow judged(Row one, const compile::Sass& sass, const Beside& beside = {}) const {
    judge(one.row, one.number, model_.trace(), sass, known_, beside);
    return one.row;
  }
  Accesses model_, record_;
  Circumstances known_;
  const compile::Sass both_ =
      assembled({instruction(10, "LDG.E R2, [R2]"), instruction(20, "LDG.E R3, [R2]"), instruction(30, "BREAK B6")});
  const compile::Sass one_ = assembled({instruction(10, "LDG.E R2, [R2]"), instruction(30, "BREAK B6")});
};

TEST_F(Judged, WhatIsFollowedIsAskedFirst) {
  const AgreementRow gone = judged(row_of(requests_of(MemoryClass::global_load), 2, 3, 1), one_);
  EXPECT_EQ(gone.agreed, Agreed::explained);
  expect_told(gone.evidence, "removed or merged 1 of 2");
}

// Lanes may run apart where the record shows it, and only there.
TEST_F(Judged, LanesThatLeaveABarrierExplainOnlyTheirOwnAccesses) {
  const AgreementRow apart = judged(row_of(requests_of(MemoryClass::global_load), 2, 3, 5), both_);
  EXPECT_EQ(apart.agreed, Agreed::explained);
  expect_told(apart.evidence, "BREAK B6");
  EXPECT_EQ(judged(row_of(requests_of(MemoryClass::global_load), 2, 3, 6), both_).agreed, Agreed::unexplained);
  EXPECT_EQ(judged(row_of(requests_of(MemoryClass::global_load), 2, 3, 1), both_).agreed, Agreed::unexplained);
  EXPECT_EQ(judged(row_of(requests_of(MemoryClass::global_load), 2, 3, 5), one_).agreed, Agreed::unexplained)
      << "one of the loads is gone";
}

TEST_F(Judged, SectorsOfRequestsThatNobodyExplainsAreNotExplainedByCompany) {
  const Row row = row_of(sectors_of(MemoryClass::global_load), 8, 8, 7);
  EXPECT_EQ(judged(row, both_, {.requests = Agreed::explained}).agreed, Agreed::explained);
  EXPECT_EQ(judged(row, both_, {.requests = Agreed::unexplained}).agreed, Agreed::unexplained);
}

// One of two loads is removed, so one of two requests remains. Fewer instructions do not explain zero requests.
TEST_F(Judged, WhatWasFollowedIsNotExplainedByNumbersOfInstructions) {
  known_ = {};
  EXPECT_EQ(judged(row_of(requests_of(MemoryClass::global_load), 2, 2, 1), one_).agreed, Agreed::explained);
  EXPECT_EQ(judged(row_of(requests_of(MemoryClass::global_load), 2, 2, 0), one_).agreed, Agreed::unexplained);
  const compile::Sass from_nowhere = assembled({instruction(0, "LDG.E R2, [R2]")});
  const AgreementRow row = judged(row_of(requests_of(MemoryClass::global_load), 2, 2, 1), from_nowhere);
  EXPECT_EQ(row.agreed, Agreed::explained);
  expect_told(row.evidence, "removed or merged");
}

// If the count by instruction does not agree either, the difference is not due to the driver's functions.
TEST_F(Judged, WhatTheInstructionsDoNotMakeIsNotTheDrivers) {
  known_ = {};
  known_.ptx.functions_outside = "vprintf";
  const compile::Sass prints = assembled(
      {instruction(10, "LDG.E R2, [R2]"), instruction(20, "LDG.E R3, [R2]"), instruction(30, "CALL.ABS.NOINC R14")});
  const Row row = row_of(requests_of(MemoryClass::global_load), 2, 2, 40);
  EXPECT_EQ(judged(row, prints, {.by_instruction = 2, .counters = "a counter"}).agreed, Agreed::explained);
  EXPECT_EQ(judged(row, prints, {.by_instruction = 3, .counters = "a counter"}).agreed, Agreed::unexplained);
}

TEST(LinesOfInstructions, AreThoseOfThePtx) {
  const char* ptx =
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n  .reg .b32 %r<2>;\n\n  mov.u32 %r1, "
      "1;\n  ret;\n}\n";
  EXPECT_EQ(facts_of_ptx(ptx).instruction_lines, (PtxLines{{8, 9}}));
  EXPECT_TRUE(facts_of_ptx("no PTX").instruction_lines.empty());
}

}  // namespace
}  // namespace lanescope::job
