#pragma once
// Traces made up at random, and small ones made by hand: input for tests of what reads traces.

#include <random>
#include <string>

#include "trace/trace.h"

namespace lanescope::trace::test {

// Valid (sorted, nested masks, indices in range) but otherwise arbitrary. The totals do not belong to the events.
inline Trace random_trace(std::uint64_t seed, int warps = 6, int events_a_warp = 20) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  const auto text = [&] { return std::string("text ") + std::to_string(below(5)); };
  const auto u32 = [&] { return static_cast<std::uint32_t>(random() >> below(64)); };
  const auto i32 = [&] { return static_cast<std::int32_t>(u32()); };
  const auto memory_totals = [&] { return MemoryTotals{u32(), u32(), random(), u32(), u32(), u32(), u32(), u32()}; };
  Trace trace;
  trace.origin = static_cast<Origin>(below(4));
  trace.kernel = text();
  trace.compiler_name = "nvrtc";
  trace.compiler_version = text();
  trace.arch = "sm_90";
  trace.device = text();
  trace.launch.grid = {u32(), u32(), u32()};
  trace.launch.block = {static_cast<std::uint32_t>(warps) * 32 + u32() % 33, 1, 1};
  trace.launch.dynamic_shared_bytes = u32();
  trace.launch.static_shared_bytes = u32();
  trace.launch.cooperative = below(2) != 0;
  if (seed % 2 == 1) trace.launch.cluster = {2, 1, 2};
  trace.functions = {text(), text()};
  trace.sites.resize(1 + below(9));
  for (std::size_t i = 0; i < trace.sites.size(); ++i) {
    Site& site = trace.sites[i];
    site.id = static_cast<std::uint32_t>(i);
    site.kind = static_cast<EventKind>(below(7));
    site.operation = static_cast<Operation>(below(6));
    site.space = static_cast<MemorySpace>(below(6));
    site.width = static_cast<std::uint8_t>(1 << below(5));
    site.element_width = 4;
    site.volatile_access = below(2) != 0;
    site.turns = static_cast<Turns>(below(3));
    site.file = text();
    site.line = i32();
    site.column = i32();
    site.ptx_line = i32();
    site.instruction = i32();
    site.basic_block = i32();
    site.function = static_cast<std::int32_t>(below(2));
    site.instruction_count = i32();
    site.opcode = text();
    site.inlined_from = text();
  }
  trace.buffers = {{text(), i32(), random(), random()}, {"", -1, 0, 0}};
  trace.totals.warp_instructions = random();
  trace.totals.lane_instructions = random();
  trace.totals.branches = u32();
  trace.totals.divergent_branches = u32();
  trace.totals.barriers = u32();
  trace.totals.shuffles = u32();
  trace.totals.votes = u32();
  for (MemoryTotals& memory : trace.totals.memory) memory = memory_totals();
  if (trace.launch.cluster == Dim3{})
    for (const auto of :
         {MemoryClass::distributed_load, MemoryClass::distributed_store, MemoryClass::distributed_atomic})
      trace.totals.of(of) = {};
  for (std::size_t i = 0; i < trace.sites.size(); ++i)
    trace.totals.sites.push_back({u32(), u32(), u32(), memory_totals(), memory_totals()});
  trace.events_dropped = u32();
  trace.blocks_not_chosen = random();

  std::uint32_t block = 0;
  std::uint16_t warp = 0;
  for (int w = 0; w < warps; ++w) {
    std::uint32_t sequence = 0;
    for (int e = 0; e < events_a_warp; ++e) {
      WarpEvent event;
      event.site = static_cast<std::uint32_t>(below(trace.sites.size()));
      event.block = block;
      event.warp = warp;
      event.sequence = sequence;
      sequence += below(8) ? 1 : 1 + u32() % 1000;
      event.kind = trace.sites[event.site].kind;
      event.active = {below(3) ? ~0u : u32()};
      event.executed = {below(3) ? event.active.bits : event.active.bits & u32()};
      event.first_address = random() >> below(64);
      if (event.kind == EventKind::memory) {
        event.space = static_cast<MemorySpace>(1 + below(5));
        if (below(2)) {
          event.stride = i32();
        } else {
          event.side = static_cast<std::uint32_t>(trace.addresses.size());
          for (int i = 0; i < event.executed.count(); ++i) trace.addresses.push_back(random() >> below(64));
        }
      } else if (event.kind == EventKind::shuffle) {
        event.side = static_cast<std::uint32_t>(trace.source_lanes.size());
        for (int i = 0; i < event.executed.count(); ++i)
          trace.source_lanes.push_back(below(5) ? static_cast<std::uint8_t>(below(32)) : std::uint8_t{0xff});
      }
      trace.events.push_back(event);
    }
    if (below(2)) {
      ++warp;
    } else {
      block += 1 + u32() % 5;
      warp = 0;
    }
  }
  return trace;
}

}  // namespace lanescope::trace::test
