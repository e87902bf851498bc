// bfloat16 as a type of arguments: what a kernel for __nv_bfloat16 reads and writes, on this machine and on a GPU.

#include <bit>
#include <cstring>

#include <gmock/gmock.h>

#include "compile/compiler.h"
#include "job/request/launch_form.h"
#include "job/request/launch_options.h"
#include "job/run/job.h"
#include "job/witness/interpreted_gpu.h"
#include "job/witness/verify.h"

namespace lanescope::job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* scaling = R"(#include <cuda_bf16.h>
__global__ void scale(const __nv_bfloat16* in, __nv_bfloat16 factor, __nv_bfloat16* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * factor;
}
)";

compile::Source source_of_scaling() {
  return source_of_file("scale.cu", scaling, {}, {});
}

Result<Request> scale_with(const std::vector<std::string>& arguments) {
  LaunchOptions options;
  options.kernel = "scale", options.grid = "3", options.block = "128", options.arguments = arguments;
  Diagnostics notes;
  return request_from(source_of_scaling(), options, notes);
}

// Rounds to nearest even by the float's bits: half a unit, less one for an even result, carries into the upper half.
std::uint16_t rounded_by_carry(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

class Bfloats : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  }
};

TEST_F(Bfloats, AKernelReadsAndWritesThem) {
  const Result<Request> request = scale_with({"bf16[300]=iota", "bf16=-1.1", "bf16[300]=0", "i32=300"});
  ASSERT_TRUE(request.ok()) << format(request.errors().front());
  const Outcome outcome = run(*request);
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  EXPECT_TRUE(outcome.diagnostics.empty()) << format(outcome.diagnostics.front());
  ASSERT_EQ(outcome.arguments.size(), 4u);
  const std::vector<std::byte>& out = outcome.arguments[2].contents;
  ASSERT_EQ(out.size(), 600u);
  const float factor = std::bit_cast<float>(std::uint32_t{rounded_by_carry(-1.1f)} << 16);
  double sum = 0;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const float in = std::bit_cast<float>(std::uint32_t{rounded_by_carry(static_cast<float>(i))} << 16);
    std::uint16_t bits = 0;
    std::memcpy(&bits, &out[2 * i], sizeof bits);
    ASSERT_EQ(bits, rounded_by_carry(in * factor)) << i;
    sum += static_cast<double>(std::bit_cast<float>(std::uint32_t{bits} << 16));
  }
  EXPECT_EQ(outcome.buffers[1].type, "bf16");
  EXPECT_EQ(outcome.buffers[1].sum, sum);
  if (compile::find_toolchain()->sass_compiler_path.empty()) return;
  test::InterpretedGpu gpu(outcome);
  const Result<GpuRun> there = run_on_gpu(outcome, gpu, {.time = false, .disassemble = false});
  ASSERT_TRUE(there.ok()) << format(there.errors().front());
  EXPECT_EQ(there->first_difference, "");
}

TEST_F(Bfloats, ALineAboveTheKernelGivesThem) {
  const std::string line =
      "// run: --grid 1 --block 32 --arg bf16[32]=random:4:-2:2 --arg bf16=2 --arg bf16[32]=0 --arg i32=32\n";
  const compile::Source source =
      source_of_file("scale.cu", std::string(scaling).insert(std::string(scaling).find("__global__"), line), {}, {});
  const std::vector<FormKernel> kernels = form_kernels(source);
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels.front().form.arguments[0].type, "bf16");
  Diagnostics notes;
  const Result<Request> request = request_of(kernels.front().form, source, notes);
  ASSERT_TRUE(request.ok()) << format(request.errors().front());
  const Outcome outcome = run(*request);
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  EXPECT_EQ(outcome.buffers[1].sum, 2 * outcome.buffers[0].sum) << "doubling is exact";
  EXPECT_NE(outcome.buffers[1].sum, 0);
}

TEST_F(Bfloats, TheFormGuessesThemFromTheSignature) {
  const std::vector<FormKernel> kernels = form_kernels(source_of_scaling());
  ASSERT_EQ(kernels.size(), 1u);
  const LaunchForm& form = kernels.front().form;
  ASSERT_EQ(form.arguments.size(), 4u);
  EXPECT_EQ(form.arguments[0].type, "bf16");
  EXPECT_EQ(form.arguments[0].value, "iota");
  EXPECT_EQ(form.arguments[1].type, "bf16");
  EXPECT_EQ(form.arguments[2].type, "bf16");
}

TEST_F(Bfloats, AHalfInTheirPlaceIsToldWithTheCure) {
  const Result<Request> request = scale_with({"f16[300]=iota", "bf16=2", "bf16[300]=0", "i32=300"});
  ASSERT_TRUE(request.ok()) << format(request.errors().front());
  const Outcome outcome = run(*request);
  ASSERT_EQ(outcome.diagnostics.size(), 1u);
  EXPECT_EQ(outcome.diagnostics[0].severity, Severity::warning);
  EXPECT_THAT(outcome.diagnostics[0].cure, HasSubstr("bf16[1024]=iota"));
  const Result<Request> scalar = scale_with({"bf16[300]=iota", "f16=2", "bf16[300]=0", "i32=300"});
  ASSERT_TRUE(scalar.ok());
  const Outcome refused = run(*scalar);
  EXPECT_FALSE(refused.completed);
  ASSERT_FALSE(refused.diagnostics.empty());
  EXPECT_THAT(refused.diagnostics[0].cure, HasSubstr("bf16=…"));
}

}  // namespace
}  // namespace lanescope::job
