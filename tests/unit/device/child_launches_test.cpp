// Kernels that launch kernels, as nvcc -rdc=true writes them in PTX.

#include <gtest/gtest.h>

#include <algorithm>

#include "device/device.h"
#include "device/device_runtime.h"
#include "expressions.h"

namespace lanescope::device {
namespace {

// deeper(int* levels): counts itself, and launches itself again. wide(int* levels): each thread launches `leaf`. ask():
// each thread takes a buffer, and launches nothing.
const std::string nesting = test::all_replaced(test::all_replaced(R"(.version 8.0
.target sm_75
.address_size 64
.extern .func  (.param .b64 func_retval0) __cudaCDP2GetParameterBufferV2
(
	.param .b64 p_0,
	.param .align 4 .b8 p_1[12],
	.param .align 4 .b8 p_2[12],
	.param .b32 p_3
)
;
.extern .func  (.param .b32 func_retval0) __cudaCDP2LaunchDeviceV2
(
	.param .b64 q_0,
	.param .b64 q_1
)
;
.visible .entry leaf(.param .u64 levels)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [levels];
  red.global.add.u32 [%rd1], 1;
  ret;
}
.func launch(.param .b64 kernel, .param .b64 levels)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [kernel];
  ld.param.u64 %rd2, [levels];
  OF_A_LAUNCH
  .param .b64 stream;
  .param .b32 status;
  st.param.b64 [f], %rd1;
  ONE_THREAD
  .reg .pred %none;
  call.uni (buffer), __cudaCDP2GetParameterBufferV2, (f, grid, block, shared);
  ld.param.b64 %rd3, [buffer];
  setp.eq.u64 %none, %rd3, 0;
  @%none ret;
  st.u64 [%rd3], %rd2;
  st.param.b64 [f], %rd3;
  st.param.b64 [stream], 0;
  call.uni (status), __cudaCDP2LaunchDeviceV2, (f, stream);
  ret;
}
.visible .entry deeper(.param .u64 levels)
{
  .reg .b64 %rd<3>;
  .param .b64 a;
  .param .b64 b;
  ld.param.u64 %rd1, [levels];
  red.global.add.u32 [%rd1], 1;
  mov.u64 %rd2, deeper;
  st.param.b64 [a], %rd2;
  st.param.b64 [b], %rd1;
  call.uni launch, (a, b);
  ret;
}
.visible .entry ask()
{
  OF_A_LAUNCH
  st.param.b64 [f], 0;
  ONE_THREAD
  call.uni (buffer), __cudaCDP2GetParameterBufferV2, (f, grid, block, shared);
  ret;
}
.visible .entry wide(.param .u64 levels)
{
  .reg .b64 %rd<3>;
  .param .b64 a;
  .param .b64 b;
  ld.param.u64 %rd1, [levels];
  mov.u64 %rd2, leaf;
  st.param.b64 [a], %rd2;
  st.param.b64 [b], %rd1;
  call.uni launch, (a, b);
  ret;
}
)",
                                                                  "  OF_A_LAUNCH\n", R"(  .param .b64 f;
  .param .align 4 .b8 grid[12];
  .param .align 4 .b8 block[12];
  .param .b32 shared;
  .param .b64 buffer;
)"),
                                               "  ONE_THREAD\n", R"(  st.param.b32 [grid], 1;
  st.param.b32 [grid+4], 1;
  st.param.b32 [grid+8], 1;
  st.param.b32 [block], 1;
  st.param.b32 [block+4], 1;
  st.param.b32 [block+8], 1;
  st.param.b32 [shared], 0;
)");

class Codes : public Observer {
 public:
  explicit Codes(std::string& codes) : codes_(codes) {}
  bool counts(const std::string&) override { return true; }
  void launched(const LaunchReport& report) override {
    for (const Diagnostic& one : report.result->diagnostics) codes_ += one.code + " ";
  }
  void copied(CopyDirection, std::uint64_t) override {}
  void missing(const std::string&, std::uint64_t) override {}
  void said(const Diagnostic& diagnostic) override {
    if (diagnostic.severity == Severity::error) codes_ += diagnostic.code + " ";
  }

 private:
  std::string& codes_;
};

struct Ran {
  std::uint32_t count = 0;
  std::string codes;
};

Ran run(const char* kernel, std::uint32_t blocks, std::uint32_t threads) {
  Ran ran;
  Device device(DeviceSettings{}, std::make_unique<Codes>(ran.codes));
  Status status = Status::unknown;
  Module* const module = device.load(nesting, "nesting.ptx", status);
  if (status != Status::success) return ran;
  const Allocation* memory = device.memory().allocate(MemoryKind::managed, 4, "cudaMallocManaged");
  const std::uint64_t address = memory->address;
  const void* arguments[] = {&address};
  EXPECT_EQ(device.launch(*module->kernel(kernel), {{blocks, 1, 1}, {threads, 1, 1}}, arguments), Status::success);
  EXPECT_EQ(device.wait(), Status::success);
  ran.count = *reinterpret_cast<const std::uint32_t*>(memory->data);
  return ran;
}

TEST(ChildLaunches, NestUpToTheLimitOfTheHardware) {
  const Ran ran = run("deeper", 1, 1);
  EXPECT_EQ(ran.codes, "device.children_too_deep ");
  EXPECT_EQ(ran.count, 1u + 24u);
}

TEST(ChildLaunches, WhatFindsNoBufferIsLostAndToldOnce) {
  EXPECT_EQ(run("wide", 2, 64).count, 128u);
  EXPECT_EQ(run("wide", 2, 64).codes, "");
  EXPECT_EQ(run("ask", 32, 256).codes, "") << "as many as there are";
  EXPECT_EQ(run("ask", 33, 256).codes, "device.too_many_children ");
}

// What its functions look like in the PTX of CUDA 13.0's libcudadevrt, and in a program that calls them.
TEST(DeviceRuntime, CudasOwnIsKnownByWhatItDefines) {
  const std::string heading = ".func  (.param .b32 func_retval0) __cudaCDP2LaunchDeviceV2(\n\t.param .b64 p0\n)";
  EXPECT_TRUE(is_device_runtime(".version 9.0\n.visible .func f()\n{ ret; }\n.visible " + heading + "\n{ ret; }\n"));
  EXPECT_FALSE(is_device_runtime(".version 9.0\n.extern " + heading + ";\n.visible .func f()\n{ ret; }\n"));
}

TEST(ChildLaunches, LinesStayAndLinkedTextsMayDeclareTwice) {
  const std::string twice =
      ".extern .func (.param .b32 r) __cudaCDP2GetLastError\n()\n;\n.extern .func other(.param .b32 a);\n"
      ".extern .func (.param .b32 r) __cudaCDP2GetLastError\n()\n;\nlast";
  const std::string made = with_device_runtime(twice);
  EXPECT_EQ(std::ranges::count(made, '\n'), std::ranges::count(twice, '\n'));
  EXPECT_NE(made.find(".func (.param .b32 r) __cudaCDP2GetLastError\n()\n{ .reg"), std::string::npos) << made;
  EXPECT_NE(made.find(".extern .func other(.param .b32 a);"), std::string::npos) << made;
  EXPECT_EQ(made.find("GetLastError"), made.rfind("GetLastError")) << made;
  EXPECT_EQ(with_device_runtime(".extern .func (.param .b32 r) __cudaCDP2Get"),
            ".extern .func (.param .b32 r) __cudaCDP2Get");
}

}  // namespace
}  // namespace lanescope::device
