#include "metrics/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "metrics/block_steps.h"
#include "metrics/recompute.h"
#include "metrics/request_cost.h"
#include "metrics/steps.h"
#include "unit/trace/trace_builder.h"

namespace lanescope::metrics {
namespace {

using trace::EventKind;
using trace::MemoryClass;
using trace::MemorySpace;
using trace::Operation;
using trace::Trace;
using trace::test::TraceBuilder;

constexpr LaneMask all = LaneMask::all();

Measurement of(const Trace& trace, std::string_view name) {
  Measurement found = find(trace, name);
  EXPECT_EQ(found.name, name);
  return found;
}

// One warp: entry of 10 instructions, a strided load, a conflicting shared load, a reduction on one address; then a
// branch that halves the warp, a block of 4 instructions with half the lanes, and a barrier.
struct Example {
  std::uint32_t entry, load, shared, red, branch, half, barrier;
  Trace trace;
};
Example example() {
  TraceBuilder b({2, 1, 1}, {64, 1, 1});
  Example e{};
  e.entry = b.site(EventKind::block_entry, "entry", 5, 10);
  e.load = b.access_site(MemorySpace::global, Operation::load, 4, "ld.global.nc.f32", 7);
  e.shared = b.access_site(MemorySpace::shared, Operation::load, 4, "ld.shared.f32", 7);
  e.red = b.access_site(MemorySpace::global, Operation::reduction, 4, "red.global.add.s32", 9);
  e.branch = b.site(EventKind::branch, "bra", 10);
  e.half = b.site(EventKind::block_entry, "entry", 11, 4);
  e.barrier = b.site(EventKind::barrier, "bar.sync", 12);
  const LaneMask half = LaneMask::first(16);
  b.warp(0, 0)
      .event(e.entry, all)
      .affine(e.load, all, all, 0x1000, 32)
      .affine(e.shared, all, all, 0, 8)
      .affine(e.red, all, all, 0x8000, 0)
      .event(e.branch, all, half)
      .event(e.half, half)
      .event(e.barrier, all);
  b.warp(0, 1).event(e.entry, all).affine(e.load, all, LaneMask::none(), 0, 0).event(e.branch, all, all);
  e.trace = b.finish();
  return e;
}

TEST(Report, NamesAreUniqueAndFound) {
  const std::vector<std::string> all_names = names();
  EXPECT_EQ(std::set<std::string>(all_names.begin(), all_names.end()).size(), all_names.size());
  const std::vector<Measurement> numbers = report(Trace{});
  ASSERT_EQ(numbers.size(), all_names.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(numbers[i].name, all_names[i]);
    EXPECT_EQ(find(Trace{}, all_names[i]).label, numbers[i].label);
    EXPECT_FALSE(numbers[i].label.empty());
    EXPECT_FALSE(numbers[i].unit.empty());
    EXPECT_TRUE(!numbers[i].nsight_name.empty() || !numbers[i].nsight_note.empty()) << all_names[i];
    EXPECT_EQ(numbers[i].label.find('{'), std::string::npos);
    EXPECT_EQ(numbers[i].nsight_name.find('{'), std::string::npos);
  }
  EXPECT_EQ(find(Trace{}, "global_load.sector").name, "");
  EXPECT_FALSE(find(Trace{}, "").applicable);
}

TEST(Report, HasEveryKeyOfTheJson) {
  const std::vector<std::string> list = names();
  const std::set<std::string> known(list.begin(), list.end());
  for (const char* name : {"warp_instructions", "lane_instructions", "simt_efficiency", "branches",
                           "divergent_branches", "barriers", "shuffles", "votes"})
    EXPECT_TRUE(known.count(name)) << name;
  for (const char* group :
       {"global_load", "global_store", "global_atomic", "global_reduction", "local_load", "local_store"})
    for (const char* key : {"requests", "sectors", "ideal_sectors", "bytes_requested", "bytes_moved", "efficiency"})
      EXPECT_TRUE(known.count(std::string(group) + "." + key)) << group << key;
  for (const char* group : {"shared_load", "shared_store", "shared_atomic"})
    for (const char* key : {"requests", "wavefronts", "ideal_wavefronts", "bank_conflicts", "bytes_requested"})
      EXPECT_TRUE(known.count(std::string(group) + "." + key)) << group << key;
}

TEST(Report, NsightComputeNames) {
  const Trace none;
  const auto name = [&](const char* number) { return find(none, number).nsight_name; };
  EXPECT_EQ(name("global_load.requests"), "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
  EXPECT_EQ(name("global_store.requests"), "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum");
  EXPECT_EQ(name("global_load.sectors"), "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  EXPECT_EQ(name("global_atomic.requests"), "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum");
  EXPECT_EQ(name("global_reduction.sectors"), "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum");
  EXPECT_EQ(name("global_load.sectors_per_request"),
            "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio");
  EXPECT_EQ(name("global_load.efficiency"), "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct");
  EXPECT_EQ(name("shared_load.requests"), "smsp__inst_executed_op_shared_ld.sum");
  EXPECT_EQ(name("shared_store.requests"), "smsp__inst_executed_op_shared_st.sum");
  EXPECT_EQ(name("shared_load.wavefronts"), "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
  EXPECT_EQ(name("shared_load.bank_conflicts"), "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
  EXPECT_EQ(name("shared_store.bank_conflicts"), "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum");
  // Numbers that count PTX are never compared with numbers that count SASS.
  EXPECT_EQ(name("warp_instructions"), "");
  EXPECT_EQ(name("lane_instructions"), "");
  EXPECT_EQ(name("simt_efficiency"), "");
  EXPECT_NE(find(none, "simt_efficiency").nsight_note.find("SASS"), std::string::npos);
  EXPECT_EQ(name("global_atomic.efficiency"), "");
}

TEST(Report, ARatioOfNothingIsNotANumber) {
  for (const Measurement& number : report(Trace{})) {
    const bool ratio = number.unit == "%" || number.unit.find('/') != std::string::npos;
    EXPECT_EQ(number.applicable, !ratio) << number.name;
    EXPECT_EQ(std::isnan(number.value), ratio) << number.name;
    if (!ratio) {
      EXPECT_EQ(number.value, 0) << number.name;
    }
  }
}

TEST(Report, CountsByHand) {
  const Trace trace = example().trace;
  EXPECT_EQ(of(trace, "warp_instructions").value, 10 + 10 + 4);
  EXPECT_EQ(of(trace, "lane_instructions").value, 320 + 320 + 4 * 16);
  EXPECT_DOUBLE_EQ(of(trace, "simt_efficiency").value, 100.0 * 704 / (32 * 24));
  EXPECT_EQ(of(trace, "branches").value, 2);
  EXPECT_EQ(of(trace, "divergent_branches").value, 1);
  EXPECT_EQ(of(trace, "barriers").value, 1);
  // No lane executes the second warp's load: no request, no cost.
  EXPECT_EQ(of(trace, "global_load.requests").value, 1);
  EXPECT_EQ(of(trace, "global_load.sectors").value, 32);
  EXPECT_EQ(of(trace, "global_load.sectors").ideal, 4);
  EXPECT_EQ(of(trace, "global_load.sectors_per_request").value, 32);
  EXPECT_EQ(of(trace, "global_load.sectors_per_request").ideal, 4);
  EXPECT_EQ(of(trace, "global_load.efficiency").value, 12.5);
  EXPECT_EQ(of(trace, "global_load.efficiency").ideal, 100);
  EXPECT_EQ(of(trace, "global_load.bytes_requested").value, 128);
  EXPECT_EQ(of(trace, "global_load.bytes_moved").value, 1024);
  EXPECT_EQ(of(trace, "shared_load.wavefronts").value, 2);
  EXPECT_EQ(of(trace, "shared_load.bank_conflicts").value, 1);
  EXPECT_EQ(of(trace, "shared_load.conflicts_per_request").value, 1);
  EXPECT_EQ(of(trace, "global_reduction.serial_depth").value, 32);
  EXPECT_EQ(of(trace, "global_reduction.serial_depth_per_request").value, 32);
  EXPECT_EQ(of(trace, "global_reduction.serial_depth_per_request").ideal, 1);
  // Loads, stores and shared accesses never mix.
  EXPECT_EQ(of(trace, "global_store.requests").value, 0);
  EXPECT_FALSE(of(trace, "global_store.efficiency").applicable);
  EXPECT_FALSE(of(trace, "shared_store.conflicts_per_request").applicable);
  EXPECT_EQ(find(trace, "global_load.serial_depth").name, "");
}

TEST(Report, CarriesTheOrigin) {
  Trace trace;
  trace.origin = trace::Origin::recorded;
  for (const Measurement& number : report(trace)) EXPECT_EQ(number.origin, trace::Origin::recorded);
}

TEST(Report, AnAsynchronousCopyHasTwoSides) {
  TraceBuilder b({1, 1, 1}, {32, 1, 1});
  const std::uint32_t copy = b.access_site(MemorySpace::global, Operation::async_copy, 16, "cp.async.cg", 3);
  b.warp(0, 0).affine(copy, all, all, 0x1000, 16).affine(copy, all, all, 0, 16).in(MemorySpace::shared);
  const Trace trace = b.finish();
  EXPECT_EQ(of(trace, "global_load.sectors").value, 16);
  EXPECT_EQ(of(trace, "shared_store.wavefronts").value, 4);
  EXPECT_EQ(of(trace, "shared_store.bank_conflicts").value, 0);
  EXPECT_EQ(trace.totals.sites[copy].executions, 1u);
  EXPECT_EQ(trace.totals.sites[copy].memory.requests, 1u);
  EXPECT_EQ(trace.totals.sites[copy].memory_shared_part.requests, 1u);
}

TEST(Recompute, APartOfALaunch) {
  const Example e = example();
  const trace::Totals first_warp =
      recompute_totals(e.trace, [](const trace::WarpEvent& event) { return event.warp == 0; });
  EXPECT_EQ(first_warp.warp_instructions, 14u);
  EXPECT_EQ(first_warp.branches, 1u);
  EXPECT_EQ(find(first_warp, e.trace.origin, "global_load.requests").value, 1);
}

TEST(Recompute, KnowsWhetherTheEventsAreAll) {
  Trace trace = example().trace;
  EXPECT_TRUE(events_are_complete(trace));
  trace.events_dropped = 1;
  EXPECT_FALSE(events_are_complete(trace));
  trace.events_dropped = 0;
  trace.blocks_not_chosen = 3;
  EXPECT_FALSE(events_are_complete(trace));
  trace.blocks_not_chosen = 0;
  trace.events.clear();
  EXPECT_FALSE(events_are_complete(trace));
  EXPECT_TRUE(events_are_complete(Trace{}));
}

TEST(Steps, AreTheEventsOfAWarp) {
  const Example e = example();
  const std::vector<Step> list = steps(e.trace, 0, 0);
  ASSERT_EQ(list.size(), e.trace.warp(0, 0).size());
  std::vector<std::string> labels;
  for (const Step& step : list) labels.push_back(step.label);
  EXPECT_EQ(labels,
            (std::vector<std::string>{"entry", "ld.global", "ld.shared", "red.global", "bra", "entry", "bar.sync"}));
  EXPECT_EQ(list[0].instructions, 10u);
  EXPECT_EQ(list[5].active, LaneMask::first(16));
  EXPECT_EQ(list[1].line, 7);
  EXPECT_TRUE(steps(e.trace, 1, 0).empty());
}

TEST(Steps, Labels) {
  const auto label = [](const char* opcode) {
    trace::Site site;
    site.kind = EventKind::memory;
    site.opcode = opcode;
    return step_label(site);
  };
  EXPECT_EQ(label("ld.global.nc.v4.f32"), "ld.global");
  EXPECT_EQ(label("ld.volatile.shared.u32"), "ld.shared");
  EXPECT_EQ(label("st.shared::cta.f64"), "st.shared");
  EXPECT_EQ(label("shfl.sync.down.b32"), "shfl.down");
  EXPECT_EQ(label("vote.sync.ballot.b32"), "vote.ballot");
  EXPECT_EQ(label("bar.warp.sync"), "bar.warp");
  EXPECT_EQ(label("cp.async.cg.shared.global"), "cp.async");
  EXPECT_EQ(label("activemask.b32"), "activemask");
  // What tells these apart comes after the family's name.
  EXPECT_EQ(label("wmma.load.a.sync.aligned.row.m16n16k16.global.f16"), "wmma.load");
  EXPECT_EQ(label("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32"), "wmma.mma");
  EXPECT_EQ(label("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), "mma.sync");
  EXPECT_EQ(label("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"), "wgmma.mma_async");
  EXPECT_EQ(label("mbarrier.arrive.shared::cta.b64"), "mbarrier.arrive");
  EXPECT_EQ(label("mbarrier.try_wait.shared.b64"), "mbarrier.try_wait");
  EXPECT_EQ(label("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"), "cp.async.bulk");
  EXPECT_EQ(label("barrier.cluster.arrive.aligned"), "barrier.cluster.arrive");
  EXPECT_EQ(label("barrier.cluster.wait.acquire.aligned"), "barrier.cluster.wait");
  EXPECT_EQ(label("fence.proxy.async"), "fence.proxy");
  EXPECT_EQ(label("bra"), "bra");
  EXPECT_EQ(label(""), "");
  trace::Site entry;
  entry.kind = EventKind::block_entry;
  EXPECT_EQ(step_label(entry), "entry");
  entry.basic_block = 3;
  EXPECT_EQ(step_label(entry), "enter");
  entry.line = 12;
  EXPECT_EQ(step_label(entry), "line 12");
}

TEST(Steps, AcrossWarps) {
  TraceBuilder b({1, 1, 1}, {96, 1, 1});
  const std::uint32_t site = b.site(EventKind::barrier, "bar.sync", 4);
  b.warp(0, 0).event(site, all).event(site, LaneMask::first(3));
  b.warp(0, 1).event(site, all);
  b.warp(0, 2).event(site, all).event(site, LaneMask::first(5));
  const Trace trace = b.finish();
  const auto second = across_warps(trace, 0, 0, 1);
  ASSERT_EQ(second.size(), 3u);
  EXPECT_EQ(second[0]->active, LaneMask::first(3));
  EXPECT_EQ(second[1], nullptr);
  EXPECT_EQ(second[2]->active, LaneMask::first(5));
  EXPECT_EQ(across_warps(trace, 0, 0, 2), (std::vector<const trace::WarpEvent*>(3, nullptr)));
  EXPECT_EQ(across_warps(trace, 7, 9, 0), (std::vector<const trace::WarpEvent*>(3, nullptr)));
}

// Two pieces, each halved twice. Warp 1 adds only in the first halving of each, so its second add belongs to the next
// piece, not to the second halving that warp 0 makes meanwhile.
TEST(Steps, AcrossWarpsAreInStepByTheBlocksBarriers) {
  TraceBuilder b({1, 1, 1}, {64, 1, 1});
  const std::uint32_t add = b.access_site(MemorySpace::shared, Operation::load, 4, "ld.shared.f32", 8);
  const std::uint32_t barrier = b.site(EventKind::barrier, "bar.sync", 9);
  const std::uint32_t of_warp = b.site(EventKind::barrier, "bar.warp.sync", 10);
  for (std::uint32_t warp = 0; warp < 2; ++warp) {
    b.warp(0, warp);
    for (int piece = 0; piece < 2; ++piece)
      for (int half = 0; half < 2; ++half) {
        if (warp == 0) b.event(of_warp, all);
        if (warp == 0 || half == 0) b.affine(add, all, LaneMask::first(1 + 2 * piece + half), 0, 4);
        b.event(barrier, all);
      }
  }
  const Trace trace = b.finish();
  // Steps of warp 0: bar.warp, add, barrier, twice.
  const auto lanes = [&](std::size_t step) {
    std::vector<int> counts;
    for (const trace::WarpEvent* event : across_warps(trace, 0, 0, step))
      counts.push_back(event == nullptr ? 0 : event->executed.count());
    return counts;
  };
  EXPECT_EQ(lanes(1), (std::vector<int>{1, 1}));
  EXPECT_EQ(lanes(4), (std::vector<int>{2, 0})) << "warp 1 sits this halving out";
  EXPECT_EQ(lanes(7), (std::vector<int>{3, 3}));
  EXPECT_EQ(lanes(10), (std::vector<int>{4, 0}));
}

// Random warps longer than one search covers: the result equals a walk from the beginning.
TEST(Steps, AcrossWarpsOfAnyLengthIsTheSame) {
  TraceBuilder b({2, 1, 1}, {96, 1, 1});
  std::vector<std::uint32_t> sites;
  for (int line = 1; line <= 4; ++line)
    sites.push_back(b.access_site(MemorySpace::shared, Operation::load, 4, "ld.shared.f32", line));
  sites.push_back(b.site(EventKind::barrier, "bar.warp.sync", 5));
  const std::uint32_t barrier = b.site(EventKind::barrier, "bar.sync", 6);
  std::uint32_t random = 7;
  const auto draw = [&](std::uint32_t below) { return (random = random * 1664525 + 1013904223) % 65521 % below; };
  for (std::uint32_t block = 0; block < 2; ++block)
    for (std::uint32_t warp = 0; warp < 3; ++warp) {
      b.warp(block, warp);
      for (std::uint32_t i = 0; i < 9000 + 3000 * warp; ++i)
        b.event(draw(50) == 0 ? barrier : sites[draw(static_cast<std::uint32_t>(sites.size()))], all);
    }
  const Trace trace = b.finish();
  const BlockSteps steps(trace, 1);
  int others = 0;
  for (int i = 0; i < 300; ++i) {
    const std::uint32_t warp = draw(3);
    const std::size_t step = draw(static_cast<std::uint32_t>(trace.warp(1, warp).size()));
    const auto expected = across_warps(trace, 1, warp, step);
    EXPECT_EQ(steps.across(trace, warp, step), expected) << warp << ", " << step;
    EXPECT_EQ(expected[warp], &trace.warp(1, warp)[step]);
    others += static_cast<int>(std::ranges::count_if(expected, [](const auto* one) { return one != nullptr; })) - 1;
  }
  EXPECT_GT(others, 50);
  EXPECT_EQ(steps.across(trace, 0, 9000), (std::vector<const trace::WarpEvent*>(3, nullptr)));
  EXPECT_EQ(steps.across(trace, 3, 0), (std::vector<const trace::WarpEvent*>(3, nullptr)));
}

TEST(Report, NumbersWrittenAnewForOtherTotalsAreThoseOfAReport) {
  trace::Totals totals;
  totals.of(trace::MemoryClass::global_load).requests = 4;
  totals.of(trace::MemoryClass::global_load).sectors = 128;
  totals.of(trace::MemoryClass::global_load).ideal_sectors = 16;
  std::vector<Measurement> numbers = report(Trace{});
  for (const trace::Totals& of : {totals, trace::Totals{}, totals}) {
    report_again(numbers, of);
    const std::vector<Measurement> made = report(of, trace::Origin::interpreted);
    ASSERT_EQ(numbers.size(), made.size());
    for (std::size_t i = 0; i < made.size(); ++i) {
      EXPECT_EQ(numbers[i].name, made[i].name);
      EXPECT_EQ(numbers[i].applicable, made[i].applicable) << made[i].name;
      EXPECT_EQ(numbers[i].ideal, made[i].ideal) << made[i].name;
      EXPECT_TRUE(numbers[i].value == made[i].value || !made[i].applicable) << made[i].name;
    }
  }
}

}  // namespace
}  // namespace lanescope::metrics
