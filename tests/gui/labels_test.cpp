// Every label exists in both languages, with the same places for values.

#include "gui/kit/labels.h"
#include "gui/parts/ui.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "diagram/words.h"
#include "gpu/gpu.h"
#include "gui/session/state_store.h"
#include "metrics/report.h"
#include "test_paths.h"
#include "unit/glossary.h"
#include "words/messages.h"

namespace lanescope::gui {
namespace {

// The values that a label has places for: `{}`, `{0}`, `{0|one|many}`.
int places(const std::string& text) {
  int count = 0;
  std::set<char> numbered;
  for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1))
    if (text[at + 1] == '}')
      ++count;
    else
      numbered.insert(text[at + 1]);
  return count + static_cast<int>(numbered.size());
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

TEST(Labels, KeepToTheGlossarysWords) {
  const auto words = test::words_ruled_out();
  ASSERT_GT(words.size(), 20u) << "docs/glossary.md has its table in another form";
  for (int i = 0; i < static_cast<int>(Label::count_); ++i) {
    const std::string chinese = label_text(static_cast<Label>(i), Language::chinese);
    EXPECT_EQ(test::ruled_out_in(chinese, words), "") << chinese;
  }
  for (const char* number : {"global_load.sectors", "global_store.efficiency", "shared_load.bank_conflicts",
                             "local_load.requests", "global_reduction.requests", "divergent_branches"}) {
    const std::string chinese = metric_label(number, "?", Language::chinese);
    EXPECT_EQ(test::ruled_out_in(chinese, words), "") << chinese;
  }
}

TEST(Labels, KnowOneFromMany) {
  const char* pattern = label_text(Label::sectors_is_least, Language::english);
  EXPECT_EQ(fill_in(pattern, "1"), "1 sector in this request, the minimum");
  EXPECT_EQ(fill_in(pattern, "4"), "4 sectors in this request, the minimum");
  EXPECT_EQ(fill_in("{} of {}", "1", "2"), "1 of 2");
}

TEST(Labels, NumbersAreNamedInBothLanguages) {
  EXPECT_EQ(metric_label("global_load.sectors", "global load sectors", Language::english), "global load sectors");
  EXPECT_EQ(metric_label("global_load.sectors", "global load sectors", Language::chinese), "全局读取 sector 数");
  EXPECT_EQ(metric_label("barriers", "barriers", Language::chinese), "屏障");
  EXPECT_EQ(metric_label("a.new_number", "a new number", Language::chinese), "a new number");
}

TEST(Labels, EveryNumberHasAChineseName) {
  const auto words = test::words_ruled_out();
  for (const metrics::Measurement& number : metrics::report(trace::Totals{}, trace::Origin::interpreted)) {
    const std::string chinese = metric_label(number.name, number.label, Language::chinese);
    EXPECT_TRUE(chinese != number.label || number.label == "shuffles") << number.name;
    EXPECT_EQ(test::ruled_out_in(chinese, words), "") << chinese;
    if (number.nsight_note.empty()) continue;
    EXPECT_NE(diagram::translated(number.nsight_note.c_str(), Language::chinese), number.nsight_note);
  }
}

TEST(Labels, APercentageIsRoundedAlikeEverywhere) {
  EXPECT_EQ(number_text(6.25, "%"), "6.3 %");
  EXPECT_EQ(number_text(6.25, "%"), diagram::percent(6.25, 100));
  EXPECT_EQ(number_text(100, "%"), "100.0 %");
  EXPECT_EQ(number_text(99.96, "%"), "99.9 %") << "100 only when it is all of it";
}

// What the window says of a machine without a GPU, and of a full disk, is in the language on screen.
TEST(Labels, TheWindowsMessagesAreInBothLanguages) {
  const auto devices = gpu::devices();
  if (!devices) {
    for (const Diagnostic& why : devices.errors())
      for (const Wording& said : {why.message, why.cure}) {
        EXPECT_NE(diagram::translated(said, Language::chinese), said);
      }
  }
  StateStore store("/proc/no/such/folder");
  const auto saved = store.save_edit("lesson", "variant", "text");
  ASSERT_FALSE(saved);
  for (const Wording& said : {saved.errors().front().message, saved.errors().front().cure}) {
    EXPECT_NE(diagram::translated(said, Language::chinese), said);
  }
}

// Every phase of every lesson has a Chinese name: comparing shows it.
TEST(Labels, PhasesHaveChineseNames) {
  const auto lessons = lesson::load_all(LANESCOPE_SOURCE_DIR "/lessons");
  ASSERT_TRUE(lessons);
  for (const lesson::Lesson& lesson : *lessons) {
    EXPECT_FALSE(lesson.phases.empty()) << lesson.id;
    EXPECT_EQ(lesson.untranslated.size(), 0u) << lesson.id;
    for (const lesson::PhaseName& phase : lesson.phases)
      EXPECT_NE(lesson::phase_title(lesson.phases, phase.name, "zh-CN"), phase.name) << lesson.id;
  }
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
