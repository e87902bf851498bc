// The values of a step's operands, and who wrote an element, compared with host arithmetic.

#include "job/replay/step_values.h"

#include <gmock/gmock.h>

#include <bit>

#include "job/replay/last_writer.h"
#include "job/replay/names.h"
#include "job/replay/origins.h"
#include "job/replay/register_trail.h"
#include "job/replay/value_text.h"
#include "job/replayed.h"

namespace lanescope::job {
namespace {

using test::access;
using test::run_kernel;

const OperandValues* operand(const StepValues& values, bool written, int bytes) {
  for (const OperandValues& one : values.operands)
    if (one.written == written && ptx::bytes_of(one.type) == bytes) return &one;
  ADD_FAILURE() << values.instruction;
  return nullptr;
}

const char* const scale =
    "__global__ void k(const float* in, float* out, int stride) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  out[i] = 2.0f * in[i * stride] + 1.0f;\n"
    "}\n";

TEST(StepValues, LoadAndStoreByTheNamesOfTheSource) {
  const Outcome outcome =
      run_kernel(scale, {2, 1, 1}, {64, 1, 1}, {{"f32[512]=iota", ""}, {"f32[128]=0", ""}, {"i32=4", ""}});
  const auto load = step_values(outcome, 1, access(outcome, trace::Operation::load, 1, 1));
  const auto store = step_values(outcome, 1, access(outcome, trace::Operation::store, 1, 1));
  ASSERT_TRUE(load && store);
  EXPECT_EQ(load->line, 3);
  ASSERT_EQ(load->access.size(), 1u);
  ASSERT_EQ(load->access[0].elements.size(), 1u);
  EXPECT_EQ(load->access[0].type, ptx::Type::f32);
  EXPECT_TRUE(load->done && store->done);
  const OperandValues* got = operand(*load, true, 4);
  const OperandValues* given = operand(*store, false, 4);
  ASSERT_TRUE(got && given);
  EXPECT_EQ(got->type, ptx::Type::f32);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const auto i = 96 + lane;
    EXPECT_EQ(load->access[0].elements[0].names[lane], "in[" + std::to_string(4 * i) + "]");
    EXPECT_EQ(value_text(load->access[0].elements[0].before[lane], ptx::Type::f32), std::to_string(4 * i));
    EXPECT_EQ(value_text(got->after[lane], got->type), std::to_string(4 * i));
    EXPECT_EQ(store->access[0].elements[0].names[lane], "out[" + std::to_string(i) + "]");
    EXPECT_EQ(value_text(given->before[lane], given->type), std::to_string(8 * i + 1));
    EXPECT_EQ(value_text(store->access[0].elements[0].before[lane], store->access[0].type), "0");
    EXPECT_EQ(value_text(store->access[0].elements[0].after[lane], store->access[0].type), std::to_string(8 * i + 1));
  }
}

TEST(StepValues, MemoryThatWasNeverWrittenHasNoValue) {
  const Outcome outcome = run_kernel(
      "__global__ void k(int* out) {\n"
      "  out[threadIdx.x] = 1;\n"
      "  __threadfence();\n"
      "  out[threadIdx.x / 2 + 24] = 2;\n"
      "}\n",
      {1, 1, 1}, {32, 1, 1}, {{"i32[64]", ""}});
  const auto first = step_values(outcome, 1, access(outcome, trace::Operation::store, 0, 0));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->access.at(0).elements.at(0).has_before.bits, 0u);
  EXPECT_EQ(first->access.at(0).elements.at(0).has_after.bits, ~0u);
  const auto events = outcome.first().trace.warp(0, 0);
  sim::Step second{};
  for (const trace::WarpEvent& event : events)
    if (outcome.first().trace.sites[event.site].line == 4 && event.kind == trace::EventKind::memory)
      second = {0, 0, event.sequence};
  const auto values = step_values(outcome, 1, second);
  ASSERT_TRUE(values);
  // Lane i writes element i / 2 + 24; elements 0 to 31 were written before.
  EXPECT_EQ(values->access.at(0).elements.at(0).has_before.bits, 0xffffu);
  EXPECT_EQ(values->access.at(0).elements.at(0).has_after.bits, ~0u);
}

TEST(StepValues, ParametersAndThreadIndicesHaveTheirNames) {
  const Outcome outcome = run_kernel(
      "__global__ void k(int* out, int n) {\n"
      "  if (threadIdx.x < n) out[threadIdx.x] = n;\n"
      "}\n",
      {1, 1, 1}, {32, 1, 1}, {{"i32[32]=0", ""}, {"i32=20", ""}});
  const auto store = step_values(outcome, 1, access(outcome, trace::Operation::store, 0, 0));
  ASSERT_TRUE(store);
  const OperandValues* value = operand(*store, false, 4);
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(value->source, "n");
  EXPECT_EQ(value->type, ptx::Type::s32);
  EXPECT_EQ(store->active.count(), 20);
  EXPECT_EQ(value->before[3], 20u);
}

TEST(StepValues, VectorsAreElementForElement) {
  const Outcome outcome =
      run_kernel("__global__ void k(const float4* in, float4* out) {\n  out[threadIdx.x] = in[threadIdx.x];\n}\n",
                 {1, 1, 1}, {32, 1, 1}, {{"f32[128]=iota", ""}, {"f32[128]=0", ""}});
  const auto load = step_values(outcome, 1, access(outcome, trace::Operation::load, 0, 0));
  ASSERT_TRUE(load);
  ASSERT_EQ(load->access[0].elements.size(), 4u);
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t e = 0; e < 4; ++e) {
      EXPECT_EQ(load->access[0].elements[e].names[lane], "in[" + std::to_string(4 * lane + e) + "]");
      EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(load->access[0].elements[e].before[lane])),
                static_cast<float>(4 * lane + e));
    }
}

TEST(StepValues, SharedMemoryIsToldByItsArray) {
  const Outcome outcome = run_kernel(
      "__global__ void k(const int* in, int* out) {\n"
      "  __shared__ int tile[64];\n"
      "  tile[threadIdx.x] = in[threadIdx.x] * 3;\n"
      "  __syncthreads();\n"
      "  out[threadIdx.x] = tile[63 - threadIdx.x];\n"
      "}\n",
      {1, 1, 1}, {64, 1, 1}, {{"i32[64]=iota", ""}, {"i32[64]=0", ""}});
  const auto load = step_values(outcome, 1, access(outcome, trace::Operation::load, 0, 1, trace::MemorySpace::shared));
  ASSERT_TRUE(load);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::size_t from = 31 - lane;
    EXPECT_EQ(load->access[0].elements[0].names[lane], "tile[" + std::to_string(from) + "]");
    EXPECT_EQ(load->access[0].elements[0].before[lane], 3 * from);
  }
}

// PTX adds unsigned numbers with .s32 here: a set top bit is not a sign.
TEST(StepValues, NoSignIsInvented) {
  const Outcome outcome =
      run_kernel("__global__ void k(unsigned* out, unsigned n) {\n  out[threadIdx.x] = n + threadIdx.x;\n}\n",
                 {1, 1, 1}, {32, 1, 1}, {{"u32[32]=0", ""}, {"u32=4294967200", ""}});
  const auto store = step_values(outcome, 1, access(outcome, trace::Operation::store, 0, 0));
  ASSERT_TRUE(store);
  const OperandValues* value = operand(*store, false, 4);
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(value_text(value->before[5], value->type), "4294967205");  // the buffer says that it is unsigned
}

// A 64-bit value and its address are of one width, and so are a word and its address in the shared window.
TEST(StepValues, AnAddressIsNotReadAsTheValueThere) {
  const std::string source =
      "__global__ void k(const double* in, double* out, long long* counts) {\n"
      "  __shared__ float tile[32];\n"
      "  tile[threadIdx.x] = 0.5f;\n"
      "  const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));\n"
      "  float word;\n"
      "  asm volatile(\"ld.shared.f32 %0, [%1];\" : \"=f\"(word) : \"r\"(place) : \"memory\");\n"
      "  out[threadIdx.x] = in[threadIdx.x] + word;\n"
      "  counts[threadIdx.x] += 7;\n"
      "}\n";
  const Outcome outcome = run_kernel(source.c_str(), {1, 1, 1}, {32, 1, 1},
                                     {{"f64[32]=iota", ""}, {"f64[32]=0", ""}, {"i64[32]=iota", ""}});
  int of_8_bytes = 0, of_4_bytes = 0, pointers = 0;
  for (const trace::WarpEvent& event : outcome.first().trace.warp(0, 0)) {
    if (event.kind != trace::EventKind::memory) continue;
    const auto values = step_values(outcome, 1, sim::Step{0, 0, event.sequence});
    ASSERT_TRUE(values);
    const bool takes_pointer = values->instruction.starts_with("ld.param.u64");
    for (const OperandValues& one : values->operands) {
      if (takes_pointer) {
        ++pointers;
        EXPECT_THAT(value_text(one.after[1], one.type), testing::StartsWith("0x")) << values->instruction;
      }
      if (!one.address) continue;
      ++(ptx::bytes_of(one.type) == 8 ? of_8_bytes : of_4_bytes);
      EXPECT_THAT(value_text(one.before[1], one.type), testing::StartsWith("0x")) << values->instruction;
    }
  }
  EXPECT_GE(of_8_bytes, 4) << "two loads and two stores of global memory";
  EXPECT_GE(of_4_bytes, 1) << "the load of shared memory";
  EXPECT_EQ(pointers, 3);
}

TEST(LastWriter, IsFoundWhateverWasKept) {
  for (const bool keep : {true, false}) {
    const Outcome outcome =
        run_kernel(scale, {2, 1, 1}, {64, 1, 1}, {{"f32[512]=iota", ""}, {"f32[128]=0", ""}, {"i32=4", ""}}, keep);
    const auto element = find_element(outcome, "out[101]");
    ASSERT_TRUE(element);
    const auto writer = last_writer(outcome, element->argument, element->index);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->has_value());
    EXPECT_EQ((*writer)->block, 1u);
    EXPECT_EQ((*writer)->thread, 37u);
    EXPECT_EQ((*writer)->line, 3);
    EXPECT_EQ((*writer)->writes, 1u);
    EXPECT_EQ((*writer)->values.access.at(0).elements.at(0).names[5], "out[101]");
    EXPECT_EQ(in_words(*writer, "out[101]"), "Thread 37 of block 1 wrote `out[101]` last, in line 3.");
  }
}

TEST(LastWriter, NobodyWroteIt) {
  const Outcome outcome =
      run_kernel(scale, {1, 1, 1}, {64, 1, 1}, {{"f32[512]=iota", ""}, {"f32[128]=0", ""}, {"i32=4", ""}});
  const auto none = last_writer(outcome, 1, 64);
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->has_value());
  EXPECT_EQ(in_words(*none, "out[64]"), "No thread writes to `out[64]`.");
  for (const char* wrong : {"out[128]", "in", "x[3]", "out[-1]", "stride[0]", "out[1"}) {
    const auto found = find_element(outcome, wrong);
    ASSERT_FALSE(found) << wrong;
    EXPECT_EQ(found.errors()[0].code, "argument.no_element");
  }
  EXPECT_TRUE(find_element(outcome, "arg1[127]"));
  EXPECT_FALSE(last_writer(outcome, 2, 0));
}

// The value that a step read came from an earlier write of the same block.
TEST(LastWriter, BeforeAStepInSharedMemory) {
  const Outcome outcome = run_kernel(
      "__global__ void k(int* out) {\n"
      "  __shared__ int tile[32];\n"
      "  tile[threadIdx.x] = 7 * threadIdx.x;\n"
      "  __syncthreads();\n"
      "  const int mine = tile[31 - threadIdx.x];\n"
      "  __syncthreads();\n"
      "  tile[threadIdx.x] = mine;\n"
      "  __syncthreads();\n"
      "  out[threadIdx.x] = tile[threadIdx.x ^ 1];\n"
      "}\n",
      {1, 1, 1}, {32, 1, 1}, {{"i32[32]=0", ""}});
  const sim::Step load = access(outcome, trace::Operation::load, 0, 0, trace::MemorySpace::shared);
  const sim::WatchedBytes bytes{trace::MemorySpace::shared, 0, 4 * 10, 4};
  const auto before = last_writer(outcome, 1, bytes, load), last = last_writer(outcome, 1, bytes, {});
  ASSERT_TRUE(before && before->has_value() && last && last->has_value());
  EXPECT_EQ((*before)->line, 3);
  EXPECT_EQ((*before)->writes, 1u);
  EXPECT_EQ((*last)->line, 7);
  EXPECT_EQ((*last)->writes, 2u);
  EXPECT_EQ((*last)->thread, 10u);
  EXPECT_TRUE((*last)->by_one_thread);
}

// Of several writers, the interpreter's last one is named, with the note that it is the interpreter's.
TEST(LastWriter, OfSeveralThreadsIsNotPromised) {
  const Outcome outcome = run_kernel("__global__ void k(int* out) {\n  out[0] = threadIdx.x;\n}\n", {1, 1, 1},
                                     {64, 1, 1}, {{"i32[1]=0", ""}});
  const auto last = last_writer(outcome, 0, 0);
  ASSERT_TRUE(last && last->has_value());
  EXPECT_FALSE((*last)->by_one_thread);
  EXPECT_EQ(
      in_words(*last, "out[0]"),
      "Thread 63 of block 0 wrote `out[0]` last, in line 2, after 63 other writes. Several threads wrote it: where "
      "nothing orders them, another may be the last on a GPU.");
}

// Memory carries over: the second launch's last writer started from what the first launch left.
TEST(LastWriter, OfLaterLaunches) {
  Request request;
  request.source = {"k.cu",
                    "__global__ void k(int* a) { a[threadIdx.x] = threadIdx.x; }\n"
                    "__global__ void add(int* b, int n) {\n"
                    "  if (threadIdx.x < 8) b[threadIdx.x] += n;\n"
                    "}\n",
                    {}};
  request.first().kernel = "k";
  request.first().shape.block = {32, 1, 1};
  request.arguments = {{"i32[32]=0", "a"}};
  for (int repeat = 0; repeat < 3; ++repeat) {
    RequestedLaunch next;
    next.number = 2;
    next.kernel = "add";
    next.shape.block = {32, 1, 1};
    next.parameters = {{0, {}, 0}, {-1, {"i32=100", ""}, 0}};
    request.launches.push_back(next);
  }
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
  const auto third = last_writer(outcome, 0, 5), first = last_writer(outcome, 0, 20);
  ASSERT_TRUE(third && third->has_value() && first && first->has_value());
  EXPECT_EQ((*third)->launch, 2);
  EXPECT_TRUE((*third)->last_repeat);
  EXPECT_EQ((*third)->line, 3);
  EXPECT_EQ((*third)->values.access.at(0).elements.at(0).before[5], 205u);
  EXPECT_EQ((*third)->values.access.at(0).elements.at(0).after[5], 305u);
  EXPECT_EQ((*first)->launch, 1);
  EXPECT_EQ((*first)->values.access.at(0).elements.at(0).after[20], 20u);
}

// Each repetition finds the module's variables as the one before it left them.
TEST(LastWriter, OfARepeatThatReadsAVariable) {
  Request request;
  request.source = {"k.cu",
                    "__device__ int total = 40;\n"
                    "__global__ void k(int* a) { a[threadIdx.x] = 0; }\n"
                    "__global__ void add(int* b) {\n"
                    "  b[threadIdx.x] = total;\n"
                    "  if (threadIdx.x == 0) total += 1;\n"
                    "}\n",
                    {}};
  request.first().kernel = "k";
  request.first().shape.block = {32, 1, 1};
  request.arguments = {{"i32[32]=0", "a"}};
  for (int repeat = 0; repeat < 3; ++repeat) {
    RequestedLaunch next;
    next.number = 2;
    next.kernel = "add";
    next.shape.block = {32, 1, 1};
    next.parameters = {{0, {}, 0}};
    request.launches.push_back(next);
  }
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
  const auto writer = last_writer(outcome, 0, 5);
  ASSERT_TRUE(writer && writer->has_value());
  EXPECT_EQ((*writer)->values.access.at(0).elements.at(0).before[5], 41u);
  EXPECT_EQ((*writer)->values.access.at(0).elements.at(0).after[5], 42u);
}

// The steps of a warp that bring values from elsewhere, by number from 0, and the lanes of their registers: see the
// kernels.
std::vector<std::uint32_t> steps_from(const OperandOrigins& operand) {
  std::vector<std::uint32_t> list;
  for (const Origin& origin : operand.from)
    if (origin.parameter.empty()) list.push_back(origin.step.sequence);
  return list;
}

TEST(Origins, OfAStoreAreItsLoadsAndParameters) {
  const Outcome outcome = run_kernel(
      "__global__ void k(const float* a, const float* b, float* out, float scale) {\n"
      "  out[threadIdx.x] = a[threadIdx.x] * scale + b[2 * threadIdx.x];\n"
      "}\n",
      {1, 1, 1}, {64, 1, 1}, {{"f32[64]=iota", ""}, {"f32[128]=iota", ""}, {"f32[64]=0", ""}, {"f32=3", ""}});
  const sim::Step store = access(outcome, trace::Operation::store, 0, 1);
  const auto found = origins(outcome, 1, store, 7);
  ASSERT_TRUE(found) << format(found.errors()[0]);
  EXPECT_TRUE(found->memory.empty());
  ASSERT_EQ(found->operands.size(), 2u);
  const OperandOrigins& value = found->operands[0];
  EXPECT_FALSE(value.address);
  EXPECT_EQ(value.value, std::to_string(39 * 3 + 78));
  const std::vector<std::uint32_t> from = steps_from(value);
  ASSERT_EQ(from.size(), 2u);
  for (const std::uint32_t step : from) {
    const auto load = step_values(outcome, 1, {0, 1, step});
    ASSERT_TRUE(load && load->access.size() == 1);
    EXPECT_EQ(load->line, 2);
    EXPECT_THAT(load->access[0].elements[0].names[7], testing::AnyOf("a[39]", "b[78]"));
    const auto before = origins(outcome, 1, {0, 1, step}, 7);
    ASSERT_TRUE(before && before->memory.size() == 1);
    EXPECT_EQ(before->memory[0].by, MemoryOrigin::By::initial);
  }
  std::vector<std::string> parameters;
  for (const Origin& origin : value.from)
    if (!origin.parameter.empty()) parameters.push_back(origin.parameter);
  EXPECT_EQ(parameters, std::vector<std::string>{"scale"});
  EXPECT_TRUE(found->operands[1].address);
  EXPECT_TRUE(steps_from(found->operands[1]).empty());
  EXPECT_FALSE(value.more || value.beyond);
  const auto asleep = origins(outcome, 1, {0, 0, 999}, 7);
  EXPECT_FALSE(asleep);
}

// What a call leaves in a register is not followed, and said not to be.
TEST(Origins, OfARegisterThatACallReturns) {
  Request request;
  request.source = {"k.ptx",
                    ".version 8.0\n.target sm_90\n.address_size 64\n"
                    ".func (.reg .u32 r) twice(.reg .u32 a) { add.u32 r, a, a; ret; }\n"
                    ".visible .entry k(.param .u64 out) {\n"
                    ".reg .u64 p; .reg .u32 x;\n"
                    "ld.param.u64 p, [out];\n"
                    "call (x), twice, (21);\n"
                    "st.global.u32 [p], x;\n"
                    "ret; }\n",
                    {}};
  request.first().kernel = "k";
  request.first().shape.block = {1, 1, 1};
  request.arguments = {{"u32[1]=0", ""}};
  request.record.events = true;
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed);
  const auto found = origins(outcome, 1, access(outcome, trace::Operation::store, 0, 0), 0);
  ASSERT_TRUE(found && found->operands.size() == 2);
  EXPECT_EQ(found->operands[0].value, "42");
  EXPECT_TRUE(found->operands[0].beyond);
  EXPECT_FALSE(found->operands[1].beyond);
}

// A sum in a loop: its newest loads, and a note that there are earlier ones.
TEST(Origins, OfALoopAreCutAndSaidToBe) {
  const Outcome outcome = run_kernel(
      "__global__ void k(const int* in, int* out, int n) {\n"
      "  int sum = 0;\n"
      "  #pragma unroll 1\n"
      "  for (int i = 0; i < n; ++i) sum += in[i * 32 + threadIdx.x];\n"
      "  out[threadIdx.x] = sum;\n"
      "}\n",
      {1, 1, 1}, {32, 1, 1}, {{"i32[320]=iota", ""}, {"i32[32]=0", ""}, {"i32=10", ""}});
  const auto found = origins(outcome, 1, access(outcome, trace::Operation::store, 0, 0), 3);
  ASSERT_TRUE(found && found->operands.size() == 2);
  const OperandOrigins& sum = found->operands[0];
  EXPECT_EQ(sum.value, std::to_string(32 * 45 + 30));
  EXPECT_TRUE(sum.more);
  const std::vector<std::uint32_t> from = steps_from(sum);
  ASSERT_EQ(from.size(), RegisterTrail::most);
  for (std::size_t k = 0; k < from.size(); ++k) {
    const auto load = step_values(outcome, 1, {0, 0, from[k]});
    ASSERT_TRUE(load && load->access.size() == 1);
    EXPECT_EQ(load->access[0].elements[0].names[3], "in[" + std::to_string((9 - k) * 32 + 3) + "]");
  }
}

// A lane gets a value from another lane by a shuffle: the origin is followed in that lane, and through shared memory in
// another thread.
TEST(Origins, GoOnInTheLaneAndThreadThatTheValueIsOf) {
  const Outcome outcome = run_kernel(
      "__global__ void k(const int* in, int* out) {\n"
      "  __shared__ int tile[32];\n"
      "  tile[threadIdx.x] = in[threadIdx.x];\n"
      "  __syncthreads();\n"
      "  int v = tile[31 - threadIdx.x];\n"
      "  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, v, 4);\n"
      "}\n",
      {1, 1, 1}, {32, 1, 1}, {{"i32[32]=iota", ""}, {"i32[32]=0", ""}});
  const auto writer = last_writer(outcome, 1, 10);
  ASSERT_TRUE(writer && writer->has_value());
  const auto chain = chain_of(outcome, **writer, 12);
  ASSERT_TRUE(chain) << format(chain.errors()[0]);
  EXPECT_FALSE(chain->more);
  // out[10] is lane 14's v, which is tile[17], which thread 17 wrote: in[17].
  const std::vector<std::pair<int, int>> wanted{{6, 10}, {6, 10}, {5, 14}, {3, 17}, {3, 17}};  // line and lane
  ASSERT_EQ(chain->links.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_TRUE(i == 1 || chain->links[i].values.line == wanted[i].first) << i;  // the shuffle's may be in a header
    EXPECT_EQ(chain->links[i].lane, wanted[i].second) << i;
  }
  EXPECT_EQ(chain->links[1].origins.operands.at(0).lane, 14);
  EXPECT_EQ(chain->links[1].origins.operands.at(0).value, "0x00000011");  // bits: only moved
  ASSERT_EQ(chain->links[2].origins.memory.size(), 1u);
  const MemoryOrigin& tile = chain->links[2].origins.memory[0];
  EXPECT_EQ(tile.place, "tile[17]");
  ASSERT_TRUE(tile.writer);
  EXPECT_EQ(tile.writer->thread, 17u);
  EXPECT_EQ(in_words(tile), "Thread 17 of block 0 wrote it, in line 3.");
  ASSERT_EQ(chain->links[4].origins.memory.size(), 1u);
  EXPECT_EQ(chain->links[4].origins.memory[0].place, "in[17]");
  EXPECT_EQ(in_words(chain->links[4].origins.memory[0]), "No thread wrote it before.");
}

// A branch decides, per lane, which instruction wrote the register last.
TEST(Origins, FollowTheLanesOwnPath) {
  const Outcome outcome = run_kernel(
      "__global__ void k(const int* a, const int* b, int* out, volatile int* flag) {\n"
      "  int v;\n"
      "  if (threadIdx.x & 1) { flag[0] = 1; v = a[threadIdx.x]; }\n"
      "  else { flag[1] = 1; v = b[threadIdx.x]; }\n"
      "  out[threadIdx.x] = v;\n"
      "}\n",
      {1, 1, 1}, {32, 1, 1}, {{"i32[32]=iota", ""}, {"i32[32]=5", ""}, {"i32[32]=0", ""}, {"i32[2]=0", ""}});
  for (const int lane : {4, 5}) {
    const auto writer = last_writer(outcome, 2, lane);
    ASSERT_TRUE(writer && writer->has_value());
    const auto found = origins(outcome, 1, (*writer)->values.step, lane);
    ASSERT_TRUE(found && !found->operands.empty());
    const std::vector<std::uint32_t> from = steps_from(found->operands[0]);
    ASSERT_EQ(from.size(), 1u);
    const auto load = step_values(outcome, 1, {0, 0, from[0]});
    ASSERT_TRUE(load && load->access.size() == 1);
    EXPECT_EQ(load->access[0].elements[0].names[static_cast<std::size_t>(lane)],
              (lane == 5 ? "a[" : "b[") + std::to_string(lane) + "]");
  }
}

TEST(ValueText, InThreeBases) {
  EXPECT_EQ(value_text(std::bit_cast<std::uint32_t>(0.1f), ptx::Type::f32), "0.1");
  EXPECT_EQ(value_text(std::bit_cast<std::uint64_t>(-2.5), ptx::Type::f64), "-2.5");
  EXPECT_EQ(value_text(0xffffffffu, ptx::Type::s32), "-1");
  EXPECT_EQ(value_text(0xffffffffu, ptx::Type::u32), "4294967295");
  EXPECT_EQ(value_text(0x1fu, ptx::Type::b32), "0x0000001f");
  EXPECT_EQ(value_text(0xffffu, ptx::Type::s16, Base::hexadecimal), "0xffff");
  EXPECT_EQ(value_text(5, ptx::Type::u8, Base::bits), "00000101");
  EXPECT_EQ(value_text(0x40003c00u, ptx::Type::f16x2), "1 | 2");
  EXPECT_EQ(value_text(1, ptx::Type::pred), "true");
}

}  // namespace
}  // namespace lanescope::job
