// What the window says about a run and the command line does not.

#include "gui/session/run_result.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "test_paths.h"
#include "unit/english.h"
#include "words/messages.h"

namespace lanescope::gui {
namespace {

// The window's text about this variant if its kernel never ends.
Diagnostic said_of_endless(const lesson::Lesson& lesson, const char* variant_id) {
  const lesson::Variant& variant = *lesson.find_variant(variant_id);
  std::string source = lesson.sources.at(variant.file);
  const std::size_t kernel = source.find("__global__"), body = source.find('{', kernel);
  source.insert(body + 1, " for (volatile int i = 0; i >= 0;) i = 0; ");
  EXPECT_NE(body, std::string::npos);
  sim::Progress progress;
  const auto result =
      make_result(lesson, {lesson.id, variant.id, source, lesson.defaults(variant)}, progress, RunFor::totals);
  EXPECT_FALSE(result->outcome.completed);
  return result->outcome.diagnostics.empty() ? Diagnostic{} : result->outcome.diagnostics.front();
}

// `--max-steps` is a command-line option; the window has no place to type it.
TEST(RunResult, ALongKernelsCureIsOneThatTheWindowHas) {
  const auto lesson = lesson::load_one(LANESCOPE_SOURCE_DIR "/lessons", "shuffle_reduce");
  ASSERT_TRUE(lesson);
  ASSERT_FALSE(lesson->find_variant("warp_shuffle")->controls.empty());
  ASSERT_TRUE(lesson->find_variant("each_halving")->controls.empty());
  for (const auto& [variant, cure] : {std::pair{"warp_shuffle", "choose smaller control values"},
                                      std::pair{"each_halving", "this variant has no controls"}}) {
    SCOPED_TRACE(variant);
    const Diagnostic said = said_of_endless(*lesson, variant);
    EXPECT_EQ(said.code, "run.step_budget");
    EXPECT_NE(said.cure.find("Check that the loop at this line ends"), std::string::npos) << said.cure;
    EXPECT_NE(said.cure.find(cure), std::string::npos) << said.cure;
    EXPECT_EQ(said.cure.find("--"), std::string::npos) << "an option of the command line: " << said.cure;
    EXPECT_EQ(test::english_in(diagram::translated(said.cure, diagram::Language::chinese)), "");
  }
}

// All lanes of a warp reach the loop and its condition, however few of them jump there; 47 times a warp adds, with 255
// lanes in all: eight warps of a block with 16, 8, 4, 2 and 1 lanes, then 4, 2 and 1 warps with one.
TEST(RunResult, ABranchIsExecutedByTheLanesThatReachIt) {
  const auto lesson = lesson::load_one(LANESCOPE_SOURCE_DIR "/lessons", "divergence");
  ASSERT_TRUE(lesson);
  const lesson::Variant& variant = *lesson->find_variant("reduce_modulo");
  const std::string source = lesson->sources.at(variant.file);
  sim::Progress progress;
  const auto result =
      make_result(*lesson, {lesson->id, variant.id, source, lesson->defaults(variant)}, progress, RunFor::screen);
  ASSERT_TRUE(result->outcome.completed);
  const auto lanes = [&](const std::string& code) {
    const auto number =
        std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(source.find(code)), '\n');
    const LineCost* line = result->line(static_cast<int>(number) + 1);
    return line == nullptr ? HeatValue{} : heat_of(*line, Heat::lanes);
  };
  EXPECT_EQ(lanes("for (int step").value, 1);
  EXPECT_EQ(lanes("if (t % (2 * step)").value, 1);
  EXPECT_DOUBLE_EQ(lanes("partial[t] += ").value, 255.0 / 47 / 32);
}

// A generic load of which half the requests reached shared memory: 16 sectors are not 8 of each request.
TEST(RunResult, AnAccessToSeveralMemoriesHasNoCostOfOneRequest) {
  LineEntry entry{.opcode = "ld.f32", .kind = trace::EventKind::memory, .operation = trace::Operation::load};
  entry.totals.executions = 1;
  entry.totals.memory = {.requests = 2, .sectors = 16, .ideal_sectors = 2, .wavefronts = 1, .ideal_wavefronts = 1};
  EXPECT_FALSE(heat_of({1, {entry}}, Heat::sectors_per_request).any);
  EXPECT_FALSE(heat_of({1, {entry}}, Heat::wavefronts_per_request).any);
  entry.totals.memory.wavefronts = entry.totals.memory.ideal_wavefronts = 0;
  EXPECT_EQ(heat_of({1, {entry}}, Heat::sectors_per_request).value, 8);
}

// Where the events tell its requests apart, each memory has a cost of its own: every even lane has a sector to itself,
// and the odd ones share a wavefront.
TEST(RunResult, TheRequestsOfAnAccessToSeveralMemoriesCountApart) {
  const auto lesson = lesson::load_one(LANESCOPE_SOURCE_DIR "/lessons", "coalescing");
  ASSERT_TRUE(lesson);
  const lesson::Variant& variant = *lesson->find_variant("stride");
  const std::string source =
      "__global__ void stride_copy(const float* in, float* out, int n, int stride) {\n"
      "  __shared__ float tile[256];\n"
      "  tile[threadIdx.x] = 1;\n"
      "  __syncthreads();\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  const float* p = threadIdx.x % 2 ? tile + threadIdx.x : in + i * stride;\n"
      "  const float value = *p;\n"
      "  out[i] = value;\n"
      "}\n";
  sim::Progress progress;
  const auto result =
      make_result(*lesson, {lesson->id, variant.id, source, lesson->defaults(variant)}, progress, RunFor::screen);
  ASSERT_TRUE(result->outcome.completed);
  const LineCost* line = result->line(7);
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(heat_of(*line, Heat::sectors_per_request).value, 16);
  EXPECT_EQ(heat_of(*line, Heat::sectors_per_request).ideal, 2);
  EXPECT_EQ(heat_of(*line, Heat::wavefronts_per_request).value, 1);
  EXPECT_EQ(heat_of(*line, Heat::executions).value, 64 * 8);
}

}  // namespace
}  // namespace lanescope::gui
