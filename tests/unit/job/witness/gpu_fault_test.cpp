// A GPU only names a fault. The interpreter's finding is added, labelled as the interpreter's.

#include "job/witness/gpu_fault.h"

#include <gtest/gtest.h>

namespace lanescope::job {
namespace {

const Diagnostics fault{
    {.code = "gpu.kernel_fault", .message = "an illegal memory access was encountered", .cure = "Look."}};

class GpuFault : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_toolchain()) GTEST_SKIP() << "no compiler";
  }
  static Outcome outcome_of(const std::string& kernel, std::uint32_t blocks) {
    Request request;
    request.source = {"k.cu", kernel, {}};
    request.first().kernel = "k";
    request.first().shape.grid = {blocks, 1, 1};
    request.first().shape.block = {32, 1, 1};
    request.arguments = {{"i32[64]=1000000", "box"}, {"i32[64]", "out"}};
    Outcome outcome = run(request);
    EXPECT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
    return outcome;
  }
};

TEST_F(GpuFault, AnOrderInWhichTheInterpreterFailsGivesItsLine) {
  // Block 0 comes first in the standard order and makes the index small for later blocks.
  const Outcome outcome = outcome_of(
      "__global__ void k(volatile int* box, int* out) {\n"
      "  if (blockIdx.x == 0) box[threadIdx.x] = 5;\n"
      "  else out[box[threadIdx.x]] = 1;\n"
      "}\n",
      2);
  const Diagnostics said = with_the_interpreters_finding(fault, outcome);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0].message, fault[0].message) << "the GPU's own words stay";
  EXPECT_EQ(said[0].place.line, 0) << "it named no line";
  EXPECT_EQ(said[1].code, "gpu.fault_elsewhere");
  EXPECT_EQ(said[1].severity, Severity::note);
  EXPECT_EQ(said[1].place.file, "k.cu");
  EXPECT_EQ(said[1].place.line, 3);
  EXPECT_NE(said[1].message.find("The interpreter ran the same launch"), std::string::npos);
  EXPECT_NE(said[1].message.find("seed"), std::string::npos) << said[1].message;
  EXPECT_NE(said[1].message.find("thread"), std::string::npos) << said[1].message;
}

TEST_F(GpuFault, ARaceIsSaidToBeAGuess) {
  const Outcome outcome = outcome_of(
      "__global__ void k(int* box, int* out) { if (blockIdx.x == 0) box[threadIdx.x] = 5; else out[threadIdx.x] = "
      "box[threadIdx.x]; }",
      2);
  const Diagnostics said = with_the_interpreters_finding(fault, outcome);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_NE(said[1].message.find("may be the cause"), std::string::npos) << said[1].message;
  EXPECT_EQ(said[1].place.line, 1);
}

TEST_F(GpuFault, NothingFoundIsSaid) {
  const Diagnostics said = with_the_interpreters_finding(
      fault, outcome_of("__global__ void k(int* box, int* out) { out[threadIdx.x] = box[threadIdx.x]; }", 1));
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[1].place.line, 0);
  EXPECT_NE(said[1].message.find("the same launch in the standard order and in 4 others"), std::string::npos)
      << said[1].message;
}

// Every run on a GPU starts in the interpreter. If that run completed, advising the interpreter would not help.
TEST_F(GpuFault, WhatTheInterpreterHasDoneIsNotAdvised) {
  const Outcome outcome =
      outcome_of("__global__ void k(int* box, int* out) { out[threadIdx.x] = box[threadIdx.x]; }", 1);
  Outcome compiled = outcome;
  compiled.completed = false;
  for (const char* advice :
       {"Run the launch in the interpreter: it reports the line, the thread and the buffer.",
        "Run the launch in the interpreter: it reports the line where the kernel loops.",
        "The worker was replaced. Run the launch in the interpreter: it reports the line where the "
        "kernel loops."}) {
    const Diagnostics said =
        after_the_interpreter({{.code = "gpu.kernel_fault", .message = "It failed.", .cure = advice}}, outcome);
    EXPECT_NE(said.at(0).cure.find("The interpreter completed this launch"), std::string::npos) << said.at(0).cure;
    EXPECT_EQ(after_the_interpreter({{.code = "gpu.kernel_fault", .message = "It failed.", .cure = advice}}, compiled)
                  .at(0)
                  .cure,
              advice);
  }
  const Diagnostics other =
      after_the_interpreter({{.code = "gpu.cuda_error", .message = "no memory", .cure = "Use less."}}, outcome);
  EXPECT_EQ(other.at(0).cure, "Use less.");
}

TEST_F(GpuFault, WhatIsNoFaultOfTheKernelStaysAsItIs) {
  const Outcome outcome =
      outcome_of("__global__ void k(int* box, int* out) { out[threadIdx.x] = box[threadIdx.x]; }", 1);
  EXPECT_EQ(with_the_interpreters_finding({{.code = "gpu.cuda_error", .message = "no memory"}}, outcome).size(), 1u);
  EXPECT_EQ(with_the_interpreters_finding({}, outcome).size(), 0u);
  EXPECT_EQ(with_the_interpreters_finding(fault, outcome, [] { return false; }).size(), 1u) << "stopped";
}

}  // namespace
}  // namespace lanescope::job
