// Template arguments that nothing in the file gives.

#include <gtest/gtest.h>

#include <string>

#include "job/request/launch_form.h"
#include "job/request/launch_options.h"

namespace lanescope::job {
namespace {

FormKernel functor_kernel(const std::string& text) {
  std::vector<FormKernel> all = form_kernels(source_of_file("own.cu", text));
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? FormKernel() : all.front();
}

TEST(TemplateGuess, ATypeThatTheKernelCallsIsAFunctorOfTheFile) {
  const std::string functors =
      "namespace ops {\nstruct Negate { __device__ float operator()(float a) const { return -a; } };\n"
      "template <typename T> struct Add { __device__ T operator()(T a, T b) { return a + b; } };\n"
      "struct Put { __device__ void operator()(float& to, float a, float b) { to = a; } };\n";
  const auto name = [&](const std::string& kernel) {
    return functor_kernel(functors + "template <class Op> __global__ void map(float* x, int n) " + kernel + "\n}\n")
        .form.kernel_name();
  };
  EXPECT_EQ(name("{ if (threadIdx.x < n) x[threadIdx.x] = Op()(x[threadIdx.x]); }"), "ops::map<ops::Negate>");
  EXPECT_EQ(name("{ Op op; x[0] = op(x[1], (x[2], x[3])); }"), "ops::map<ops::Add<float>>");
  EXPECT_EQ(name("{ Op {} (x[0], x[1], 3); }"), "ops::map<ops::Put>");
  EXPECT_EQ(name("{ x[0] = Op(1) + sizeof(Op); }"), "ops::map<float>");
  EXPECT_EQ(name("{ x[0] = Op()(1, 2, 3, 4); }"), "ops::map<float>");
  const FormKernel given =
      functor_kernel(functors + "}\ntemplate <typename F> __global__ void apply(float* x, F f) { x[0] = f(x[0]); }\n");
  EXPECT_EQ(given.form.kernel_name(), "apply<ops::Negate>");
}

}  // namespace
}  // namespace lanescope::job
