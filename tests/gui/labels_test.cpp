// Every label exists in both languages, with the same places for values.

#include "gui/labels.h"

#include <gtest/gtest.h>

#include <string>

namespace lanescope::gui {
namespace {

int places(const std::string& text) {
  int count = 0;
  for (std::size_t at = text.find("{}"); at != std::string::npos; at = text.find("{}", at + 2))
    ++count;
  return count;
}

TEST(Labels, BothLanguagesSayTheSame) {
  for (int i = 0; i < static_cast<int>(Label::count_); ++i) {
    const std::string english = label_text(static_cast<Label>(i), Language::english);
    const std::string chinese = label_text(static_cast<Label>(i), Language::chinese);
    EXPECT_FALSE(english.empty()) << "label " << i;
    EXPECT_FALSE(chinese.empty()) << english;
    EXPECT_EQ(places(english), places(chinese)) << english;
  }
}

TEST(Labels, NumbersAreNamedInBothLanguages) {
  EXPECT_EQ(metric_label("global_load.sectors", "global load sectors", Language::english),
            "global load sectors");
  EXPECT_EQ(metric_label("global_load.sectors", "global load sectors", Language::chinese),
            "全局读取扇区数");
  EXPECT_EQ(metric_label("barriers", "barriers", Language::chinese), "屏障");
  EXPECT_EQ(metric_label("a.new_number", "a new number", Language::chinese), "a new number");
}

TEST(Labels, LanguagesHaveTheCodesOfLessonTexts) {
  EXPECT_STREQ(code_of(Language::english), "en");
  EXPECT_STREQ(code_of(Language::chinese), "zh-CN");
  EXPECT_EQ(language_of("zh_CN.UTF-8"), Language::chinese);
  EXPECT_EQ(language_of("de_DE.UTF-8"), Language::english);
  EXPECT_EQ(language_of(""), Language::english);
}

}  // namespace
}  // namespace lanescope::gui
