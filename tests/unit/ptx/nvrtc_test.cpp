// NVRTC's output for real code is understood completely: tests/cases/ptx/*.cu (one file per subject, every intrinsic
// with its own PTX) and the corpus of ordinary kernels, for an old, a common and a new architecture.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cfg/control_flow_graph.h"
#include "compile/compiler.h"
#include "golden.h"
#include "ptx/module.h"

namespace lanescope::ptx {
namespace {

std::string all(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += format(diagnostic) + "\n";
  return text;
}

struct Request {
  test::Case source;
  std::string arch;
  friend void PrintTo(const Request& request, std::ostream* out) {
    *out << request.source.path.filename().string() << " for " << request.arch;
  }
};

std::vector<Request> requests() {
  std::vector<Request> result;
  for (const char* stage : {"ptx", "corpus"})
    for (const test::Case& c : test::cases(stage, ".cu"))
      for (const char* arch : {"sm_75", "sm_90", "sm_100"}) result.push_back({c, arch});
  return result;
}

std::string request_name(const testing::TestParamInfo<Request>& info) {
  const test::Case& source = info.param.source;
  return source.path.parent_path().filename().string() + "_" + source.name + "_" + info.param.arch;
}

// The kernels that the corpus's `// run: --kernel …` lines name. Without any, the compiler takes all.
std::vector<std::string> kernels_to_run(const std::string& text) {
  std::vector<std::string> names;
  static constexpr std::string_view option = "--kernel ";
  for (auto at = text.find(option); at != std::string::npos; at = text.find(option, at)) {
    at += option.size();
    const bool quoted = text[at] == '\'';
    const auto begin = at + quoted, end = text.find(quoted ? '\'' : ' ', begin);
    names.push_back(text.substr(begin, end - begin));
  }
  return names;
}

class PtxOfNvrtc : public testing::TestWithParam<Request> {};

TEST_P(PtxOfNvrtc, IsUnderstoodAndPrintedAsAFixedPoint) {
  compile::Options options;
  options.arch = GetParam().arch;
  const test::Case& source = GetParam().source;
  const std::string text = source.text();
  options.name_expressions = kernels_to_run(text);
  const auto compiled = compile::compile({source.path.filename().string(), text, {}}, options);
  ASSERT_TRUE(compiled.ok()) << all(compiled.errors());

  const auto module = parse(compiled->text, source.name);
  ASSERT_TRUE(module.ok()) << all(module.errors());
  const std::string printed = print(*module);
  const auto again = parse(printed, "printed");
  ASSERT_TRUE(again.ok()) << all(again.errors());
  EXPECT_EQ(test::difference(printed, print(*again)), "");

  std::size_t kernels = 0;
  for (const Function& function : module->functions) {
    kernels += function.is_entry;
    for (const cfg::BasicBlock& block : cfg::build(function).blocks)
      EXPECT_TRUE(block.ipdom < static_cast<std::int32_t>(function.instructions.size()));
    if (!function.is_entry) continue;  // CUDA's own functions have no lines
    for (const Instruction& instruction : function.instructions) {
      if (instruction.space != Space::global) continue;
      EXPECT_GT(instruction.source.file, 0) << print(*module, function, instruction) << " has no CUDA line";
    }
  }
  EXPECT_GT(kernels, 0u);
}

INSTANTIATE_TEST_SUITE_P(Cases, PtxOfNvrtc, testing::ValuesIn(requests()), request_name);

}  // namespace
}  // namespace lanescope::ptx
