// Shared memory by the names of the source. Where an element lies is what C++ says of arrays: rows follow each other.

#include "job/replay/shared_arrays.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "job/replay/memory_window.h"
#include "job/replay/step_values.h"
#include "job/replayed.h"

namespace lanescope::job {
namespace {

using test::access;

// Fills all of an array.
const char* const fills =
    "template <typename T> __device__ void fill(T* all, int bytes) {\n"
    "  for (int i = threadIdx.x; i < bytes / 4; i += 32) ((volatile int*)all)[i] = i;\n"
    "}\n";

Outcome run_shared(const std::string& text, const std::string& kernel, std::uint32_t dynamic = 0,
                   const std::string& out = "f32[32]=0") {
  Request request;
  request.source = {"k.cu", fills + text, {}};
  request.first().kernel = kernel;
  request.first().shape.block = {32, 1, 1};
  request.first().shape.dynamic_shared_bytes = dynamic;
  request.arguments = {{out, ""}};
  request.record.events = true;
  Outcome outcome = run(request);
  EXPECT_TRUE(outcome.completed) << (outcome.diagnostics.empty() ? "" : format(outcome.diagnostics[0]));
  return outcome;
}

// The names of what the lanes of warp 0 load first from shared memory.
// Of 32 lanes; empty names where there is no such load.
std::vector<std::string> loads(const Outcome& outcome, std::size_t element = 0) {
  const auto values =
      step_values(outcome, 1, access(outcome, trace::Operation::load, 0, 0, trace::MemorySpace::shared));
  if (!values || values->access.empty() || values->access[0].elements.size() <= element)
    return std::vector<std::string>(32);
  const auto& names = values->access[0].elements[element].names;
  return {names.begin(), names.end()};
}

std::string body(const std::string& declarations, const std::string& store, const std::string& load) {
  return "{\n  " + declarations + "\n  " + store + "\n  __syncthreads();\n  out[threadIdx.x] = " + load + ";\n}\n";
}

TEST(SharedArrays, OfTwoIndicesInTheOrderOfTheSource) {
  const std::string text =
      "constexpr int rows = 32;\n__global__ void k(float* out) " +
      body("__shared__ float tile[rows][rows + 1];", "fill(tile, sizeof(tile));", "tile[threadIdx.x][2]");
  // Each lane reads a row of 33 elements further.
  const std::vector<std::string> names = loads(run_shared(text, "k"));
  ASSERT_EQ(names.size(), 32u);
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(names[static_cast<std::size_t>(lane)], "tile[" + std::to_string(lane) + "][2]");
}

TEST(SharedArrays, EachOfSeveralByItsOwnName) {
  const std::string text = "__global__ void k(float* out) " + body("__shared__ float a[4][8], b[32];",
                                                                   "fill(a, sizeof(a)); fill(b, sizeof(b));",
                                                                   "b[31 - threadIdx.x] + a[threadIdx.x % 4][7]");
  const Outcome outcome = run_shared(text, "k");
  const auto window = memory_window(
      outcome, 1, access(outcome, trace::Operation::load, 0, 0, trace::MemorySpace::shared), {"", "", 0, 64}, nullptr);
  ASSERT_TRUE(window);
  const NamedMemory& memory = window->memory();
  EXPECT_EQ(memory.name, "shared");
  for (const auto& [index, name] :
       {std::pair(0, "a[0][0]"), std::pair(15, "a[1][7]"), std::pair(32, "b[0]"), std::pair(63, "b[31]")}) {
    EXPECT_EQ(memory.element(index), name);
    EXPECT_EQ(memory.find(name), index);
  }
  EXPECT_EQ(memory.find("17"), 17) << "the number on the grid";
  EXPECT_EQ(memory.find("[17]"), 17) << "as the field's hint has it";
  for (const char* none : {"a[0][8]", "a[4][0]", "a[1]", "b[32]", "c[0]", "b[-1]", "shared[3]", "b[1", "b"})
    EXPECT_EQ(memory.find(none), std::nullopt) << none;
  EXPECT_THAT(memory.row_lengths(), testing::ElementsAre(8));
}

TEST(SharedArrays, OfATemplateByItsArguments) {
  const std::string text =
      "template <typename T, int side>\n__global__ void k(float* out) " +
      body("__shared__ T tile[side / 2][2 * side];", "fill(tile, sizeof(tile));", "float(tile[1][threadIdx.x])");
  const std::vector<std::string> names = loads(run_shared(text, "k<float, 16>"));
  ASSERT_EQ(names.size(), 32u);
  EXPECT_EQ(names[5], "tile[1][5]");
}

TEST(SharedArrays, OfDynamicSharedMemoryByTheirType) {
  const std::string text = "__global__ void k(float* out) " + body("extern __shared__ __align__(16) double tile[];",
                                                                   "fill(tile, 256);", "float(tile[31 - threadIdx.x])");
  const std::vector<std::string> names = loads(run_shared(text, "k", 256));
  ASSERT_EQ(names.size(), 32u);
  EXPECT_EQ(names[0], "tile[31]");
  EXPECT_EQ(names[31], "tile[0]");
}

TEST(SharedArrays, AVectorsMembersAndVariablesOfTheirOwn) {
  const std::string text = "__global__ void k(float* out) " +
                           body("__shared__ float2 pairs[32]; __shared__ float one;",
                                "pairs[threadIdx.x] = {1, 2}; if (threadIdx.x == 0) one = 3;", "pairs[threadIdx.x].y");
  EXPECT_EQ(loads(run_shared(text, "k"))[3], "pairs[3].y");
  const std::string single =
      "__global__ void k(float* out) " + body("__shared__ float one;", "if (threadIdx.x == 0) one = out[1];", "one");
  EXPECT_EQ(loads(run_shared(single, "k"))[3], "one");
}

// What two kernels of a file call alike is that of the kernel that runs.
TEST(SharedArrays, AreThoseOfTheirOwnKernel) {
  const std::string text =
      "__global__ void other(float* out) " +
      body("__shared__ float tile[8][8];", "fill(tile, sizeof(tile));", "tile[1][1]") +
      "__global__ void k(float* out) " +
      body("__shared__ float tile[4][16];", "fill(tile, sizeof(tile));", "tile[3][threadIdx.x % 16]");
  EXPECT_EQ(loads(run_shared(text, "k"))[2], "tile[3][2]");
}

// Which of two declarations a variable has is not in its name.
TEST(SharedArrays, OfTheSameNameInTwoScopesAreToldInBytes) {
  const std::string text =
      "__global__ void k(float* out) " +
      body(
          "float sum = 0;",
          "{ __shared__ float tile[8][4]; fill(tile, sizeof(tile)); __syncthreads(); sum += tile[threadIdx.x / 4][1]; }"
          "{ __shared__ float tile[4][8]; fill(tile, sizeof(tile)); __syncthreads(); sum += tile[threadIdx.x / 8][1]; "
          "}",
          "sum");
  EXPECT_THAT(loads(run_shared(text, "k"))[0], testing::HasSubstr(" + 4 B"));
}

// A name that may be wrong is worse than none: where the declaration does not say where elements lie, bytes remain.
TEST(SharedArrays, WithoutAKnownLengthAreToldInBytes) {
  const std::string text =
      "struct Row { float own[3]; };\n__global__ void k(float* out) " +
      body("__shared__ Row rows[sizeof(Row) * 8 / 3];", "fill(rows, sizeof(rows));", "rows[threadIdx.x].own[1]");
  const std::string name = loads(run_shared(text, "k"))[2];
  EXPECT_TRUE(name == "rows[2] + 4 B" || name == "rows + 28 B") << name;
  const std::string hidden =
      "#define SHARED(type, name) __shared__ type name\n__global__ void k(float* out) " +
      body("SHARED(float, tile)[4][8];", "fill(tile, sizeof(tile));", "tile[1][threadIdx.x % 8]");
  EXPECT_EQ(loads(run_shared(hidden, "k"))[0], "tile + 32 B");
}

}  // namespace
}  // namespace lanescope::job
