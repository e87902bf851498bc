// Invalid launches, each with its reason.

#include "sim/launch_check.h"
#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using testing::HasSubstr;

const std::string three_parameters = kernel(".param .u64 p, .param .u32 n, .param .f32 a", "ret;");

Launcher good() {
  Launcher k(three_parameters);
  k.add_buffer(std::vector<int>(4));
  k.add_scalar(4);
  k.add_scalar(1.0f);
  return k;
}

TEST(LaunchCheck, ArgumentsByNumberAndType) {
  EXPECT_TRUE(good().run_anyway().completed);
  Launcher few(three_parameters);
  few.add_buffer(std::vector<int>(4));
  const Diagnostic error = few.fault("launch.argument_count");
  EXPECT_THAT(error.message, HasSubstr("3 parameters, but 1 argument was given"));
  EXPECT_THAT(error.cure, HasSubstr("a pointer or a 64-bit integer, a 32-bit integer, an f32"));
  Launcher swapped(three_parameters);
  swapped.add_buffer(std::vector<int>(4));
  swapped.add_scalar(1.0f);
  swapped.add_scalar(4);
  const LaunchResult result = swapped.run_anyway();
  ASSERT_EQ(result.diagnostics.size(), 2u);
  EXPECT_EQ(result.diagnostics[0].code, "launch.argument_type");
  EXPECT_THAT(result.diagnostics[0].message, HasSubstr("argument 1 is an f32, but the kernel's parameter is a 32-bit"));
  Launcher narrow(three_parameters);
  narrow.add_scalar<std::uint32_t>(0);
  narrow.add_scalar(4);
  narrow.add_scalar(1.0f);
  narrow.fault("launch.argument_type");
}

TEST(LaunchCheck, GridAndBlock) {
  Launcher large = good();
  large.block = {1025, 1, 1};
  EXPECT_THAT(large.fault("launch.block_too_large").cure, HasSubstr("at most 1024"));
  Launcher deep = good();
  deep.block = {1, 1, 65};
  deep.fault("launch.block_too_large");
  Launcher empty = good();
  empty.grid = {0, 1, 1};
  empty.fault("launch.empty");
  Launcher tall = good();
  tall.grid = {1, 70000, 1};
  tall.fault("launch.grid_too_large");
  Launcher huge = good();
  huge.grid = {65535, 65535, 65535};
  huge.fault("launch.grid_too_large");
}

// __launch_bounds__ and similar directives: exactly the declared number of threads is allowed.
TEST(LaunchCheck, BlocksThatTheKernelDeclares) {
  const auto completes = [](const std::string& directive, Dim3 block) {
    std::string text = kernel("", "ret;");
    text.insert(text.find(")\n{") + 1, "\n" + directive);
    Launcher k(text);
    k.block = block;
    return k.run_anyway().completed;
  };
  EXPECT_TRUE(completes(".maxntid 64, 1, 1", {64, 1, 1}));
  EXPECT_TRUE(completes(".maxntid 8, 8, 1", {32, 2, 1})) << "the product counts";
  EXPECT_TRUE(completes(".maxntid 64, 1, 1", {1, 1, 1}));
  EXPECT_FALSE(completes(".maxntid 64, 1, 1", {65, 1, 1}));
  EXPECT_TRUE(completes(".reqntid 64, 1, 1", {64, 1, 1}));
  EXPECT_FALSE(completes(".reqntid 64, 1, 1", {63, 1, 1}));
  EXPECT_FALSE(completes(".reqntid 64, 1, 1", {65, 1, 1}));
}

TEST(LaunchCheck, SharedMemory) {
  Launcher k = good();
  k.shared_bytes = 227 * 1024;
  EXPECT_TRUE(k.run_anyway().completed);
  k.shared_bytes += 1;
  k.fault("launch.shared_too_large");
  k.request.arch = "sm_75";
  k.shared_bytes = 64 * 1024 + 4;
  EXPECT_THAT(k.fault("launch.shared_too_large").message, HasSubstr("sm_75"));
}

TEST(LaunchCheck, ResidentBlocks) {
  trace::Launch launch;
  launch.block = {256, 1, 1};
  EXPECT_EQ(resident_blocks(*multiprocessor_limits("sm_90"), launch, 132), 132u * 8);
  launch.block = {32, 1, 1};
  EXPECT_EQ(resident_blocks(*multiprocessor_limits("sm_90"), launch, 1), 32u);
  EXPECT_EQ(resident_blocks(*multiprocessor_limits("sm_86"), launch, 1), 16u);
  launch.dynamic_shared_bytes = 99 * 1024;
  EXPECT_EQ(resident_blocks(*multiprocessor_limits("sm_90"), launch, 1), 2u);
  launch.dynamic_shared_bytes = 32 * 1024;
  EXPECT_EQ(resident_blocks(*multiprocessor_limits("sm_75"), launch, 1), 2u)
      << "before sm_80 nothing is kept for the system";
  launch.dynamic_shared_bytes = 1;
  EXPECT_EQ(resident_blocks(*multiprocessor_limits("sm_90"), launch, 1), 32u);
}

// As `ptxas -v` of CUDA 13.0 says for sm_90 ("40 bytes smem").
TEST(LaunchCheck, StaticSharedMemoryIsPaddedOnlyBeforeDynamicSharedMemory) {
  const auto bytes = [](const std::string& variables) {
    const std::string text = kernel("", "mov.u32 %r1, a; mov.u32 %r2, d; ret;", variables);
    const auto module = ptx::parse(text, "shared.ptx");
    if (!module) return std::uint32_t{0};
    const auto program = prepare(*module, "k");
    return program ? static_shared_bytes(**program) : 0;
  };
  EXPECT_EQ(bytes(".shared .align 8 .b8 a[40]; .shared .align 1 .b8 d[1];"), 41u);
  EXPECT_EQ(bytes(".shared .align 8 .b8 a[40]; .extern .shared .align 16 .b8 d[];"), 48u);
  EXPECT_EQ(bytes(".shared .align 4 .b8 a[41]; .extern .shared .align 4 .b8 d[];"), 48u);
  EXPECT_EQ(bytes(".shared .align 8 .b8 a[40]; .extern .shared .align 32 .b8 d[];"), 64u);
}

}  // namespace
}  // namespace lanescope::sim
