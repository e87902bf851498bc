#pragma once
// A small, correct lesson folder that tests then damage.

#include "golden.h"

namespace lanescope::test {

inline const std::string small_lesson = R"x(id = "small"
order = 1
title = "Small"
question = "What moves?"
summary = "A copy."

[[control]]
name = "stride"
min = 1
max = 32
value = 8
explain = "Elements between neighbouring lanes."

[[control]]
name = "n"
choices = [64, 128]
value = 128
full_value = 64
explain = "Elements."

[[variant]]
id = "copy"
file = "copy.cu"
kernel = "copy"
summary = "Each lane copies one element."
controls = ["stride", "n"]
grid = "ceil_div(n, 32)"
block = 32
arguments = [
  { name = "in", buffer = "f32", count = "n * stride", fill = "iota" },
  { name = "out", buffer = "f32", count = "n", fill = "none" },
  { name = "stride_of", scalar = "i32", value = "stride" },
]
[[variant.check]]
elements = "out[i] == in[i * stride]"
count = "n"
[[variant.check]]
number = "global_load.sectors_per_request == min(32, 4 * stride)"
)x";

inline const std::string small_text = R"x(# Read
A warp has 32 lanes.
# Predict
How many?
# Run
Press run.
# See
It moved {{copy.global_load.sectors | 0}} sectors; one element apart [[4 = copy(stride=1).global_load.sectors_per_request]].
<!-- check: copy@load.sectors_per_request >= 4 -->
# Explain
Because.
# Try
Change it.
)x";

inline const std::string small_kernel = R"x(__global__ void copy(const float* in, float* out, int stride_of) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // @phase load
  const float value = in[i * stride_of];
  // @phase store
  out[i] = value;
}
)x";

inline void write_small_lesson(const std::filesystem::path& folder) {
  write_file(folder / "lesson.toml", small_lesson);
  write_file(folder / "text.md", small_text);
  write_file(folder / "copy.cu", small_kernel);
}

// `text` with the first occurrence of `from` replaced; fails the test if there is none.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace lanescope::test
