// Traces that --save wrote and `lanescope show` opens.

#include <gmock/gmock.h>

#include "cli/program.h"
#include "test_paths.h"
#include "trace/trace_builder.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::lanescope;
using test::Ran;
using test::with;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> copied{"trace", "copy.cu", "--kernel",      "copy",  "--grid",   "2",     "--block",
                                      "64",    "--arg",   "f32[128]=iota", "--arg", "f32[128]", "--arg", "i32=100"};

TEST(SavedTraces, ShowTheSameNumbers) {
  test::TempFolder folder;
  const std::string file = (folder / "a.trace").string();
  const json before = lanescope({"run", "coalescing", "--save", file, "--json"}).json();
  const Ran shown = lanescope({"show", file, "--json", "--svg", (folder / "svg").string()});
  ASSERT_EQ(shown.code, 0) << shown.err;
  const json after = shown.json();
  EXPECT_EQ(before["totals"], after["totals"]);
  EXPECT_EQ(before["sites"], after["sites"]);
  EXPECT_EQ(before["events"], after["events"]);
  EXPECT_EQ(before["launch"], after["launch"]);
  EXPECT_EQ(before["compiler"], after["compiler"]);
  EXPECT_TRUE(fs::exists(folder / "svg" / "film.svg"));
}

// Such a trace has bank conflicts of another rule.
TEST(SavedTraces, OfBeforeTheTurnsOfAtomicsSaySo) {
  test::TempFolder folder;
  const std::string file = (folder / "old.trace").string();
  trace::test::TraceBuilder builder({1, 1, 1}, {32, 1, 1});
  builder.access_site(trace::MemorySpace::shared, trace::Operation::atomic, 4, "atom.shared.add.u32", 1);
  trace::Trace trace = builder.finish();
  const auto said = [&](bool turns_known) {
    trace.turns_known = turns_known;
    EXPECT_TRUE(trace::save(trace, file).ok());
    const Ran shown = lanescope({"show", file});
    EXPECT_EQ(shown.code, 0);
    return shown.err;
  };
  EXPECT_THAT(said(true), Not(HasSubstr("older version")));
  EXPECT_THAT(said(false), HasSubstr("An older version of Lanescope saved this trace."));
}

TEST(SavedTraces, OfARunThatFailedSaySo) {
  test::TempFolder folder;
  const std::string file = (folder / "a.trace").string();
  std::vector<std::string> short_buffer = copied;
  short_buffer[9] = "f32[70]=iota";  // the kernel reads 100 elements
  ASSERT_EQ(lanescope(with(short_buffer, {"--save", file})).code, 1);
  const std::string failed = "The run failed. What follows is what happened before that.";
  EXPECT_THAT(lanescope({"show", file}).out, HasSubstr(failed));
  EXPECT_FALSE(lanescope({"show", file, "--json"}).json()["completed"]);
  ASSERT_EQ(lanescope(with(copied, {"--save", file})).code, 0);
  EXPECT_THAT(lanescope({"show", file}).out, Not(HasSubstr(failed)));
  EXPECT_TRUE(lanescope({"show", file, "--json"}).json()["completed"]);
}

}  // namespace
}  // namespace lanescope
