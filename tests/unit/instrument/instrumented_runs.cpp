#include "instrumented_runs.h"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "ptx/module.h"

namespace lanescope::instrument {

sim::Argument buffer(sim::ElementType type, std::size_t count, bool iota) {
  sim::Argument argument{.type = type, .is_buffer = true};
  argument.contents.resize(count * static_cast<std::size_t>(sim::bytes_of(type)));
  for (std::size_t i = 0; iota && i < count; ++i) {
    const float real = static_cast<float>(i % 97);
    const std::int32_t whole = static_cast<std::int32_t>(i % 97);
    std::byte* at = argument.contents.data() + i * static_cast<std::size_t>(sim::bytes_of(type));
    if (type == sim::ElementType::f32) std::memcpy(at, &real, sizeof real);
    if (type == sim::ElementType::i32) std::memcpy(at, &whole, sizeof whole);
  }
  return argument;
}
sim::Argument scalar(std::int32_t value) {
  return {.type = sim::ElementType::i32, .scalar_bits = static_cast<std::uint32_t>(value)};
}

const std::vector<Case>& cases() {
  using enum sim::ElementType;
  static const std::vector<Case> all = [] {
    std::vector<Case> list;
    list.push_back({"guarded copy with a partial warp",
                    R"(
__global__ void k(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * 3 % n];
})",
                    "k",
                    {.grid = {3}, .block = {80}},
                    {buffer(f32, 200), buffer(f32, 200), scalar(200)}});
    list.push_back({"modulo reduction",
                    R"(
__global__ void k(const float* in, float* out) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    if (t % (2 * step) == 0) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
})",
                    "k",
                    {.grid = {2}, .block = {128}},
                    {buffer(f32, 256), buffer(f32, 2)}});
    list.push_back({"loops left at different times, early return",
                    R"(
__global__ void k(const int* in, int* out) {
  int i = threadIdx.x;
  int n = in[i] % 7;
  if (n == 3) return;
  int sum = 0;
  for (int j = 0; j < n; ++j) { if ((i + j) % 3 == 0) sum += in[j]; else sum -= in[i]; }
  out[i] = sum;
})",
                    "k",
                    {.grid = {1}, .block = {64}},
                    {buffer(i32, 64), buffer(i32, 64)}});
    list.push_back({"vector widths",
                    R"(
__global__ void k(const float4* in, float2* out) {
  int i = threadIdx.x;
  float4 v = in[i];
  out[2 * i] = make_float2(v.x, v.y);
  out[2 * i + 1] = make_float2(v.z, v.w);
})",
                    "k",
                    {.grid = {2}, .block = {32}},
                    {buffer(f32, 128), buffer(f32, 128)}});
    list.push_back({"atomics, shuffles, votes",
                    R"(
__global__ void k(const int* in, int* sums, int* order) {
  int i = threadIdx.x;
  int v = in[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (__any_sync(0xffffffffu, in[i] == 5)) atomicAdd(&sums[i % 4], 1);
  if (i % 2) order[i] = atomicAdd(&sums[4], v) & 0;
  else order[i] = __shfl_xor_sync(0x55555555u, v, 2) & 0;
})",
                    "k",
                    {.grid = {1}, .block = {64}},
                    {buffer(i32, 64), buffer(i32, 8, false), buffer(i32, 64)}});
    list.push_back({"a function that was not inlined, local memory",
                    R"(
__device__ __noinline__ int pick(const int* table, int i) {
  int held[4];
  for (int j = 0; j < 4; ++j) held[j] = table[i + j];
  return held[i % 4];
}
__global__ void k(const int* in, int* out) {
  int i = threadIdx.x;
  int v = i % 3 ? pick(in, i) : in[i];
  out[i] = v;
})",
                    "k",
                    {.grid = {1}, .block = {48}},
                    {buffer(i32, 64), buffer(i32, 48)}});
    list.push_back({"generic addresses",
                    R"(
__device__ __noinline__ float twice(const float* p) { return 2 * *p; }
__global__ void k(const float* in, float* out) {
  __shared__ float s[32];
  int i = threadIdx.x;
  s[i] = in[i];
  __syncthreads();
  out[i] = twice(i % 2 ? &s[31 - i] : &in[i]) ;
})",
                    "k",
                    {.grid = {1}, .block = {32}},
                    {buffer(f32, 32), buffer(f32, 32)}});
    list.push_back({"cp.async",
                    R"(
#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  int i = threadIdx.x;
  __pipeline_memcpy_async(&s[i], &in[63 - i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[i] = s[i];
})",
                    "k",
                    {.grid = {1}, .block = {64}},
                    {buffer(f32, 64), buffer(f32, 64)}});
    list.push_back({"mbarrier and bulk copies",
                    R"(
__global__ void k(const float* in, float* out) {
  __shared__ alignas(16) float s[64];
  __shared__ unsigned long long object;
  int i = threadIdx.x;
  unsigned at = (unsigned)__cvta_generic_to_shared(&object), to = (unsigned)__cvta_generic_to_shared(s);
  if (i == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(at) : "memory");
  __syncthreads();
  asm volatile("{ .reg .pred p, done; setp.eq.u32 p, %0, 0;"
               "@p mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%1], 256;"
               "@p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%2], [%3], 256, [%1];"
               "mbarrier.arrive.shared.b64 _, [%1];"
               "AGAIN: mbarrier.try_wait.parity.shared.b64 done, [%1], 0; @!done bra AGAIN; }"
               :: "r"(i), "r"(at), "r"(to), "l"(in) : "memory");
  float v = s[63 - i];
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  s[i] = v + 1;
  asm volatile("fence.proxy.async.shared::cta; bar.sync 0; { .reg .pred p; setp.eq.u32 p, %0, 0;"
               "@p cp.async.bulk.global.shared::cta.bulk_group [%2], [%1], 256;"
               "@p cp.async.bulk.commit_group; @p cp.async.bulk.wait_group 0; }"
               :: "r"(i), "r"(to), "l"(out) : "memory");
})",
                    "k",
                    {.grid = {2}, .block = {64}},
                    {buffer(f32, 64), buffer(f32, 64)}});
    list.push_back({"switch, 2-D block and grid",
                    R"(
__global__ void k(const int* in, int* out) {
  int i = (blockIdx.y * gridDim.x + blockIdx.x) * 96 + threadIdx.y * 24 + threadIdx.x;
  int v = in[i % 64];
  switch (v % 6) { case 0: v = in[1]; break; case 1: v *= 7; break; case 2: v = v / 3; break; case 3: v += in[2]; break; case 4: v ^= 5; break; default: v = -v; }
  out[i] = v;
})",
                    "k",
                    {.grid = {2, 2}, .block = {24, 4}},
                    {buffer(i32, 64), buffer(i32, 384)}});
    list.push_back({"grid-wide sync",
                    R"(
#include <cooperative_groups.h>
__global__ void k(const int* in, int* out, int* work) {
  auto grid = cooperative_groups::this_grid();
  int i = grid.thread_rank();
  work[i] = in[i] + 1;
  grid.sync();
  out[i] = work[grid.size() - 1 - i];
})",
                    "k",
                    {.grid = {3}, .block = {32}, .cooperative = true},
                    {buffer(i32, 96), buffer(i32, 96), buffer(i32, 96, false)}});
    list.push_back({"functions that call each other and themselves",
                    R"(
struct Wide { double a; float b, c, d; };
__device__ __noinline__ void note(int* out, int i, int v) { if (v % 2) out[i] += v; }
__device__ __noinline__ int sum_down(const int* in, int i) {
  if (i <= 0) return in[0];
  if (in[i] % 5 == 0) return in[i] + sum_down(in, i / 2);
  return in[i] - sum_down(in, i / 3);
}
__device__ __noinline__ Wide widen(const int* in, int i) {
  const double sum = sum_down(in, i);
  return {sum * 0.5, 1.0f * in[i], 2.0f * in[i ^ 1], 3.0f};
}
__device__ __noinline__ bool odd(const int* in, int i) { return in[i] & 1; }
__global__ void k(const int* in, int* out) {
  int i = threadIdx.x;
  for (int j = 0; j <= in[i] % 4; ++j) note(out, i, sum_down(in, i + j));
  if (i % 3 == 1) return;
  const Wide wide = widen(in, i);
  if (odd(in, i)) out[i] += int(wide.a) + int(wide.b + wide.c + wide.d);
})",
                    "k",
                    {.grid = {2}, .block = {56}},
                    {buffer(i32, 64), buffer(i32, 64)}});
    list.push_back({"functions called through pointers",
                    R"(
typedef int (*Pick)(const int*, int);
__device__ __noinline__ int plain(const int* in, int i) { return in[i]; }
__device__ __noinline__ int twice(const int* in, int i) { return 2 * in[i ^ 1] + in[0]; }
__device__ __noinline__ int apply(Pick pick, const int* in, int i) { return pick(in, i) + in[i]; }
__global__ void k(const int* in, int* out) {
  int i = threadIdx.x;
  out[i] = apply(in[i] % 3 ? plain : twice, in, i);
})",
                    "k",
                    {.grid = {1}, .block = {48}},
                    {buffer(i32, 64), buffer(i32, 48)}});
    list.push_back({"many rows beside each other, of two arrays and of shared memory",
                    R"(
__global__ void k(const int* in, int* out, int n, int more) {
  __shared__ int s[32 * 8];
  int i = threadIdx.x, step = n + i * more;
  if (i % 3 == 1) return;
  int sum = in[i] + in[i + step] + in[i + 2 * step] + in[i + 3 * step] + in[i + 4 * step] + in[i + 5 * step];
  for (int j = 0; j < 8; ++j) s[i + j * 32] = sum + j;
  __syncwarp(__activemask());
  int held = s[i] + s[i + n] + s[i + 2 * n] + s[i + 3 * n] + s[i + 4 * n] + s[i + 5 * n];
  out[i] = held;
  out[i + n] = sum;
  if (in[i] > 40) {
    out[i + 2 * n] = in[i + 40] + in[i + n + 40] + in[i + 2 * n + 40] + in[i + 3 * n + 40] + in[i + 4 * n + 40];
  }
})",
                    "k",
                    {.grid = {2}, .block = {32}},
                    {buffer(i32, 640), buffer(i32, 640), scalar(32), scalar(0)}});
    return list;
  }();
  return all;
}

namespace {

sim::LaunchResult run(const ptx::Module& module, const std::string& kernel, const trace::Launch& launch,
                      std::vector<sim::Argument> arguments) {
  auto program = sim::prepare(module, kernel);
  EXPECT_TRUE(program.ok()) << format(program.errors().front());
  if (!program.ok()) return {};
  sim::LaunchRequest request;
  request.launch = launch;
  request.arguments = std::move(arguments);
  request.record.events = true;
  request.threads = 1;
  return sim::run(**program, request);
}

template <typename T>
sim::Argument raw(const T& value, bool is_buffer) {
  sim::Argument out;
  out.type = sim::ElementType::u8;
  out.is_buffer = is_buffer;
  std::vector<std::byte>& bytes = is_buffer ? out.contents : out.raw_parameter;
  bytes.resize(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return out;
}

// Limits the room to `units` in total: the first lanes get theirs, the rest get none.
RegionShape cut(const RegionShape& shape, std::uint32_t units) {
  std::array<std::uint64_t, MemoryModel::lanes> room{};
  for (std::size_t lane = 0; lane < room.size(); ++lane) {
    room[lane] = std::min(shape.lanes[lane].units() - 1, units);
    units -= static_cast<std::uint32_t>(room[lane]);
  }
  return shape_of(room);
}

}  // namespace

void run_both(const Case& one, Pass pass, std::uint32_t first_block, std::uint32_t blocks, Runs& out,
              std::uint32_t most_capacity, const RegionShape* wanted) {
  auto compiled = compile::compile({.name = "case.cu", .text = one.source}, {.name_expressions = {one.kernel}});
  ASSERT_TRUE(compiled.ok()) << format(compiled.errors().front());
  const std::string mangled = compiled->mangled.at(one.kernel);
  auto module = ptx::parse(compiled->text, "case.ptx");
  ASSERT_TRUE(module.ok()) << format(module.errors().front());
  out.plain = run(*module, mangled, one.launch, one.arguments);
  ASSERT_TRUE(out.plain.completed) << format(out.plain.diagnostics.front());

  auto instrumented = instrument(*module, mangled, pass);
  ASSERT_TRUE(instrumented.ok()) << format(instrumented.errors().front());
  out.kernel = *instrumented;
  auto again = ptx::parse(out.kernel.ptx, "instrumented.ptx");
  ASSERT_TRUE(again.ok()) << format(again.errors().front());

  RegionShape shape = wanted ? *wanted : region_shape(out.kernel, out.plain.trace);
  if (shape.capacity() > most_capacity) shape = cut(shape, most_capacity);
  const std::uint64_t regions = std::uint64_t{blocks} * one.launch.warps_per_block();
  out.recording.control = {.first_block = first_block,
                           .block_count = blocks,
                           .regions = static_cast<std::uint32_t>(regions),
                           .warps_per_block = one.launch.warps_per_block(),
                           .records = records_offset};
  out.recording.lanes = shape.lanes;
  std::vector<sim::Argument> arguments = one.arguments;
  arguments.push_back(buffer(sim::ElementType::u8, buffer_bytes(regions, shape.capacity()), false));
  arguments.push_back(raw(shape.lanes, true));
  arguments.push_back(raw(out.recording.control, false));
  out.recorded = run(*again, mangled, one.launch, arguments);
  ASSERT_TRUE(out.recorded.completed) << format(out.recorded.diagnostics.front());
  out.recording.buffer = out.recorded.arguments[one.arguments.size()].contents;
  for (const trace::Buffer& found : out.recorded.trace.buffers)
    if (found.argument >= 0 && found.argument < static_cast<std::int32_t>(one.arguments.size()))
      out.ranges.push_back({found.argument, found.address, found.bytes});
}

}  // namespace lanescope::instrument
