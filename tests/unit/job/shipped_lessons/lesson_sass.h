#pragma once
// Checks what a text says about a kernel's SASS against the SASS of the bundled compiler.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "compile/compiler.h"
#include "compile/fixture.h"
#include "job/shipped_lessons/lesson_run.h"

namespace lanescope::test {

// The machine code for sm_90. If it cannot be made, it is empty and the test fails.
inline compile::Sass sass_of(const std::string& folder, const std::string& file, const std::string& kernel) {
  compile::Options options;
  options.arch = "sm_90";
  options.name_expressions = {kernel};
  auto ptx = compile::compile({file, read_file(folder + "/" + file), {}}, options);
  EXPECT_TRUE(ptx.ok()) << file;
  if (!ptx) return {};
  auto sass = compile::to_sass(ptx->text, ptx->mangled[kernel], options.arch);
  EXPECT_TRUE(sass.ok()) << file;
  return sass ? std::move(*sass) : compile::Sass{};
}

// Number of loads from global memory in the machine code for sm_90.
inline std::int64_t global_loads_in_sass(const std::string& folder, const std::string& file,
                                         const std::string& kernel) {
  const compile::Sass sass = sass_of(folder, file, kernel);
  return std::count_if(sass.instructions.begin(), sass.instructions.end(),
                       [](const compile::SassInstruction& one) { return one.text.starts_with("LDG."); });
}

}  // namespace lanescope::test
