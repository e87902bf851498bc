// lanescope bench: what it prints and how it fails. The engine's speed is not tested: the machine may be shared.

#include <map>
#include <set>

#include "cli/program.h"

namespace lanescope {
namespace {

using nlohmann::json;
using test::lanescope;
using test::Ran;
using test::with;

const std::vector<std::string> shortest{"bench", "--seconds", "0", "--threads", "2", "--kernel", "matmul"};

TEST(CliBench, JsonHasTheKeysOfTheInterface) {
  const Ran ran = lanescope(with(shortest, {"--json"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json document = ran.json();
  ASSERT_EQ(document["engine"].size(), 1u);
  const json& row = document["engine"][0];
  EXPECT_EQ(row["kernel"], "matmul");
  EXPECT_EQ(row["threads"], 2);
  EXPECT_GT(row["lane_instructions"].get<std::uint64_t>(), 128u * 128 * 128 * 3)
      << "two loads and a multiply-add for each product";
  EXPECT_GT(row["untraced_per_second"].get<double>(), 0);
  EXPECT_GT(row["traced_per_second"].get<double>(), 0);
  // 512 warps, 8 tiles: at least 32 + 2 loads and 2 stores each.
  EXPECT_GE(row["events"].get<std::uint64_t>(), 512u * 8 * 36);
  EXPECT_EQ(document["peers"], json::array());
  ASSERT_EQ(document["stages"].size(), 2u);
  EXPECT_EQ(document["stages"][0]["unit"], "MB/s");
  EXPECT_EQ(document["stages"][1]["unit"], "events/s");
  EXPECT_EQ(document["diagnostics"], json::array());
}

TEST(CliBench, MeasuresEveryKernelOnOneAndTwoThreads) {
  const Ran ran = lanescope({"bench", "--seconds", "0", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json document = ran.json();
  std::map<std::string, std::vector<int>> threads;
  std::map<std::string, std::set<std::uint64_t>> lanes;
  for (const json& row : document["engine"]) {
    threads[row["kernel"]].push_back(row["threads"]);
    lanes[row["kernel"]].insert(row["lane_instructions"].get<std::uint64_t>());
  }
  for (const char* kernel : {"copy2", "reduce0", "saxpy", "matmul"}) {
    ASSERT_FALSE(threads[kernel].empty()) << kernel;
    EXPECT_EQ(threads[kernel][0], 1);
    EXPECT_EQ(lanes[kernel].size(), 1u) << "the work does not depend on the threads";
  }
}

TEST(CliBench, TableNamesItsUnits) {
  const Ran ran = lanescope(shortest);
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* text : {"matmul", "UNTRACED M/s", "TRACED M/s", "million lane-instructions", "MB/s", "events/s"})
    EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
}

TEST(CliBench, AnUnknownKernelIsAWrongCommandLine) {
  const Ran ran = lanescope({"bench", "--kernel", "fft"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("reduce0"), std::string::npos) << ran.err;
}

TEST(CliBench, MissingPeerNamesThePackagesAndKeepsTheRest) {
  const Ran ran = lanescope(with(shortest, {"--peers", "--json"}), {.environment = "PATH=/nowhere"});
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_NE(ran.err.find("oclgrind, ocl-icd-opencl-dev"), std::string::npos) << ran.err;
  const json document = ran.json();
  EXPECT_EQ(document["engine"].size(), 1u);
  EXPECT_EQ(document["peers"], json::array());
  EXPECT_EQ(document["diagnostics"][0]["code"], "peer.missing");
}

}  // namespace
}  // namespace lanescope
