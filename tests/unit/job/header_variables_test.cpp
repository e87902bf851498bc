// Variables of the device that a header of the source declares.

#include <cstring>
#include <fstream>

#include <gmock/gmock.h>

#include "compile/compiler.h"
#include "golden.h"
#include "job/run/job.h"

namespace lanescope::job {
namespace {

// The compiler leaves out what the kernel does not read; another kernel of the file may.
TEST(HeaderVariables, AreKnownAsThoseOfTheSource) {
  if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  const test::TempFolder folder;
  std::ofstream(folder / "table.cuh") << "namespace t {\n__constant__ int zero = 0;\n__constant__ int unused;\n"
                                         "__constant__ int add;\n}\n";
  const auto outcome_with = [&](const char* symbol) {
    Request request;
    request.source = {(folder / "k.cu").string(),
                      "#include \"table.cuh\"\n__global__ void k(int* out) { out[0] = t::zero + t::add; }\n",
                      {folder.path().string()}};
    request.first().kernel = "k";
    request.arguments = {{"i32[1]", ""}};
    request.symbols = {{"i32=5", "t::add"}, {"i32=3", symbol}};
    return run(request);
  };
  const Outcome outcome = outcome_with("t::unused");
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  EXPECT_TRUE(outcome.diagnostics.empty()) << format(outcome.diagnostics.front());  // `t::zero` has its initialiser
  int made = 0;
  std::memcpy(&made, outcome.arguments[0].contents.data(), sizeof made);
  EXPECT_EQ(made, 5);
  const Outcome wrong = outcome_with("t::unknown");
  ASSERT_FALSE(wrong.completed);
  EXPECT_EQ(wrong.diagnostics.front().code, "argument.no_such_variable");
}

}  // namespace
}  // namespace lanescope::job
