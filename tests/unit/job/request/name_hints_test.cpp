// What names and code hint at, as seen in guessed launches.
#include <gtest/gtest.h>

#include <string>

#include "job/request/launch_form.h"

namespace lanescope::job {
namespace {

TEST(NameHints, WhatIsOnlyStoredToOrAddedToBeginsWithZeros) {
  const auto contents_of_sum = [](const std::string& statement) {
    return form_kernels({"k.cu",
                         "__global__ void k(unsigned* sum, const unsigned* in, int n) {\n"
                         "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " +
                             statement + "\n}\n"})
        .at(0)
        .form.arguments.at(0)
        .value;
  };
  for (const char* stored : {"if (i < n) sum[i] = in[i];", "if (i < n) atomicAdd(&sum[in[i]], 1u);",
                             "if (i < n) atomicAdd(&(sum[in[i]]), 1u);", "if (i < n) atomicOr(sum + in[i], 1u);",
                             "if (i < n) sum[i] += in[i];"})
    EXPECT_EQ(contents_of_sum(stored), "0") << stored;
  for (const char* read : {"if (i < n && sum[i] > 3) sum[i] = 0;", "if (i < n) sum[i] = i & sum[i + 1];",
                           "if (i < n) sum[i] = max(sum[i], in[i]);"})
    EXPECT_EQ(contents_of_sum(read), "iota") << read;
}

// If each of four sizes were guessed as 8, an output of 1 × 1 would be left.
TEST(NameHints, TheSidesOfAConvolutionsKernelAreSmall) {
  const LaunchForm form =
      form_kernels(
          {"k.cu",
           "__global__ void conv(const float* in, const float* k, float* out, int H, int W, int kh, int kw) {\n"
           "  const int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  float sum = 0;\n"
           "  if (r > H - kh || c > W - kw) return;\n"
           "  for (int i = 0; i < kh; i++)\n"
           "    for (int j = 0; j < kw; j++) sum += in[(r + i) * W + c + j] * k[i * kw + j];\n"
           "  out[r * (W - kw + 1) + c] = sum;\n}\n"})
          .at(0)
          .form;
  for (const std::size_t side : {3, 4}) EXPECT_EQ(form.arguments.at(side).value, "64") << side;
  for (const std::size_t side : {5, 6}) EXPECT_EQ(form.arguments.at(side).value, "3") << side;
  EXPECT_EQ(form.grid, "4,4");
}

}  // namespace
}  // namespace lanescope::job
