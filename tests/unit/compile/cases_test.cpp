// What the compiler says about whole files: tests/cases/compile/*.cu beside *.out. `// kernel: NAME` and `// arch:
// NAME` at the head of a file say what to compile.

#include <gtest/gtest.h>

#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compile/compiler.h"
#include "compile/fixture.h"
#include "golden.h"

namespace lanescope::compile {
namespace {

class CompilerCases : public testing::TestWithParam<test::Case> {};

std::string told(const Diagnostics& diagnostics, const std::string& source, const Toolchain& toolchain) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics)
    text += fmt::format("[{}] {}\n", diagnostic.code,
                        format_with_source(diagnostic, diagnostic.place.file.ends_with(".cu") ? source : ""));
  for (const std::string& folder : toolchain.include_paths)
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
      text.replace(at, folder.size(), "CUDA");
  return text;
}

TEST_P(CompilerCases, Told) {
  NEEDS_NVRTC();
  const InFolder here(test::case_path("compile"));
  const Source source{GetParam().path.filename().string(), GetParam().text(), {}};
  Options options;
  std::istringstream lines(source.text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("// kernel: ")) options.name_expressions.push_back(line.substr(11));
    if (line.starts_with("// arch: ")) options.arch = line.substr(9);
  }
  std::string text;
  const Result<Ptx> ptx = compile(source, options);
  if (ptx) {
    for (const auto& [name, mangled] : ptx->mangled) text += fmt::format("{} is {}\n", name, mangled);
    text += told(ptx->warnings, source.text, *find_toolchain());
  } else {
    text = told(ptx.errors(), source.text, *find_toolchain());
  }
  const auto kernels = kernels_in(source, options);
  ASSERT_TRUE(kernels.ok());
  text += fmt::format("kernels: {}\n", fmt::join(*kernels, ", "));
  test::expect_golden(GetParam().sibling(".out"), text);
}

INSTANTIATE_TEST_SUITE_P(Files, CompilerCases, testing::ValuesIn(test::cases("compile", ".cu")), test::case_name);

}  // namespace
}  // namespace lanescope::compile
