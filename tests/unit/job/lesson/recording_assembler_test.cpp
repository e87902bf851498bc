// Which assembler makes the recording kernel: nvJitLink, or the driver if few blocks record and nvJitLink leaves an
// array in local memory. A session without a GPU reports what each made of it.

#include <algorithm>

#include <gtest/gtest.h>

#include "compile/toolchain.h"
#include "job/witness/gpu_run.h"
#include "job/witness/idle_gpu.h"

namespace lanescope::job {
namespace {

class Assembling final : public test::IdleGpu {
 public:
  Assembling() : IdleGpu("none") {}

  enum class Driver { keeps_registers, no_better, fewer_places, refuses };
  Driver driver = Driver::keeps_registers;
  std::uint64_t nvjitlinks_local_bytes = 32;
  std::vector<std::vector<std::uint8_t>> loaded;

  static bool is_cubin(const std::vector<std::uint8_t>& code) {
    return code.size() > 4 && code[0] == 0x7f && code[1] == 'E';
  }
  bool last_is_cubin() const { return is_cubin(loaded.back()); }
  bool asked_the_driver() const {
    return std::any_of(loaded.begin(), loaded.end(), [](const auto& code) { return !is_cubin(code); });
  }

  Result<gpu::KernelAttributes> load(std::span<const std::uint8_t> code, const std::vector<gpu::Launch>&) override {
    loaded.emplace_back(code.begin(), code.end());
    gpu::KernelAttributes made{.registers = 32, .resident_blocks_per_multiprocessor = 8};
    if (loaded.size() == 1) return made;  // the plain kernel
    if (last_is_cubin())
      made.local_bytes = nvjitlinks_local_bytes;
    else if (driver == Driver::refuses)
      return Diagnostic{.code = "gpu.cuda_error", .message = "no compiler of PTX", .cure = {}};
    else if (driver == Driver::no_better)
      made.local_bytes = nvjitlinks_local_bytes;
    else if (driver == Driver::fewer_places)
      made.resident_blocks_per_multiprocessor = 4;
    return made;
  }
};

class RecordingAssembler : public testing::Test {
 protected:
  void SetUp() override {
    const auto found = compile::find_toolchain();
    if (!found || found->sass_compiler_path.empty()) GTEST_SKIP() << "no nvJitLink on this machine";
    Request request;
    request.source = {"k.cu", "__global__ void k(int* out) { out[blockIdx.x * 32 + threadIdx.x] = 1; }", {}};
    request.first().kernel = "k";
    request.first().shape.grid = {8, 1, 1};
    request.first().shape.block = {32, 1, 1};
    request.arguments = {{"i32[256]", "out"}};
    interpreted_ = run(request);
    ASSERT_TRUE(interpreted_.completed) << format(interpreted_.diagnostics.front());
  }

  void record(Assembling& gpu, std::uint32_t blocks) const {
    const Result<GpuRun> plain = run_on_gpu(interpreted_, gpu, {.time = false, .disassemble = false});
    ASSERT_TRUE(plain.ok()) << format(plain.errors().front());
    const Result<GpuRecording> made = record_on_gpu(interpreted_, *plain, gpu, instrument::Pass::memory, 0, blocks);
    ASSERT_TRUE(made.ok()) << format(made.errors().front());
  }

  Outcome interpreted_;
};

TEST_F(RecordingAssembler, IsTheDriverWhereNvJitLinkLeavesAnArrayInLocalMemory) {
  Assembling gpu;
  record(gpu, 2);
  ASSERT_FALSE(gpu.last_is_cubin());
  EXPECT_EQ(gpu.loaded.back().back(), 0) << "the zero is part of PTX that is loaded";
  const std::string text(gpu.loaded.back().begin(), gpu.loaded.back().end());
  EXPECT_NE(text.find(".version"), std::string::npos);
  EXPECT_NE(text.find("lanescope_entry_plain"), std::string::npos) << "the recording kernel";
}

TEST_F(RecordingAssembler, IsNvJitLinkWhereManyBlocksRecordOrNothingLiesThere) {
  Assembling gpu;
  record(gpu, 3);
  EXPECT_FALSE(gpu.asked_the_driver());
  Assembling nothing_there;
  nothing_there.nvjitlinks_local_bytes = 0;
  record(nothing_there, 2);
  EXPECT_FALSE(nothing_there.asked_the_driver());
}

TEST_F(RecordingAssembler, IsNvJitLinkWhereTheDriverIsNoBetterOrRefuses) {
  for (const auto driver :
       {Assembling::Driver::no_better, Assembling::Driver::fewer_places, Assembling::Driver::refuses}) {
    Assembling gpu;
    gpu.driver = driver;
    record(gpu, 2);
    EXPECT_TRUE(gpu.asked_the_driver()) << static_cast<int>(driver);
    EXPECT_TRUE(gpu.last_is_cubin()) << static_cast<int>(driver);
  }
}

}  // namespace
}  // namespace lanescope::job
