// What the window says about a run and the command line does not.

#include "gui/session/run_result.h"

#include <gtest/gtest.h>

#include "test_paths.h"
#include "unit/english.h"
#include "words/messages.h"

namespace lanescope::gui {
namespace {

// The window's text about this variant if its kernel never ends.
Diagnostic said_of_endless(const lesson::Lesson& lesson, const char* variant_id) {
  const lesson::Variant& variant = *lesson.find_variant(variant_id);
  std::string source = lesson.sources.at(variant.file);
  const std::size_t kernel = source.find("__global__"), body = source.find('{', kernel);
  source.insert(body + 1, " for (volatile int i = 0; i >= 0;) i = 0; ");
  EXPECT_NE(body, std::string::npos);
  sim::Progress progress;
  const auto result =
      make_result(lesson, {lesson.id, variant.id, source, lesson.defaults(variant)}, progress, RunFor::totals);
  EXPECT_FALSE(result->outcome.completed);
  return result->outcome.diagnostics.empty() ? Diagnostic{} : result->outcome.diagnostics.front();
}

// `--max-steps` is a command-line option; the window has no place to type it.
TEST(RunResult, ALongKernelsCureIsOneThatTheWindowHas) {
  const auto lesson = lesson::load_one(LANESCOPE_SOURCE_DIR "/lessons", "shuffle_reduce");
  ASSERT_TRUE(lesson);
  ASSERT_FALSE(lesson->find_variant("warp_shuffle")->controls.empty());
  ASSERT_TRUE(lesson->find_variant("each_halving")->controls.empty());
  for (const auto& [variant, cure] : {std::pair{"warp_shuffle", "choose smaller control values"},
                                      std::pair{"each_halving", "this variant has no controls"}}) {
    SCOPED_TRACE(variant);
    const Diagnostic said = said_of_endless(*lesson, variant);
    EXPECT_EQ(said.code, "run.step_budget");
    EXPECT_NE(said.cure.find("Check that the loop at this line ends"), std::string::npos) << said.cure;
    EXPECT_NE(said.cure.find(cure), std::string::npos) << said.cure;
    EXPECT_EQ(said.cure.find("--"), std::string::npos) << "an option of the command line: " << said.cure;
    EXPECT_EQ(test::english_in(diagram::translated(said.cure, diagram::Language::chinese)), "");
  }
}

}  // namespace
}  // namespace lanescope::gui
