#pragma once
// An example of every picture, by name, for the golden files and for people.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "diagram/views.h"
#include "unit/trace/trace_builder.h"

namespace lanescope::diagram::test {

using trace::EventKind;
using trace::MemorySpace;
using trace::Operation;
using trace::Trace;
using trace::test::TraceBuilder;

struct Example {
  std::string name;
  std::function<Scene(const Options&)> draw;
};

// A warp with one access of `width` bytes per lane.
struct OneAccess {
  MemorySpace space = MemorySpace::global;
  Operation operation = Operation::load;
  int width = 4;
  std::uint64_t first = 0x7f2000;
  int stride = 4;
  LaneMask executed = LaneMask::all(), active = LaneMask::all();
  std::vector<std::uint64_t> addresses = {};  // not affine if not empty
  std::uint32_t threads = 128;
  Dim3 cluster = {};
};

inline Trace one_access(const OneAccess& what) {
  TraceBuilder b({4, 1, 1}, {what.threads, 1, 1});
  const bool atomic = what.operation == Operation::atomic || what.operation == Operation::reduction;
  const char* opcode = atomic                                   ? "atom.global.add.f32"
                       : what.operation == Operation::store     ? "st.global.f32"
                       : what.space == MemorySpace::shared      ? "ld.shared.f32"
                       : what.space == MemorySpace::distributed ? "ld.shared::cluster.f32"
                                                                : "ld.global.f32";
  const std::uint32_t site = b.access_site(what.space, what.operation, what.width, opcode, 8);
  b.warp(0, 0);
  if (what.addresses.empty()) {
    b.affine(site, what.active, what.executed, what.first, what.stride);
  } else {
    b.scattered(site, what.active, what.executed, what.addresses);
  }
  // All lanes stay active.
  b.event(b.site(EventKind::barrier, "bar.sync", 9), LaneMask::first(static_cast<int>(std::min(32u, what.threads))));
  Trace trace = b.finish();
  trace.launch.cluster = what.cluster;
  return trace;
}

using View = Scene (*)(const Trace&, const trace::WarpEvent&, const Options&);

inline Example of_access(std::string name, View view, OneAccess what) {
  return {std::move(name),
          [view, trace = one_access(what)](const Options& options) { return view(trace, trace.events[0], options); }};
}

inline std::vector<std::uint64_t> spread(int count, const std::function<std::uint64_t(int)>& address) {
  std::vector<std::uint64_t> addresses;
  for (int i = 0; i < count; ++i) addresses.push_back(address(i));
  return addresses;
}

// reduce_modulo with 256 threads, seen by one warp.
inline Trace modulo_reduction() {
  TraceBuilder b({1, 1, 1}, {256, 1, 1});
  const std::uint32_t entry = b.site(EventKind::block_entry, "entry", 3, 9);
  const std::uint32_t load = b.access_site(MemorySpace::global, Operation::load, 4, "ld.global.f32", 4);
  const std::uint32_t store = b.access_site(MemorySpace::shared, Operation::store, 4, "st.shared.f32", 4);
  const std::uint32_t barrier = b.site(EventKind::barrier, "bar.sync", 5);
  const std::uint32_t loop = b.site(EventKind::block_entry, "entry", 6, 5);
  const std::uint32_t branch = b.site(EventKind::branch, "bra", 7);
  const std::uint32_t body = b.site(EventKind::block_entry, "entry", 8, 6);
  const std::uint32_t add = b.access_site(MemorySpace::shared, Operation::load, 4, "ld.shared.f32", 8);
  const std::uint32_t put = b.access_site(MemorySpace::shared, Operation::store, 4, "st.shared.f32", 8);
  const std::uint32_t done = b.site(EventKind::block_entry, "entry", 11, 4);
  Trace kinds;
  for (std::uint32_t warp = 0; warp < 8; ++warp) {
    b.warp(0, warp);
    const LaneMask all = LaneMask::all();
    b.event(entry, all)
        .affine(load, all, all, 0x7f2000 + 128 * warp, 4)
        .affine(store, all, all, 128 * warp, 4)
        .event(barrier, all);
    for (int step = 1; step < 256; step *= 2) {
      LaneMask working;
      for (int lane = 0; lane < 32; ++lane)
        if ((32 * static_cast<int>(warp) + lane) % (2 * step) == 0) working = working | LaneMask::lane(lane);
      b.event(loop, all).event(branch, all, ~working);
      if (!working.empty()) {
        b.event(body, working)
            .affine(add, working, working, 128 * warp, 4)
            .affine(put, working, working, 128 * warp, 4);
      }
      b.event(barrier, all);
    }
    b.event(done, LaneMask::lane(0));
  }
  Trace trace = b.finish();
  for (trace::Site& site : trace.sites) site.basic_block = site.id == entry ? 0 : static_cast<int>(site.id);
  return trace;
}

inline Trace one_shuffle(const std::function<int(int)>& source, LaneMask executed = LaneMask::all()) {
  TraceBuilder b({1, 1, 1}, {32, 1, 1});
  const std::uint32_t site = b.site(EventKind::shuffle, "shfl.sync.down.b32", 12);
  std::vector<std::uint8_t> sources;
  executed.for_each([&](int lane) {
    const int from = source(lane);
    sources.push_back(from >= 0 && from < 32 ? static_cast<std::uint8_t>(from) : std::uint8_t{0xff});
  });
  b.warp(0, 0)
      .shuffle(site, LaneMask::all(), executed, sources)
      .event(b.site(EventKind::barrier, "bar.sync", 13), LaneMask::all());
  return b.finish();
}

// The machine code of lesson 1's kernel `stride` on sm_90, as nvdisasm prints it.
inline MachineCode stride_code() {
  MachineCode code;
  code.source = {"// Each thread reads one element.",
                 "__global__ void stride_copy(const float* in, float* out, int n, int stride) {",
                 "  const int i = blockIdx.x * blockDim.x + threadIdx.x;",
                 "  if (i >= n) return;",
                 "  const int from = i * stride;",
                 "  const float value = in[from];",
                 "",
                 "  out[i] = value;",
                 "}"};
  const auto add = [&](int line, int ptx, const char* text, const char* predicate = "", const char* label = "") {
    code.instructions.push_back(
        {static_cast<std::uint32_t>(16 * code.instructions.size()), text, predicate, label, line, ptx});
  };
  add(2, 21, "LDC R1, c[0x0][0x28]");
  add(3, 36, "S2R R0, SR_TID.X");
  add(3, 34, "S2UR UR4, SR_CTAID.X");
  add(3, 35, "LDC R7, c[0x0][RZ]");
  add(3, 37, "IMAD R7, R7, UR4, R0");
  add(4, 39, "ISETP.GE.AND P0, PT, R7, UR4, PT");
  add(4, 40, "EXIT", "@P0");
  add(6, 45, "IMAD R5, R7, UR4, RZ");
  add(6, 47, "IMAD.WIDE R2, R5, 0x4, R2");
  add(8, 53, "LDC.64 R4, c[0x0][0x218]");
  add(6, 48, "LDG.E R3, desc[UR4][R2.64]");
  add(8, 53, "IMAD.WIDE R4, R7, 0x4, R4");
  add(8, 54, "STG.E desc[UR4][R4.64], R3");
  add(9, 58, "EXIT");
  add(9, 58, "BRA `(.L_x_0)", "", ".L_x_0");
  for (int i = 0; i < 13; ++i) add(9, 58, "NOP");
  code.arch = "sm_90";
  code.registers = 10;
  code.threads = 256;
  code.step_line = 6;
  code.step_ptx_line = 48;
  return code;
}

inline std::vector<Example> gallery() {
  std::vector<Example> all;
  const auto add = [&](Example example) { all.push_back(std::move(example)); };
  const auto global = [](int stride, int width = 4, std::uint64_t offset = 0) {
    OneAccess what;
    what.stride = stride;
    what.width = width;
    what.first += offset;
    return what;
  };
  const auto shared = [](int stride, int width = 4) {
    OneAccess what;
    what.space = MemorySpace::shared;
    what.first = 0;
    what.stride = stride;
    what.width = width;
    return what;
  };

  // lanes
  add(of_access("lanes_all", lanes, global(4)));
  {
    OneAccess what = global(4);
    what.executed = LaneMask::first(20);
    what.active = LaneMask::first(24);
    add(of_access("lanes_guarded", lanes, what));
    what.threads = 20;
    what.active = what.executed = LaneMask::first(20);
    add(of_access("lanes_partial_warp", lanes, what));
    what.threads = 128;
    what.executed = LaneMask::none();
    what.active = {0x0000ffffu};
    add(of_access("lanes_none", lanes, what));
  }
  const Trace reduction = modulo_reduction();
  add({"lanes_exited", [reduction](const Options& o) { return lanes(reduction, reduction.warp(0, 0).back(), o); }});
  add({"lanes_branch", [reduction](const Options& o) { return lanes(reduction, reduction.warp(0, 0)[5], o); }});

  // film and block
  add({"film_modulo", [reduction](const Options& o) { return film(reduction, 0, 0, 12, o); }});
  add({"film_short", [](const Options& o) {
         const Trace trace = one_access({});
         return film(trace, 0, 0, 0, o);
       }});
  add({"film_long", [](const Options& o) {
         TraceBuilder b({1, 1, 1}, {32, 1, 1});
         const std::uint32_t site = b.access_site(MemorySpace::shared, Operation::load, 4, "ld.shared.f32", 9);
         b.warp(0, 0);
         for (int i = 0; i < 5000; ++i) b.affine(site, LaneMask::all(), LaneMask::first(32 - (i / 8) % 33), 0, 4);
         Trace trace = b.finish();
         trace.events_dropped = 1234567;
         return film(trace, 0, 0, 2600, o);
       }});
  // The event that enters the loop body at halving `turn`, of warp 0.
  const auto halving = [reduction](int turn) {
    constexpr std::uint32_t body = 6;
    std::size_t step = 0;
    for (const auto events = reduction.warp(0, 0); step < events.size(); ++step)
      if (events[step].site == body && turn-- == 0) break;
    return step;
  };
  add({"block_lanes_modulo",
       [reduction, halving](const Options& o) { return block_lanes(reduction, 0, 0, halving(1), o); }});
  add({"block_lanes_late",
       [reduction, halving](const Options& o) { return block_lanes(reduction, 0, 0, halving(6), o); }});

  // sectors
  add(of_access("sectors_stride_1", sectors, global(4)));
  add(of_access("sectors_stride_2", sectors, global(8)));
  add(of_access("sectors_stride_8", sectors, global(32)));
  add(of_access("sectors_stride_32", sectors, global(128)));
  add(of_access("sectors_offset_1", sectors, global(4, 4, 4)));
  add(of_access("sectors_same_word", sectors, global(0)));
  add(of_access("sectors_half", sectors, global(2, 2)));
  add(of_access("sectors_bytes", sectors, global(1, 1)));
  add(of_access("sectors_float4", sectors, global(16, 16)));
  add(of_access("sectors_double_stride_3", sectors, global(24, 8)));
  add(of_access("sectors_unaligned", sectors, global(6, 6, 2)));
  {
    OneAccess what;
    what.addresses =
        spread(32, [](int i) { return 0x7f0000000000 + static_cast<std::uint64_t>((i * 7919) % 2048) * 4; });
    add(of_access("sectors_gather", sectors, what));
    what.addresses = spread(32, [](int i) { return 0x7f2000 + static_cast<std::uint64_t>(i / 5) * 4; });
    add(of_access("sectors_shared_words", sectors, what));
    what.addresses = spread(5, [](int i) { return 0x7f2000 + static_cast<std::uint64_t>(i) * 40; });
    what.executed = what.active = {0x88040101u};
    add(of_access("sectors_few_lanes", sectors, what));
    what = {};
    what.executed = LaneMask::none();
    add(of_access("sectors_no_lane", sectors, what));
    what = {};
    what.executed = LaneMask::lane(7);
    what.operation = Operation::store;
    add(of_access("sectors_one_lane", sectors, what));
  }

  // banks
  add(of_access("banks_stride_1", banks, shared(4)));
  add(of_access("banks_stride_2", banks, shared(8)));
  add(of_access("banks_stride_8", banks, shared(32)));
  add(of_access("banks_column", banks, shared(128)));
  add(of_access("banks_broadcast", banks, shared(0)));
  add(of_access("banks_half", banks, shared(2, 2)));
  add(of_access("banks_double", banks, shared(8, 8)));
  add(of_access("banks_double_stride_2", banks, shared(16, 8)));
  add(of_access("banks_float4", banks, shared(16, 16)));
  {
    OneAccess what = shared(16, 16);
    what.executed = LaneMask::first(12);
    add(of_access("banks_float4_partial", banks, what));
    what = shared(4);
    what.addresses = spread(32, [](int i) { return static_cast<std::uint64_t>((i * i * 5) % 96) * 4; });
    add(of_access("banks_mixed", banks, what));
    what = shared(8);
    what.executed = {0x11111111u};
    add(of_access("banks_modulo", banks, what));
  }
  {  // Two lanes per word of the block with rank 1; 8 bytes apart in that with rank 3.
    OneAccess what{.space = MemorySpace::distributed, .cluster = {4, 1, 1}};
    what.addresses = spread(32, [](int lane) {
      return lane < 16 ? (1ull << 24) + 128 + 4 * static_cast<unsigned>(lane / 2)
                       : (3ull << 24) + 8 * static_cast<unsigned>(lane);
    });
    add(of_access("banks_of_other_blocks", banks, what));
  }

  // shuffle
  add({"shuffle_down_8", [](const Options& o) {
         const Trace trace = one_shuffle([](int lane) { return lane + 8; });
         return shuffle(trace, trace.events[0], std::vector<std::string>(32, "2"), std::vector<std::string>(32, "4"),
                        o);
       }});
  add({"shuffle_long_values", [](const Options& o) {
         const Trace trace = one_shuffle([](int lane) { return lane + 16; });
         std::vector<std::string> before, after;
         for (int lane = 0; lane < 32; ++lane) {
           before.push_back(fmt::format("{:.4g}", 0.0317 * lane * lane));
           const int from = lane + 16 < 32 ? lane + 16 : lane;
           after.push_back(fmt::format("{:.4g}", 0.0317 * from * from));
         }
         return shuffle(trace, trace.events[0], before, after, o);
       }});
  add({"shuffle_pairs_of_halves", [](const Options& o) {
         const Trace trace = one_shuffle([](int lane) { return lane ^ 2; });
         std::vector<std::string> before, after;
         for (int lane = 0; lane < 32; ++lane) {
           before.push_back(fmt::format("{} | {}", lane, -lane));
           after.push_back(fmt::format("{} | {}", lane ^ 2, -(lane ^ 2)));
         }
         return shuffle(trace, trace.events[0], before, after, o, Moved::halves);
       }});
  add({"shuffle_bits", [](const Options& o) {
         const Trace trace = one_shuffle([](int) { return 31; });
         std::vector<std::string> before, after(32, "bf8003e0");
         for (int lane = 0; lane < 32; ++lane)
           before.push_back(fmt::format("{:08x}", 0xbf800000u + 32u * static_cast<unsigned>(lane)));
         return shuffle(trace, trace.events[0], before, after, o, Moved::bits);
       }});
  add({"shuffle_xor_1", [](const Options& o) {
         const Trace trace = one_shuffle([](int lane) { return lane ^ 1; });
         return shuffle(trace, trace.events[0], {}, {}, o);
       }});
  add({"shuffle_broadcast", [](const Options& o) {
         const Trace trace = one_shuffle([](int) { return 0; });
         return shuffle(trace, trace.events[0], {}, {}, o);
       }});
  add({"shuffle_from_inactive", [](const Options& o) {
         const Trace trace = one_shuffle([](int lane) { return lane + 4; }, LaneMask::first(16));
         return shuffle(trace, trace.events[0], {}, {}, o);
       }});

  // atomics
  const auto atomic = [](int width, std::vector<std::uint64_t> addresses) {
    OneAccess what;
    what.operation = Operation::atomic;
    what.width = width;
    what.addresses = std::move(addresses);
    return what;
  };
  add(of_access("atomics_one_address", atomics, atomic(4, spread(32, [](int) { return 0x7f2000; }))));
  add(of_access("atomics_halves", atomics,
                atomic(2, spread(32, [](int i) { return 0x7f2000 + 2 * static_cast<std::uint64_t>(i % 8); }))));
  add(of_access("atomics_own_address", atomics,
                atomic(4, spread(32, [](int i) { return 0x7f2000 + 4 * static_cast<std::uint64_t>(i); }))));
  add(of_access("atomics_histogram", atomics,
                atomic(4, spread(32, [](int i) { return 0x7f2000 + 4 * static_cast<std::uint64_t>((i * i) % 23); }))));

  // matrices: those of mma.m16n8k16 with halves, two per register
  add({"matrices_halves", [](const Options& o) {
         HeldMatrices held{{"f16", 16, 16, {}}, {"f16", 16, 8, {}}, {"f32", 16, 8, {}}};
         const auto place = [](int lane, int reg) {
           return HeldMatrix::Place{static_cast<std::uint8_t>(lane), static_cast<std::uint8_t>(reg)};
         };
         for (int i = 0; i < 256; ++i) {
           const int row = i / 16, column = i % 16;
           held.a.places.push_back(place(row % 8 * 4 + column % 8 / 2, row / 8 + column / 8 * 2));
         }
         for (int i = 0; i < 128; ++i) {
           const int row = i / 8, column = i % 8;
           held.b.places.push_back(place(column * 4 + row % 8 / 2, row / 8));
           held.c.places.push_back(place(row % 8 * 4 + column / 2, row / 8 * 2 + column % 2));
         }
         return matrices(held, o);
       }});
  // groups, phases, running sum
  add({"groups_tile_8", [](const Options& o) { return groups(tile_rows(8), o); }});
  add({"groups_coalesced", [](const Options& o) { return groups({{0, {LaneMask{0x0f0f3301u}}, true}}, o); }});
  const auto phase_work = [](std::uint32_t blocks) {
    PhaseWork work;
    work.phases = {"reduce 262,144 each", "block sums", "result"};
    for (std::uint32_t block = 0; block < blocks; ++block)
      work.blocks.push_back({block, {900 + 37 * ((block * 7) % 5), block == 0 ? 210u : 0u, block == 0 ? 90u : 0u}});
    return work;
  };
  add({"phases_grid_sync", [=](const Options& o) { return phases(phase_work(9), o); }});
  add({"phases_many_blocks", [=](Options o) {
         if (o.max_height == 0) o.max_height = 200;
         return phases(phase_work(132), o);
       }});
  add({"machine_stride", [](const Options& o) { return machine_code(stride_code(), o); }});
  add({"machine_every_kind", [](const Options& o) {
         MachineCode code = stride_code();
         code.instructions.clear();
         for (const char* text :
              {"LDGSTS.E.64 [R15], desc[UR4][R2.64]", "BAR.SYNC.DEFER_BLOCKING 0x0", "LDS.64 R6, [R15]", "STS [R3], R4",
               "RED.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R5", "ATOM.E.CAS.STRONG.GPU PT, R7, [R2], R6, R7",
               "STL [R1], R8", "EXIT"})
           code.instructions.push_back({static_cast<std::uint32_t>(16 * code.instructions.size()), text, "", "", 0, 0});
         code.registers = 168, code.threads = 512, code.shared_bytes = 49152, code.local_bytes = 64;
         return machine_code(code, o);
       }});
  add({"machine_long_on_unknown_arch", [](const Options& o) {
         MachineCode code = stride_code();
         code.arch = "sm_999";
         code.instructions.resize(14);
         for (int i = 0; i < 400; ++i)
           code.instructions.push_back({static_cast<std::uint32_t>(16 * code.instructions.size()), "FADD R0, R0, R1",
                                        "@!P0", i % 50 == 0 ? ".L_x_" + std::to_string(i / 50) : "", 3 + i % 3, 0});
         return machine_code(code, o);
       }});
  add({"running_sum_half", [](const Options& o) {
         RunningSum sum;
         sum.name = "half";
         double value = 0;
         for (int i = 1; i <= 4096; ++i) {
           if (value < 2048) value += 1;
           sum.values.push_back(value);
           sum.exact.push_back(i);
         }
         return running_sum(sum, o);
       }});
  return all;
}

}  // namespace lanescope::diagram::test
