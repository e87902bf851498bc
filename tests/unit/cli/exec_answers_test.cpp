// What CUDA answers to wrong and borderline arguments, call by call as an H200 did: tests/exec/answers_*.cu and .out.
// What stays different stands in tests/exec/answers_differences.txt, with the reason.

#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "cli/program.h"
#include "compile/nvcc/nvcc.h"
#include "core/text.h"

namespace lanescope {
namespace {

using test::lanescope;
using testing::HasSubstr;

const std::string answers_folder = LANESCOPE_SOURCE_DIR "/tests/exec/";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

// By the number of the line in the program's .out, the line here.
std::map<std::size_t, std::string> known_differences(const std::string& program) {
  std::map<std::size_t, std::string> known;
  for (const std::string& line : lines_of(test::read_file(answers_folder + "answers_differences.txt"))) {
    if (!line.starts_with(program + ":")) continue;
    const std::size_t colon = line.find(':', program.size() + 1);
    known[std::stoul(line.substr(program.size() + 1))] = line.substr(colon + 2);
  }
  return known;
}

// Where NVIDIA's driver crashes, any error will do. Addresses of the host that are no memory crash here too.
bool is_as_expected(const std::string& here, const std::string& there) {
  const std::size_t crash = there.find("-> signal ");
  if (here == there || crash == std::string::npos) return here == there;
  const std::string call = there.substr(0, crash) + "-> ";
  return here.starts_with(call) && here.find("Success", crash) == std::string::npos &&
         here.find("SUCCESS", crash) == std::string::npos && here.find("signal", crash) == std::string::npos;
}

class ExecAnswers : public testing::TestWithParam<const char*> {};

TEST_P(ExecAnswers, AreThoseOfAnH200) {
  if (!compile::locate_nvcc()) GTEST_SKIP() << "no nvcc";
  const std::string program = GetParam();
  const test::Ran ran = lanescope({"exec", "--nvcc=-lcuda", "--nvcc=-w", "answers_" + program + ".cu"},
                                  {.environment = "ASAN_OPTIONS=handle_segv=0", .folder = answers_folder});
  const std::vector<std::string> here = lines_of(ran.out);
  const std::vector<std::string> there = lines_of(test::read_file(answers_folder + "answers_" + program + ".out"));
  const std::map<std::size_t, std::string> known = known_differences(program);
  ASSERT_EQ(here.size(), there.size()) << ran.err;
  if (program == "streams") EXPECT_THAT(ran.err, HasSubstr("cudaStreamDestroy: 0x"));
  if (program == "streams") EXPECT_THAT(ran.err, HasSubstr("cudaEventDestroy: 0x"));
  if (program == "pools") EXPECT_THAT(ran.err, HasSubstr("cudaFreeArray: 0x"));
  for (std::size_t i = 0; i < here.size(); ++i) {
    const auto difference = known.find(i + 1);
    if (difference == known.end())
      EXPECT_TRUE(is_as_expected(here[i], there[i]))
          << program << ":" << i + 1 << ": " << here[i] << "\nnot " << there[i];
    else
      EXPECT_EQ(here[i], difference->second) << program << ":" << i + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, ExecAnswers,
                         testing::Values("memory", "pools", "device", "kernels", "streams", "graphs", "driver",
                                         "modules", "driver_memory", "driver_objects"),
                         [](const auto& info) { return std::string(info.param); });

// The number before `what` in nvcc's text about a kernel.
int told_of(const std::string& usage, const std::string& kernel, const std::string& what) {
  const std::size_t from = usage.find("'_Z" + std::to_string(kernel.size()) + kernel);
  const std::size_t to = usage.find(what, from);
  if (from == std::string::npos || to == std::string::npos) return 0;
  const std::size_t number = usage.find_last_not_of("0123456789", to - 1) + 1;
  return std::atoi(usage.c_str() + number);
}

// Checks against `nvcc --resource-usage`, an independent source. Registers limit the warps: a multiprocessor has
// 65,536, allocated to a warp in units of 256. Barriers limit the blocks: an H200 has 64 per multiprocessor.
TEST(ExecAttributes, OfKernelsAreThoseOfTheirMachineCode) {
  if (const auto found = compile::locate_nvcc(); !found) GTEST_SKIP() << "no nvcc: " << format(found.errors().front());
  const test::TempFolder folder;
  const std::string file = (folder / "usage").string();
  const std::string command = test::quoted(compile::locate_nvcc()->path) +
                              " -cubin -arch=sm_90 -lineinfo --resource-usage -o /dev/null " LANESCOPE_SOURCE_DIR
                              "/tests/exec/attributes.cu > " +
                              test::quoted(file) + " 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << test::read_file(file);
  const std::string usage = test::read_file(file);
  std::string expected;
  for (const std::string kernel : {"small", "framed", "wide", "named"}) {
    const int registers = told_of(usage, kernel, " registers"), warps = 65536 / ((registers * 32 + 255) / 256 * 256);
    EXPECT_GT(registers, 0) << usage;
    expected += kernel + " " + std::to_string(registers) + " " +
                std::to_string(told_of(usage, kernel, " bytes stack")) + " 400 " +
                std::to_string(std::min(1024, warps / 4 * 4 * 32)) + " " +
                std::to_string(std::min({8, warps / 8, 64 / std::max(1, told_of(usage, kernel, " barriers"))})) + "\n";
  }
  const test::Setting there{.folder = answers_folder};
  const auto whole = lanescope({"exec", "attributes.cu"}, there),
             alone = lanescope({"exec", "-D", "LONG_TEXT", "attributes.cu"}, there);
  EXPECT_EQ(whole.out, expected) << usage << whole.err;
  EXPECT_EQ(alone.out, expected) << "each kernel assembled alone\n" << alone.err;
  EXPECT_GT(told_of(usage, "framed", " bytes stack"), 0);
  EXPECT_GT(told_of(usage, "wide", " registers"), 128) << "else its blocks are as many as fit anyway";
}

}  // namespace
}  // namespace lanescope
