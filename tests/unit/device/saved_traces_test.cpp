#include "device/saved_traces.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "golden.h"

namespace lanescope::device {
namespace {

namespace fs = std::filesystem;

trace::Trace a_trace() {
  trace::Trace trace;
  trace.kernel = "k";
  trace.arch = "sm_90";
  return trace;
}

TEST(SavedTraces, ANameIsAFilesNameWhateverTheKernelsIs) {
  EXPECT_EQ(saved_name(3, "matmul"), "0003-matmul.trace");
  EXPECT_EQ(saved_name(12345, "reduce<float, 4>"), "12345-reduce_float__4_.trace");
  EXPECT_EQ(saved_name(1, "../../x"), "0001-______x.trace");
  EXPECT_LT(saved_name(1, std::string(5000, 'k')).size(), 255u);
}

TEST(SavedTraces, WithoutAFolderNothingIsKept) {
  SavedTraces none("");
  EXPECT_EQ(none.room(), 0u);
  EXPECT_TRUE(none.add(1, "k", a_trace()).empty());
}

TEST(SavedTraces, ItEndsWhenTheFolderHoldsEnough) {
  const test::TempFolder folder;
  SavedTraces saved(folder.path().string(), 1);
  EXPECT_GT(saved.room(), 0u);
  const Diagnostics said = saved.add(1, "k", a_trace());
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said.front().code, "program.saved_enough");
  EXPECT_EQ(saved.room(), 0u);
  EXPECT_TRUE(saved.add(2, "k", a_trace()).empty()) << "it is said once";
  EXPECT_TRUE(trace::open((folder / "0001-k.trace").string()).ok());
  EXPECT_FALSE(fs::exists(folder / "0002-k.trace"));
}

TEST(SavedTraces, AFolderThatIsGoneIsSaidOnce) {
  SavedTraces saved("/nowhere/at/all");
  EXPECT_EQ(saved.add(1, "k", a_trace()).size(), 1u);
  EXPECT_EQ(saved.room(), 0u);
  EXPECT_TRUE(saved.add(2, "k", a_trace()).empty());
}

}  // namespace
}  // namespace lanescope::device
