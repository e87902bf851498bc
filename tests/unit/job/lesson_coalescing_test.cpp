// Lesson 1 at the ends of its controls; and the counters of a GPU that it quotes stand in its recording.

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "job/lesson_run.h"

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

TEST(LessonCoalescing, EveryLegalControlValueHolds) {
  for (const char* variant : {"stride", "offset", "pairs_apart", "grid_stride", "packed2", "packed4", "gather", "array_of_structs",
                              "struct_of_arrays"})
    for (const int n : {64, 192, 8256})
      for (const int block : {32, 1024}) test::run_variant(test::lesson_in("01_coalescing"), variant, {{"n", n}, {"block", block}});
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
        EXPECT_NE(text.str().find(value), std::string::npos) << file << ", " << variant << ", " << counter << ": " << value;
      }
    }
  }
}

}  // namespace
}  // namespace lanescope::coalescing
