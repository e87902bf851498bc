// Votes, matches and reductions of a warp, and the queues of atomics: what is said of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "diagram/views.h"
#include "unit/trace/trace_builder.h"

namespace lanescope::diagram {
namespace {

namespace test = trace::test;

// What each lane of a vote gets is said in CUDA's own terms; a vote makes no groups.
TEST(Votes, SayWhoVotesAndWhatEachLaneGets) {
  struct Case {
    const char *opcode, *title, *said;
  };
  for (const Case& one :
       {Case{"vote.sync.ballot.b32", "Warp vote", "7 lanes vote (ballot): each gets the same 32-bit mask"},
        Case{"vote.sync.any.pred", "Warp vote", "7 lanes vote (any): each gets true if the predicate of at least one"},
        Case{"vote.sync.all.pred", "Warp vote", "7 lanes vote (all)"},
        Case{"vote.sync.uni.pred", "Warp vote", "7 lanes vote (uni)"},
        Case{"match.any.sync.b32", "Warp match", "the mask of the lanes that have the same value as its own"},
        Case{"match.all.sync.b32", "Warp match", "the mask of all of them if the values are equal, else 0"},
        Case{"redux.sync.add.u32", "Warp reduce", "each gets the result over all of them"}}) {
    test::TraceBuilder b({1, 1, 1}, {32, 1, 1});
    b.warp(0, 0).event(b.site(trace::EventKind::vote, one.opcode, 3), LaneMask::all(), LaneMask::first(7));
    const trace::Trace trace = b.finish();
    ASSERT_TRUE(is_vote(trace.sites[trace.events[0].site], trace.events[0]));
    const Scene scene = vote(trace, trace.events[0], {});
    EXPECT_EQ(scene.title, one.title);
    EXPECT_NE(scene.caption.find(one.said), std::string::npos) << scene.caption;
    EXPECT_EQ(std::ranges::count(scene.rects, Role::executed, &Rect::role), 7);
  }
}

// The lanes of an atomic wait for each other at an address; those of a load do not.
TEST(Atomics, TheirQueueIsSaidBesideTheirSectors) {
  for (const bool atomic : {false, true}) {
    test::TraceBuilder b({1, 1, 1}, {32, 1, 1});
    const auto site = b.access_site(trace::MemorySpace::global,
                                    atomic ? trace::Operation::reduction : trace::Operation::load, 4, "op.global", 3);
    b.warp(0, 0).affine(site, LaneMask::all(), LaneMask::first(9), 0x1000, 0);
    const trace::Trace trace = b.finish();
    EXPECT_EQ(sectors(trace, trace.events[0], {}).caption.find("take turns: 9 deep") != std::string::npos, atomic);
  }
}

}  // namespace
}  // namespace lanescope::diagram
