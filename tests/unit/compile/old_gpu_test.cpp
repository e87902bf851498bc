// GPUs of compute capability below 7.5: CUDA 13 does not compile for them; CUDA 12.9 does.

#include <gmock/gmock.h>

#include "compile/fixture.h"
#include "compile/toolchain.h"
#include "golden.h"
#include "ptx/module.h"
#include "sim/launch.h"
#include "test_paths.h"

namespace lanescope::compile {
namespace {

using testing::HasSubstr;

TEST(OldGpu, WhatIsMissingIsNamedWithTheCommandThatFetchesIt) {
  NEEDS_NVRTC();
  const auto newest = locate_toolchain();
  ASSERT_TRUE(newest.ok());
  if (newest->nvrtc->major < 13)
    GTEST_SKIP() << "the installed NVRTC is older than 13: it compiles for old GPUs itself";
  // A folder with only today's compiler.
  const test::TempFolder folder;
  std::filesystem::create_directories(folder / "cuda/lib");
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(newest->parts.nvrtc_path).parent_path()))
    if (entry.path().filename().string().starts_with("libnvrtc"))
      std::filesystem::create_symlink(entry.path(), folder / "cuda/lib" / entry.path().filename());
  const SearchPlaces places{{(folder / "cuda").string()}, false};
  const auto refused = locate_toolchain_for("sm_70", places);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.errors().front().code, "toolchain.no_nvrtc_12");
  EXPECT_THAT(refused.errors().front().message, HasSubstr("sm_70"));
  EXPECT_THAT(refused.errors().front().cure, HasSubstr("third_party/fetch cuda12"));
  const auto current = locate_toolchain_for("sm_75", places);
  ASSERT_TRUE(current.ok());
  EXPECT_EQ(current->nvrtc->major, 13);
}

TEST(OldGpu, ArchitecturesAreNumbers) {
  EXPECT_EQ(architecture_number("sm_70"), 70);
  EXPECT_EQ(architecture_number("compute_61"), 61);
  EXPECT_EQ(architecture_number("90a"), 90);
  EXPECT_EQ(architecture_number("volta"), 0);
  EXPECT_EQ(architecture_number(""), 0);
}

TEST(OldGpu, WhatOnlyANewerGpuHasIsNotTakenForAMisspelling) {
  NEEDS_NVRTC();
  const Source source{"k.cu", "__global__ void k(unsigned* a) { a[0] = __reduce_add_sync(~0u, a[threadIdx.x]); }", {}};
  EXPECT_TRUE(compile(source, {.arch = "sm_80", .name_expressions = {"k"}}).ok());
  const auto refused = compile(source, {.arch = "sm_75", .name_expressions = {"k"}});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.errors().front().cure, HasSubstr("`__reduce_add_sync` needs compute capability 8.0"));
}

// nvdisasm 13.2 no longer knows sm_70. One of CUDA 12 lists its code; without that, the reason says so.
TEST(OldGpu, TheMachineCodeIsListedOrWhatWouldListItIsNamed) {
  if (!locate_toolchain_for("sm_70").ok())
    GTEST_SKIP() << "CUDA 12's compiler is not here: third_party/fetch cuda12 brings it";
  const char* ptx = R"(.version 6.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 a)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [a];
  cvta.to.global.u64 %rd1, %rd1;
  ld.global.u32 %r1, [%rd1];
  st.global.u32 [%rd1+4], %r1;
  ret;
}
)";
  ASSERT_TRUE(to_cubin(ptx, "k", "sm_70").ok());
  const Result<Sass> listed = to_sass(ptx, "k", "sm_70");
  if (listed.ok()) {
    EXPECT_FALSE(listed->instructions.empty());
    return;
  }
  EXPECT_THAT(listed.errors().front().code, testing::AnyOf("sass.not_disassembled", "toolchain.no_disassembler"));
  EXPECT_THAT(listed.errors().front().cure, HasSubstr("Toolkit"));
}

TEST(OldGpu, ALessonCompilesAndRuns) {
  if (!locate_toolchain_for("sm_70").ok())
    GTEST_SKIP() << "CUDA 12's compiler is not here: third_party/fetch cuda12 brings it";
  const Source source{
      "copy.cu", test::read_file(std::filesystem::path(LANESCOPE_SOURCE_DIR) / "bench/gpu/recording.cu"), {}};
  const auto ptx = compile(source, {.arch = "sm_70", .name_expressions = {"copy"}});
  ASSERT_TRUE(ptx.ok()) << format(ptx.errors().front());
  EXPECT_THAT(ptx->text, HasSubstr(".target sm_70"));
  EXPECT_THAT(ptx->compiler_version, HasSubstr("12."));
  const auto module = ptx::parse(ptx->text, "copy.ptx");
  ASSERT_TRUE(module.ok()) << format(module.errors().front());
  const std::string mangled = ptx->mangled.at("copy");
  auto program = sim::prepare(*module, mangled);
  ASSERT_TRUE(program.ok()) << format(program.errors().front());
  sim::LaunchRequest request;
  request.launch.grid = {2, 1, 1};
  request.launch.block = {64, 1, 1};
  sim::Argument in, out, n;
  in.is_buffer = out.is_buffer = true;
  in.type = out.type = sim::ElementType::f32;
  in.contents.assign(128 * sizeof(float), std::byte{0x3f});
  out.contents.resize(128 * sizeof(float));
  n.type = sim::ElementType::i32;
  n.scalar_bits = 128;
  request.arguments = {in, out, n};
  const sim::LaunchResult result = sim::run(**program, request);
  ASSERT_TRUE(result.completed);
  EXPECT_EQ(result.arguments[1].contents, in.contents);
  const auto machine = to_cubin(ptx->text, mangled, "sm_70");
  ASSERT_TRUE(machine.ok()) << format(machine.errors().front());
  EXPECT_FALSE(machine->cubin.empty());
}

}  // namespace
}  // namespace lanescope::compile
