// The lessons' own variants stepped together.

#include <algorithm>
#include <set>

#include "compare/joint_steps.h"
#include "job/lesson/lesson_request.h"
#include "job/run/job.h"
#include "lesson/lesson.h"
#include "metrics/request_cost.h"
#include "test_paths.h"

namespace lanescope::gui {
namespace {

struct LessonRun {
  job::Outcome outcome;
  std::vector<PhasePass> passes;
  const trace::Trace& trace() const { return outcome.first().trace; }
  const std::string& source() const { return outcome.request.source.text; }
};

LessonRun run_of(const std::string& lesson, const std::string& variant) {
  LessonRun run;
  const auto lessons = lesson::load_all(LANESCOPE_SOURCE_DIR "/lessons");
  if (!lessons) return run;
  for (const lesson::Lesson& l : *lessons)
    if (l.id == lesson) {
      auto request = job::from_lesson(l, *l.find_variant(variant), {});
      request->record.events = true;
      run.outcome = job::run(*request);
    }
  if (run.outcome.completed) run.passes = phase_passes(run.trace(), run.source(), 0, 0);
  return run;
}

std::optional<std::size_t> parting_of(const LessonRun& a, const LessonRun& b, std::vector<JointStep> steps) {
  pair_accesses({a.trace(), a.passes}, {b.trace(), b.passes}, steps);
  return where_they_part({a.trace(), a.passes}, {b.trace(), b.passes}, steps);
}

TEST(LessonsSideBySide, ModuloAndStridedPartAtTheFirstHalving) {
  const LessonRun a = run_of("divergence", "reduce_modulo"), b = run_of("divergence", "reduce_strided");
  const auto steps = joint_steps(a.passes, b.passes);
  EXPECT_EQ(said(steps),
            (std::vector<std::string>{"load1AB", "halving1AB", "halving2AB", "halving3AB", "halving4AB", "halving5AB",
                                      "halving6AB", "halving7AB", "halving8AB", "store1AB"}));
  const auto parting = parting_of(a, b, steps);
  ASSERT_EQ(parting, 1u);
  // 256 threads, 128 of them active: half of each of eight warps, or four whole warps.
  const BlockWork of_a = block_work(a.trace(), 0, 0, a.passes[*steps[1].a].telling),
                  of_b = block_work(b.trace(), 0, 0, b.passes[*steps[1].b].telling);
  EXPECT_EQ(of_a.lanes, std::vector<int>(8, 16));
  EXPECT_EQ(of_b.lanes, (std::vector<int>{32, 32, 32, 32, 0, 0, 0, 0}));
  EXPECT_EQ(parting_of(a, a, joint_steps(a.passes, a.passes)), std::nullopt);
}

TEST(LessonsSideBySide, RowAndRegisterPartWhereOneLoadsTwice) {
  const LessonRun row = run_of("shared_memory_copy", "copy_row"), both = run_of("shared_memory_copy", "copy_register");
  const auto steps = joint_steps(row.passes, both.passes);
  // load, store, load, store compared with load, load, store, store.
  EXPECT_EQ(said(steps), (std::vector<std::string>{"load1AB", "store1AB", "load2A", "store2A"}));
  const auto loads = [&](const LessonRun& run, std::size_t pass) {
    return totals_so_far(run.trace(), run.source(), 0, run.passes, pass).of(trace::MemoryClass::global_load).requests;
  };
  EXPECT_EQ(2 * loads(row, 0), loads(both, 0)) << "what has been loaded before the first store";
  EXPECT_EQ(loads(row, 3), loads(both, 1)) << "in the end the same";
  EXPECT_EQ(parting_of(row, both, steps), 2u);
}

// A float4 is copied by a load and a store that both have the store's line; the load must still be found.
TEST(LessonsSideBySide, ScalarAndPackedCopiesLoadAndStoreTogether) {
  const LessonRun stride = run_of("coalescing", "stride"), packed = run_of("coalescing", "packed4");
  EXPECT_EQ(said(joint_steps(stride.passes, packed.passes)), (std::vector<std::string>{"load1AB", "store1AB"}));
  ASSERT_EQ(packed.passes.size(), 2u);
  const auto opcode = [&](std::size_t pass) {
    return packed.trace().sites[packed.trace().warp(0, 0)[packed.passes[pass].telling].site].opcode;
  };
  EXPECT_EQ(opcode(0).substr(0, 9), "ld.global");
  EXPECT_EQ(opcode(1).substr(0, 9), "st.global");
}

// One launch per round compared with one sync per round: block 0 sums its first piece in the same steps.
TEST(LessonsSideBySide, GridAndLaunchesSumAPieceInTheSameSteps) {
  const LessonRun grid = run_of("cooperative_groups", "full_grid"),
                  launches = run_of("cooperative_groups", "full_multi_launch");
  const auto work = [](const LessonRun& run, std::size_t pass) {
    return block_work(run.trace(), 0, 0, run.passes[pass].telling).lanes;
  };
  ASSERT_GE(grid.passes.size(), 17u);
  ASSERT_GE(launches.passes.size(), 8u);
  // 256 threads add a piece's elements. Then the lower half of the threads adds the upper half's sums, eight times; the
  // first of these is in the pass of the load.
  for (std::size_t pass = 0; pass < 8; ++pass) {
    std::vector<int> expected(8, pass == 0 ? 32 : 0);
    for (int lanes = pass == 0 ? 0 : 256 >> (pass + 1), warp = 0; lanes > 0; lanes -= 32, ++warp)
      expected[static_cast<std::size_t>(warp)] = std::min(lanes, 32);
    EXPECT_EQ(work(launches, pass), expected) << "pass " << pass;
    EXPECT_EQ(work(grid, pass), expected) << "pass " << pass;
    EXPECT_EQ(work(grid, pass + 8), expected) << "the second piece, pass " << pass;
  }
}

TEST(LessonsSideBySide, HalfAndHalf2PartAtTheAtomics) {
  const LessonRun half = run_of("half_atomics", "half_native"), half2 = run_of("half_atomics", "half2_packed");
  const auto steps = joint_steps(half.passes, half2.passes);
  ASSERT_EQ(said(steps).back(), "add1AB");
  ASSERT_TRUE(parting_of(half, half2, steps).has_value());
}

std::string space_and_operation(const LessonRun& run, std::size_t event) {
  const trace::WarpEvent& at = run.trace().warp(0, 0)[event];
  return std::string(to_string(at.space)) + " " + to_string(run.trace().sites[at.site].operation);
}

// In the phase `store`, one variant stores to global memory; the other one first reads shared memory.
TEST(LessonsSideBySide, AStoreStandsBesideAStore) {
  const LessonRun row = run_of("transpose", "row_reads"), padded = run_of("transpose", "padded");
  auto steps = joint_steps(row.passes, padded.passes);
  pair_accesses({row.trace(), row.passes}, {padded.trace(), padded.passes}, steps);
  ASSERT_EQ(said(steps), (std::vector<std::string>{"load1AB", "store1AB"}));
  const AccessPair& stores = steps[1].accesses.at(steps[1].telling);
  ASSERT_TRUE(stores.a && stores.b);
  EXPECT_EQ(space_and_operation(row, *stores.a), "global store");
  EXPECT_EQ(space_and_operation(padded, *stores.b), "global store");
  // Both warps write 32 elements: along a column into 32 sectors, along a row into 4.
  EXPECT_EQ(metrics::cost(row.trace(), row.trace().warp(0, 0)[*stores.a]).sectors, 32u);
  EXPECT_EQ(metrics::cost(padded.trace(), padded.trace().warp(0, 0)[*stores.b]).sectors, 4u);
  // The other variant's extra access is in a row of its own.
  ASSERT_EQ(steps[1].accesses.size(), 2u);
  EXPECT_FALSE(steps[1].accesses[0].a);
  EXPECT_EQ(space_and_operation(padded, *steps[1].accesses[0].b), "shared load");
  const AccessPair& loads = steps[0].accesses.at(steps[0].telling);
  EXPECT_EQ(space_and_operation(row, loads.a.value()), "global load");
  EXPECT_EQ(space_and_operation(padded, loads.b.value()), "global load");
}

// For any two variants of a lesson: no pair mixes two kinds, none is empty, and each access is in one pair.
TEST(LessonsSideBySide, EveryAccessIsInOnePairOfItsKind) {
  for (const auto& [lesson, a, b] : {std::tuple{"divergence", "reduce_modulo", "reduce_last_warp"},
                                     {"transpose", "tiled", "padded"},
                                     {"shared_memory_copy", "copy_row", "copy_shared"},
                                     {"half_atomics", "half_native", "warp_then_float"}}) {
    SCOPED_TRACE(std::string(lesson) + ": " + a + ", " + b);
    const LessonRun of_a = run_of(lesson, a), of_b = run_of(lesson, b);
    auto steps = joint_steps(of_a.passes, of_b.passes);
    pair_accesses({of_a.trace(), of_a.passes}, {of_b.trace(), of_b.passes}, steps);
    std::vector<std::size_t> seen_a, seen_b;
    for (const JointStep& step : steps) {
      ASSERT_FALSE(step.accesses.empty());
      ASSERT_LT(step.telling, step.accesses.size());
      for (const AccessPair& pair : step.accesses) {
        ASSERT_TRUE(pair.a || pair.b);
        const bool access_a = pair.a && is_access(of_a.trace().warp(0, 0)[*pair.a]),
                   access_b = pair.b && is_access(of_b.trace().warp(0, 0)[*pair.b]);
        if (access_a && access_b) {
          EXPECT_EQ(space_and_operation(of_a, *pair.a), space_and_operation(of_b, *pair.b));
        }
        if (access_a) seen_a.push_back(*pair.a);
        if (access_b) seen_b.push_back(*pair.b);
      }
    }
    const auto all_of = [](const LessonRun& run) {
      std::vector<std::size_t> all;
      for (const PhasePass& pass : run.passes)
        for (std::size_t i = pass.first; i <= pass.last; ++i)
          if (is_access(run.trace().warp(0, 0)[i])) all.push_back(i);
      return all;
    };
    EXPECT_EQ(seen_a, all_of(of_a));
    EXPECT_EQ(seen_b, all_of(of_b));
  }
}

// At the end of its last phase a block has done all its work, so the sum over its events is its share of the launch's
// totals.
TEST(LessonsSideBySide, RunningTotalsEndWithTheBlocksOwn) {
  for (const auto& [lesson, variant] : {std::pair{"divergence", "reduce_modulo"},
                                        {"divergence", "reduce_last_warp"},
                                        {"shared_memory_copy", "copy_shared"},
                                        {"half_atomics", "half_native"},
                                        {"transpose", "tiled"}}) {
    SCOPED_TRACE(std::string(lesson) + "/" + variant);
    const LessonRun run = run_of(lesson, variant);
    ASSERT_FALSE(run.passes.empty());
    std::array<std::uint64_t, 3> before{}, whole{};
    const auto of_interest = [](const trace::Totals& t) {
      return std::array<std::uint64_t, 3>{t.of(trace::MemoryClass::global_load).requests,
                                          t.of(trace::MemoryClass::shared_load).wavefronts,
                                          t.of(trace::MemoryClass::global_store).sectors};
    };
    for (std::size_t pass = 0; pass < run.passes.size(); ++pass) {
      const auto now = of_interest(totals_so_far(run.trace(), run.source(), 0, run.passes, pass));
      for (std::size_t i = 0; i < now.size(); ++i) EXPECT_GE(now[i], before[i]) << "never less";
      before = now;
    }
    whole = of_interest(
        metrics::recompute_totals(run.trace(), [](const trace::WarpEvent& event) { return event.block == 0; }));
    EXPECT_EQ(before, whole);
  }
}

}  // namespace
}  // namespace lanescope::gui
