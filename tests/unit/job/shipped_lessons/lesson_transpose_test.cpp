// The figures of lesson 7.

#include "job/shipped_lessons/lesson_run.h"

namespace lanescope::transpose {
namespace {

using nlohmann::json;
json run(const std::string& variant, int n) {
  return json::parse(job::to_json(test::run_variant(test::lesson_in("07_transpose"), variant, {{"n", n}}).outcome));
}

// n² elements, a warp's 32 in 4 sectors along a row and in 32 along a column.
TEST(LessonTranspose, ATileMakesBothSidesRows) {
  struct Row {
    const char* variant;
    int load_sectors, store_sectors, conflicts_per_request;
  };
  for (const int n : {32, 96, 128}) {
    const int requests = n * n / 32;
    for (const Row& row :
         {Row{"row_reads", 4, 32, 0}, Row{"column_reads", 32, 4, 0}, Row{"tiled", 4, 4, 31}, Row{"padded", 4, 4, 0}}) {
      const json totals = run(row.variant, n)["totals"];
      EXPECT_EQ(totals["global_load"]["requests"], requests) << row.variant;
      EXPECT_EQ(totals["global_load"]["sectors"], requests * row.load_sectors) << row.variant;
      EXPECT_EQ(totals["global_store"]["sectors"], requests * row.store_sectors) << row.variant;
      EXPECT_EQ(totals["shared_load"]["bank_conflicts"], requests * row.conflicts_per_request) << row.variant;
      EXPECT_EQ(totals["shared_store"]["bank_conflicts"], 0) << row.variant;
    }
  }
}

}  // namespace
}  // namespace lanescope::transpose
