// Two variants stepped together: passes through phases, joint steps, where they diverge, ratios.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "driver.h"
#include "gui/compare/comparison.h"
#include "job/lesson/lesson_request.h"
#include "job/run/job.h"
#include "lesson/lesson.h"
#include "metrics/recompute.h"
#include "metrics/request_cost.h"
#include "test_paths.h"

namespace lanescope::gui {
namespace {

// A kernel of three phases; `step` runs once per loop iteration.
const std::string source = R"(kernel {
  // @phase load
  a = in[i];
  b = in[k];
  // @phase step
  s[i] += s[j];
  // @phase store
  out[0] = s[0];
})";
constexpr int load_line = 3, other_load_line = 4, step_line = 6, store_line = 8;

struct Access {
  int line;
  int lanes;       // executed, from lane 0
  int stride = 4;  // bytes
};

// A trace of these accesses by one warp; accesses of one line share a site. With two warps, the second makes only the
// first access.
trace::Trace trace_of(const std::vector<Access>& accesses, int warps = 1) {
  trace::Trace t;
  t.launch.block = {static_cast<std::uint32_t>(32 * warps), 1, 1};
  const auto site_of = [&](int line) {
    for (const trace::Site& site : t.sites)
      if (site.line == line) return site.id;
    trace::Site site;
    site.id = static_cast<std::uint32_t>(t.sites.size());
    site.line = line;
    site.instruction = line;
    site.kind = trace::EventKind::memory;
    site.operation = trace::Operation::load;
    site.space = trace::MemorySpace::global;
    site.width = 4;
    site.opcode = "ld.global.f32";
    t.sites.push_back(site);
    return site.id;
  };
  for (int warp = 0; warp < warps; ++warp)
    for (std::size_t i = 0; i < (warp == 0 ? accesses.size() : 1); ++i) {
      trace::WarpEvent event;
      event.site = site_of(accesses[i].line);
      event.warp = static_cast<std::uint16_t>(warp);
      event.kind = trace::EventKind::memory;
      event.space = trace::MemorySpace::global;
      event.sequence = static_cast<std::uint32_t>(i);
      event.active = event.executed = LaneMask::first(accesses[i].lanes);
      event.first_address = 4096;
      event.stride = accesses[i].stride;
      t.events.push_back(event);
    }
  t.totals.sites.resize(t.sites.size());
  return t;
}

// The sums of a block up to a pass of warp 0, event by event, by the definition; those that Compare shows must be
// equal.
trace::Totals totals_so_far(const trace::Trace& trace, const std::string& text, std::uint32_t block,
                            const std::vector<PhasePass>& passes, std::size_t pass) {
  std::set<std::pair<std::string, int>> reached;
  for (std::size_t i = 0; i <= pass && i < passes.size(); ++i) reached.insert({passes[i].name, passes[i].number});
  const auto of_warps = passes_of_block(trace, text, block);
  std::vector<std::uint32_t> end;  // of each warp: the first sequence number that is still to come
  for (std::uint32_t warp = 0; warp < of_warps.size(); ++warp) {
    std::uint32_t limit = 0;
    for (const PhasePass& one : of_warps[warp])
      if (reached.contains({one.name, one.number})) limit = trace.warp(block, warp)[one.last].sequence + 1;
    end.push_back(limit);
  }
  const trace::Totals totals = metrics::recompute_totals(trace, [&](const trace::WarpEvent& event) {
    return event.block == block && event.warp < end.size() && event.sequence < end[event.warp];
  });
  if (of_warps[0] == passes) {
    EXPECT_EQ(BlockSums(trace, block, 0, of_warps).up_to(trace, pass), totals) << pass;
  }
  return totals;
}

TEST(Passes, ALoopIsAPassEachTime) {
  const auto passes = phase_passes(
      trace_of({{load_line, 32}, {step_line, 16}, {step_line, 8}, {step_line, 4}, {store_line, 1}}), source, 0, 0);
  ASSERT_EQ(passes.size(), 5u);
  EXPECT_EQ(passes[0].name, "load");
  EXPECT_EQ(passes[0].count, 1);
  EXPECT_EQ(passes[2].name, "step");
  EXPECT_EQ(passes[2].number, 2);
  EXPECT_EQ(passes[2].count, 3);
  EXPECT_EQ(passes[2].first, 2u);
  EXPECT_EQ(passes[2].last, 2u);
  EXPECT_EQ(passes[4].name, "store");
}

TEST(Passes, TheTellingEventIsTheDearestOne) {
  trace::Trace t = trace_of({{load_line, 32, 4}, {other_load_line, 32, 128}, {store_line, 1}});
  const auto passes = phase_passes(t, source, 0, 0);
  ASSERT_EQ(passes.size(), 2u);
  EXPECT_EQ(passes[0].telling, 1u);
}

TEST(Passes, WithoutPhasesTheKernelIsOne) {
  const auto passes = phase_passes(trace_of({{1, 32}, {2, 32}}), "no phases here", 0, 0);
  ASSERT_EQ(passes.size(), 1u);
  EXPECT_EQ(passes[0].last, 1u);
  EXPECT_TRUE(phase_passes(trace::Trace{}, source, 0, 0).empty());
}

// Warp 1 loads, and then only waits at a barrier of the phase in which warp 0 works.
TEST(Tellers, OfAPassInWhichTheWarpOnlyWaitsAnotherWarpTells) {
  trace::Trace t = trace_of({{load_line, 32}, {step_line, 16}}, 2);
  trace::Site site;
  site.id = static_cast<std::uint32_t>(t.sites.size());
  site.line = step_line, site.instruction = step_line;
  site.kind = trace::EventKind::barrier;
  site.opcode = "bar.sync";
  t.sites.push_back(site);
  trace::WarpEvent barrier;
  barrier.site = site.id, barrier.kind = trace::EventKind::barrier;
  barrier.warp = 1, barrier.sequence = 1;
  barrier.active = barrier.executed = LaneMask::all();
  t.events.push_back(barrier);
  const auto passes = phase_passes(t, source, 0, 1);
  ASSERT_EQ(passes.size(), 2u);
  const auto of_warps = passes_of_block(t, source, 0);
  EXPECT_EQ(tellers_of(t, 0, 1, of_warps), (std::vector<Teller>{{1, 0}, {0, 1}}));
  EXPECT_EQ(tellers_of(t, 0, 0, of_warps), (std::vector<Teller>{{0, 0}, {0, 1}}));
}

std::vector<std::string> said(const std::vector<JointStep>& steps) {
  std::vector<std::string> all;
  for (const JointStep& s : steps)
    all.push_back(s.name + std::to_string(s.number) + (s.a ? "A" : "") + (s.b ? "B" : ""));
  return all;
}

TEST(JointSteps, MeetWherePhasesHaveTheSameNameAndNumber) {
  const auto a =
      phase_passes(trace_of({{load_line, 32}, {step_line, 16}, {step_line, 8}, {store_line, 1}}), source, 0, 0);
  const auto b = phase_passes(trace_of({{load_line, 32}, {step_line, 32}, {store_line, 1}}), source, 0, 0);
  EXPECT_EQ(said(joint_steps(a, b)), (std::vector<std::string>{"load1AB", "step1AB", "step2A", "store1AB"}));
  EXPECT_EQ(said(joint_steps(b, a)), (std::vector<std::string>{"load1AB", "step1AB", "step2B", "store1AB"}));
  EXPECT_EQ(joint_steps(a, b)[1].count, 2);
  EXPECT_TRUE(joint_steps({}, {}).empty());
}

TEST(JointSteps, AForeignPhaseStandsAlone) {
  const auto a = phase_passes(trace_of({{load_line, 32}, {store_line, 1}}), source, 0, 0);
  const auto b = phase_passes(trace_of({{load_line, 32}, {step_line, 32}, {store_line, 1}}), source, 0, 0);
  EXPECT_EQ(said(joint_steps(a, b)), (std::vector<std::string>{"load1AB", "step1B", "store1AB"}));
}

// The length of the longest common subsequence, by its definition.
std::size_t common_length(const std::vector<PhasePass>& a, const std::vector<PhasePass>& b) {
  std::vector<std::vector<std::size_t>> length(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      length[i][j] = a[i].name == b[j].name && a[i].number == b[j].number
                         ? length[i + 1][j + 1] + 1
                         : std::max(length[i + 1][j], length[i][j + 1]);
  return length[0][0];
}

TEST(JointSteps, ShareAsManyPassesAsCanBeInTheOrderOfBoth) {
  std::mt19937 random(21);
  for (int round = 0; round < 300; ++round) {
    const auto list = [&] {
      std::map<std::string, int> numbers;
      std::vector<PhasePass> passes;
      const std::size_t count = random() % 12;
      for (std::size_t i = 0; i < count; ++i) {
        const std::string name(1, static_cast<char>('a' + random() % 3));
        passes.push_back({name, ++numbers[name], 1, i, i, i});
      }
      return passes;
    };
    const auto a = list(), b = list();
    std::size_t both = 0, next_a = 0, next_b = 0;
    for (const JointStep& step : joint_steps(a, b)) {
      if (step.a) {
        EXPECT_EQ(*step.a, next_a++) << "each once, in its order";
      }
      if (step.b) {
        EXPECT_EQ(*step.b, next_b++);
      }
      both += step.a && step.b;
      if (!step.a || !step.b) continue;
      EXPECT_EQ(a[*step.a].name, b[*step.b].name);
      EXPECT_EQ(a[*step.a].number, b[*step.b].number);
    }
    EXPECT_EQ(next_a, a.size());
    EXPECT_EQ(next_b, b.size());
    EXPECT_EQ(both, common_length(a, b));
  }
}

// A table of 60,000 × 60,000 passes would take 14 GiB.
TEST(JointSteps, OfALoopOfManyTurnsArePairedAllTheSame) {
  constexpr std::size_t turns = 60'000;
  std::vector<Access> of_a{{load_line, 32}}, of_b{{load_line, 32}};
  for (std::size_t i = 0; i < turns; ++i) of_a.push_back({step_line, 16}), of_b.push_back({step_line, 16});
  of_a.push_back({store_line, 1});
  of_b.back().lanes = 8;
  const trace::Trace a = trace_of(of_a), b = trace_of(of_b);
  const auto passes_a = phase_passes(a, source, 0, 0), passes_b = phase_passes(b, source, 0, 0);
  const auto steps = joint_steps(passes_a, passes_b);
  ASSERT_EQ(steps.size(), turns + 2);
  EXPECT_TRUE(steps[turns].a && steps[turns].b);
  EXPECT_FALSE(steps.back().b);
  EXPECT_EQ(where_they_part({a, passes_a}, {b, passes_b}, {steps.end() - 5, steps.end()}), 3u);
  // Sums are kept every few thousand events; between them, and at the ends, they are the same as counted anew.
  const BlockSums sums(a, 0, 0, passes_of_block(a, source, 0));
  for (const std::size_t pass : {std::size_t{0}, std::size_t{1}, std::size_t{4095}, std::size_t{4096},
                                 std::size_t{4097}, turns / 2, turns, turns + 1})
    EXPECT_EQ(sums.up_to(a, pass).of(trace::MemoryClass::global_load).requests, pass + 1);
  // Going on from an earlier answer, forwards and backwards, near and far, gives the same.
  BlockSums::Sum last;
  for (const std::size_t pass : {std::size_t{5}, std::size_t{6}, std::size_t{6}, std::size_t{5000}, std::size_t{4096},
                                 std::size_t{3}, turns, turns + 1, turns + 9})
    EXPECT_EQ(sums.up_to(a, pass, last), sums.up_to(a, pass)) << pass;
}

TEST(BlockWork, CountsLanesOfEachWarp) {
  const trace::Trace t = trace_of({{load_line, 32}, {step_line, 16}}, 2);
  EXPECT_EQ(block_work(t, 0, 0, 0).lanes, (std::vector<int>{32, 32}));
  EXPECT_EQ(block_work(t, 0, 0, 1).lanes, (std::vector<int>{16, 0}));
  EXPECT_EQ(block_work(t, 0, 0, 1).busy_warps(), 1);
  EXPECT_EQ(block_work(t, 0, 0, 1).most_lanes(), 16);
}

TEST(Parting, IsTheFirstStepThatDiffersInLanesOrCost) {
  const auto part = [](const std::vector<Access>& of_a, const std::vector<Access>& of_b) {
    const trace::Trace a = trace_of(of_a), b = trace_of(of_b);
    const auto pa = phase_passes(a, source, 0, 0), pb = phase_passes(b, source, 0, 0);
    auto steps = joint_steps(pa, pb);
    pair_accesses({a, pa}, {b, pb}, steps);
    return where_they_part({a, pa}, {b, pb}, steps);
  };
  const std::vector<Access> plain = {{load_line, 32}, {step_line, 16}, {store_line, 1}};
  EXPECT_EQ(part(plain, plain), std::nullopt);
  EXPECT_EQ(part(plain, {{load_line, 32}, {step_line, 32}, {store_line, 1}}), 1u);
  EXPECT_EQ(part(plain, {{load_line, 32, 32}, {step_line, 16}, {store_line, 1}}), 0u);
  EXPECT_EQ(part(plain, {{load_line, 32}, {store_line, 1}}), 1u);
}

TEST(Totals, SoFarStopAtThePassInEveryWarp) {
  const trace::Trace t = trace_of({{load_line, 32}, {step_line, 16}, {step_line, 8}, {store_line, 1}}, 2);
  const auto passes = phase_passes(t, source, 0, 0);
  const auto loads = [&](std::size_t pass) {
    return totals_so_far(t, source, 0, passes, pass).of(trace::MemoryClass::global_load).requests;
  };
  EXPECT_EQ(loads(0), 2u) << "both warps load";
  EXPECT_EQ(loads(1), 3u) << "the second warp is done";
  EXPECT_EQ(loads(3), 5u);
  EXPECT_EQ(totals_so_far(t, source, 1, passes, 3).of(trace::MemoryClass::global_load).requests, 0u) << "another block";
}

TEST(Passes, AnInstructionOfNoPhaseDoesNotEndOne) {
  const auto passes = phase_passes(trace_of({{1, 32}, {load_line, 32}, {1, 32}, {other_load_line, 32}}), source, 0, 0);
  ASSERT_EQ(passes.size(), 1u);
  EXPECT_EQ(passes[0].first, 1u);
  EXPECT_EQ(passes[0].last, 3u);
}

// A function above the kernel belongs to no phase. Its loop makes passes of the calling phase, and so does the loop
// around the call.
TEST(Passes, LoopsOfACalledFunctionAndAroundItArePasses) {
  constexpr int helper = 1, call = step_line;
  const std::vector<Access> piece = {{call, 32}, {helper, 16}, {helper, 8}};
  std::vector<Access> accesses = {{load_line, 32}};
  for (int i = 0; i < 2; ++i) accesses.insert(accesses.end(), piece.begin(), piece.end());
  trace::Trace t = trace_of(accesses);
  // The helper is inlined after the line that calls it.
  for (trace::Site& site : t.sites) site.instruction = static_cast<int>(site.id);
  const auto passes = phase_passes(t, source, 0, 0);
  std::vector<std::pair<std::size_t, std::size_t>> of_step;
  for (const PhasePass& pass : passes)
    if (pass.name == "step") of_step.emplace_back(pass.first, pass.last);
  EXPECT_EQ(of_step, (std::vector<std::pair<std::size_t, std::size_t>>{{1, 2}, {3, 3}, {4, 5}, {6, 6}}));
}

// --- the lessons' own variants

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

metrics::Measurement number(double value, std::string unit = "requests") {
  metrics::Measurement m;
  m.name = "x";
  m.value = value;
  m.better = unit == "%" ? metrics::Better::more : metrics::Better::less;
  m.unit = std::move(unit);
  return m;
}

TEST(Ratios, SayHowMuchAndWhetherItIsBetter) {
  using Verdict = Ratio::Verdict;
  EXPECT_EQ(ratio_of(number(200), number(130)).text, "0.65 ×");
  EXPECT_EQ(ratio_of(number(200), number(130)).verdict, Verdict::better);
  EXPECT_EQ(ratio_of(number(61, "%"), number(94, "%")).verdict, Verdict::better);
  EXPECT_EQ(ratio_of(number(61, "%"), number(94, "%")).text, "1.54 ×");
  EXPECT_EQ(ratio_of(number(0), number(26880)).only, Ratio::Only::b);
  EXPECT_EQ(ratio_of(number(0), number(26880)).verdict, Verdict::worse);
  EXPECT_EQ(ratio_of(number(5), number(0)).only, Ratio::Only::a);
  EXPECT_EQ(ratio_of(number(0), number(0)).text, "–");
  EXPECT_EQ(ratio_of(number(7), number(7)).verdict, Verdict::same);
  metrics::Measurement ideal = number(8);
  ideal.better = metrics::Better::neutral;
  EXPECT_EQ(ratio_of(number(4), number(8)).verdict, Verdict::worse);
  EXPECT_EQ(ratio_of(ideal, number(4)).verdict, Verdict::neutral) << "what would do is no price";
  metrics::Measurement narrow = number(8, "sectors/request"), wide = number(16, "sectors/request");
  narrow.ideal = 8, wide.ideal = 16;
  EXPECT_EQ(ratio_of(narrow, wide).verdict, Verdict::neutral) << "twice as wide, and nothing wasted";
  wide.ideal = 8;
  EXPECT_EQ(ratio_of(narrow, wide).verdict, Verdict::worse);
  metrics::Measurement none = number(0);
  none.applicable = false;
  EXPECT_EQ(ratio_of(none, number(3)).text, "–");
}

TEST(Ratios, HaveAUnitAndAreOneOnlyWhereBothAreEqual) {
  EXPECT_EQ(ratio_text(1), "1.00 ×");
  EXPECT_EQ(ratio_text(0.998), "0.998 ×");
  EXPECT_EQ(ratio_text(0.125), "0.125 ×");
  EXPECT_EQ(ratio_text(0.25), "0.25 ×");
  EXPECT_EQ(ratio_text(1.0004), "1.0004 ×");
  EXPECT_EQ(ratio_text(0.042), "0.042 ×");
  EXPECT_EQ(ratio_text(0.00082), "0.00082 ×");
  EXPECT_EQ(ratio_text(1.5), "1.50 ×");
  EXPECT_EQ(ratio_text(12.34), "12.3 ×");
  EXPECT_EQ(ratio_text(1234.5), "1234 ×");
}

TEST(Rows, ThoseThatDifferComeFirst) {
  const auto named = [](const char* name, double value) {
    metrics::Measurement m = number(value);
    m.name = name;
    return m;
  };
  const auto rows = compare_rows({named("same", 3), named("nothing", 0), named("less", 5)},
                                 {named("same", 3), named("nothing", 0), named("less", 2)});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].a.name, "less");
  EXPECT_EQ(rows[0].b.value, 2);
  EXPECT_EQ(rows[1].a.name, "same");
}

// Both sides go to the same block and warp. A side with fewer shows its last one.
TEST(CompareView, BothSidesGoToTheBlockAndWarpThatAreChosen) {
  gui::Options options;
  options.lesson = "coalescing";
  options.variant = "stride";
  test::Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.compare(std::ranges::find(s.selection.lesson().variants, "packed4", &lesson::Variant::id) -
              s.selection.lesson().variants.begin());
    learner.wait(ui);
    const CompareView& view = learner.app().window().comparison();
    ASSERT_NE(view.result(true), nullptr);
    ASSERT_NE(view.result(false), nullptr);
    const std::string before = view.picture(true).title + view.picture(true).subtitle;
    const auto first_bytes = [&](bool of_a) { return view.picture(of_a).tags.at(0).first_byte; };
    const std::uint64_t a = first_bytes(true), b = first_bytes(false);
    ui.ItemClick("**/both warp/up");
    learner.wait(ui);
    EXPECT_EQ(view.place(s).warp, 1u);
    EXPECT_NE(first_bytes(true), a) << "another warp reads elsewhere";
    EXPECT_NE(first_bytes(false), b);
    ui.ItemClick("**/both block/up");
    learner.wait(ui);
    EXPECT_EQ(view.place(s).block, 1u);
    EXPECT_EQ(s.place.position().block, 1u) << "it is the window's place as well";

    // `packed4` has a quarter of the blocks.
    const auto blocks = [&](bool of_a) { return view.result(of_a)->outcome.first().trace.launch.grid.count(); };
    ASSERT_GT(blocks(true), blocks(false));
    learner.app().window().comparison().go_to_warp(s, static_cast<std::uint32_t>(blocks(true)) - 1, 0);
    learner.wait(ui);
    EXPECT_EQ(view.block(true), blocks(true) - 1);
    EXPECT_EQ(view.block(false), blocks(false) - 1);
    // With the sides exchanged, blocks that only B has can be reached too.
    s.choose_variant(static_cast<std::size_t>(*s.selection.compared()));
    s.compare(0);
    learner.wait(ui);
    learner.app().window().comparison().go_to_warp(s, static_cast<std::uint32_t>(blocks(false)) - 1, 0);
    learner.wait(ui);
    EXPECT_EQ(view.block(false), blocks(false) - 1);
    EXPECT_EQ(view.block(true), blocks(true) - 1);

    // A side without such a step lists the steps that it has; a click goes there.
    const auto found = std::ranges::find(s.selection.lessons(), "shared_memory_copy", &lesson::Lesson::id);
    s.choose_lesson(static_cast<std::size_t>(found - s.selection.lessons().begin()));
    learner.wait(ui);
    s.compare(std::ranges::find(s.selection.lesson().variants, "copy_register", &lesson::Variant::id) -
              s.selection.lesson().variants.begin());
    learner.wait(ui);
    CompareView& steps = learner.app().window().comparison();
    steps.go_to(2);
    learner.wait(ui);
    ASSERT_TRUE(steps.steps().at(2).a && !steps.steps().at(2).b) << "copy_row loads a second time";
    ui.ItemClick("**/$$1/go to");
    learner.wait(ui);
    EXPECT_EQ(view.step(), 1u);
  });
}

// Both sides step by pairs, or one side alone, with the keys and with each side's arrows.
TEST(CompareView, EitherSideStepsAlone) {
  gui::Options options;
  options.lesson = "transpose";
  options.variant = "row_reads";
  test::Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.compare(std::ranges::find(s.selection.lesson().variants, "padded", &lesson::Variant::id) -
              s.selection.lesson().variants.begin());
    learner.wait(ui);
    const CompareView& view = learner.app().window().comparison();
    const auto shown = [&](bool of_a) {
      const trace::Trace& t = view.result(of_a)->outcome.first().trace;
      const trace::WarpEvent& event = t.warp(view.block(of_a), 0)[view.event(of_a).value()];
      return std::string(to_string(event.space)) + " " + to_string(t.sites[event.site].operation);
    };
    ui.KeyPress(ImGuiKey_End);
    learner.wait(ui);
    EXPECT_EQ(shown(true), "global store");
    EXPECT_EQ(shown(false), "global store");
    ui.KeyPress(ImGuiMod_Alt | ImGuiKey_LeftArrow);
    learner.wait(ui);
    EXPECT_EQ(shown(true), "global store");
    EXPECT_EQ(shown(false), "shared load");
    ui.ItemClick("**/b alone/next");
    learner.wait(ui);
    EXPECT_EQ(shown(false), "global store");
    ui.KeyPress(ImGuiMod_Shift | ImGuiKey_LeftArrow);
    learner.wait(ui);
    EXPECT_EQ(shown(true), "global load");
    EXPECT_EQ(shown(false), "global store");
    ui.ItemClick("**/a alone/next");
    learner.wait(ui);
    EXPECT_EQ(shown(true), "global store");
    // Within the joint step: what B does before it stores.
    ui.KeyPress(ImGuiKey_UpArrow);
    learner.wait(ui);
    EXPECT_EQ(shown(false), "shared load");
    ui.KeyPress(ImGuiKey_DownArrow);
    learner.wait(ui);
    EXPECT_EQ(shown(false), "global store");
    EXPECT_EQ(view.step(), 1u);
  });
}

// A loop whose turns are passes: pairing them takes longer than a frame, and until it is done nothing of another warp
// or run is shown.
TEST(CompareView, LongWarpsArePairedOffTheFrame) {
  gui::Options options;
  options.lesson = "coalescing";
  options.variant = "stride";
  test::Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    std::string text = s.selection.source();
    text.insert(text.find('{', text.find("__global__")) + 1, R"(
  float long_sum = 0;
  #pragma unroll 1
  for (int turn = 0; turn < 6000 && blockIdx.x == 0 && threadIdx.x < 32; ++turn) {
    // @phase turn
    long_sum += *(volatile const float*)(in + (turn > 5500 ? stride : 1) * (threadIdx.x % 32));
  }
  if (long_sum == 12345.5f) out[0] = long_sum;
)");
    s.selection.set_source(text);
    s.runs.run();
    learner.wait(ui);
    ASSERT_TRUE(s.runs.problems().empty()) << s.runs.problems().front().message;
    s.compare_with({s.selection.variant_index(), {{"stride", 1}}, false});
    CompareView& view = learner.app().window().comparison();
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return view.result(false) != nullptr; }, 60));
    if (view.steps().empty()) {
      EXPECT_TRUE(learner.says(ui, "The steps of both are being paired."));
    }
    learner.wait(ui);
    ASSERT_GE(view.steps().size(), 6'000u) << "one for each turn";
    ASSERT_TRUE(view.parting()) << "the last turns have another stride";
    EXPECT_GT(*view.parting(), 5'400u);
    view.go_to(*view.parting());
    ui.Yield(2);
    EXPECT_TRUE(view.event(true));
    EXPECT_TRUE(view.event(false));
    learner.saves(ui, "compare_long");
  });
}

}  // namespace
}  // namespace lanescope::gui
