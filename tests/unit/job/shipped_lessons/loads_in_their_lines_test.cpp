// The pictures name the line of an access, and its phase follows from it. The compiler may give the load of a whole
// struct, `const float4 value = in[i];`, the line of the store that follows, `out[i] = value;`. A lesson's kernel is
// written so that this does not happen.

#include <regex>

#include <gtest/gtest.h>

#include "core/text.h"
#include "job/lesson/lesson_request.h"
#include "job/run/job.h"
#include "lesson/lesson.h"
#include "test_paths.h"

namespace lanescope::job {
namespace {

// Whether the line, `place[…] = name;`, stores what a name holds.
bool only_stores(const std::string& line) {
  static const std::regex store(R"(^\s*[^=]*\]\s*=\s*\w+\s*;\s*(//.*)?$)");
  return std::regex_match(line, store);
}

TEST(LessonLines, ALoadStandsWhereTheSourceLoads) {
  int loads = 0;
  for (const lesson::Lesson& lesson : lesson::load_library(LANESCOPE_SOURCE_DIR "/lessons").lessons)
    for (const lesson::Variant& variant : lesson.variants) {
      if (variant.gpu_only) continue;
      const Result<Request> request = from_lesson(lesson, variant, {});
      ASSERT_TRUE(request.ok()) << variant.id << ": " << format(request.errors().front());
      const Outcome outcome = run(*request, &variant);
      if (!outcome.completed && outcome.diagnostics.front().code == "toolchain.no_nvrtc") GTEST_SKIP() << "no compiler";
      const std::vector<std::string_view> lines = split(request->source.text, '\n');
      for (const LaunchOutcome& launch : outcome.launches)
        for (const trace::Site& site : launch.trace.sites) {
          if (!site.opcode.starts_with("ld.global") || site.line < 1) continue;
          if (site.file != request->source.name || static_cast<std::size_t>(site.line) > lines.size()) continue;
          const std::string line(lines[static_cast<std::size_t>(site.line) - 1]);
          EXPECT_FALSE(only_stores(line))
              << lesson.id << ", " << variant.id << ": " << site.opcode << " in line " << site.line << ": " << line;
          ++loads;
        }
    }
  EXPECT_GT(loads, 50);
}

TEST(LessonLines, ALineThatOnlyStoresIsTold) {
  EXPECT_TRUE(only_stores("  out[i] = value;  // @store"));
  EXPECT_TRUE(only_stores("    reinterpret_cast<float4*>(tile)[thread] = four;"));
  EXPECT_FALSE(only_stores("  out[i] = in[i];"));
  EXPECT_FALSE(only_stores("  const float4 value = in[i];"));
}

}  // namespace
}  // namespace lanescope::job
