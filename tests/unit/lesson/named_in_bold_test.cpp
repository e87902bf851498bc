// What the pages "run" and "try" print in bold exists on screen under exactly that name.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "expressions.h"
#include "lesson/lesson.h"
#include "lesson/text.h"
#include "test_paths.h"

namespace lanescope::lesson {
namespace {

std::vector<std::string> bold_in(const Section& section) {
  std::string text;
  for (const Piece& piece : section.pieces) text += piece.markdown;
  std::vector<std::string> found;
  for (std::size_t at = text.find("**"); at != std::string::npos;) {
    const std::size_t end = text.find("**", at + 2);
    if (end == std::string::npos) break;
    found.push_back(text.substr(at + 2, end - at - 2));
    at = text.find("**", end + 2);
  }
  return found;
}

// The names of the window's own buttons, from app/gui/kit/labels.def: LABEL(run, "Run", "运行").
bool is_button(const std::string& name) {
  std::ifstream in(LANESCOPE_SOURCE_DIR "/app/gui/kit/labels.def");
  for (std::string line; std::getline(in, line);)
    for (const auto& button : test::all_found(line, "^LABEL\\((run|compare), \"([^\"]*)\", \"([^\"]*)\"\\)"))
      if (button[2] == name || button[3] == name) return true;
  return false;
}

TEST(LessonTexts, NameControlsAndTasksAsTheWindowDoes) {
  std::size_t controls_named = 0;
  for (const Lesson& lesson : load_library(LANESCOPE_SOURCE_DIR "/lessons").lessons)
    for (const char* language : {"en", "zh-CN"}) {
      const auto text = parse_text(lesson, language);
      ASSERT_TRUE(text.ok()) << lesson.id;
      for (const std::size_t page : {2u, 5u})  // run, try
        for (const std::string& name : bold_in(text->sections.at(page))) {
          const auto called = [&](const auto& one) { return one.title.in(language) == name; };
          const bool control =
              std::ranges::any_of(lesson.controls, [&](const Control& one) { return one.label.in(language) == name; });
          controls_named += control;
          EXPECT_TRUE(control || is_button(name) || std::ranges::any_of(lesson.tasks, called))
              << lesson.id << ", " << language << ": **" << name << "**";
        }
    }
  EXPECT_GT(controls_named, 8u);
}

}  // namespace
}  // namespace lanescope::lesson
