// Blocks × phases of a hand-made trace: three blocks of two warps that sync twice, on line 20.

#include <gtest/gtest.h>

#include "diagram/views.h"

namespace lanescope::diagram {
namespace {

using trace::EventKind;

struct Launch {
  trace::Trace trace;

  Launch() {
    trace.launch.cooperative = true;
    trace.launch.grid = {3, 1, 1};
    trace.launch.block = {64, 1, 1};
    add_site(EventKind::memory, trace::Operation::load, 10, "");
    add_site(EventKind::barrier, trace::Operation::none, 20, "cooperative_groups/details/sync.h:71");
    add_site(EventKind::memory, trace::Operation::atomic, 20, "cooperative_groups/details/sync.h:82");
    add_site(EventKind::branch, trace::Operation::none, 12, "");
    add_site(EventKind::barrier, trace::Operation::none, 20, "cooperative_groups/details/sync.h:109");
  }
  void add_site(EventKind kind, trace::Operation operation, int line, const char* inlined_from) {
    trace::Site site;
    site.id = static_cast<std::uint32_t>(trace.sites.size());
    site.kind = kind;
    site.operation = operation;
    site.space = trace::MemorySpace::global;
    site.file = "k.cu";
    site.line = line;
    site.inlined_from = inlined_from;
    trace.sites.push_back(site);
  }
  void event(std::uint32_t block, std::uint16_t warp, std::uint32_t site, LaneMask executed = LaneMask::first(32)) {
    trace::WarpEvent event;
    event.block = block;
    event.warp = warp;
    event.site = site;
    event.kind = trace.sites[site].kind;
    event.active = LaneMask::first(32);
    event.executed = executed;
    event.sequence = static_cast<std::uint32_t>(trace.events.size());
    trace.events.push_back(event);
  }
  void loads(std::uint32_t block, std::uint16_t warp, int count) {
    for (int i = 0; i < count; ++i) event(block, warp, 0);
  }
  void sync(std::uint32_t block, std::uint16_t warp) {
    event(block, warp, 1);
    if (warp == 0) event(block, warp, 2);
    event(block, warp, 4);
    event(block, warp, 3);  // the kernel's own loop
  }
};

TEST(GridPhases, ABlockWithoutWorkHasNone) {
  Launch launch;
  const int work[3][3] = {{4, 2, 1}, {4, 1, 0}, {3, 0, 0}};
  for (std::uint32_t block = 0; block < 3; ++block)
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
      launch.loads(block, warp, work[block][0]);
      launch.sync(block, warp);
      launch.loads(block, warp, work[block][1]);
      launch.sync(block, warp);
      launch.loads(block, warp, work[block][2]);
    }
  const PhaseWork phases = grid_phases(launch.trace);
  EXPECT_EQ(phases.phases, std::vector<std::string>(3)) << "named by their numbers";
  EXPECT_EQ(grid_phases(launch.trace, {{"load", "k.cu", 5, 15}, {"sum", "k.cu", 16, 30}}).phases,
            (std::vector<std::string>{"load 1", "load 2", "load 3"}));
  EXPECT_EQ(grid_phases(launch.trace, {{"load", "other.cu", 5, 15}}).phases, phases.phases);
  ASSERT_EQ(phases.blocks.size(), 3u);
  for (std::uint32_t block = 0; block < 3; ++block) {
    EXPECT_EQ(phases.blocks[block].block, block);
    for (std::size_t phase = 0; phase < 3; ++phase)
      EXPECT_EQ(phases.blocks[block].work[phase], 2u * static_cast<unsigned>(work[block][phase])) << "of two warps";
  }
}

// 31 lanes are at the sync while lane 0 still stores.
TEST(GridPhases, LanesMayArriveOneAfterAnother) {
  Launch launch;
  const LaneMask first{1u}, others{~1u};
  launch.event(0, 0, 1, others);
  launch.trace.events.back().active = others;
  launch.event(0, 0, 0, first);
  launch.event(0, 0, 1, first);
  launch.trace.events.back().active = first;
  launch.event(0, 0, 2, first);
  launch.event(0, 0, 4);
  launch.loads(0, 0, 3);
  EXPECT_EQ(grid_phases(launch.trace).blocks.at(0).work, (std::vector<std::uint64_t>{1, 3}));
}

// 31 lanes work in the next phase while lane 0 still works in the first.
TEST(GridPhases, WorkBelongsToThePhaseOfTheLanesThatDoIt) {
  Launch launch;
  const LaneMask first{1u}, others{~1u};
  const auto by = [&](std::uint32_t site, LaneMask lanes) {
    launch.event(0, 0, site, lanes);
    launch.trace.events.back().active = lanes;
  };
  by(4, others);
  by(0, others);
  by(0, others);
  by(0, first);
  by(4, first);
  EXPECT_EQ(grid_phases(launch.trace).blocks.at(0).work, (std::vector<std::uint64_t>{1, 2}));
}

TEST(GridPhases, ARequestOfNoLaneIsNoWork) {
  Launch launch;
  launch.event(0, 0, 0, LaneMask{});
  launch.sync(0, 0);
  launch.loads(0, 0, 1);
  EXPECT_EQ(grid_phases(launch.trace).blocks.at(0).work, (std::vector<std::uint64_t>{0, 1}));
}

TEST(GridPhases, NothingIsSaidWhereNobodyKnows) {
  Launch launch;
  launch.loads(0, 0, 1);
  launch.sync(0, 0);
  EXPECT_EQ(grid_phases(launch.trace).blocks.size(), 1u);
  trace::Trace dropped = launch.trace, plain = launch.trace, without = launch.trace;
  dropped.events_dropped = 1;
  plain.launch.cooperative = false;
  without.sites[2].inlined_from.clear();  // an atomic of the kernel itself
  for (const trace::Trace& trace : {dropped, plain, without}) EXPECT_TRUE(grid_phases(trace).blocks.empty());
}

}  // namespace
}  // namespace lanescope::diagram
