// Buffers of members, as in &{8*f32[64]=iota}: tables of pointers, and arrays of structs.

#include <cmath>
#include <cstring>

#include <gmock/gmock.h>

#include "compile/compiler.h"
#include "job/replay/last_writer.h"
#include "job/replay/names.h"
#include "job/request/launch_form.h"
#include "job/request/launch_options.h"
#include "job/run/one_launch.h"
#include "job/witness/interpreted_gpu.h"
#include "job/witness/verify.h"

namespace lanescope::job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* tables = R"(
__global__ void twice(const float* const* rows, float** out) {
  out[blockIdx.x][threadIdx.x] = 2 * rows[blockIdx.x][threadIdx.x];
}
struct Item { int n; float* data; };
__global__ void sums(const Item* items, float* sum) {
  float s = 0;
  for (int i = 0; i < items[threadIdx.x].n; ++i) s += items[threadIdx.x].data[i];
  sum[threadIdx.x] = s;
}
__global__ void pick(float* const* const* groups, float* out) { out[threadIdx.x] = groups[1][threadIdx.x][3]; }
__global__ void turn(float** rows) {  // the second row begins one element later from now on
  float* first = rows[0];
  rows[0] = rows[1] + 1;
  rows[1] = first;
}
__global__ void sum_of(const float* const* rows, float* out) { out[threadIdx.x] = rows[0][threadIdx.x] + rows[1][threadIdx.x]; }
struct Batch { int n; float** rows; };
__global__ void fill(Batch batch) { batch.rows[blockIdx.x][threadIdx.x] = batch.n + blockIdx.x; }
__global__ void chain(float* const* rows) {  // each block reads what the one before it wrote
  if (threadIdx.x == 0) atomicAdd(&rows[blockIdx.x + 1][0], rows[blockIdx.x][0] + 1);
}
struct Pair { float a, b; };
__global__ void pairs(const Pair* of, float* out) { out[threadIdx.x] = of[threadIdx.x].a * of[threadIdx.x].b; }
)";

Result<Request> launch_of(const std::string& kernel, const std::string& grid, const std::string& block,
                          const std::vector<std::string>& arguments, const std::vector<std::string>& then = {}) {
  LaunchOptions options;
  options.kernel = kernel;
  options.grid = grid;
  options.block = block;
  options.arguments = arguments;
  options.then = then;
  Diagnostics notes;
  return request_from(source_of_file("tables.cu", tables, {}, {}), options, notes);
}

std::vector<float> row_of(const Outcome& outcome, std::size_t argument) {
  const std::vector<std::byte>& bytes = outcome.arguments.at(argument).contents;
  std::vector<float> made(bytes.size() / sizeof(float));
  std::memcpy(made.data(), bytes.data(), bytes.size());
  return made;
}

class PointerTables : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  }
  static std::string difference(const Result<GpuRun>& run) {
    if (!run.ok()) return format(run.errors().front());
    return run->first_difference;
  }
  static void expect_that_recording_keeps_the_result(const Outcome& outcome, const Result<GpuRun>& plain,
                                                     gpu::Session& gpu) {
    if (!plain.ok()) return;
    const Result<GpuRecording> recorded = record_on_gpu(outcome, *plain, gpu, instrument::Pass::memory, 0, 16);
    ASSERT_TRUE(recorded.ok()) << format(recorded.errors().front());
    EXPECT_TRUE(recorded->same_result);
  }
  // Runs it here and on the GPU that the tests interpret, which places its buffers elsewhere.
  static Outcome ran(const Result<Request>& request) {
    if (!request.ok()) {
      ADD_FAILURE() << format(request.errors().front());
      return {};
    }
    Outcome outcome = run(*request);
    EXPECT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
    if (!outcome.completed || compile::find_toolchain()->sass_compiler_path.empty()) return outcome;
    test::InterpretedGpu gpu(outcome);
    const GpuOptions options{.time = false, .disassemble = false};
    const Result<GpuRun> done = run_on_gpu(outcome, gpu, options);
    EXPECT_EQ(difference(done), "");
    expect_that_recording_keeps_the_result(outcome, done, gpu);
    for (std::size_t execution = 1; execution < executions(outcome).size(); ++execution) {
      const Result<OneLaunch> one = one_launch(outcome, execution);
      const Result<GpuRun> alone = one.ok() ? run_launch_on_gpu(outcome, *one, gpu, options) : one.errors();
      EXPECT_EQ(difference(alone), "");
    }
    return outcome;
  }
};

TEST_F(PointerTables, EachPointerLeadsToABufferOfItsOwn) {
  const Outcome outcome = ran(launch_of("twice", "3", "4", {"&{f32[4]=iota,f32[5]+4=iota,f32[4]=7}", "&{3*f32[4]}"}));
  // 0 and 1 are the tables, 2 to 4 the rows of the first, 5 to 7 those of the second.
  ASSERT_EQ(outcome.arguments.size(), 8u);
  EXPECT_THAT(row_of(outcome, 5), ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(row_of(outcome, 6), ElementsAre(2, 4, 6, 8)) << "the pointer is to the second element";
  EXPECT_THAT(row_of(outcome, 7), ElementsAre(14, 14, 14, 14));
  EXPECT_EQ(argument_name(outcome.request, 6), "out[1]");
  EXPECT_THAT(outcome.arguments[0].contents, testing::Each(std::byte{0}))
      << "no address in what is compared and hashed";
  ASSERT_EQ(outcome.buffers.size(), 8u);
  EXPECT_EQ(outcome.buffers[0].type, "pointers");
  EXPECT_TRUE(std::isnan(outcome.buffers[0].sum)) << "no sum of addresses";
  EXPECT_EQ(outcome.buffers[5].sum, 0 + 2 + 4 + 6);
  const Result<NamedElement> element = find_element(outcome, "out[1][3]");
  ASSERT_TRUE(element.ok()) << format(element.errors().front());
  const auto writer = last_writer(outcome, element->argument, element->index);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->has_value());
  EXPECT_EQ((*writer)->block, 1u);
}

TEST_F(PointerTables, PointersMayShareABuffer) {
  const Outcome outcome = ran(launch_of("sum_of", "1", "1", {"&{same:1+12,same:1+4}", "f32[8]=iota"}));
  ASSERT_EQ(outcome.arguments.size(), 2u);
  EXPECT_THAT(row_of(outcome, 1), ElementsAre(4, 1, 2, 3, 4, 5, 6, 7));
}

TEST_F(PointerTables, AnArrayOfStructs) {
  const Outcome outcome = ran(launch_of("sums", "1", "3", {"&{{i32=2,f32[2]=iota},2*{i32=5,f32[5]=iota}}", "f32[3]"}));
  ASSERT_EQ(outcome.arguments.size(), 5u);
  EXPECT_THAT(row_of(outcome, 1), ElementsAre(1, 10, 10));
  const Outcome pairs = ran(launch_of("pairs", "1", "2", {"&{{f32=2,f32=3},{f32=4,f32=5}}", "f32[2]"}));
  EXPECT_THAT(row_of(pairs, 1), ElementsAre(6, 20));
  EXPECT_EQ(pairs.arguments[0].type, sim::ElementType::f32);
}

TEST_F(PointerTables, TablesLieInTablesAndInStructs) {
  const Outcome deep = ran(launch_of("pick", "1", "2", {"&{&{2*f32[4]=1},&{f32[4]=iota,f32[4]=9}}", "f32[2]"}));
  EXPECT_THAT(row_of(deep, 1), ElementsAre(3, 9));
  const Outcome batch = ran(launch_of("fill", "2", "3", {"{i32=5,&{2*f32[3]}}"}));
  ASSERT_EQ(batch.arguments.size(), 4u);
  EXPECT_THAT(row_of(batch, 2), ElementsAre(5, 5, 5));
  EXPECT_THAT(row_of(batch, 3), ElementsAre(6, 6, 6));
}

TEST_F(PointerTables, ALaterLaunchFollowsThePointersThatAnEarlierOneChanged) {
  const Outcome outcome =
      ran(launch_of("turn", "1", "1", {"&{f32[4]=iota,f32[5]=100}"},
                    {"sum_of<<<1, 4>>>(same:0, f32[4])", "sum_of<<<1, 3>>>(&{same:2+4,same:1}, f32[3])"}));
  // 1 and 2 are the rows; the first table now has 2 + 4 bytes, and 1.
  ASSERT_EQ(outcome.arguments.size(), 6u);
  EXPECT_THAT(outcome.arguments[0].pointers,
              ElementsAre(sim::Argument::Pointer{0, 2, 4}, sim::Argument::Pointer{8, 1, 0}));
  EXPECT_THAT(row_of(outcome, 3), ElementsAre(100, 101, 102, 103));
  EXPECT_THAT(row_of(outcome, 5), ElementsAre(100, 101, 102));
}

TEST_F(PointerTables, BlocksThatRunAgainStartWithTheSamePointers) {
  const Outcome outcome = ran(launch_of("chain", "64", "32", {"&{65*f32[1]=0}"}));
  for (std::size_t i = 0; i <= 64; ++i) EXPECT_THAT(row_of(outcome, 1 + i), ElementsAre(static_cast<float>(i)));
}

TEST_F(PointerTables, AnAccessBesideARowNamesIt) {
  const Result<Request> request = launch_of("twice", "2", "4", {"&{f32[4]=iota,f32[3]=iota}", "&{2*f32[4]}"});
  ASSERT_TRUE(request.ok());
  const Outcome outcome = run(*request);
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(outcome.diagnostics.front().code, "memory.out_of_bounds");
  EXPECT_THAT(format(outcome.diagnostics.front()), HasSubstr("f32[3]"));
}

std::string code_of(const std::string& rows) {
  const Result<Request> request = launch_of("twice", "1", "4", {rows, "&{f32[4]}"});
  if (!request) return request.errors().front().code;
  const Outcome outcome = run(*request);
  return outcome.diagnostics.empty() ? "" : outcome.diagnostics.front().code;
}

TEST_F(PointerTables, WhatCannotBeATableIsRefused) {
  EXPECT_EQ(code_of("&{f32[4]=1}"), "");
  for (const char* text : {"&", "&{", "&{}", "&{f32[4]", "&{f32[4],}", "&{*f32[4]}", "&{tex:f32[4,4]=1}", "&f32[4]"})
    EXPECT_THAT(code_of(text), testing::AnyOf("argument.syntax", "argument.type")) << text;
  for (const char* text :
       {"&{99999999999999999999*f32[4]}", "&{300000*i32=1}", "&{5000*f32[1]}", "&{4096*&{4096*f32[1]}}"})
    EXPECT_EQ(code_of(text), "argument.too_large") << text;
  EXPECT_EQ(code_of("&{same:7}"), "argument.no_such");
  EXPECT_EQ(code_of("&{0*f32[4]}"), "argument.syntax") << "no members";
}

TEST_F(PointerTables, TheCureShowsATable) {
  const Result<Request> request = launch_of("twice", "1", "4", {"i32=1", "&{f32[4]}"});
  ASSERT_TRUE(request.ok());
  const Outcome outcome = run(*request);
  ASSERT_FALSE(outcome.completed);
  EXPECT_THAT(format(outcome.diagnostics.front()), HasSubstr("&{4*f32[1024]=iota}"));
}

TEST_F(PointerTables, AFormGuessesATable) {
  const std::vector<FormKernel> kernels = form_kernels({"tables.cu", tables});
  ASSERT_FALSE(kernels.empty());
  EXPECT_THAT(kernels[0].form.arguments[0].text(), testing::StartsWith("&{64*f32["));
  EXPECT_THAT(kernels[0].form.arguments[0].text(), testing::EndsWith("]=iota}"));
}

}  // namespace
}  // namespace lanescope::job
