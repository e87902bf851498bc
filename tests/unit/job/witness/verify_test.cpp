#include "job/witness/verify.h"

#include "job/witness/judge.h"
#include "job/witness/reasons.h"
#include "job/witness/sass_evidence.h"

#include <gtest/gtest.h>

#include "job/numbers.h"
#include "words/messages.h"

namespace lanescope::job {
namespace {

using Kind = SassAccess::Kind;
using trace::MemoryClass;
using trace::MemorySpace;

TEST(SassAccess, ReadsKindSpaceAndWidth) {
  struct Row {
    const char* text;
    Kind kind;
    MemorySpace space;
    int bytes;
  };
  for (const Row& row :
       {Row{"LDG.E R2, desc[UR4][R2.64]", Kind::load, MemorySpace::global, 4},
        Row{"LDG.E.64.CONSTANT R2, desc[UR4][R2.64]", Kind::load, MemorySpace::global, 8},
        Row{"STG.E.128 desc[UR4][R4.64], R8", Kind::store, MemorySpace::global, 16},
        Row{"LDG.E.U8 R2, desc[UR4][R2.64]", Kind::load, MemorySpace::global, 1},
        Row{"LDG.E.U16 R2, desc[UR4][R2.64]", Kind::load, MemorySpace::global, 2},
        Row{"LDS R0, [R3]", Kind::load, MemorySpace::shared, 4},
        Row{"STS.64 [R15.X8], R2", Kind::store, MemorySpace::shared, 8},
        Row{"LDL.LU R4, [R1]", Kind::load, MemorySpace::local, 4},
        Row{"LD.E R4, desc[UR4][R2.64]", Kind::load, MemorySpace::none, 4},
        Row{"RED.E.ADD.STRONG.GPU desc[UR4][R2.64], R5", Kind::reduction, MemorySpace::global, 4},
        Row{"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R5", Kind::reduction, MemorySpace::global, 4},
        Row{"ATOMG.E.ADD.F16x2.RN.STRONG.GPU PT, RZ, desc[UR4][R2.64], R5", Kind::atomic, MemorySpace::global, 4},
        Row{"ATOM.E.CAS.STRONG.GPU PT, R7, [R2], R6, R7", Kind::compare_and_swap, MemorySpace::none, 4},
        Row{"ATOMS.ADD RZ, [R3], R4", Kind::atomic, MemorySpace::shared, 4},
        Row{"LDGSTS.E.64 [R7], desc[UR6][R2.64]", Kind::async_copy, MemorySpace::global, 8},
        Row{"LDC R1, c[0x0][0x28]", Kind::none, MemorySpace::none, 4},
        Row{"LDGDEPBAR", Kind::none, MemorySpace::none, 4}, Row{"FADD R2, R3, R4", Kind::none, MemorySpace::none, 4}}) {
    const SassAccess access = access_of(compile::parse_sass(row.text));
    EXPECT_EQ(access.kind, row.kind) << row.text;
    EXPECT_EQ(access.space, row.space) << row.text;
    EXPECT_EQ(access.bytes, row.bytes) << row.text;
  }
}

trace::Site memory_site(MemorySpace space, trace::Operation operation, std::uint8_t width, std::string opcode) {
  trace::Site site;
  site.kind = trace::EventKind::memory;
  site.space = space;
  site.operation = operation;
  site.width = width;
  site.opcode = std::move(opcode);
  return site;
}

compile::Sass sass_of(std::vector<std::string> texts) {
  compile::Sass sass;
  for (std::string& text : texts) sass.instructions.push_back({.text = std::move(text)});
  return sass;
}

// The first reason when no access can be followed and only the machine code is known.
Wording explain(Number number, trace::Trace trace, const SassCode& sass, std::uint64_t interpreted,
                std::uint64_t counted) {
  trace.events_dropped = 1;
  return first_reason({number, {interpreted, {}, counted}, trace, sass, {}, {}}).evidence;
}

TEST(Explain, HalfAtomicIsACompareAndSwapLoop) {
  trace::Trace trace;
  trace.sites = {memory_site(MemorySpace::none, trace::Operation::atomic, 2, "atom.add.noftz.f16")};
  const auto loop = sass_of({"ATOM.E.CAS.STRONG.GPU PT, R7, [R2], R6, R7"});
  EXPECT_NE(explain(requests_of(MemoryClass::global_atomic), trace, loop, 16, 152).find("compare-and-swap"),
            std::string::npos);
  // Without the loop in SASS there is no reason.
  const auto native = sass_of({"ATOMG.E.ADD.F16x2.RN.STRONG.GPU PT, RZ, [R2], R5"});
  EXPECT_EQ(explain(requests_of(MemoryClass::global_atomic), trace, native, 16, 152), "");
}

TEST(Explain, MergedNeighboursNeedFewerInstructionsOfTheSameBytes) {
  trace::Trace trace;
  trace.sites = {memory_site(MemorySpace::shared, trace::Operation::load, 4, "ld.shared.f32"),
                 memory_site(MemorySpace::shared, trace::Operation::load, 4, "ld.shared.f32")};
  EXPECT_NE(explain(conflicts_of(MemoryClass::shared_load), trace, sass_of({"LDS.64 R2, [R3]"}), 4, 0).find("merged"),
            std::string::npos);
}

TEST(Explain, AnArrayInRegistersHasNoLocalAccess) {
  trace::Trace trace;
  trace.sites = {memory_site(MemorySpace::local, trace::Operation::store, 4, "st.local.f32")};
  EXPECT_NE(explain(requests_of(MemoryClass::local_store), trace, sass_of({"FADD R1, R2, R3"}), 8, 0).find("registers"),
            std::string::npos);
}

// The window shows the evidence in the learner's language.
TEST(Explain, EveryReasonHasItsChinese) {
  using Access = trace::Operation;
  const auto reason = [](Number number, MemorySpace space, Access operation, std::uint8_t width, int sites,
                         const char* opcode, std::vector<std::string> sass, std::uint64_t here, std::uint64_t there) {
    trace::Trace trace;
    trace.sites.assign(static_cast<std::size_t>(sites), memory_site(space, operation, width, opcode));
    return explain(number, trace, sass_of(std::move(sass)), here, there);
  };
  const Wording reasons[] = {reason(requests_of(MemoryClass::global_atomic), MemorySpace::none, Access::atomic, 2, 1,
                                    "atom.add.noftz.f16", {"ATOM.E.CAS.STRONG.GPU PT, R7, [R2], R6, R7"}, 16, 152),
                             reason(conflicts_of(MemoryClass::shared_load), MemorySpace::shared, Access::load, 4, 2,
                                    "ld.shared.f32", {"LDS.64 R2, [R3]"}, 4, 0),
                             reason(conflicts_of(MemoryClass::shared_load), MemorySpace::shared, Access::load, 4, 2,
                                    "ld.shared.f32", {"LDS R2, [R3]"}, 4, 0),
                             reason(conflicts_of(MemoryClass::shared_load), MemorySpace::shared, Access::load, 4, 1,
                                    "ld.shared.f32", {"LDS R2, [R3]", "LDS R4, [R3]"}, 4, 8),
                             reason(requests_of(MemoryClass::local_store), MemorySpace::local, Access::store, 4, 1,
                                    "st.local.f32", {"FADD R1, R2, R3"}, 8, 0)};
  EXPECT_EQ(reasons[3], "ptxas unrolled or duplicated accesses: 1 instruction in PTX, 2 in SASS");
  EXPECT_EQ(diagram::translated(reasons[3], diagram::Language::chinese),
            "ptxas 展开或重复了访问：PTX 里 1 条指令，SASS 里 2 条");
  for (const Wording& english : reasons) {
    EXPECT_NE(english, "");
    EXPECT_NE(diagram::translated(english, diagram::Language::chinese), english) << "messages.def lacks this reason";
  }
}

TEST(Explain, AReductionThatBecameAnAtomicIsCountedAsOne) {
  trace::Trace trace;
  trace.sites = {memory_site(MemorySpace::global, trace::Operation::atomic, 4, "atom.global.add.u32"),
                 memory_site(MemorySpace::global, trace::Operation::reduction, 4, "red.global.add.u32")};
  const char* atomic = "ATOMG.E.ADD.STRONG.GPU PT, R5, desc[UR4][R2.64], R5";
  for (const Number number : {requests_of(MemoryClass::global_atomic), sectors_of(MemoryClass::global_reduction)}) {
    const Wording english = explain(number, trace, sass_of({atomic, atomic}), 4, 12);
    EXPECT_NE(english.find("turned 1 of the reductions into atomics"), std::string::npos) << english;
    EXPECT_NE(diagram::translated(english, diagram::Language::chinese), english);
    EXPECT_EQ(explain(number, trace, sass_of({atomic, "RED.E.ADD.STRONG.GPU desc[UR4][R2.64], R5"}), 4, 12), "")
        << "nothing was changed";
  }
}

TEST(Explain, RegistersKeptAroundCallsAreNoUnrolledAccesses) {
  const Wording english =
      explain(requests_of(MemoryClass::local_store), {}, sass_of({"STL [R1], R2", "CALL.REL.NOINC `($k$f)"}), 0, 8);
  EXPECT_NE(english.find("around calls"), std::string::npos) << english;
  EXPECT_NE(diagram::translated(english, diagram::Language::chinese), english);
}

TEST(Explain, WhatADriversFunctionDoesIsCountedToo) {
  const char* ptx = R"(.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.func own() { ret; }
.visible .entry k()
{
  .param .b64 a;
  .param .b64 b;
  .param .b32 r;
  call own, ();
  call (r), vprintf, (a, b);
  ret;
}
)";
  EXPECT_EQ(facts_of_ptx(ptx).functions_outside, "vprintf");
  EXPECT_EQ(facts_of_ptx("no PTX").functions_outside, "");
  const Wording english = explain_outside("vprintf", sass_of({"CALL.ABS.NOINC R2"}));
  EXPECT_NE(english.find("vprintf"), std::string::npos) << english;
  EXPECT_NE(diagram::translated(english, diagram::Language::chinese), english);
  EXPECT_EQ(explain_outside("", sass_of({"CALL.ABS.NOINC R2"})), "");
  EXPECT_EQ(explain_outside("vprintf", sass_of({"CALL.REL.NOINC `($k$own)"})), "");
}

// A function that takes a maximum by compare-and-swap; its loop is lines 7 to 9.
compile::Sass loop_of(const char* in_the_loop) {
  compile::Sass sass = sass_of({"LDG.E R4, desc[UR4][R2.64]", "DSETP.GEU.AND P0, PT, R4, R6, PT", in_the_loop,
                                "ISETP.NE.AND P0, PT, R4, R8, PT", "BRA `(.L_x_1)", "EXIT"});
  sass.instructions[1].label = ".L_x_1";
  for (std::size_t i = 1; i < 5; ++i) sass.instructions[i].line = 6 + static_cast<int>(i);
  return sass;
}

TEST(ExplainWaiting, OnlyWhatWaitsForOthersIsAMatterOfTiming) {
  const compile::Sass swaps = loop_of("ATOMG.E.CAS.64.STRONG.GPU PT, R8, [R2], R4, R6"),
                      polls = loop_of("LDG.E.64.STRONG.SYS R4, desc[UR4][R2.64]");
  ASSERT_EQ(loops_of(swaps).size(), 1u);
  EXPECT_EQ(loops_of(swaps).front().first, 1u);
  EXPECT_EQ(loops_of(swaps).front().last, 4u);
  for (const Wording& english :
       {explain_waiting(requests_of(MemoryClass::global_atomic), swaps, {}),
        explain_waiting(sectors_of(MemoryClass::global_load), polls, {.lines_that_part = std::vector<int>{8}})}) {
    EXPECT_NE(english, "");
    EXPECT_NE(diagram::translated(english, diagram::Language::chinese), english);
  }
  EXPECT_EQ(explain_waiting(requests_of(MemoryClass::global_load), swaps, {}), "") << "no load is in that loop";
  EXPECT_EQ(explain_waiting(requests_of(MemoryClass::global_store), polls, {}), "");
  EXPECT_EQ(explain_waiting(requests_of(MemoryClass::global_load), polls, {.lines_that_part = std::vector<int>{8, 20}}),
            "")
      << "line 20 is elsewhere";
  EXPECT_EQ(explain_waiting(requests_of(MemoryClass::global_load), loop_of("LDG.E R4, desc[UR4][R2.64]"), {}), "")
      << "a plain load waits for nobody";
  // Fewer than in the model, and the record shows that each lane did what the model says: waiting was not shorter.
  EXPECT_EQ(explain_waiting(requests_of(MemoryClass::global_load), polls,
                            {.lines_that_part = std::vector<int>{}, .changed = false, .more = false}),
            "");
  EXPECT_NE(explain_waiting(requests_of(MemoryClass::global_load), polls,
                            {.lines_that_part = std::vector<int>{8}, .changed = true, .more = false}),
            "");
  EXPECT_NE(explain_waiting(requests_of(MemoryClass::global_load), polls,
                            {.lines_that_part = std::vector<int>{}, .changed = false, .more = true}),
            "");
  compile::Sass straight = polls;
  straight.instructions[1].label.clear();
  EXPECT_EQ(explain_waiting(requests_of(MemoryClass::global_load), straight, {}), "");
}

TEST(ExplainWaiting, ALoopThatWaitsForAPhaseTurnsAsTimingHasIt) {
  // Lines 7 to 10 are the loop; line 9 tries to wait.
  compile::Sass waits = loop_of("SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R2+URZ], R3");
  waits.instructions[1].text = "LDS R4, [R2]";
  waits.instructions[1].label = ".L_x_1";
  const Number loads = requests_of(MemoryClass::shared_load);
  const Wording english = explain_waiting(loads, waits, {.lines_that_part = std::vector<int>{7}});
  EXPECT_NE(english.find("PHASECHK"), std::string::npos) << english;
  EXPECT_NE(diagram::translated(english, diagram::Language::chinese), english);
  EXPECT_EQ(explain_waiting(loads, waits, {}), "") << "nothing recorded shows that only these part";
  EXPECT_EQ(explain_waiting(loads, waits, {.lines_that_part = std::vector<int>{7, 20}}), "") << "line 20 is elsewhere";
  EXPECT_EQ(explain_waiting(requests_of(MemoryClass::shared_store), waits, {.lines_that_part = std::vector<int>{7}}),
            "")
      << "no store is in that loop";
  compile::Sass arrives = loop_of("SYNCS.ARRIVE.TRANS64 R4, [R2+URZ], R3");
  arrives.instructions[1].text = "LDS R4, [R2]";
  arrives.instructions[1].label = ".L_x_1";
  EXPECT_EQ(explain_waiting(loads, arrives, {.lines_that_part = std::vector<int>{7}}), "")
      << "an arrival waits for nobody";
  // An outer loop iterates as the program says, not as timing does.
  compile::Sass around = waits;
  around.instructions[4].text = "BRA `(.L_x_2)";
  around.instructions[2].label = ".L_x_2";
  around.instructions.insert(around.instructions.begin() + 5, around.instructions[4]);
  around.instructions[5].text = "BRA `(.L_x_1)";
  ASSERT_EQ(loops_of(around).size(), 2u);
  EXPECT_EQ(explain_waiting(loads, around, {.lines_that_part = std::vector<int>{7}}), "");
}

TEST(Explain, TheSameMachineCodeExplainsNothing) {
  trace::Trace trace;
  trace.sites = {memory_site(MemorySpace::global, trace::Operation::load, 4, "ld.global.f32")};
  EXPECT_EQ(explain(sectors_of(MemoryClass::global_load), trace, sass_of({"LDG.E R2, [R2.64]"}), 32, 31), "");
}

// On an H200, the counter of bank conflicts gave 1,829 to 1,884 for a conflict-free kernel of 4,096 blocks, and 0 for
// one wave of blocks. The count by instruction gave 25 wavefronts per block each time, as many as its loads have.
TEST(Explain, ConflictsThatAreNoneOfTheKernels) {
  const Number loads = conflicts_of(MemoryClass::shared_load);
  const Wording english = explain_conflicts(loads, {102400, 7}, {.wavefronts = 102400, .arbitration = 1884});
  EXPECT_NE(english.find("wavefronts_mem_shared_op_ld"), std::string::npos) << english;
  EXPECT_NE(explain_conflicts(conflicts_of(MemoryClass::shared_store), {8, 7}, {.wavefronts = 8, .arbitration = 1})
                .find("wavefronts_mem_shared_op_st"),
            std::string::npos);
  EXPECT_NE(diagram::translated(english, diagram::Language::chinese), english) << "messages.def lacks this reason";
  EXPECT_EQ(explain_conflicts(loads, {102399, 7}, {.wavefronts = 102400, .arbitration = 1884}),
            "");  // the kernel's own wavefronts differ
  EXPECT_EQ(explain_conflicts(loads, {102400, 7}, {.wavefronts = 102400, .arbitration = 0}), "");  // no other cause
  EXPECT_EQ(explain_conflicts(loads, {102400, 7}, {.arbitration = 1884}), "");
  EXPECT_EQ(explain_conflicts(loads, {102400, 7}, {.wavefronts = 102400}), "");
  // ldmatrix and stmatrix have counters of their own (H200: 131,072 wavefronts there, and none by the others).
  EXPECT_NE(explain_conflicts(loads, {131072, 0}, {.wavefronts = 131072, .arbitration = 2, .has_matrices = true})
                .find("op_ld.sum + smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum) these accesses"),
            std::string::npos);
  // One conflict was counted in a kernel of two blocks, and none when it was counted again (H200).
  const ConflictCounts none_the_second_time{.wavefronts = 4, .arbitration = 0, .again = 0};
  EXPECT_EQ(explain_conflicts(loads, {4, 0}, none_the_second_time).find("counted once more, there are 0"), 0u);
  EXPECT_EQ(explain_conflicts(loads, {4, 1}, none_the_second_time), "") << "the second count is another one";
  EXPECT_EQ(explain_conflicts(loads, {5, 0}, none_the_second_time), "") << "the accesses take other wavefronts";
}

// One warp, one access of four lanes at `base`; and the same access on a GPU whose buffer has another address.
trace::Trace one_access(std::uint64_t base, LaneMask executed, std::int32_t stride) {
  trace::Trace trace;
  trace.sites = {memory_site(MemorySpace::global, trace::Operation::load, 4, "ld.global.f32")};
  trace.buffers = {{"arg 0", 0, base, 1024}};
  trace::WarpEvent event;
  event.kind = trace::EventKind::memory;
  event.space = MemorySpace::global;
  event.active = executed;
  event.executed = executed;
  event.first_address = base + 16;
  event.stride = stride;
  trace.events = {event};
  return trace;
}

TEST(ExplainMeetingElsewhere, NeedsABarrierKeptInARegisterAndANumberThatTheLanesCanMake) {
  const trace::Trace trace =
      one_access(0, LaneMask::first(4), 64);  // four lanes, a sector each: one request together, four requests alone
  const compile::Sass sass = sass_of({"BMOV.32.CLEAR R2, B6", "CALL.REL.NOINC `($k$f)"});
  const auto bounds = bounds_of(requests_of(MemoryClass::global_load), trace);
  ASSERT_TRUE(bounds);
  EXPECT_EQ(bounds->low, 1u);
  EXPECT_EQ(bounds->high, 4u);
  const Wording english =
      explain_meeting_elsewhere(sass, {1, 3, 4}, bounds_of(requests_of(MemoryClass::global_load), trace));
  EXPECT_NE(english.find("convergence barrier"), std::string::npos) << english;
  EXPECT_NE(diagram::translated(english, diagram::Language::chinese), english);
  EXPECT_EQ(explain_meeting_elsewhere(sass, {1, 5}, bounds_of(requests_of(MemoryClass::global_load), trace)), "")
      << "more than the lanes can make";
  EXPECT_EQ(explain_meeting_elsewhere(sass, {0}, bounds_of(requests_of(MemoryClass::global_load), trace)), "")
      << "fewer";
  EXPECT_EQ(explain_meeting_elsewhere(sass, {1, 3}, bounds_of(conflicts_of(MemoryClass::shared_load), trace)), "");
  EXPECT_EQ(explain_meeting_elsewhere(sass_of({"CALL.REL.NOINC `($k$f)"}), {1, 3},
                                      bounds_of(requests_of(MemoryClass::global_load), trace)),
            "");
}

TEST(ExplainMeetingElsewhere, LanesMayLeaveTheirBarrier) {
  const trace::Trace trace = one_access(0, LaneMask::first(4), 64);
  const Wording english =
      explain_meeting_elsewhere(sass_of({"BREAK B6"}), {1, 3}, bounds_of(requests_of(MemoryClass::global_load), trace));
  EXPECT_NE(english.find("BREAK B6"), std::string::npos) << english;
  EXPECT_NE(diagram::translated(english, diagram::Language::chinese), english);
  EXPECT_EQ(explain_meeting_elsewhere(sass_of({"BSSY B6, `(.L_x_1)", "BSYNC B6"}), {1, 3},
                                      bounds_of(requests_of(MemoryClass::global_load), trace)),
            "");
}

TEST(ExplainMeetingElsewhere, ConflictsAreFewerThanTheLanes) {
  trace::Trace trace = one_access(0, LaneMask::first(4), 128);
  trace.sites.front().space = trace.events.front().space = MemorySpace::shared;
  const compile::Sass sass = sass_of({"BREAK B6"});
  EXPECT_NE(explain_meeting_elsewhere(sass, {3, 0}, bounds_of(conflicts_of(MemoryClass::shared_load), trace)), "");
  EXPECT_EQ(explain_meeting_elsewhere(sass, {3, 5}, bounds_of(conflicts_of(MemoryClass::shared_load), trace)), "");
}

// On an H200, k7029_0 of random_kernels.py (9 lanes, one STL.128) was counted as 4 local stores, and so were full
// warps.
TEST(ExplainByWords, AWideLocalAccessIsARequestForEachWord) {
  trace::Trace trace = one_access(0, LaneMask::first(9), 16);
  trace.sites = {memory_site(MemorySpace::local, trace::Operation::store, 16, "st.local.v4.u32")};
  trace.events.front().space = MemorySpace::local;
  const compile::Sass sass = sass_of({"STL [R1+0x10], R2", "STL.128 [R1], R4"});
  const Wording english = explain_by_words(requests_of(MemoryClass::local_store), trace, sass, 4);
  EXPECT_NE(english.find("STL.128 [R1], R4"), std::string::npos) << english;
  EXPECT_NE(diagram::translated(english, diagram::Language::chinese), english);
  for (const std::uint64_t counted : {1, 3, 8})
    EXPECT_EQ(explain_by_words(requests_of(MemoryClass::local_store), trace, sass, counted), "") << counted;
  EXPECT_EQ(explain_by_words(requests_of(MemoryClass::local_load), trace, sass, 4), "");
  EXPECT_EQ(explain_by_words(requests_of(MemoryClass::global_store), trace, sass, 4), "");
  trace.events_dropped = 1;
  EXPECT_EQ(explain_by_words(requests_of(MemoryClass::local_store), trace, sass, 4), "");
}

// On an H200, 48 local loads of the model were counted as 36. 12 of them were the local lanes of generic loads.
TEST(ExplainByWords, AGenericAccessToBothSpacesIsNoLocalRequest) {
  trace::Trace trace = one_access(0, LaneMask::first(4), 32);
  trace.sites = {memory_site(MemorySpace::none, trace::Operation::load, 4, "ld.u32"),
                 memory_site(MemorySpace::local, trace::Operation::load, 4, "ld.local.u32")};
  trace.events.assign(3, trace.events.front());
  trace.events[1].space = MemorySpace::local;
  trace.events[1].executed = LaneMask{0xf0};
  trace.events[1].stride = 4;
  trace.events[2].space = MemorySpace::local;
  trace.events[2].site = 1;
  const compile::Sass sass = sass_of({"LD.E R2, desc[UR4][R2.64]", "LDL R0, [R6]"});
  const Wording local = explain_by_words(requests_of(MemoryClass::local_load), trace, sass, 1);
  EXPECT_NE(local.find("(1 of them)"), std::string::npos) << local;
  EXPECT_NE(diagram::translated(local, diagram::Language::chinese), local);
  EXPECT_EQ(explain_by_words(requests_of(MemoryClass::local_load), trace, sass, 2), "");
  EXPECT_EQ(explain_by_words(sectors_of(MemoryClass::global_load), trace, sass, 5), "")
      << "not understood: 34 sectors more were counted there";
}

// Where it can, ptxas combines the lanes' values with REDUX, so only one lane goes to memory. Such a reduction is not
// serialised.
TEST(AgreeWithCounters, AReductionJoinedBeforehandTakesNoTurns) {
  trace::Trace trace = one_access(0, LaneMask::first(4), 0);
  trace.sites = {memory_site(MemorySpace::global, trace::Operation::reduction, 4, "red.global.min.u32"),
                 memory_site(MemorySpace::global, trace::Operation::reduction, 4, "red.global.add.f32")};
  trace.sites[0].ptx_line = 10;
  trace.sites[1].ptx_line = 20;
  trace.events.push_back(trace.events.front());
  trace.events[1].site = 1;
  trace.totals.of(trace::MemoryClass::global_reduction).sectors = 2;
  compile::Sass sass = sass_of({"REDUX.MIN UR10, R12", "REDG.E.MIN.STRONG.GPU desc[UR8][R16.64], R11",
                                "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR8][R10.64], R19"});
  sass.instructions[0].ptx_line = sass.instructions[1].ptx_line = 10;
  sass.instructions[2].ptx_line = 20;
  const auto verdict = [&](double counted) {
    return agree_with_counters(trace, {{"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", counted}}, sass)
        .front()
        .agreed;
  };
  EXPECT_EQ(verdict(5), Agreed::explained);  // one for the combined reduction, four passes for the other
  EXPECT_EQ(verdict(8), Agreed::unexplained);
  // On an H200, k7053_0: a REDUX.OR on the line of a float sum combines something else.
  sass.instructions.push_back({.text = "REDUX.OR UR8, R38", .ptx_line = 20});
  EXPECT_EQ(verdict(5), Agreed::explained);
  EXPECT_EQ(verdict(6), Agreed::unexplained);
  sass.instructions[0].text = "REDUX.OR UR10, R12";
  EXPECT_EQ(verdict(8), Agreed::explained);
  EXPECT_EQ(verdict(5), Agreed::unexplained);
}

// The requests equal the model's, so no loop read more often. The sectors must have another reason.
TEST(AgreeWithCounters, WhatIsReadAsOftenHasNotWaited) {
  trace::Trace trace = one_access(0, LaneMask::first(4), 4);
  trace.sites.push_back(trace.sites.front());  // as many loads as in the machine code
  trace.totals.of(trace::MemoryClass::global_load) = {.requests = 1, .sectors = 1};
  const compile::Sass polls = loop_of("LDG.E.64.STRONG.SYS R4, desc[UR4][R2.64]");
  const auto sectors = [&](double requests, double counted) {
    const auto rows = agree_with_counters(trace,
                                          {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", requests},
                                           {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", counted}},
                                          polls);
    return rows.back().agreed;
  };
  EXPECT_EQ(sectors(3, 3), Agreed::explained);
  EXPECT_EQ(sectors(1, 3), Agreed::unexplained);
}

// Unrolling does not explain fewer executions, and removal does not explain more.
TEST(Explain, FewerInstructionsMakeNoMoreAccesses) {
  trace::Trace trace;
  trace.sites.assign(2, memory_site(MemorySpace::global, trace::Operation::load, 4, "ld.global.f32"));
  EXPECT_NE(explain(requests_of(MemoryClass::global_load), trace, sass_of({"LDG.E R2, [R4]"}), 8, 4), "");
  EXPECT_EQ(explain(requests_of(MemoryClass::global_load), trace, sass_of({"LDG.E R2, [R4]"}), 8, 12), "");
  EXPECT_EQ(explain(requests_of(MemoryClass::global_load), trace, sass_of({"LDG.E.64 R2, [R4]"}), 8, 12), "");
  const compile::Sass unrolled = sass_of({"LDG.E R2, [R4]", "LDG.E R3, [R4+0x4]", "LDG.E R3, [R4+0x8]"});
  EXPECT_NE(explain(requests_of(MemoryClass::global_load), trace, unrolled, 8, 12), "");
  EXPECT_EQ(explain(requests_of(MemoryClass::global_load), trace, unrolled, 8, 4), "");
}

TEST(CompareRecords, BuffersMayLieElsewhere) {
  const trace::Trace here = one_access(0x1000, LaneMask::first(4), 4),
                     there = one_access(0x90000, LaneMask::first(4), 4);
  const std::vector<DeviceRange> device{{0, 0x90000, 1024}};
  const RecordComparison same = compare_records(here, there, instrument::Pass::memory, 0, 1, device);
  EXPECT_TRUE(same.agrees());
  EXPECT_EQ(same.equal, 1u);
}

// Two buffers that are adjacent here and apart on the GPU: the second begins where the first ends.
TEST(CompareRecords, ABufferEndsBeforeItsNeighbour) {
  trace::Trace here = one_access(0x1400 - 16, LaneMask::first(4), 4),
               there = one_access(0x90000 - 16, LaneMask::first(4), 4);
  here.buffers = {{"arg 0", 0, 0x1000, 1024}, {"arg 1", 1, 0x1400, 1024}};
  const std::vector<DeviceRange> device{{0, 0x70000, 1024}, {1, 0x90000, 1024}};
  EXPECT_TRUE(compare_records(here, there, instrument::Pass::memory, 0, 1, device).agrees());
  there.events[0].first_address = 0x70000;
  EXPECT_FALSE(compare_records(here, there, instrument::Pass::memory, 0, 1, device).agrees());
}

// A GPU's shared memory begins 1,024 bytes later, in each block of a cluster. The rank is not part of that distance.
TEST(CompareRecords, SharedMemoryOfOtherBlocksMovesWithTheOwn) {
  const auto accesses = [](std::uint64_t own, std::uint64_t of_another) {
    trace::Trace made = one_access(0, LaneMask::first(4), 4);
    made.buffers.clear();
    made.events[0].space = MemorySpace::shared;
    made.events[0].first_address = own;
    made.events.push_back(made.events[0]);
    made.events[1].space = MemorySpace::distributed;
    made.events[1].first_address = of_another;
    return made;
  };
  const auto agree = [&](std::uint64_t own, std::uint64_t of_another) {
    return compare_records(accesses(0, 0x1000010), accesses(own, of_another), instrument::Pass::memory, 0, 1, {})
        .agrees();
  };
  EXPECT_TRUE(agree(0x400, 0x1000410));
  EXPECT_FALSE(agree(0x400, 0x2000410)) << "another block";
  EXPECT_FALSE(agree(0x400, 0x1000490)) << "another distance than in the own block";
}

TEST(CompareRecords, AnotherMaskOrAddressIsADifferenceWithItsLine) {
  const std::vector<DeviceRange> device{{0, 0x90000, 1024}};
  const trace::Trace here = one_access(0x1000, LaneMask::first(4), 4);
  for (const trace::Trace& there :
       {one_access(0x90000, LaneMask::first(5), 4), one_access(0x90000, LaneMask::first(4), 8)}) {
    const RecordComparison parted = compare_records(here, there, instrument::Pass::memory, 0, 1, device);
    EXPECT_FALSE(parted.agrees());
    EXPECT_EQ(parted.equal, 0u);
    ASSERT_EQ(parted.differences.size(), 1u);
    EXPECT_NE(parted.differences[0].find("ld.global.f32"), std::string::npos);
  }
}

TEST(CompareRecords, LanesThatRunInOtherCompanyAreToldFromOtherAccesses) {
  const std::vector<DeviceRange> device{{0, 0x90000, 1024}};
  const trace::Trace here = one_access(0x1000, LaneMask::first(4), 4);
  EXPECT_FALSE(compare_records(here, one_access(0x90000, LaneMask::first(4), 4), instrument::Pass::memory, 0, 1, device)
                   .only_regrouped);
  // Lanes 0 and 1 apart from lanes 2 and 3.
  trace::Trace apart = one_access(0x90000, LaneMask::first(2), 4);
  trace::WarpEvent rest = apart.events[0];
  rest.active = rest.executed = LaneMask::first(4) & ~LaneMask::first(2);
  rest.first_address += 8;
  apart.events.push_back(rest);
  const RecordComparison regrouped = compare_records(here, apart, instrument::Pass::memory, 0, 1, device);
  EXPECT_FALSE(regrouped.agrees());
  EXPECT_TRUE(regrouped.only_regrouped);
  EXPECT_EQ(regrouped.regrouped_sites, std::vector<std::uint32_t>{0});
  EXPECT_TRUE(regrouped.changed_sites.empty());
  apart.events[1].first_address += 4;
  const RecordComparison changed = compare_records(here, apart, instrument::Pass::memory, 0, 1, device);
  EXPECT_FALSE(changed.only_regrouped);
  EXPECT_EQ(changed.changed_sites, std::vector<std::uint32_t>{0});
  EXPECT_TRUE(changed.regrouped_sites.empty());
  apart.events.pop_back();
  EXPECT_FALSE(compare_records(here, apart, instrument::Pass::memory, 0, 1, device).only_regrouped);
}

TEST(CompareRecords, DroppedRecordsNeverCountAsAgreement) {
  const trace::Trace here = one_access(0x1000, LaneMask::first(4), 4);
  trace::Trace there = one_access(0x90000, LaneMask::first(4), 4);
  there.events_dropped = 1;
  const std::vector<DeviceRange> device{{0, 0x90000, 1024}};
  EXPECT_FALSE(compare_records(here, there, instrument::Pass::memory, 0, 1, device).agrees());
}

}  // namespace
}  // namespace lanescope::job
