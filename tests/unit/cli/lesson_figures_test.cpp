// The figures of lesson 1, through the command line.

#include <cmath>

#include "cli/program.h"
#include "test_paths.h"

namespace lanescope {
namespace {

using nlohmann::json;
using test::lanescope;
using test::Ran;

json run(const std::string& variant, const std::vector<std::string>& settings = {}) {
  std::vector<std::string> arguments{"run", "coalescing", "--variant", variant, "--check", "--json"};
  for (const std::string& setting : settings) {
    arguments.push_back("--set");
    arguments.push_back(setting);
  }
  const Ran ran = lanescope(arguments);
  EXPECT_EQ(ran.code, 0) << variant << ": " << ran.err << ran.out;
  return ran.json();
}

double sectors_per_request(const json& document, const char* group) {
  const json& totals = document["totals"][group];
  return totals["sectors"].get<double>() / totals["requests"].get<double>();
}
double efficiency(const json& document, const char* group) {
  return document["totals"][group]["efficiency"];
}

TEST(LessonCoalescing, AWiderStrideMovesMoreSectors) {
  const std::pair<int, int> figures[] = {{1, 4}, {2, 8}, {4, 16}, {8, 32}, {16, 32}, {32, 32}, {3, 12}, {7, 28}};
  for (const auto& [stride, sectors] : figures) {
    const json document = run("stride", {"stride=" + std::to_string(stride)});
    EXPECT_EQ(document["totals"]["global_load"]["requests"], 16384 / 32);
    EXPECT_EQ(sectors_per_request(document, "global_load"), sectors) << "stride " << stride;
    EXPECT_EQ(sectors_per_request(document, "global_store"), 4) << "the store has no stride";
    EXPECT_DOUBLE_EQ(efficiency(document, "global_load"), 128.0 / (32 * sectors));
  }
}

TEST(LessonCoalescing, AnOffsetCostsOneSectorUnlessItIsWholeSectors) {
  for (const int offset : {0, 1, 7, 8, 9, 16, 24, 31}) {
    const json document = run("offset", {"offset=" + std::to_string(offset)});
    EXPECT_EQ(sectors_per_request(document, "global_load"), offset % 8 == 0 ? 4 : 5) << "offset " << offset;
  }
}

TEST(LessonCoalescing, PairsApartWasteHalf) {
  const json document = run("pairs_apart", {"n=64", "block=32"});
  EXPECT_EQ(document["totals"]["global_load"]["requests"], 2) << "one warp, 64 elements";
  EXPECT_EQ(document["totals"]["global_load"]["sectors"], 16);
  EXPECT_EQ(efficiency(document, "global_load"), 0.5);
  EXPECT_EQ(efficiency(document, "global_store"), 0.5);
}

TEST(LessonCoalescing, VectorisedCopiesWasteNothing) {
  struct Row {
    const char* variant;
    int requests, sectors;
  };
  for (const Row& row :
       {Row{"grid_stride", 512, 4}, {"packed2", 256, 8}, {"packed4", 128, 16}, {"struct_of_arrays", 512, 4}}) {
    const json document = run(row.variant);
    EXPECT_EQ(document["totals"]["global_load"]["requests"], row.requests) << row.variant;
    EXPECT_EQ(sectors_per_request(document, "global_load"), row.sectors) << row.variant;
    EXPECT_EQ(efficiency(document, "global_load"), 1.0) << row.variant;
  }
  const auto instructions = [](const char* variant) { return run(variant)["totals"]["warp_instructions"].get<int>(); };
  EXPECT_LT(instructions("packed4"), instructions("packed2"));
  EXPECT_LT(instructions("packed2"), instructions("grid_stride"));
}

TEST(LessonCoalescing, AStructBesideAnotherCostsItsNeighbours) {
  const json document = run("array_of_structs");
  EXPECT_EQ(sectors_per_request(document, "global_load"), 16);
  EXPECT_EQ(efficiency(document, "global_load"), 0.25);
}

// The sectors of the gather, counted here for the same permutation.
TEST(LessonCoalescing, AGatherTouchesWhatItsIndicesSay) {
  const json document = run("gather");
  double indices = 0, elements = 0;
  for (const json& site : document["sites"]) {
    if (site["kind"] != "memory" || site["op"].get<std::string>().find("ld.global") == std::string::npos) continue;
    (site["line"] == 6 ? indices : elements) += site["sectors"].get<double>() / site["requests"].get<double>();
  }
  EXPECT_EQ(indices, 4);
  EXPECT_GT(elements, 28);
  EXPECT_LE(elements, 32);
}

TEST(LessonCoalescing, TheContentCheckerAgrees) {
  const Ran ran = lanescope({"check", LANESCOPE_SOURCE_DIR "/lessons"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("coalescing: everything holds"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace lanescope
