#pragma once
// Launches PTX with clusters and returns what each thread computed.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/clusters.h"
#include "sim/launcher.h"

namespace lanescope::sim::test {

using U32 = std::uint32_t;

struct ClusterShape {
  Dim3 grid, cluster;
  U32 threads = 32;
};

// Registers: %rd1 out, %r1 thread, %r2 rank in the cluster, %r3 linear index of the block, %r4 "tile", an array with a
// word per thread, %r5 this thread's word in it. The result %r10 of each thread goes to out[block * threads + thread].
inline std::string with_shared(const std::string& body) {
  return kernel(".param .u64 out", R"(
    .shared .align 8 .b64 object;
    .shared .align 16 .b8 tile[1024];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %cluster_ctarank;
    mov.u32 %r40, %ctaid.x;
    mov.u32 %r41, %ctaid.y;
    mov.u32 %r42, %ctaid.z;
    mov.u32 %r43, %nctaid.x;
    mov.u32 %r44, %nctaid.y;
    mad.lo.u32 %r3, %r42, %r44, %r41;
    mad.lo.u32 %r3, %r3, %r43, %r40;
    mov.u32 %r4, tile;
    shl.b32 %r5, %r1, 2;
    add.u32 %r5, %r4, %r5;
    mov.u32 %r45, %ntid.x;
    mad.lo.u32 %r46, %r3, %r45, %r1;
    mul.wide.u32 %rd2, %r46, 4;
    add.s64 %rd2, %rd1, %rd2;
)" + body + "\nst.global.u32 [%rd2], %r10;\nret;\n");
}

inline const std::string sync_cluster = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";

inline Launcher cluster_launcher(const std::string& text, const ClusterShape& shape) {
  Launcher k(text);
  k.grid = shape.grid;
  k.block = {shape.threads, 1, 1};
  k.request.launch.cluster = shape.cluster;
  k.request.max_steps = 10'000'000;
  k.add_buffer(std::vector<U32>(shape.grid.count() * shape.threads));
  return k;
}

struct ClusterRan {
  LaunchResult result;
  std::vector<U32> out;
  bool races() const { return result.races.accuses(); }
};
// Notes about accesses that are counted separately are ignored.
inline ClusterRan run_clusters(Launcher k, bool races = true) {
  k.request.races = races;
  k.request.record.events = true;
  ClusterRan ran{k.run_anyway(), {}};
  for (const Diagnostic& one : ran.result.diagnostics)
    if (one.severity != Severity::note) ADD_FAILURE() << format(one);
  EXPECT_TRUE(ran.result.completed);
  EXPECT_TRUE(naive_totals(ran.result.trace) == ran.result.trace.totals);
  EXPECT_EQ(event_order_fault(ran.result.trace), "");
  ran.out = Launcher::values<U32>(ran.result, 0);
  return ran;
}
inline ClusterRan run_clusters(const std::string& body, const ClusterShape& shape) {
  return run_clusters(cluster_launcher(with_shared(body), shape));
}

// Compares each thread's result with the host's own arithmetic.
inline void expect_values(const ClusterRan& ran, const ClusterShape& shape,
                          const std::function<U32(U32 block, U32 thread)>& expected) {
  for (U32 i = 0; i < ran.out.size(); ++i)
    ASSERT_EQ(ran.out[i], expected(i / shape.threads, i % shape.threads)) << "thread " << i;
}

inline const ClusterShape cluster_shapes[] = {{{4, 1, 1}, {2, 1, 1}}, {{8, 1, 1}, {8, 1, 1}, 64},
                                              {{2, 4, 1}, {1, 2, 1}}, {{4, 4, 2}, {2, 2, 2}, 40},
                                              {{6, 2, 3}, {3, 1, 1}}, {{16, 1, 1}, {16, 1, 1}}};

// The same with module variables: 64 counts, 128 pointers.
inline std::string with_counts(const std::string& body) {
  std::string text = with_shared(body);
  text.insert(text.find(".visible .entry"), ".global .u32 counts[64];\n.global .u64 pointers[128];\n");
  return text;
}

}  // namespace lanescope::sim::test
