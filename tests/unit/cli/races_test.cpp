// --races and --schedules: what they print and how they exit.

#include <gtest/gtest.h>

#include <fstream>

#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "golden.h"

namespace lanescope {
namespace {

using nlohmann::json;
using test::lanescope;

std::vector<std::string> trace(const std::string& kernel, std::vector<std::string> more) {
  std::vector<std::string> arguments = {"trace",    test::case_path("races/barriers.cu").string(),
                                        "--kernel", kernel,
                                        "--grid",   "2",
                                        "--block",  "64",
                                        "--arg",    "i32[128]=0",
                                        "--arg",    "i32[128]=iota"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(RacesOnTheCommandLine, ARaceIsToldAndExitsWithOne) {
  const auto racy = lanescope(trace("neighbour_without_a_second_barrier", {"--races"}));
  EXPECT_EQ(racy.code, 1);
  EXPECT_NE(racy.out.find("__syncthreads()"), std::string::npos) << racy.out;
  EXPECT_NE(racy.out.find("of block 0 writes, line"), std::string::npos) << racy.out;
  const auto safe = lanescope(trace("neighbour_with_barrier", {"--races"}));
  EXPECT_EQ(safe.code, 0);
  EXPECT_NE(safe.out.find("races: none"), std::string::npos) << safe.out;
}

// A store past the end ends the run, so it is unknown what would follow.
TEST(RacesOnTheCommandLine, OfAStoppedRunOnlyWhatCameBeforeIsSaid) {
  const test::TempFolder folder;
  const std::string file = (folder.path() / "past.cu").string();
  std::ofstream(file) << "__global__ void past(float* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";
  const std::vector<std::string> command{"trace",   file, "--kernel", "past",     "--grid", "2",
                                         "--block", "64", "--arg",    "f32[100]", "--races"};
  const auto told = lanescope(command);
  EXPECT_NE(told.code, 0);
  EXPECT_NE(told.out.find("races: none until the run stopped"), std::string::npos) << told.out;
  auto as_json = command;
  as_json.push_back("--json");
  EXPECT_EQ(json::parse(lanescope(as_json).out).at("races").at("complete"), false);
}

TEST(RacesOnTheCommandLine, SchedulesAreAKeyOfTheJson) {
  const auto told = lanescope(trace("neighbour_without_a_second_barrier", {"--schedules", "6", "--json"}));
  EXPECT_EQ(told.code, 1);
  const json schedules = json::parse(told.out).at("schedules");
  EXPECT_EQ(schedules.at("done"), 6);
  EXPECT_EQ(schedules.at("accused"), true);
  std::uint32_t runs = 0;
  for (const json& result : schedules.at("results")) runs += result.at("runs").get<std::uint32_t>();
  EXPECT_EQ(runs, 7u);
}

// "Do results differ" and "why" are answered separately.
TEST(RacesOnTheCommandLine, TheLastWordFitsTheResults) {
  const auto ordered = lanescope(trace("neighbour_with_barrier", {"--schedules", "4"}));
  EXPECT_EQ(ordered.code, 0);
  EXPECT_NE(ordered.out.find("the standard order and 4 others (seeds 1 to 4): 1 result\n"), std::string::npos)
      << ordered.out;
  EXPECT_NE(ordered.out.find("Every order gave the same result, and no run had two unordered accesses."),
            std::string::npos)
      << ordered.out;
  EXPECT_EQ(ordered.out.find("atomics"), std::string::npos) << ordered.out;
  const auto racy = lanescope(trace("neighbour_without_a_second_barrier", {"--schedules", "1"}));
  EXPECT_EQ(racy.code, 1);
  EXPECT_NE(racy.out.find("1 other (seed 1)"), std::string::npos) << racy.out;
  EXPECT_NE(racy.out.find("there is a race"), std::string::npos) << racy.out;
  const auto atomics = lanescope({"run", "shuffle_reduce", "--variant", "end_atomic", "--schedules", "6"});
  EXPECT_EQ(atomics.code, 0);
  EXPECT_NE(atomics.out.find("differ only by the order of atomics"), std::string::npos) << atomics.out;
}

TEST(RacesOnTheCommandLine, AVariantThatIsBrokenOnPurposeIsNoExcuse) {
  const auto broken = lanescope({"run", "divergence", "--variant", "reduce_missing_barrier", "--races", "--json"});
  EXPECT_EQ(broken.code, 1);
  EXPECT_EQ(json::parse(broken.out).at("races").at("accused"), true);
}

}  // namespace
}  // namespace lanescope
