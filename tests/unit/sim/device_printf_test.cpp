// The text of a device printf, against what a kernel printed on an H200 (driver 580.159.04).

#include "sim/warp/device_printf.h"

#include <gmock/gmock.h>

#include <cstring>

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;

// Arguments are ints.
std::string printed(const std::string& format, const std::vector<int>& arguments) {
  std::string out;
  format_device_text(
      format, out,
      [&](std::uint64_t offset, std::uint64_t bytes) {
        std::uint64_t value = 0;
        std::memcpy(&value, reinterpret_cast<const std::byte*>(arguments.data()) + offset, bytes);
        return value;
      },
      [](std::uint64_t) { return std::string(); });
  return out;
}

TEST(DevicePrintf, AnHIsAShort) {
  EXPECT_EQ(printed("%hd|%d", {70000, 5}), "4464|5");
  EXPECT_EQ(printed("%hd|%d", {-40000, 5}), "25536|5");
  EXPECT_EQ(printed("%hi|%d", {40000, 5}), "-25536|5");
  EXPECT_EQ(printed("%hu|%d", {70000, 5}), "4464|5");
  EXPECT_EQ(printed("%hx|%d", {0x12345, 5}), "2345|5");
  EXPECT_EQ(printed("%hX|%d", {0xabcde, 5}), "BCDE|5");
  EXPECT_EQ(printed("%ho|%d", {0123456, 5}), "123456|5");
  EXPECT_EQ(printed("%.2hd|%d", {70000, 5}), "4464|5");
  EXPECT_EQ(printed("%hc|%d", {65, 5}), "A|5");
}

TEST(DevicePrintf, WidthsAndFlags) {
  EXPECT_EQ(printed("%*d|%d", {6, 42, 5}), "    42|5");
  EXPECT_EQ(printed("%-*d|%d", {6, 42, 5}), "42    |5");
  EXPECT_EQ(printed("%*d|%d", {-6, 42, 5}), "42    |5");
  EXPECT_EQ(printed("%.3d|%8.3d|%.0d|%d", {5, 5, 0, 5}), "005|     005||5");
  EXPECT_EQ(printed("%#x %#o %#X|%#x|%d", {255, 8, 255, 0, 5}), "0xff 010 0XFF|0|5");
  EXPECT_EQ(printed("% d|%+d|%-6d|%06d|%d", {1, 2, 3, 4, 5}), " 1|+2|3     |000004|5");
  EXPECT_EQ(printed("%+u|% u|%+x|%d", {1, 2, 3, 5}), "1|2|3|5");
  EXPECT_EQ(printed("%5c|%-5c|%05c|%d", {65, 66, 67, 5}), "    A|B    |    C|5");
  EXPECT_EQ(printed("%0-6d|%-06d|%d", {1, 2, 5}), "1     |2     |5");
  EXPECT_EQ(printed("%5.d|%d", {1, 5}), "    1|5");
}

TEST(DevicePrintf, PercentSigns) {
  for (const char* format : {"%%|%d", "%5%|%d", "%-%|%d", "%|%d"}) EXPECT_EQ(printed(format, {5}), "%|5") << format;
  EXPECT_EQ(printed("%d|%", {5}), "5|%");
  EXPECT_EQ(printed("%d|%5", {5}), "5|%5");
  EXPECT_EQ(printed("%y|%d", {5}), "%y|5");
}

// With each of these the H200 printed what happened to be in the host's registers, there or behind.
TEST(DevicePrintf, ConversionsThatCudaDoesNotHaveAreFound) {
  for (const char* one :
       {"%zu",  "%5zu", "%5.3zu", "%zd", "%td", "%jd",  "%qd",   "%hhd", "%-5hhu", "%hhx", "%Lf", "%I64d",
        "%hld", "%lhd", "%llld",  "%lc", "%ls", "%.*f", "%*.*f", "%'d",  "%1$d",   "%n",   "%m",  "%C"}) {
    EXPECT_EQ(undefined_conversion(one), one);
    EXPECT_EQ(undefined_conversion("%d " + std::string(one) + " %d"), one);
  }
  for (const char* one : {"", "%", "100%", "%|%d", "50% of", "%%zu", "%5%", "%d%%", "%-+ #08.3f", "%*d", "%hd %hs %hf",
                          "%lu %llx %lf", "%c%s%p%i%o%X%e%E%F%g%G%a%A", "%.0d", "%5.d", "%l", "%h"})
    EXPECT_EQ(undefined_conversion(one), "") << one;
}

TEST(DevicePrintf, AKernelThatUsesOneIsTold) {
  const std::string text = "37, 122, 117, 0";  // "%zu"
  Launcher k(kernel("",
                    ".local .align 8 .b8 list[8];\nmov.u64 %rd1, list;\ncvta.local.u64 %rd2, %rd1;\n"
                    "mov.u64 %rd3, 7;\nst.local.u64 [%rd1], %rd3;\n"
                    "mov.u64 %rd4, text;\ncvta.global.u64 %rd5, %rd4;\n{\n"
                    ".param .b64 a;\nst.param.b64 [a+0], %rd5;\n.param .b64 b;\nst.param.b64 [b+0], %rd2;\n"
                    ".param .b32 r;\ncall.uni (r), vprintf, (a, b);\n}\nret;",
                    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                    ".global .align 1 .b8 text[4] = {" +
                        text + "};\n"));
  k.block = {2, 1, 1};
  const auto result = k.run_anyway();
  EXPECT_EQ(result.printf_output, "77");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "run.undefined_conversion");
  EXPECT_THAT(std::string(result.diagnostics[0].message), testing::HasSubstr("CUDA's printf has no `%zu`"));
  EXPECT_THAT(std::string(result.diagnostics[0].cure), testing::HasSubstr("%llu"));
}

}  // namespace
}  // namespace lanescope::sim
