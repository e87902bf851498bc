// Lesson 1 at the limits of its controls. The GPU counters that it quotes must be in its recording.

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "job/shipped_lessons/lesson_run.h"
#include "test_paths.h"

namespace lanescope::coalescing {
namespace {

nlohmann::json full_size_counters(const std::string& variant) {
  std::ifstream in(LANESCOPE_SOURCE_DIR "/assets/recordings/coalescing.json");
  const nlohmann::json recording = nlohmann::json::parse(in);
  for (const nlohmann::json& run : recording.at("runs"))
    if (run.at("variant") == variant && run.at("size") == "full") return run.at("counters");
  ADD_FAILURE() << "no recording of " << variant;
  return {};
}

// 1048576 → "1,048,576"
std::string separated(std::int64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

// The first warp of a block, from the addresses alone: lane i reads the float `element(i)`; arrays begin at a sector.
template <typename Element>
std::size_t sectors_of(const Element& element) {
  std::set<int> sectors;
  for (int lane = 0; lane < 32; ++lane) sectors.insert(4 * element(lane) / 32);
  return sectors.size();
}

TEST(LessonCoalescing, EveryPlaceOfBothSlidersMovesTheSectorsOfItsAddresses) {
  const auto loads_of = [](const char* variant, const char* control, int value) {
    return test::run_variant(test::lesson_in("01_coalescing"), variant, {{"n", 1024}, {"block", 32}, {control, value}})
        .totals["global_load"];
  };
  for (int stride = 1; stride <= 32; ++stride) {
    const std::size_t sectors = sectors_of([&](int lane) { return lane * stride; });
    const nlohmann::json loads = loads_of("stride", "stride", stride);
    EXPECT_EQ(loads["requests"], 32) << stride;
    EXPECT_EQ(loads["sectors"], 32 * sectors) << stride;
    EXPECT_EQ(loads["bytes_requested"], 32 * 128) << stride;
    EXPECT_EQ(loads["bytes_moved"], 32 * 32 * sectors) << stride << ": at 32, of 1024 bytes a request 128 are used";
  }
  for (int offset = 0; offset <= 31; ++offset) {
    const std::size_t sectors = sectors_of([&](int lane) { return lane + offset; });
    EXPECT_EQ(sectors, offset % 8 == 0 ? 4u : 5u) << offset;
    EXPECT_EQ(loads_of("offset", "offset", offset)["sectors"], 32 * sectors) << offset;
  }
}

TEST(LessonCoalescing, EveryLegalControlValueHolds) {
  for (const char* variant : {"stride", "offset", "pairs_apart", "grid_stride", "packed2", "packed4", "gather",
                              "array_of_structs", "struct_of_arrays"})
    for (const int n : {64, 192, 8256})
      for (const int block : {32, 1024})
        test::run_variant(test::lesson_in("01_coalescing"), variant, {{"n", n}, {"block", block}});
}

TEST(LessonCoalescing, TheCountersInTheTextAreTheRecordings) {
  for (const char* file : {"text.md", "text.zh-CN.md"}) {
    std::ifstream in(std::string(LANESCOPE_SOURCE_DIR "/lessons/01_coalescing/") + file);
    std::stringstream text;
    text << in.rdbuf();
    for (const char* variant : {"pairs_apart", "packed2"}) {
      const nlohmann::json counters = full_size_counters(variant);
      for (const char* counter : {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "lts__t_sectors_op_read.sum"}) {
        const std::string value = separated(static_cast<std::int64_t>(counters.at(counter).get<double>()));
        EXPECT_NE(text.str().find(value), std::string::npos)
            << file << ", " << variant << ", " << counter << ": " << value;
      }
    }
  }
}

}  // namespace
}  // namespace lanescope::coalescing
