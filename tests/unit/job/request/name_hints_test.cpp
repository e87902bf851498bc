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

}  // namespace
}  // namespace lanescope::job
