// Functions of g++ that host code has and nvcc takes in kernels, compared with g++'s own, and the formats of
// <inttypes.h>, compared with the C library's.

#include <cinttypes>
#include <cstdio>
#include <cstring>

#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "job/request/launch_options.h"
#include "job/run/job.h"

namespace lanescope::job {
namespace {

Outcome outcome_of(const std::string& text, const std::vector<std::string>& arguments, const std::string& block) {
  LaunchOptions options;
  options.kernel = "k", options.grid = "1", options.block = block, options.arguments = arguments;
  Diagnostics notes;
  const Result<Request> request = request_from({"k.cu", text, {}}, options, notes);
  if (!request) {
    ADD_FAILURE() << format(request.errors().front());
    return {};
  }
  Outcome outcome = run(*request);
  EXPECT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  return outcome;
}

TEST(GxxFunctions, CountBitsAsOnTheHost) {
  if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  const Outcome outcome = outcome_of(
      "__global__ void k(const unsigned* in, int* out) { const unsigned x = in[threadIdx.x];\n"
      "  const unsigned long long y = (unsigned long long)x << 20 | 1; int* o = out + 10 * threadIdx.x;\n"
      "  o[0] = __builtin_popcount(x); o[1] = __builtin_popcountll(y); o[2] = __builtin_clz(x);\n"
      "  o[3] = __builtin_clzll(y); o[4] = __builtin_ctz(x); o[5] = __builtin_ctzll(y);\n"
      "  o[6] = __builtin_ffs(x); o[7] = __builtin_parity(x); o[8] = __builtin_bswap32(x);\n"
      "  o[9] = __builtin_parityll(y); }",
      {"u32[32]=random:5", "i32[320]=0"}, "32");
  ASSERT_EQ(outcome.arguments.size(), 2u);
  for (std::size_t i = 0; i < 32; ++i) {
    unsigned x = 0;
    int o[10];
    std::memcpy(&x, &outcome.arguments[0].contents[4 * i], sizeof x);
    std::memcpy(o, &outcome.arguments[1].contents[40 * i], sizeof o);
    ASSERT_NE(x, 0u);
    const unsigned long long y = static_cast<unsigned long long>(x) << 20 | 1;
    EXPECT_EQ(o[0], __builtin_popcount(x));
    EXPECT_EQ(o[1], __builtin_popcountll(y));
    EXPECT_EQ(o[2], __builtin_clz(x));
    EXPECT_EQ(o[3], __builtin_clzll(y));
    EXPECT_EQ(o[4], __builtin_ctz(x));
    EXPECT_EQ(o[5], __builtin_ctzll(y));
    EXPECT_EQ(o[6], __builtin_ffs(static_cast<int>(x)));
    EXPECT_EQ(o[7], __builtin_parity(x));
    EXPECT_EQ(o[8], static_cast<int>(__builtin_bswap32(x)));
    EXPECT_EQ(o[9], __builtin_parityll(y));
  }
}

TEST(GxxFunctions, TheFormatsOfInttypesPrintAsOnTheHost) {
  if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  const Outcome outcome = outcome_of(
      "#include <cinttypes>\n#include <cstdio>\n__global__ void k(uint64_t a, int32_t b) {\n"
      "  printf(\"%\" PRIu64 \" %\" PRId64 \" %016\" PRIx64 \" %\" PRId32 \" %\" PRIX32 \"\\n\", a, (int64_t)a, a, b, "
      "b); }",
      {"u64=0xfedcba9876543210", "i32=-5"}, "1");
  const std::uint64_t a = 0xfedcba9876543210;
  const std::int32_t b = -5;
  char expected[120];
  std::snprintf(expected, sizeof expected, "%" PRIu64 " %" PRId64 " %016" PRIx64 " %" PRId32 " %" PRIX32 "\n", a,
                static_cast<std::int64_t>(a), a, b, static_cast<std::uint32_t>(b));
  EXPECT_EQ(outcome.printf_output, expected);
}

}  // namespace
}  // namespace lanescope::job
