// Two variants stepped together, in made-up traces: passes through phases, joint steps, where they diverge.

#include <algorithm>
#include <random>

#include "compare/joint_steps.h"
#include "metrics/request_cost.h"

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

}  // namespace
}  // namespace lanescope::gui
