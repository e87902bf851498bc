// One kernel's handle in both APIs: what the runtime gives for a function of the host is the driver's CUfunction.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "unit/device/device_texts.h"
#include "unit/device/exec_libraries.h"

namespace lanescope {
namespace {

using device_test::Dim;
using device_test::ExecLibraries;
using device_test::Program;

class KernelHandles : public ExecLibraries {
 protected:
  Program program_{device_test::add_text};
  char stub_ = 0;
  void** binary_ = nullptr;
  unsigned n_ = 100;
  void *from_ = nullptr, *to_ = nullptr;
  void* arguments_[4] = {&from_, &from_, &to_, &n_};

  void SetUp() override {
    ExecLibraries::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    binary_ = start(program_, &stub_, "add");
    from_ = allocate(400);
    to_ = allocate(400);
    const std::vector<float> ones(n_, 1);
    call("cudaMemcpy", from_, static_cast<const void*>(ones.data()), std::size_t{400}, 1);
  }
  void TearDown() override {
    if (binary_ != nullptr) call<void>("__cudaUnregisterFatBinary", binary_);
  }
  void* handle(const char* of) {
    void* made = nullptr;
    EXPECT_EQ(call(of, &made, static_cast<const void*>(&stub_)), 0);
    return made;
  }
  // What `to_` holds, which is then 0 again.
  float first_result() {
    float first = -1;
    EXPECT_EQ(call("cudaMemcpy", static_cast<void*>(&first), static_cast<const void*>(to_), std::size_t{4}, 2), 0);
    EXPECT_EQ(call("cudaMemset", to_, 0, std::size_t{400}), 0);
    return first;
  }
};

TEST_F(KernelHandles, TheDriverLaunchesWhatTheRuntimeGives) {
  for (const char* of : {"cudaGetFuncBySymbol", "cudaGetKernel"}) {
    void* const made = handle(of);
    ASSERT_NE(made, nullptr) << of;
    void *stream = nullptr, **extra = nullptr;
    EXPECT_EQ(call("cuLaunchKernel", made, 4u, 1u, 1u, 32u, 1u, 1u, 0u, stream, &arguments_[0], extra), 0) << of;
    EXPECT_EQ(first_result(), 2) << of;
    int threads = 0;
    EXPECT_EQ(call("cuFuncGetAttribute", &threads, 0, made), 0);
    EXPECT_EQ(threads, 1024);
    EXPECT_EQ(launch(made, {4}, {32}, arguments_), 0) << of;
    EXPECT_EQ(first_result(), 2) << of;
    const char* name = nullptr;
    EXPECT_EQ(call("cudaFuncGetName", &name, static_cast<const void*>(made)), 0);
    EXPECT_STREQ(name, "add");
    EXPECT_EQ(call("cudaKernelSetAttributeForDevice", made, 8, 1024, 0), 0) << "dynamic shared memory";
    EXPECT_EQ(call("cudaKernelSetAttributeForDevice", made, 8, 1024, 1), 101) << "there is one device";
  }
}

// add(const float*, const float*, float*, unsigned): the offsets are C's.
TEST_F(KernelHandles, AParameterHasItsPlace) {
  for (const void* function : {static_cast<const void*>(&stub_), static_cast<const void*>(handle("cudaGetKernel"))}) {
    std::size_t offset = 0, bytes = 0;
    EXPECT_EQ(call("cudaFuncGetParamInfo", function, std::size_t{3}, &offset, &bytes), 0);
    EXPECT_EQ(offset, 24u);
    EXPECT_EQ(bytes, 4u);
    EXPECT_EQ(call("cudaFuncGetParamInfo", function, std::size_t{4}, &offset, &bytes), 1);
  }
}

TEST_F(KernelHandles, AHandleEndsWithItsCode) {
  char other = 0;
  void* none = nullptr;
  EXPECT_EQ(call("cudaGetFuncBySymbol", &none, static_cast<const void*>(&other)), 98);
  void *stream = nullptr, **extra = nullptr;
  void* const made = handle("cudaGetFuncBySymbol");
  ASSERT_EQ(call("cuInit", 0u), 0);
  call("cudaDeviceReset");
  call("cudaFree", none);
  EXPECT_EQ(call("cuLaunchKernel", made, 1u, 1u, 1u, 32u, 1u, 1u, 0u, stream, &arguments_[0], extra), 400);
  void* const again = handle("cudaGetFuncBySymbol");
  call<void>("__cudaUnregisterFatBinary", binary_);
  binary_ = nullptr;
  EXPECT_EQ(call("cuLaunchKernel", again, 1u, 1u, 1u, 32u, 1u, 1u, 0u, stream, &arguments_[0], extra), 400);
}

}  // namespace
}  // namespace lanescope
